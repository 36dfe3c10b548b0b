%% Guards: their alternatives, their failures, and the order of all terms.
-module(kept_guards).
-export([
    alternatives/2, arithmetic/2, clean_mixed/2, failing_element/2,
    failing_head/2, failing_length/2, kinds/2, lazy_or/2, mixed_order/2,
    negated/2, no_boolean/2, strict_or/2, value_of_and/2
]).

%% A guard with `;` fails in one part and goes on with the next.
%% finds all at depth 2: error atom; error list
-spec alternatives(boolean(), a | b) -> ok.
alternatives(Choice, Kind) ->
    Value = atom_or_list(Choice),
    case Kind of
        a when hd(Value) =:= y; is_atom(Value) -> error(atom);
        b when hd(Value) =:= x; Value =:= none -> error(list);
        _ -> ok
    end.

atom_or_list(true) -> word;
atom_or_list(false) -> [x].

%% A division in a guard that fails.
%% finds all at depth 4: error not_zero; error zero
-spec arithmetic([a | b], x | y) -> ok.
arithmetic(List, Kind) -> arithmetic(List, Kind, 2).

arithmetic([], x, N) when 12 div N =:= -12 -> error(not_zero);
arithmetic([], y, N) when 12 div N =< 12; N =< -1 -> ok;
arithmetic([], y, _) -> error(zero);
arithmetic([], _, _) -> ok;
arithmetic([a | Rest], Kind, N) -> arithmetic(Rest, Kind, N - 1);
arithmetic([b | Rest], Kind, N) -> arithmetic(Rest, Kind, N).

%% A part that may not be there.
%% finds all at depth 2: error there; error not_there
-spec failing_element(boolean(), a | b) -> ok.
failing_element(Choice, Kind) ->
    Tuple = tuple(Choice),
    case Kind of
        a when element(2, Tuple) =:= x -> error(there);
        b when not (element(2, Tuple) =:= y) -> ok;
        b -> error(not_there);
        _ -> ok
    end.

tuple(true) -> {1};
tuple(false) -> {1, x}.

%% The first element of what may be empty.
%% finds all at depth 4: error empty; error not_empty
-spec failing_head([a | b], x | y) -> ok.
failing_head(List, Kind) -> failing_head(List, Kind, []).

failing_head([], x, Seen) when hd(Seen) =:= b -> error(not_empty);
failing_head([], y, Seen) when hd(Seen) =/= c -> ok;
failing_head([], y, _) -> error(empty);
failing_head([], x, _) -> ok;
failing_head([a | Rest], Kind, Seen) -> failing_head(Rest, Kind, Seen);
failing_head([b | Rest], Kind, Seen) -> failing_head(Rest, Kind, [b | Seen]).

%% The length of what may be no proper list.
%% finds all at depth 2: error proper; error improper
-spec failing_length(boolean(), a | b) -> ok.
failing_length(Choice, Kind) ->
    List = maybe_proper(Choice),
    case Kind of
        a when length(List) =:= 2 -> error(proper);
        b when length(List) >= 0 -> ok;
        b -> error(improper);
        _ -> ok
    end.

maybe_proper(true) -> [x, y];
maybe_proper(false) -> [x | y].

%% The kind of a value.
%% finds all at depth 2: error atom; error binary; error map
-spec kinds(1..4, a | b | c) -> ok.
kinds(N, Kind) ->
    Value = of_kind(N),
    case Kind of
        a when is_atom(Value) -> error(atom);
        b when is_binary(Value) -> error(binary);
        c when is_map(Value) -> error(map);
        _ -> ok
    end.

of_kind(1) -> [];
of_kind(2) -> x;
of_kind(3) -> <<>>;
of_kind(4) -> #{}.

%% The right side of `orelse` is looked at only sometimes.
%% finds all at depth 2: error by_left; error by_right
-spec lazy_or(boolean(), 0..9) -> ok.
lazy_or(Choice, N) ->
    Name = name(Choice),
    case N < 5 of
        true when Name =:= first orelse N =:= 7 -> by_left(N);
        false when Name =:= first orelse N =:= 7 -> by_right(Name, N);
        _ -> ok
    end.

name(true) -> first;
name(false) -> second.

by_left(3) -> error(by_left);
by_left(_) -> ok.

by_right(second, _) -> error(by_right);
by_right(_, _) -> ok.

%% Terms of different types have an order.
%% finds all at depth 2: error below; error above; error between
-spec mixed_order(1..4, a | b | c) -> ok.
mixed_order(N, Kind) ->
    Value = of_order(N),
    case Kind of
        a when Value < m -> error(below);
        b when Value > {x} -> error(above);
        c when Value > m, Value < {x} -> error(between);
        _ -> ok
    end.

of_order(1) -> 1000;
of_order(2) -> z;
of_order(3) -> {};
of_order(4) -> [].

%% No value is between these.
%% clean at depth 2: complete
-spec clean_mixed(1..4, a | b) -> ok.
clean_mixed(N, Kind) ->
    Value = of_order(N),
    case Kind of
        a when Value < 1000 -> error(below);
        b when Value > [] -> error(above);
        _ -> ok
    end.

%% `not` of something that is no boolean fails.
%% finds all at depth 2: error is_false; error no_boolean
-spec negated(true | false | none, a | b) -> ok.
negated(Choice, Kind) ->
    Flag = flag(Choice),
    case Kind of
        a when not Flag -> error(is_false);
        b when not Flag -> ok;
        b when Flag -> ok;
        b -> error(no_boolean);
        _ -> ok
    end.

flag(true) -> true;
flag(false) -> false;
flag(none) -> none.

%% A guard that is no boolean is not true.
%% finds all at depth 2: error neither; error {bad_generator,_}
-spec no_boolean(true | none, a | b) -> [x].
no_boolean(Choice, Kind) ->
    Flag = flag(Choice),
    case Kind of
        a when Flag -> [x];
        a -> error(neither);
        b -> [X || X <- list(Flag)]
    end.

list(true) -> [x];
list(none) -> none.

%% `or` fails where `orelse` does not.
%% finds all at depth 2: error strict; error lazy
-spec strict_or(true | none, a | b) -> ok.
strict_or(Choice, Kind) ->
    Flag = flag(Choice),
    case Kind of
        a when true or Flag -> ok;
        a -> error(strict);
        b when true orelse Flag -> lazy(Flag)
    end.

lazy(true) -> error(lazy);
lazy(none) -> ok.

%% `andalso` returns what is on its right.
%% finds all at depth 2: error first; error second
-spec value_of_and(boolean(), a | b) -> ok.
value_of_and(Choice, Kind) ->
    Value = is_atom(Kind) andalso name(Choice),
    case {Kind, Value} of
        {a, first} -> error(first);
        {b, second} -> error(second);
        _ -> ok
    end.
