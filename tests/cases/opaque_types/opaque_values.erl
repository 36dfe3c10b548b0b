%%% Values of opaque types are made by calls, alone and inside of other values.
-module(opaque_values).

-export([push_all/2, empty_or/1, top/1, is_same/2,
         second/1, in_list/1, in_map/1, in_any_map/1, in_record/1, optional/2,
         made_by_fun/1, length_of_queue/1, tree/1, node_count/1,
         graph/1, new/0, push/2, height/1, leaf/0, branch/3]).
-export_type([stack/0, tree/0]).

-record(stack, {items = [] :: [integer()], size = 0 :: non_neg_integer()}).

-opaque stack() :: #stack{}.

-opaque tree() :: leaf | {tree(), integer(), tree()}.

-record(job, {stack :: stack(), name :: atom()}).

-spec new() -> stack().
new() ->
    #stack{}.

-spec push(integer(), stack()) -> stack().
push(Item, #stack{items = Items, size = Size}) ->
    #stack{items = [Item | Items], size = Size + 1}.

-spec height(stack()) -> non_neg_integer().
height(#stack{items = Items, size = Size}) ->
    Size = length(Items).

-spec leaf() -> tree().
leaf() ->
    leaf.

-spec branch(tree(), integer(), tree()) -> tree().
branch(Left, Item, Right) ->
    {Left, Item, Right}.

%% clean: complete
-spec push_all([boolean()], stack()) -> non_neg_integer().
push_all(Items, Stack) ->
    height(lists:foldl(fun(true, S) -> push(1, S);
                          (false, S) -> S
                       end, Stack, Items)).

%% clean: complete
-spec empty_or(stack()) -> non_neg_integer().
empty_or(Stack) ->
    case is_same(Stack, new()) of
        true -> 0 = height(Stack);
        false -> true = height(Stack) > 0, height(Stack)
    end.

%% finds: error function_clause
-spec top(stack()) -> integer().
top(#stack{items = [Item | _]}) -> Item.

%% clean: complete
-spec is_same(stack(), stack()) -> boolean().
is_same(One, Other) ->
    true = height(One) >= 0,
    One =:= Other.

%% finds: error found
-spec second(stack()) -> ok.
second(Stack) ->
    height(Stack) =:= 2 andalso top(Stack) =:= 4711 andalso error(found),
    ok.

%% finds: error found
-spec in_list([{atom(), stack()}]) -> ok.
in_list([{first, One}, {second, Two}]) ->
    height(One) + height(Two) =:= 1 andalso error(found),
    ok;
in_list(_) ->
    ok.

%% finds: error found
-spec in_map(#{stack => stack(), n := integer()}) -> ok.
in_map(#{stack := Stack, n := N}) when N > 0 ->
    height(Stack) =:= N andalso error(found),
    ok;
in_map(_) ->
    ok.

%% finds: error found
-spec in_any_map(#{integer() => stack()}) -> ok.
in_any_map(#{7 := Stack}) ->
    height(Stack) =:= 1 andalso error(found),
    ok;
in_any_map(_) ->
    ok.

%% finds: error found
-spec in_record(#job{}) -> ok.
in_record(#job{stack = Stack, name = last}) ->
    height(Stack) =:= 2 andalso error(found),
    ok;
in_record(#job{}) ->
    ok.

%% finds: error found
-spec optional(none | stack(), integer()) -> ok.
optional(none, _) ->
    ok;
optional(Stack, Wanted) ->
    Wanted > 1 andalso height(Stack) =:= Wanted andalso error(found),
    ok.

%% finds: error found
-spec made_by_fun(fun((integer()) -> stack())) -> ok.
made_by_fun(Make) ->
    height(Make(3)) =:= 1 andalso error(found),
    ok.

%% finds: error found
-spec length_of_queue(queue:queue(17..20)) -> ok.
length_of_queue(Queue) ->
    case queue:out(Queue) of
        {{value, 19}, Rest} ->
            queue:len(Rest) =:= 1 andalso error(found),
            ok;
        {{value, Item}, _} ->
            true = lists:member(Item, [17, 18, 19, 20]),
            ok;
        {empty, _} ->
            ok
    end.

%% finds: error found
-spec tree(gb_trees:tree(atom(), integer())) -> ok.
tree(Tree) ->
    case gb_trees:lookup(key, Tree) of
        {value, 12} -> error(found);
        _ -> ok
    end.

%% finds: error found
-spec node_count(tree()) -> non_neg_integer().
node_count({{_, 7, _}, _, {_, 8, _}}) ->
    error(found);
node_count({Left, _, Right}) ->
    node_count(Left) + 1 + node_count(Right);
node_count(leaf) ->
    0.

%% A graph is changed, not returned.
%% finds: error found
-spec graph(digraph:graph()) -> ok.
graph(Graph) ->
    digraph:no_vertices(Graph) =:= 1 andalso error(found),
    ok.
