%% Funs: what they captured, which one it is, and when they are applied.
-module(kept_funs).
-export([
    arity/2, captured/2, chain/1, chosen/2, clean_captured/2, compared/2,
    environment/2, exported/2, in_list/1, in_map/2, input_fun/2, named/1,
    returned/2, two_levels/2, under_test/1, wrong_fun/2
]).
-export([first/1, second/1]).

%% The number of parameters of a fun.
%% finds all at depth 2: error one; error two
-spec arity(boolean(), a | b) -> ok.
arity(IsOne, Kind) ->
    Fun = with_arity(IsOne),
    case Kind of
        a when is_function(Fun, 1) -> error(one);
        b when is_function(Fun, 2) -> error(two);
        _ -> ok
    end.

with_arity(true) -> fun(X) -> X end;
with_arity(false) -> fun(X, _) -> X end.

%% A captured value, looked at after another decision.
%% finds all at depth 2: error one; error two
-spec captured(boolean(), a | b) -> ok.
captured(Choice, Kind) ->
    N = pick(Choice),
    later(fun(X) -> X + N end, Kind).

later(Fun, Kind) ->
    case {Kind, Fun(0)} of
        {a, 1} -> error(one);
        {b, 2} -> error(two);
        _ -> ok
    end.

pick(true) -> 1;
pick(false) -> 2.

%% The captured value is only returned.
%% clean at depth 2: complete
-spec clean_captured(boolean(), a | b) -> integer().
clean_captured(Choice, Kind) ->
    N = pick(Choice),
    Fun = fun(X) -> X + N end,
    case Kind of
        a -> Fun(1);
        b -> Fun(2)
    end.

%% A fun that grows in each round.
%% finds all at depth 4: error two
-spec chain([a | b]) -> ok.
chain(List) -> chain(List, fun(X) -> X end).

chain([], Fun) ->
    case Fun(0) of
        2 -> error(two);
        _ -> ok
    end;
chain([a | Rest], Fun) -> chain(Rest, fun(X) -> Fun(X) + 1 end);
chain([b | Rest], Fun) -> chain(Rest, Fun).

%% One of two funs.
%% finds all at depth 2: error left; error right
-spec chosen(boolean(), a | b) -> ok.
chosen(true, Kind) -> call(fun left/1, Kind);
chosen(false, Kind) -> call(fun right/1, Kind).

call(Fun, Kind) -> Fun(Kind).

left(a) -> error(left);
left(b) -> ok.

right(a) -> ok;
right(b) -> error(right).

%% Whether two funs are the same one.
%% finds all at depth 2: error same; error different
-spec compared(boolean(), a | b) -> ok.
compared(IsSame, Kind) ->
    One = fun ?MODULE:first/1,
    Other = other(IsSame),
    case Kind of
        a when One =:= Other -> error(same);
        b when One =/= Other -> error(different);
        _ -> ok
    end.

other(true) -> fun ?MODULE:first/1;
other(false) -> fun ?MODULE:second/1.

%% A fun of one place in the code with two environments.
%% finds all at depth 3: error ab; error ba
-spec environment(a | b, [a | b]) -> ok.
environment(Kind, List) ->
    Is = fun(X) -> X =:= Kind end,
    case {Kind, lists:map(Is, List)} of
        {a, [true, false]} -> error(ab);
        {b, [true, false]} -> error(ba);
        _ -> ok
    end.

%% A fun by its name.
%% finds all at depth 2: error first; error second
-spec exported(first | second, 0..3) -> ok.
exported(Name, N) ->
    Fun = fun ?MODULE:Name/1,
    case N of
        2 -> Fun(N);
        3 -> Fun(N);
        _ -> ok
    end.

-spec first(0..3) -> ok.
first(2) -> error(first);
first(_) -> ok.

-spec second(0..3) -> ok.
second(3) -> error(second);
second(_) -> ok.

%% Funs that are collected, and called in the end.
%% finds all at depth 4: error b_then_a
-spec in_list([a | b]) -> ok.
in_list(List) -> in_list(List, []).

in_list([], Funs) ->
    case [Fun() || Fun <- Funs] of
        [a, b, _] -> error(b_then_a);
        _ -> ok
    end;
in_list([a | Rest], Funs) -> in_list(Rest, [fun() -> a end | Funs]);
in_list([b | Rest], Funs) -> in_list(Rest, [fun() -> b end | Funs]).

%% A fun as a value of a map.
%% finds all at depth 2: error one; error two
-spec in_map(boolean(), a | b) -> ok.
in_map(Choice, Kind) ->
    N = pick(Choice),
    from_map(#{run => fun() -> N end}, Kind).

from_map(#{run := Run}, a) -> one(Run());
from_map(#{run := Run}, b) -> two(Run()).

one(1) -> error(one);
one(_) -> ok.

two(2) -> error(two);
two(_) -> ok.

%% What a fun of the input returned is known for its next call.
%% finds all at depth 3: error changed
-spec input_fun(fun((a | b) -> 0..3), a | b) -> ok.
input_fun(Fun, Kind) ->
    N = Fun(a),
    case Kind of
        a when N > 2 -> ok;
        b when N > 2 -> compare(N, Fun(b));
        _ -> ok
    end.

compare(3, 1) -> error(changed);
compare(_, _) -> ok.

%% A fun that calls itself, with a captured value in each round.
%% finds all at depth 4: error all_nine
-spec named([0..9]) -> ok.
named([First | Rest]) ->
    Loop = fun
        Self([X | Xs], N) when X =:= First -> Self(Xs, N + 1);
        Self([_ | Xs], N) -> Self(Xs, N);
        Self([], N) -> N
    end,
    case {First, Loop(Rest, 0)} of
        {9, 2} -> error(all_nine);
        _ -> ok
    end;
named([]) ->
    ok.

%% A fun that is returned by a function that returned from another.
%% finds all at depth 2: error one; error two
-spec returned(boolean(), a | b) -> ok.
returned(Choice, Kind) ->
    {ok, Fun} = maker(Choice),
    later(Fun, Kind).

maker(Choice) -> {ok, inner_maker(pick(Choice))}.

inner_maker(N) -> fun(X) -> X + N end.

%% A fun that captured a fun that captured the value.
%% finds all at depth 2: error one; error two
-spec two_levels(boolean(), a | b) -> ok.
two_levels(Choice, Kind) ->
    N = pick(Choice),
    Inner = fun(X) -> X + N end,
    later(fun(X) -> Inner(X) + 0 end, Kind).

%% A fun that was made under a condition keeps the condition.
%% finds all at depth 3: error small; error large
-spec under_test([0..9]) -> ok.
under_test([N, Kind]) when N < 5 -> tested(fun() -> N end, Kind);
under_test([N, Kind]) -> tested(fun() -> N end, Kind);
under_test(_) -> ok.

tested(Fun, 1) ->
    case Fun() of
        3 -> error(small);
        _ -> ok
    end;
tested(Fun, 2) ->
    case Fun() of
        7 -> error(large);
        _ -> ok
    end;
tested(_, _) ->
    ok.

%% Something that is no fun, or one that takes something else.
%% finds all at depth 2: error {badarity,_}; error {badfun,_}
-spec wrong_fun(one | two | none, call | skip) -> ok.
wrong_fun(Kind, What) -> apply_it(candidate(Kind), What).

candidate(one) -> fun(_) -> ok end;
candidate(two) -> fun(_, _) -> ok end;
candidate(none) -> nothing.

apply_it(Fun, call) -> Fun(1);
apply_it(_, skip) -> ok.
