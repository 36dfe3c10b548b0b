%% Parts that are equal, and conditions that tie values together.
-module(kept_equalities).
-export([
    adjacent/1, alias/2, both_ends/1, chained/3, clean_conditions/1,
    compared_trees/2, conditions/2, correlated/2, dead_between/2,
    excluded/2, evenness/2, first_again/1, in_order/1, one_variable/3,
    orientation/2, parts_of_input/1, ranges/2, shifted/2, twice/1
]).

-type tagged() :: {number, 0..3} | {word, x | y}.
-type ranged() :: {low, -9..3} | {high, 0..9}.

%% Two neighbours that are the same unknown number.
%% finds all at depth 4: error same_neighbours
-spec adjacent([0..9]) -> ok.
adjacent([N | Rest]) -> adjacent(Rest, N);
adjacent([]) -> ok.

adjacent([N], N) when N > 5 -> error(same_neighbours);
adjacent([N | Rest], _) -> adjacent(Rest, N);
adjacent([], _) -> ok.

%% Two variables for one value, or for two.
%% finds all at depth 3: error one_value; error two_values
-spec alias(boolean(), [0..9]) -> ok.
alias(true, [A, _, C]) -> aliased(A, A, C);
alias(false, [A, B, C]) -> aliased(A, B, C);
alias(_, _) -> ok.

aliased(A, B, 1) when A =/= B -> error(two_values);
aliased(A, B, 2) -> must_differ(A, B);
aliased(_, _, _) -> ok.

must_differ(A, A) when A < 1 -> error(one_value);
must_differ(_, _) -> ok.

%% The first and the last element.
%% finds all at depth 4: error same_ends
-spec both_ends([0..9]) -> ok.
both_ends([First | Rest]) -> both_ends(Rest, First);
both_ends([]) -> ok.

both_ends([Last], First) when Last =:= First + 1 -> error(same_ends);
both_ends([_ | Rest], First) -> both_ends(Rest, First);
both_ends([], _) -> ok.

%% A condition on a number that is not used any more binds another one.
%% finds all at depth 2: error four; error nine
-spec chained(0..9, 0..9, a | b) -> ok.
chained(X, Y, Kind) when X > 5, Y > X -> after_chain(Y, Kind);
chained(X, Y, Kind) when X =< 5, Y =< X -> after_chain(Y, Kind);
chained(_, _, _) -> ok.

after_chain(4, a) -> error(four);
after_chain(9, b) -> error(nine);
after_chain(_, _) -> ok.

%% The structure of two trees.
%% finds all at depth 3: error equal_trees
-spec compared_trees([a | b], [a | b]) -> ok.
compared_trees(One, Other) ->
    case {wrap(One), wrap(Other)} of
        {{b, _} = Tree, Tree} -> error(equal_trees);
        _ -> ok
    end.

wrap([]) -> leaf;
wrap([a | Rest]) -> {a, wrap(Rest)};
wrap([b | Rest]) -> {b, wrap(Rest)}.

%% What is known of a number that is used again later.
%% finds all at depth 2: error three; error seven
-spec conditions(0..9, a | b) -> ok.
conditions(N, Kind) when N < 5 -> after_conditions(N, Kind);
conditions(N, Kind) -> after_conditions(N, Kind).

after_conditions(3, a) -> error(three);
after_conditions(7, b) -> error(seven);
after_conditions(_, _) -> ok.

%% The conditions exclude the bug on all paths.
%% clean at depth 2: complete
-spec clean_conditions([0..9]) -> ok.
clean_conditions([N | Rest]) when N < 5 -> clean_conditions(Rest, N);
clean_conditions([N | Rest]) when N > 6 -> clean_conditions(Rest, N);
clean_conditions(_) -> ok.

clean_conditions([1 | _], 5) -> error(five);
clean_conditions([2 | _], 6) -> error(six);
clean_conditions(_, _) -> ok.

%% The type of one part follows from the other part.
%% finds all at depth 2: error number; error word
-spec correlated(tagged(), a | b) -> ok.
correlated({number, Value}, Kind) -> untagged(Value, Kind);
correlated({word, Value}, Kind) -> untagged(Value, Kind).

untagged(2, a) -> error(number);
untagged(y, b) -> error(word);
untagged(_, _) -> ok.

%% The number between two others is dead, and still separates them.
%% finds all at depth 3: error ascending; error descending
-spec dead_between([0..4], a | b) -> ok.
dead_between([X, Y, Z], Kind) when X < Y, Y < Z ->
    apart(X, Z, Kind);
dead_between([X, _, Z], Kind) when X >= Z ->
    apart(X, Z, Kind);
dead_between(_, _) ->
    ok.

apart(X, Z, a) when X - Z =:= 3 -> error(descending);
apart(X, Z, b) when Z - X =:= 2 -> error(ascending);
apart(_, _, _) -> ok.

%% Characters that earlier clauses excluded, others on each way.
%% finds all at depth 2: error low; error high
-spec excluded(boolean(), [$a..$e]) -> ok.
excluded(true, [$a | _]) -> ok;
excluded(true, [$b | _]) -> ok;
excluded(false, [$e | _]) -> ok;
excluded(_, [C | Rest]) -> not_excluded(Rest, C);
excluded(_, []) -> ok.

not_excluded([$c | _], C) when C < $b -> error(low);
not_excluded([$d | _], C) when C > $d -> error(high);
not_excluded(_, _) -> ok.

%% Whether an unknown number is even was decided before.
%% finds all at depth 2: error even; error odd
-spec evenness(0..9, a | b) -> ok.
evenness(N, Kind) when N rem 2 =:= 0 -> after_evenness(N, Kind);
evenness(N, Kind) -> after_evenness(N, Kind).

after_evenness(N, a) when N > 3, N < 5 -> error(even);
after_evenness(N, b) when N > 4, N < 6 -> error(odd);
after_evenness(_, _) -> ok.

%% An element that comes again, with others between.
%% finds all at depth 4: error again
-spec first_again([0..9]) -> ok.
first_again([First | Rest]) -> first_again(Rest, First, 0);
first_again([]) -> ok.

first_again([X | _], X, 2) -> error(again);
first_again([X | _], X, _) -> ok;
first_again([_ | Rest], X, N) -> first_again(Rest, X, N + 1);
first_again([], _, _) -> ok.

%% Only an ascending list gets to the end.
%% finds all at depth 4: error three_steps
-spec in_order([0..9]) -> ok.
in_order([N | Rest]) -> in_order(Rest, N);
in_order([]) -> ok.

in_order([N | Rest], Last) when N > Last -> in_order(Rest, N);
in_order([N], Last) when N + 7 =:= Last -> error(three_steps);
in_order(_, _) -> ok.

%% One variable twice in a pattern, for values of two decisions.
%% finds all at depth 2: error both_x; error both_y
-spec one_variable(boolean(), boolean(), a | b) -> ok.
one_variable(A, B, Kind) ->
    case {letter(A), letter(B), Kind} of
        {X, X, a} when X =:= x -> error(both_x);
        {X, X, b} when X =:= y -> error(both_y);
        _ -> ok
    end.

letter(true) -> x;
letter(false) -> y.

%% Two numbers of which the smaller one is known, in two orders.
%% finds all at depth 3: error ascending; error descending
-spec orientation(boolean(), [0..9]) -> ok.
orientation(true, [A, B, C]) when A < B -> oriented(A, B, C);
orientation(false, [A, B, C]) when A < B -> oriented(B, A, C);
orientation(_, _) -> ok.

oriented(P, Q, 1) when P < Q -> error(ascending);
oriented(P, Q, 2) when P > Q -> error(descending);
oriented(_, _, _) -> ok.

%% Two parts of one argument, each of which was looked at alone.
%% finds all at depth 3: error equal_parts
-spec parts_of_input({0..9, 0..9, a | b}) -> ok.
parts_of_input({A, B, Kind}) when A > 3, B > 3 ->
    case Kind of
        a -> ok;
        b when A =:= B -> error(equal_parts);
        b -> ok
    end;
parts_of_input(_) ->
    ok.

%% Numbers of two types meet in one variable.
%% finds all at depth 2: error negative; error positive
-spec ranges(ranged(), a | b) -> ok.
ranges({low, N}, Kind) -> in_range(N, Kind);
ranges({high, N}, Kind) -> in_range(N, Kind).

in_range(-5, a) -> error(negative);
in_range(7, b) -> error(positive);
in_range(_, _) -> ok.

%% A value that is computed from one that has a condition.
%% finds all at depth 2: error low; error high
-spec shifted(0..9, a | b) -> ok.
shifted(N, Kind) when N < 5 -> after_shift(N + 10, Kind);
shifted(N, Kind) -> after_shift(N + 10, Kind).

after_shift(12, a) -> error(low);
after_shift(18, b) -> error(high);
after_shift(_, _) -> ok.

%% The accumulator has an unknown number twice.
%% finds all at depth 4: error twice
-spec twice([0..9]) -> ok.
twice(List) -> twice(List, []).

twice([], [N, _, N]) when N > 4 -> error(twice);
twice([], _) -> ok;
twice([N | Rest], Seen) -> twice(Rest, [N | Seen]).
