%% Functions that go through tables of their own, with a bug for few inputs.
-module(searched_tables).
-export([
    first_of_ordered/2, fold_sum/2, match_of_pair/2, matched_object/2,
    next_behind/1, previous_key/2, removed_by_pattern/2, selected_keys/2,
    whole_table/2
]).

%% The smallest key comes first.
%% finds: error far
-spec first_of_ordered(integer(), integer()) -> integer().
first_of_ordered(A, B) ->
    Table = ets:new(table, [ordered_set]),
    true = ets:insert(Table, [{A}, {B}, {0}]),
    case ets:first(Table) of
        First when First =:= B, First < -1000 -> error(far);
        First -> First
    end.

%% All objects are added up.
%% finds: error answer
-spec fold_sum(integer(), integer()) -> integer().
fold_sum(A, B) ->
    Table = ets:new(table, []),
    true = ets:insert(Table, [{a, A}, {b, B}, {c, 2}]),
    case ets:foldl(fun({_, Value}, Sum) -> Value + Sum end, 0, Table) of
        42 -> error(answer);
        Sum -> Sum
    end.

%% A variable that occurs twice stands for one value.
%% finds: error pair
-spec match_of_pair(integer(), integer()) -> none | integer().
match_of_pair(A, B) ->
    Table = ets:new(table, []),
    true = ets:insert(Table, {key, A, B}),
    case ets:match(Table, {key, '$1', '$1'}) of
        [] -> none;
        [[Both]] when Both > 50 -> error(pair);
        [[Both]] -> Both
    end.

%% A part of the pattern comes from the input.
%% finds: error second
-spec matched_object(1..3, integer()) -> first | third | none.
matched_object(Key, Value) ->
    Table = ets:new(table, [ordered_set]),
    true = ets:insert(Table, [{1, first}, {2, second}, {3, third}]),
    case ets:match_object(Table, {Key, '_'}) of
        [{2, second}] when Value =:= 5 -> error(second);
        [{1, first}] -> first;
        [_] -> third
    end.

%% The next key behind one that is not there.
%% finds: error ten
-spec next_behind(integer()) -> integer() | '$end_of_table'.
next_behind(Key) ->
    Table = ets:new(table, [ordered_set]),
    true = ets:insert(Table, [{10}, {20}, {30}]),
    case ets:next(Table, Key) of
        10 when Key > 7 -> error(ten);
        Next -> Next
    end.

%% The key before another one.
%% finds: error neighbours
-spec previous_key(integer(), integer()) -> integer() | '$end_of_table'.
previous_key(A, B) ->
    Table = ets:new(table, [ordered_set]),
    true = ets:insert(Table, [{A}, {B}]),
    case ets:prev(Table, A) of
        Previous when Previous =:= A - 1 -> error(neighbours);
        Previous -> Previous
    end.

%% Objects that match a pattern are removed.
%% finds: error empty
-spec removed_by_pattern(integer(), integer()) -> ok.
removed_by_pattern(A, B) ->
    Table = ets:new(table, []),
    true = ets:insert(Table, [{a, A}, {b, B}]),
    true = ets:match_delete(Table, {'_', 5}),
    case ets:info(Table, size) of
        0 -> error(empty);
        _ -> ok
    end.

%% A match specification with a guard.
%% finds: error both
-spec selected_keys(integer(), integer()) -> [a | b].
selected_keys(A, B) ->
    Table = ets:new(table, [ordered_set]),
    true = ets:insert(Table, [{a, A}, {b, B}]),
    Large = [{{'$1', '$2'}, [{'>', '$2', 1000}], ['$1']}],
    case ets:select(Table, Large) of
        [a, b] -> error(both);
        Keys -> Keys
    end.

%% All of a table.
%% finds: error descending
-spec whole_table(integer(), integer()) -> ok.
whole_table(A, B) ->
    Table = ets:new(table, [ordered_set]),
    true = ets:insert(Table, [{1, A}, {2, B}]),
    case ets:tab2list(Table) of
        [{1, X}, {2, Y}] when X > Y + 9 -> error(descending);
        [_, _] -> ok
    end.
