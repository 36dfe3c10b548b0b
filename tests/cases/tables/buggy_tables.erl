%% Functions that use tables of their own, with a bug for few inputs.
-module(buggy_tables).
-export([
    bag_of_three/2, counter_of_text/1, counter_turns/1,
    counter_with_default/2, deleted_object/1, element_without_key/1,
    last_wins/2, name_is_taken/1, not_inserted/2, number_of_rows/2,
    several_counters/1, taken_twice/1, two_tables/2, update_of_element/1
]).

%% Three objects have one key.
%% finds: error nine
-spec bag_of_three(atom(), integer()) -> two | three.
bag_of_three(Key, Value) ->
    Table = ets:new(table, [bag]),
    true = ets:insert(Table, [{a, 1}, {a, 2}, {Key, Value}]),
    case ets:lookup(Table, a) of
        [_, _] -> two;
        Three -> three(lists:member({a, 9}, Three))
    end.

three(true) -> error(nine);
three(false) -> three.

%% A counter must be an integer.
%% finds: error badarg
-spec counter_of_text(integer() | text) -> integer().
counter_of_text(Start) ->
    Table = ets:new(table, []),
    true = ets:insert(Table, {hits, Start}),
    ets:update_counter(Table, hits, 1).

%% A counter begins again behind its largest value.
%% finds: error turned
-spec counter_turns(integer()) -> integer().
counter_turns(More) ->
    Table = ets:new(table, []),
    true = ets:insert(Table, {hits, 90}),
    case ets:update_counter(Table, hits, {2, More, 100, 0}) of
        0 when More > 0 -> error(turned);
        Count -> Count
    end.

%% The default is counted, too.
%% finds: error seventeen
-spec counter_with_default(atom(), integer()) -> integer().
counter_with_default(Key, More) ->
    Table = ets:new(table, [ordered_set]),
    true = ets:insert(Table, {known, 1}),
    case ets:update_counter(Table, Key, More, {other, 10}) of
        17 -> error(seventeen);
        Count -> Count
    end.

%% Only this object is deleted.
%% finds: error gone
-spec deleted_object(integer()) -> ok.
deleted_object(Value) ->
    Table = ets:new(table, []),
    true = ets:insert(Table, {key, Value}),
    true = ets:delete_object(Table, {key, 4711}),
    case ets:member(Table, key) of
        true -> ok;
        false -> error(gone)
    end.

%% There is no element without a key.
%% finds: error badarg
-spec element_without_key(atom()) -> integer().
element_without_key(Key) ->
    Table = ets:new(table, []),
    true = ets:insert(Table, [{one, 1}, {two, 2}]),
    ets:lookup_element(Table, Key, 2).

%% Of two objects with one key the last one is there.
%% finds: error seven
-spec last_wins(atom(), integer()) -> integer().
last_wins(Key, Value) ->
    Table = ets:new(table, [{keypos, 2}]),
    true = ets:insert(Table, {1, limit}),
    true = ets:insert(Table, {Value, Key}),
    case ets:lookup(Table, limit) of
        [{7, limit}] -> error(seven);
        [{Found, limit}] -> Found
    end.

%% A name can be taken once.
%% finds: error badarg
-spec name_is_taken(atom()) -> atom().
name_is_taken(Name) ->
    names = ets:new(names, [named_table]),
    true = ets:insert(names, {Name, 1}),
    case ets:member(names, again) of
        true -> ets:new(names, [named_table]);
        false -> Name
    end.

%% An object is not inserted if its key is there.
%% finds: error taken
-spec not_inserted(atom(), atom()) -> ok.
not_inserted(A, B) ->
    Table = ets:new(table, []),
    true = ets:insert_new(Table, {A, 1}),
    case ets:insert_new(Table, {B, 2}) of
        true -> ok;
        false -> error(taken)
    end.

%% Two equal keys are one.
%% finds: error one
-spec number_of_rows(integer(), integer()) -> ok.
number_of_rows(A, B) ->
    Table = ets:new(table, []),
    true = ets:insert(Table, [{A, x}, {B, y}]),
    case ets:info(Table, size) of
        1 -> error(one);
        2 -> ok
    end.

%% Several counters change at once.
%% finds: error twelve
-spec several_counters(integer()) -> integer().
several_counters(More) ->
    Table = ets:new(table, []),
    true = ets:insert(Table, {key, 1, 2}),
    case ets:update_counter(Table, key, [{2, More}, {3, 1}]) of
        [12, 3] -> error(twelve);
        [Count, 3] -> Count
    end.

%% What was taken is not there any more.
%% finds: error missing
-spec taken_twice(atom()) -> ok.
taken_twice(Key) ->
    Table = ets:new(table, []),
    true = ets:insert(Table, [{a, 1}, {b, 2}]),
    _ = ets:take(Table, Key),
    case ets:lookup(Table, b) of
        [{b, 2}] -> ok;
        [] -> error(missing)
    end.

%% Each table has its own objects.
%% finds: error swapped
-spec two_tables(integer(), integer()) -> ok.
two_tables(A, B) ->
    One = ets:new(table, []),
    Other = ets:new(table, []),
    true = ets:insert(One, {key, A}),
    true = ets:insert(Other, {key, B}),
    case {ets:lookup_element(One, key, 2), ets:lookup_element(Other, key, 2)} of
        {X, Y} when X =:= Y + 100 -> error(swapped);
        {_, _} -> ok
    end.

%% An element is replaced.
%% finds: error replaced
-spec update_of_element(integer()) -> integer().
update_of_element(Value) ->
    Table = ets:new(table, []),
    true = ets:insert(Table, {key, 1, 2}),
    true = ets:update_element(Table, key, {3, Value}),
    case ets:lookup(Table, key) of
        [{key, 1, 77}] -> error(replaced);
        [{key, 1, Other}] -> Other
    end.
