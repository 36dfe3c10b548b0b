%% Processes that share a table, whose keys depend on the input.
-module(shared_tables).
-export([clean_cache/2, symbolic_pid/1]).

%% Whoever comes first fills the cache.
%% clean: complete
-spec clean_cache(integer(), integer()) -> integer().
clean_cache(A, B) ->
    Table = ets:new(cache, [public]),
    Self = self(),
    _ = spawn(fun() -> Self ! {value, lookup(Table, A)} end),
    One = lookup(Table, B),
    Other = receive {value, Value} -> Value end,
    true = One + Other =:= 2 * A + 2 * B,
    One.

lookup(Table, Key) ->
    case ets:lookup(Table, Key) of
        [{_, Value}] ->
            Value;
        [] ->
            Value = Key * 2,
            true = ets:insert(Table, {Key, Value}),
            Value
    end.

%% Which process is ended depends on the input.
%% finds: error second
-spec symbolic_pid(a | b) -> ok.
symbolic_pid(Name) ->
    Wait = fun() -> receive stop -> ok end end,
    Pids = #{a => spawn(Wait), b => spawn(Wait)},
    Pid = map_get(Name, Pids),
    Monitor = monitor(process, Pid),
    exit(Pid, shutdown),
    receive {'DOWN', Monitor, process, Pid, shutdown} -> ok end,
    case is_process_alive(map_get(b, Pids)) of
        true -> ok;
        false -> error(second)
    end.
