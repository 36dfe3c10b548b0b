%% Functions that keep values in cells and persistent terms, with a bug for few
%% inputs.
-module(buggy_cells).
-export([
    added_up/2, bad_index/1, begins_again/1, compared/1, counter_of_atom/1,
    erased/1, exchanged/1, stored/1, stored_under_key/2
]).

%% A cell adds up.
%% finds: error fifty
-spec added_up(-1000..1000, -1000..1000) -> ok.
added_up(A, B) ->
    Cells = counters:new(2, []),
    ok = counters:add(Cells, 1, A),
    ok = counters:add(Cells, 2, 7),
    ok = counters:sub(Cells, 1, B),
    case counters:get(Cells, 1) of
        50 -> error(fifty);
        _ -> ok
    end.

%% There are three cells.
%% finds: error badarg
-spec bad_index(1..4) -> integer().
bad_index(Index) ->
    Cells = atomics:new(3, [{signed, true}]),
    atomics:add_get(Cells, Index, 1).

%% Behind the largest number comes the smallest.
%% finds: error negative
-spec begins_again(0..100) -> ok.
begins_again(More) ->
    Cells = atomics:new(1, []),
    ok = atomics:put(Cells, 1, 16#7FFFFFFFFFFFFFF0),
    case atomics:add_get(Cells, 1, More) of
        Negative when Negative < 0 -> error(negative);
        _ -> ok
    end.

%% A value is replaced if it is the expected one.
%% finds: error replaced
-spec compared(0..10000) -> ok.
compared(Expected) ->
    Cells = atomics:new(1, []),
    ok = atomics:put(Cells, 1, 4711),
    case atomics:compare_exchange(Cells, 1, Expected, 0) of
        ok -> error(replaced);
        4711 -> ok
    end.

%% A counter counts integers.
%% finds: error badarg
-spec counter_of_atom(integer() | more) -> ok.
counter_of_atom(More) ->
    Cells = counters:new(1, [write_concurrency]),
    counters:add(Cells, 1, More).

%% An erased term has no value.
%% finds: error nothing
-spec erased(boolean()) -> ok.
erased(Erases) ->
    ok = persistent_term:put(buggy_cells, some),
    _ = Erases andalso persistent_term:erase(buggy_cells),
    case persistent_term:get(buggy_cells, none) of
        some -> ok;
        none -> error(nothing)
    end.

%% What was there comes back.
%% finds: error eight
-spec exchanged(integer()) -> ok.
exchanged(Value) ->
    Cells = atomics:new(1, [{signed, false}]),
    ok = atomics:put(Cells, 1, 1),
    1 = atomics:exchange(Cells, 1, Value band 15),
    case atomics:exchange(Cells, 1, 2) of
        8 -> error(eight);
        _ -> ok
    end.

%% A term is what was stored.
%% finds: error secret
-spec stored(integer()) -> ok.
stored(Value) ->
    ok = persistent_term:put({buggy_cells, limit}, Value),
    case persistent_term:get({buggy_cells, limit}) of
        90210 -> error(secret);
        _ -> ok
    end.

%% The key depends on the input.
%% finds: error both
-spec stored_under_key(atom(), integer()) -> ok.
stored_under_key(Key, Value) ->
    ok = persistent_term:put({buggy_cells, first}, 1),
    ok = persistent_term:put({buggy_cells, Key}, Value),
    case persistent_term:get({buggy_cells, first}) of
        33 -> error(both);
        _ -> ok
    end.
