%%% A priority queue: a pairing heap, and how many elements it has.
%%%
%%% pairing_heap.erl is the same with a bug.
-module(pairing_heap_fixed).

-export([new/0, push/2, pop/1, merge/2, is_valid/1]).

-export_type([heap/0]).

-type tree() :: none | {integer(), [tree()]}.

-opaque heap() :: {Size :: non_neg_integer(), tree()}.

-spec new() -> heap().
new() ->
    {0, none}.

-spec push(integer(), heap()) -> heap().
push(X, {Size, Tree}) ->
    {Size + 1, merge_trees({X, []}, Tree)}.

-spec pop(heap()) -> {ok, integer(), heap()} | empty.
pop({_, none}) ->
    empty;
pop({Size, {X, Trees}}) ->
    {ok, X, {Size - 1, merge_all(Trees)}}.

-spec merge(heap(), heap()) -> heap().
merge({Size1, Tree1}, {Size2, Tree2}) ->
    {Size1 + Size2, merge_trees(Tree1, Tree2)}.

merge_trees(none, Tree) ->
    Tree;
merge_trees(Tree, none) ->
    Tree;
merge_trees({X, Xs}, {Y, _} = Tree) when X < Y ->
    {X, [Tree | Xs]};
merge_trees({X, _} = Tree, {Y, Ys}) when X > Y ->
    {Y, [Tree | Ys]};
merge_trees({X, Xs}, {X, _} = Tree) ->
    {X, [Tree | Xs]}.

merge_all([]) ->
    none;
merge_all([Tree]) ->
    Tree;
merge_all([Tree1, Tree2 | Trees]) ->
    merge_trees(merge_trees(Tree1, Tree2), merge_all(Trees)).

%% No element is smaller than its parent, and none is missing.
-spec is_valid(heap()) -> boolean().
is_valid({Size, none}) ->
    Size =:= 0;
is_valid({Size, {X, _} = Tree}) ->
    is_ordered(Tree, X) andalso count(Tree) =:= Size.

is_ordered({X, Trees}, Least) ->
    X >= Least andalso lists:all(fun(Tree) -> is_ordered(Tree, X) end, Trees).

count({_, Trees}) ->
    lists:foldl(fun(Tree, Sum) -> Sum + count(Tree) end, 1, Trees).
