%% Binary search trees: leaf, or {Left, Key, Right} with an integer key.
%%
%% insert/2 checks its argument first, and its result at the end. The bug is in
%% the first check, is_ordered/1: it only compares a node with its direct
%% children. It accepts the tree
%%
%%         5
%%        /
%%       3
%%        \
%%         7
%%
%% in which 7 is on the wrong side of 5, and the second check fails.
-module(search_tree).
-export([insert/2]).

insert(Key, Tree) when is_integer(Key) ->
    case is_ordered(Tree) of
        true -> {ok, ascending(add(Key, Tree))};
        false -> {error, not_a_search_tree}
    end;
insert(_, _) ->
    {error, not_a_key}.

is_ordered(leaf) ->
    true;
is_ordered({Left, Key, Right}) when is_integer(Key) ->
    is_below(Left, Key) andalso is_above(Right, Key)
        andalso is_ordered(Left) andalso is_ordered(Right);
is_ordered(_) ->
    false.

is_below({_, Key, _}, Limit) -> Key < Limit;
is_below(Tree, _) -> Tree =:= leaf.

is_above({_, Key, _}, Limit) -> Key > Limit;
is_above(Tree, _) -> Tree =:= leaf.

add(Key, leaf) -> {leaf, Key, leaf};
add(Key, {Left, Key, Right}) -> {Left, Key, Right};
add(New, {Left, Key, Right}) when New < Key -> {add(New, Left), Key, Right};
add(New, {Left, Key, Right}) -> {Left, Key, add(New, Right)}.

%% The tree itself, if its keys ascend from left to right.
ascending(Tree) ->
    [First | Keys] = keys(Tree, []),
    ascending(First, Keys, Tree).

ascending(_, [], Tree) -> Tree;
ascending(Key, [Next | Keys], Tree) when Key < Next -> ascending(Next, Keys, Tree);
ascending(Key, [Next | _], _) -> error({out_of_order, Key, Next}).

keys(leaf, Greater) -> Greater;
keys({Left, Key, Right}, Greater) -> keys(Left, [Key | keys(Right, Greater)]).
