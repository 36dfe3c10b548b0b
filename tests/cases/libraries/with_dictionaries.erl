%% Conditions on results of `orddict`, `dict` and `gb_trees`.
-module(with_dictionaries).
-export([
    balanced_size/1, balanced_tree/2, counted/1, dict_counter/2,
    dict_erased/2, dict_found/2, dict_merged/2, dict_updated/1,
    fetched/2, merged/2, no_such_key/1, smallest/1, stored/2, tree_lookup/2,
    tree_of_orddict/1, iterated/1
]).

%% finds: error {size,3}
-spec balanced_size([integer()]) -> ok.
balanced_size(Keys) ->
    Insert = fun(Key, Tree) -> gb_trees:enter(Key, x, Tree) end,
    Tree = lists:foldl(Insert, gb_trees:empty(), Keys),
    case gb_trees:size(Tree) of
        3 when length(Keys) =:= 4 -> error({size, 3});
        _ -> ok
    end.

%% `insert` fails if the key exists.
%% finds: error {key_exists,_}
-spec balanced_tree(integer(), integer()) -> gb_trees:tree().
balanced_tree(A, B) ->
    Tree = gb_trees:from_orddict([{17, a}, {170, b}, {1700, c}]),
    gb_trees:insert(A * 10 + B + 3, d, Tree).

%% How often each key occurs.
%% finds: error {three_times,_}
-spec counted([integer()]) -> ok.
counted(Keys) ->
    Count = fun(Key, Dict) -> orddict:update_counter(Key, 1, Dict) end,
    case lists:foldl(Count, orddict:new(), Keys) of
        [{66, 1}, {67, 2}] -> error({three_times, Keys});
        _ -> ok
    end.

%% finds: error {counter,_}
-spec dict_counter(integer(), integer()) -> ok.
dict_counter(A, B) ->
    Dict = dict:update_counter(n, B, dict:update_counter(n, A, dict:new())),
    case dict:fetch(n, Dict) of
        7077 when A > B -> error({counter, 7077});
        _ -> ok
    end.

%% finds: error {case_clause,_}
-spec dict_erased(boolean(), integer()) -> ok.
dict_erased(Erase, Value) ->
    Full = dict:from_list([{key, Value}, {other, 1}]),
    Dict =
        case Erase of
            true -> dict:erase(key, Full);
            false -> Full
        end,
    case dict:find(key, Dict) of
        error -> ok;
        {ok, N} when N =/= 2002 -> ok
    end.

%% finds: error {found,_}
-spec dict_found(integer(), integer()) -> ok.
dict_found(A, B) ->
    Dict = dict:from_list([{first, A + B}, {second, A - B}]),
    case {dict:find(first, Dict), dict:find(second, Dict)} of
        {{ok, 100}, {ok, 30}} -> error({found, A});
        _ -> ok
    end.

%% finds: error {merged,_}
-spec dict_merged(integer(), integer()) -> ok.
dict_merged(A, B) ->
    Left = dict:store(sum, A, dict:new()),
    Right = dict:store(sum, B, dict:new()),
    Merged = dict:merge(fun(_, X, Y) -> X * 2 + Y end, Left, Right),
    case dict:to_list(Merged) of
        [{sum, 999}] when B > 300 -> error({merged, B});
        _ -> ok
    end.

%% finds: error {list,_}
-spec dict_updated([integer()]) -> ok.
dict_updated(Values) ->
    Append = fun(Value, Dict) -> dict:append(all, Value, Dict) end,
    Dict = lists:foldl(Append, dict:store(all, [], dict:new()), Values),
    case dict:fetch(all, Dict) of
        [7, 77] = List -> error({list, List});
        _ -> ok
    end.

%% `fetch` fails if the key is missing.
%% finds: error function_clause
-spec fetched(integer(), [{integer(), atom()}]) -> atom().
fetched(Key, Pairs) when length(Pairs) > 1, Key > 50 ->
    orddict:fetch(Key, orddict:from_list(Pairs));
fetched(_, _) ->
    none.

%% finds: error {merged,_}
-spec merged([{1..9, integer()}], [{1..9, integer()}]) -> ok.
merged(As, Bs) ->
    Left = orddict:from_list(As),
    Right = orddict:from_list(Bs),
    case orddict:merge(fun(_, A, B) -> A + B end, Left, Right) of
        [{_, 8}, {5, 808}] when length(Left) =:= 1 -> error({merged, 808});
        _ -> ok
    end.

%% `get` fails if the key is missing.
%% finds: error function_clause
-spec no_such_key(1..5) -> atom().
no_such_key(Key) ->
    gb_trees:get(Key, gb_trees:from_orddict([{N, x} || N <- [1, 2, 3, 5]])).

%% finds: error {smallest,_}
-spec smallest([{integer(), integer()}]) -> ok.
smallest([_, _, _ | _] = Pairs) ->
    Tree = gb_trees:from_orddict(orddict:from_list(Pairs)),
    case gb_trees:take_smallest(Tree) of
        {-40, Value, _} when Value =:= 4 -> error({smallest, Value});
        _ -> ok
    end;
smallest(_) ->
    ok.

%% finds: error stored
-spec stored(integer(), integer()) -> ok.
stored(Key, Value) ->
    case orddict:store(Key, Value, [{10, a}, {20, b}]) of
        [{10, a}, {20, 5}] -> error(stored);
        _ -> ok
    end.

%% finds: error {lookup,_}
-spec tree_lookup(integer(), [integer(), ...]) -> ok.
tree_lookup(Key, Values) when length(Values) =:= 3 ->
    Tree = gb_trees:from_orddict(lists:zip([5, 50, 500], Values)),
    case gb_trees:lookup(Key, Tree) of
        {value, 321} when Key > 50 -> error({lookup, Key});
        _ -> ok
    end;
tree_lookup(_, _) ->
    ok.

%% finds: error {keys,_}
-spec tree_of_orddict([integer()]) -> ok.
tree_of_orddict(Keys) ->
    Tree = gb_trees:from_orddict([{Key, x} || Key <- lists:usort(Keys)]),
    case gb_trees:keys(Tree) of
        [2, 3, 5] when hd(Keys) =:= 5 -> error({keys, Keys});
        _ -> ok
    end.

%% finds: error {second,_}
-spec iterated([{1..100, integer()}]) -> ok.
iterated([_, _] = Pairs) ->
    Tree = gb_trees:from_orddict(orddict:from_list(Pairs)),
    {_, _, Iterator} = gb_trees:next(gb_trees:iterator(Tree)),
    case gb_trees:next(Iterator) of
        {99, Value, _} when Value < -9 -> error({second, Value});
        _ -> ok
    end;
iterated(_) ->
    ok.
