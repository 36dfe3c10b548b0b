%% The process dictionary, which no variable names.
-module(kept_dictionary).
-export([
    after_throw/2, clean_flag/2, counted/1, erased/2, flag/2, key_by_input/2,
    number_of_keys/1, previous/1, stored_fun/2
]).

%% What was put stays when an exception is caught.
%% finds all at depth 2: error stayed; error untouched
-spec after_throw(boolean(), a | b) -> ok.
after_throw(Choice, Kind) ->
    put(seen, no),
    try
        maybe_throw(Choice)
    catch
        throw:thrown -> ok
    end,
    case Kind of
        a -> is_seen(yes, stayed);
        b -> is_seen(no, untouched)
    end.

maybe_throw(true) ->
    put(seen, yes),
    throw(thrown);
maybe_throw(false) ->
    ok.

is_seen(Expected, Why) ->
    case get(seen) of
        Expected -> error(Why);
        _ -> ok
    end.

%% A counter.
%% finds all at depth 4: error two
-spec counted([a | b]) -> ok.
counted(List) ->
    put(count, 0),
    walk(List),
    case get(count) of
        2 -> error(two);
        _ -> ok
    end.

walk([a | Rest]) ->
    put(count, get(count) + 1),
    walk(Rest);
walk([b | Rest]) ->
    walk(Rest);
walk([]) ->
    ok.

%% Whether a value is still there.
%% finds all at depth 2: error gone; error here
-spec erased(boolean(), a | b) -> ok.
erased(Choice, Kind) ->
    put(key, 1),
    maybe_erase(Choice),
    case {Kind, get(key)} of
        {a, undefined} -> error(gone);
        {b, 1} -> error(here);
        _ -> ok
    end.

maybe_erase(true) -> erase(key);
maybe_erase(false) -> ok.

%% One function puts a flag, another one reads it much later.
%% finds all at depth 3: error on; error off
-spec flag(boolean(), [a | b]) -> ok.
flag(Choice, List) ->
    set(Choice),
    read(List).

set(true) -> put(flag, on);
set(false) -> put(flag, off).

read([a, b]) -> is_flag(on);
read([b, a]) -> is_flag(off);
read([_ | Rest]) -> read(Rest);
read([]) -> ok.

is_flag(Flag) ->
    case get(flag) of
        Flag -> error(Flag);
        _ -> ok
    end.

%% The flag is only returned.
%% clean at depth 3: complete
-spec clean_flag(boolean(), [a | b]) -> on | off | none.
clean_flag(Choice, List) ->
    set(Choice),
    clean_read(List).

clean_read([a, b]) -> get(flag);
clean_read([_ | Rest]) -> clean_read(Rest);
clean_read([]) -> none.

%% The key under which something was put.
%% finds all at depth 2: error under_x; error under_y
-spec key_by_input(boolean(), a | b) -> ok.
key_by_input(Choice, Kind) ->
    put(key(Choice), 1),
    case {Kind, get(x), get(y)} of
        {a, 1, undefined} -> error(under_x);
        {b, undefined, 1} -> error(under_y);
        _ -> ok
    end.

key(true) -> x;
key(false) -> y.

%% How many keys there are.
%% finds all at depth 4: error both
-spec number_of_keys([a | b]) -> ok.
number_of_keys(List) ->
    put_all(List),
    case {get(a), get(b)} of
        {1, 1} -> error(both);
        _ -> ok
    end.

put_all([a | Rest]) ->
    put(a, 1),
    put_all(Rest);
put_all([b | Rest]) ->
    put(b, 1),
    put_all(Rest);
put_all([]) ->
    ok.

%% `put` returns what was there before.
%% finds all at depth 4: error b_then_a
-spec previous([a | b]) -> ok.
previous(List) ->
    put(last, none),
    previous(List, none).

previous([], b) ->
    case get(last) of
        a -> error(b_then_a);
        _ -> ok
    end;
previous([], _) -> ok;
previous([a | Rest], _) -> previous(Rest, put(last, a));
previous([b | Rest], _) -> previous(Rest, put(last, b)).

%% A fun with its environment.
%% finds all at depth 2: error one; error two
-spec stored_fun(1..2, a | b) -> ok.
stored_fun(N, Kind) ->
    put(run, number(N)),
    Run = get(run),
    case {Kind, Run()} of
        {a, 1} -> error(one);
        {b, 2} -> error(two);
        _ -> ok
    end.

number(1) -> fun() -> 1 end;
number(2) -> fun() -> 2 end.
