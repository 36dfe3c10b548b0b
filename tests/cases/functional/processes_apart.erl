%% Processes that compute apart and send what they know.
-module(processes_apart).
-export([
    answered/2, asked/1, chained/1, exits/1, late/2, linked/1, monitored/1,
    pooled/2, registered/1, selective/2, spawned/1, summed/1, trapped/1,
    clean_echo/1
]).

%% finds: error answer
-spec answered(integer(), integer()) -> ok.
answered(A, B) ->
    Self = self(),
    Pid = spawn(fun() -> Self ! {self(), A * 3 - B} end),
    receive
        {Pid, 100} when B =:= 8 -> error(answer);
        {Pid, _} -> ok
    end.

%% A process that keeps a state.
%% finds: error {state,6}
-spec asked([1..3]) -> ok.
asked(Numbers) ->
    Pid = spawn(fun() -> counter(0) end),
    lists:foreach(fun(N) -> Pid ! {add, N} end, Numbers),
    Pid ! {get, self()},
    receive
        {state, 6} when length(Numbers) =:= 2 -> error({state, 6});
        {state, _} -> ok
    end.

counter(Sum) ->
    receive
        {add, N} -> counter(Sum + N);
        {get, From} -> From ! {state, Sum}
    end.

%% finds: error chained
-spec chained(integer()) -> ok.
chained(N) ->
    Self = self(),
    Last = spawn(fun() -> pass(Self) end),
    First = spawn(fun() -> pass(Last) end),
    First ! N,
    receive
        42 -> error(chained);
        _ -> ok
    end.

pass(Next) -> receive N -> Next ! N * 2 - 10 end.

%% finds: exit {code,7}
-spec exits(integer()) -> ok.
exits(Code) when Code > 6, Code < 8 -> exit({code, Code});
exits(_) -> ok.

%% finds: error late
-spec late(0..3, integer()) -> ok.
late(Time, N) ->
    erlang:send_after(Time * 100, self(), N),
    receive
        77 -> ok
    after 150 ->
        case N of
            77 -> error(late);
            _ -> ok
        end
    end.

%% A process that ends takes those with it that are linked.
%% finds: error {worker,3}
-spec linked(1..3) -> ok.
linked(N) ->
    process_flag(trap_exit, true),
    Pid = spawn_link(fun() -> exit({shutdown, N}) end),
    receive
        {'EXIT', Pid, {shutdown, 3}} -> error({worker, 3});
        {'EXIT', Pid, _} -> ok
    end.

%% finds: error noticed
-spec monitored(atom()) -> ok.
monitored(Name) ->
    {Pid, Monitor} = spawn_monitor(fun() -> exit({shutdown, Name}) end),
    receive
        {'DOWN', Monitor, process, Pid, {shutdown, full}} -> error(noticed);
        {'DOWN', Monitor, process, Pid, _} -> ok
    end.

%% finds: error pool
-spec pooled(integer(), integer()) -> ok.
pooled(A, B) ->
    Self = self(),
    Work = fun(N) -> spawn(fun() -> Self ! {done, self(), N * N} end) end,
    Pids = [Work(A), Work(B)],
    case [receive {done, Pid, Result} -> Result end || Pid <- Pids] of
        [49, 81] when A < 0 -> error(pool);
        _ -> ok
    end.

%% A message to itself, by a name.
%% finds: error named
-spec registered(integer()) -> ok.
registered(N) ->
    true = register(processes_apart_worker, self()),
    processes_apart_worker ! {n, N},
    receive
        {n, 12345} -> error(named);
        {n, _} -> ok
    end.

%% The second message first.
%% finds: error selective
-spec selective(atom(), integer()) -> ok.
selective(Tag, N) ->
    self() ! {first, N},
    self() ! {Tag, N + 1},
    receive
        {urgent, M} when M > 50 -> error(selective)
    after 0 ->
        ok
    end.

%% finds: error spawned
-spec spawned([integer()]) -> ok.
spawned(List) ->
    Self = self(),
    spawn(lists, foreach, [fun(X) -> Self ! X end, List ++ [stop]]),
    case collected() of
        [5, 4] -> error(spawned);
        _ -> ok
    end.

collected() ->
    receive
        stop -> [];
        X -> [X | collected()]
    end.

%% finds: error {sum,10}
-spec summed([0..5]) -> ok.
summed([_, _, _] = Numbers) ->
    Self = self(),
    Pids = [spawn(fun() -> Self ! {self(), N} end) || N <- Numbers],
    case lists:sum([receive {Pid, N} -> N end || Pid <- Pids]) of
        10 -> error({sum, 10});
        _ -> ok
    end;
summed(_) ->
    ok.

%% finds: error caught
-spec trapped(integer()) -> ok.
trapped(N) ->
    process_flag(trap_exit, true),
    Pid = spawn_link(fun() -> receive go -> exit({shutdown, N - 6}) end end),
    Pid ! go,
    receive
        {'EXIT', Pid, {shutdown, 94}} -> error(caught);
        {'EXIT', Pid, _} -> ok
    end.

%% clean: complete
-spec clean_echo(integer()) -> ok.
clean_echo(N) ->
    Self = self(),
    spawn(fun() -> Self ! {echo, N} end),
    receive {echo, N} -> ok end.
