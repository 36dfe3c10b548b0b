%% Functions that use tables of their own and return for every input.
-module(clean_tables).
-export([
    cached/1, counted/1, deleted/2, ended/1, found_again/2, in_order/2, named/1,
    no_object_twice/2, size_of_set/2, sum_of_both/2
]).

%% What is put into a table is found there.
%% clean: complete
-spec found_again(atom(), integer()) -> true.
found_again(Key, Value) ->
    Table = ets:new(table, []),
    true = ets:insert(Table, [{a, 1}, {b, 2}]),
    true = ets:insert(Table, {Key, Value}),
    true = ets:lookup(Table, Key) =:= [{Key, Value}].

%% The second time the value is there.
%% clean: complete
-spec cached(integer()) -> integer().
cached(N) ->
    Cache = ets:new(cache, [private]),
    First = cached(Cache, N),
    First = cached(Cache, N).

cached(Cache, N) ->
    case ets:lookup(Cache, N) of
        [{N, Value}] ->
            Value;
        [] ->
            Value = N + 1,
            true = ets:insert(Cache, {N, Value}),
            Value
    end.

%% A counter counts.
%% clean: complete
-spec counted(integer()) -> integer().
counted(More) ->
    Table = ets:new(table, []),
    true = ets:insert(Table, {hits, 1}),
    Sum = ets:update_counter(Table, hits, More),
    Sum = More + 1.

%% A deleted key is gone, others stay.
%% clean: complete
-spec deleted(atom(), atom()) -> boolean().
deleted(A, B) ->
    Table = ets:new(table, []),
    true = ets:insert(Table, [{A, 1}, {B, 2}]),
    true = ets:delete(Table, A),
    false = ets:member(Table, A),
    A =:= B orelse (true = ets:member(Table, B)).

%% A table that is gone has no size.
%% clean: complete
-spec ended(integer()) -> undefined.
ended(Value) ->
    Table = ets:new(table, []),
    true = ets:insert(Table, {key, Value}),
    true = ets:delete(Table),
    undefined.

%% The keys of an ordered table ascend.
%% clean: complete
-spec in_order(integer(), integer()) -> boolean().
in_order(A, B) ->
    Table = ets:new(table, [ordered_set]),
    true = ets:insert(Table, [{A}, {B}]),
    case ets:tab2list(Table) of
        [{_}] -> true = A =:= B;
        [{X}, {Y}] -> true = X < Y
    end.

%% A table with a name.
%% clean: complete
-spec named(integer()) -> integer().
named(Value) ->
    clean_names = ets:new(clean_names, [named_table]),
    true = ets:insert(clean_names, {key, Value}),
    Table = ets:whereis(clean_names),
    Value = ets:lookup_element(Table, key, 2).

%% A bag has no object twice.
%% clean: complete
-spec no_object_twice(integer(), integer()) -> pos_integer().
no_object_twice(A, B) ->
    Table = ets:new(table, [bag]),
    true = ets:insert(Table, {key, A}),
    true = ets:insert(Table, {key, B}),
    case length(ets:lookup(Table, key)) of
        1 when A =:= B -> 1;
        2 when A =/= B -> 2
    end.

%% A set has as many objects as different keys.
%% clean: complete
-spec size_of_set(integer(), integer()) -> 1..2.
size_of_set(A, B) ->
    Table = ets:new(table, []),
    true = ets:insert(Table, [{A}, {B}]),
    case ets:info(Table, size) of
        1 when A =:= B -> 1;
        2 when A =/= B -> 2
    end.

%% A fold goes through all objects.
%% clean: complete
-spec sum_of_both(integer(), integer()) -> integer().
sum_of_both(A, B) ->
    Table = ets:new(table, [duplicate_bag]),
    true = ets:insert(Table, [{key, A}, {key, B}]),
    Sum = ets:foldl(fun({key, Value}, Acc) -> Acc + Value end, 0, Table),
    Sum = A + B.
