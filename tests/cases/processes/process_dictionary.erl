%% Values in the process dictionary.
-module(process_dictionary).
-export([
    clean_counter/1, counter/1, erased/1, keys/2, previous/1, remembered/1
]).

%% `get` returns the value that was put.
%% clean
-spec clean_counter([integer()]) -> ok.
clean_counter(List) ->
    put(count, 0),
    lists:foreach(fun(_) -> put(count, get(count) + 1) end, List),
    true = get(count) =:= length(List),
    ok.

%% A counter across a loop.
%% finds: error {count,_}
-spec counter([integer()]) -> ok.
counter(List) ->
    put(count, 0),
    lists:foreach(fun(N) -> put(count, get(count) + N) end, List),
    case get(count) of
        2345 -> error({count, 2345});
        _ -> ok
    end.

%% An erased value is returned, and gone.
%% finds: error {erased,_}
-spec erased(integer()) -> ok.
erased(N) ->
    put(key, {N, N}),
    case {erase(key), get(key)} of
        {{4004, _}, undefined} -> error({erased, N});
        _ -> ok
    end.

%% The key is an input of a finite type.
%% finds: error {key,_}
-spec keys(a | b | c, integer()) -> ok.
keys(Key, N) ->
    put(a, 1),
    put(b, 2),
    put(Key, N),
    case {get(a), get(b), get(c)} of
        {1, 2, 71} -> error({key, Key});
        _ -> ok
    end.

%% `put` returns the value before.
%% finds: error {previous,_}
-spec previous(integer()) -> ok.
previous(N) ->
    put(key, N),
    case put(key, other) of
        3141 -> error({previous, N});
        _ -> ok
    end.

%% One function puts, another one gets.
%% finds: error {remembered,_}
-spec remembered({integer(), integer()}) -> ok.
remembered({A, B}) ->
    remember(A),
    check(B).

remember(A) -> put(last, A).

check(B) ->
    case get(last) - B of
        1001 -> error({remembered, B});
        _ -> ok
    end.
