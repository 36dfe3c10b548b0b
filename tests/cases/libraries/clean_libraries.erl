%% Library functions that are only called with valid arguments.
-module(clean_libraries).
-export([
    array_kept/2, dates/1, delete_member/2, dict_round_trip/2, first_word/1,
    join_split/1, merge_sorted/2, option/1, ordered/1, partition/1,
    queue_kept/1, same_elements/1, set_algebra/2, smallest_key/1,
    sort_idempotent/1, split_safely/2, tree_kept/2, unique/1
]).

%% A value that was set is read again.
%% clean: complete
-spec array_kept(0..15, integer()) -> ok.
array_kept(Place, Value) ->
    Value = array:get(Place, array:set(Place, Value, array:new())),
    ok.

%% A day and its number.
%% clean: complete
-spec dates(1..12) -> ok.
dates(Month) ->
    Last = calendar:last_day_of_the_month(2023, Month),
    true = calendar:valid_date(2023, Month, Last),
    ok.

%% One element less if it was there.
%% clean: complete
-spec delete_member(integer(), [integer()]) -> ok.
delete_member(N, List) ->
    Left = length(lists:delete(N, List)),
    Left =
        case lists:member(N, List) of
            true -> length(List) - 1;
            false -> length(List)
        end,
    ok.

%% A stored value is found.
%% clean
-spec dict_round_trip(red | blue, integer()) -> ok.
dict_round_trip(Key, Value) ->
    {ok, Value} = dict:find(Key, dict:store(Key, Value, dict:new())),
    ok.

%% The first of several words.
%% clean: complete
-spec first_word([$a..$c | $\s]) -> string().
first_word(Text) ->
    case string:tokens(Text, " ") of
        [] -> "";
        [Word | _] -> [_ | _] = Word
    end.

%% A text joined with a comma has one.
%% clean: complete
-spec join_split([[$a..$c]]) -> ok.
join_split([_, _ | _] = Words) ->
    true = lists:member($,, string:join(Words, ",")),
    ok;
join_split(_) ->
    ok.

%% Sorted lists stay sorted.
%% clean
-spec merge_sorted([integer()], [integer()]) -> ok.
merge_sorted(Xs, Ys) ->
    Merged = lists:merge(lists:sort(Xs), lists:sort(Ys)),
    true = is_sorted(Merged),
    ok.

%% The default has the same type.
%% clean: complete
-spec option([{depth | width, integer()}]) -> integer().
option(Options) -> proplists:get_value(depth, Options, 1) + 1.

%% An ordered dictionary is ordered.
%% clean: complete
-spec ordered([{1..5, atom()}]) -> ok.
ordered(Pairs) ->
    Keys = [Key || {Key, _} <- orddict:from_list(Pairs)],
    Keys = lists:usort(Keys),
    ok.

%% Both parts together are as long as the whole.
%% clean: complete
-spec partition([integer()]) -> ok.
partition(List) ->
    {Yes, No} = lists:partition(fun(N) -> N > 10 end, List),
    true = length(Yes) + length(No) =:= length(List),
    ok.

%% A queue keeps the order.
%% clean: complete
-spec queue_kept([integer()]) -> ok.
queue_kept(List) ->
    List = queue:to_list(lists:foldl(fun queue:in/2, queue:new(), List)),
    ok.

%% Sorting loses nothing.
%% clean: complete
-spec same_elements([integer()]) -> ok.
same_elements(List) ->
    [] = List -- lists:sort(List),
    ok.

%% Elements of the intersection are in each set.
%% clean
-spec set_algebra([1..4], [1..4]) -> ok.
set_algebra(Xs, Ys) ->
    {A, B} = {ordsets:from_list(Xs), ordsets:from_list(Ys)},
    Both = ordsets:intersection(A, B),
    true = ordsets:is_subset(Both, A) andalso ordsets:is_subset(Both, B),
    ok.

%% No key is smaller.
%% clean: complete
-spec smallest_key([integer()]) -> ok.
smallest_key([]) ->
    ok;
smallest_key(Keys) ->
    {Smallest, _} = gb_sets:take_smallest(gb_sets:from_list(Keys)),
    Smallest = lists:min(Keys),
    ok.

%% Sorting twice is sorting once.
%% clean: complete
-spec sort_idempotent([integer()]) -> ok.
sort_idempotent(List) ->
    Sorted = lists:sort(List),
    Sorted = lists:sort(Sorted),
    ok.

%% The index is inside the list.
%% clean
-spec split_safely(non_neg_integer(), [integer()]) -> ok.
split_safely(N, List) ->
    {_, _} = lists:split(min(N, length(List)), List),
    ok.

%% A tree has the key that was put into it.
%% clean
-spec tree_kept(integer(), [integer()]) -> ok.
tree_kept(Key, Keys) ->
    Tree = gb_trees:from_orddict([{K, K} || K <- lists:usort([Key | Keys])]),
    {value, Key} = gb_trees:lookup(Key, Tree),
    ok.

%% No element occurs twice.
%% clean: complete
-spec unique([integer()]) -> ok.
unique(List) ->
    Set = ordsets:from_list(List),
    true = length(Set) =< length(List),
    true = is_sorted(Set),
    ok.

is_sorted([A, B | Rest]) -> A =< B andalso is_sorted([B | Rest]);
is_sorted(_) -> true.
