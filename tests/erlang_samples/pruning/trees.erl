%%% Recursion over trees, whose continuations keep values.
-module(trees).

-export([sum/1, compared/1]).
-export_type([tree/0]).

-type tree() :: empty | {node, tree(), integer(), tree()}.

%% Each node has a decision, and nobody looks at the sum.
-spec sum(tree()) -> integer().
sum(empty) -> 0;
sum({node, Left, N, Right}) when N < 0 -> sum(Left) - N + sum(Right);
sum({node, Left, N, Right}) -> sum(Left) + N + sum(Right).

%% The heights of the branches are compared at each node.
-spec compared(tree()) -> non_neg_integer().
compared(empty) -> 0;
compared({node, Left, _, Right}) ->
    case {compared(Left), compared(Right)} of
        {N, M} when N > M -> N + 1;
        {N, M} when M >= N -> M + 1
    end.
