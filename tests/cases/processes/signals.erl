%% Links, trapped exits and exit signals, whose reasons depend on the input.
-module(signals).
-export([chain_of_links/1, clean_normal_end/1, clean_unlinked/1,
         code_of_exit/1, code_of_link/1, end_of_itself/1, kill_or_not/1,
         late_link/1, requested/1, supervised/1, table_of_dead_owner/1]).

%% The reason goes along two links to the one who traps it.
%% finds: error deep
-spec chain_of_links(integer()) -> ok.
chain_of_links(N) ->
    process_flag(trap_exit, true),
    Pid = spawn_link(fun() ->
                             spawn_link(fun() -> exit({shutdown, N}) end),
                             receive never -> ok end
                     end),
    receive
        {'EXIT', Pid, {shutdown, 3}} -> error(deep);
        {'EXIT', Pid, {shutdown, _}} -> ok
    end.

%% A request for a process is answered, and its end is known.
%% finds: error requested
-spec requested(integer()) -> ok.
requested(N) ->
    Request = erlang:spawn_request(fun() -> exit({shutdown, N}) end,
                                   [monitor, {reply_tag, begun}]),
    Pid = receive {begun, Request, ok, Begun} -> Begun end,
    receive
        {'DOWN', Request, process, Pid, {shutdown, 19}} -> error(requested);
        {'DOWN', Request, process, Pid, {shutdown, _}} -> ok
    end.

%% A normal end takes nobody along.
%% clean: complete
-spec clean_normal_end(integer()) -> integer().
clean_normal_end(N) ->
    Self = self(),
    _ = spawn_link(fun() -> Self ! {sum, N + 1} end),
    receive
        {sum, M} when M =:= N + 1 -> M
    end.

%% Those that are not linked any longer do not hear of it.
%% clean: complete
-spec clean_unlinked(integer()) -> ok.
clean_unlinked(N) ->
    process_flag(trap_exit, true),
    Pid = spawn_link(fun() -> receive go -> exit({shutdown, N}) end end),
    true = unlink(Pid),
    Pid ! go,
    receive
        {'EXIT', Pid, _} -> error(unlinked)
    after 10 ->
        ok
    end.

%% An exit signal is a message for those who trap exits.
%% finds: error code
-spec code_of_exit(integer()) -> ok.
code_of_exit(N) ->
    process_flag(trap_exit, true),
    Self = self(),
    _ = spawn(fun() -> exit(Self, {code, N}) end),
    receive
        {'EXIT', _, {code, 17}} -> error(code);
        {'EXIT', _, {code, _}} -> ok
    end.

%% A link brings the reason of an end.
%% finds: error code
-spec code_of_link(integer()) -> ok.
code_of_link(N) ->
    process_flag(trap_exit, true),
    Pid = spawn_link(fun() -> exit({shutdown, N}) end),
    receive
        {'EXIT', Pid, {shutdown, 17}} -> error(code);
        {'EXIT', Pid, {shutdown, _}} -> ok
    end.

%% A process ends itself in the midst of a call.
%% finds: error code
-spec end_of_itself(integer()) -> ok.
end_of_itself(N) ->
    {Pid, Monitor} = spawn_monitor(fun() -> exit(self(), {shutdown, N}) end),
    receive
        {'DOWN', Monitor, process, Pid, {shutdown, 17}} -> error(code);
        {'DOWN', Monitor, process, Pid, {shutdown, _}} -> ok
    end.

%% Only one reason cannot be trapped.
%% finds: error killed
-spec kill_or_not(atom()) -> ok.
kill_or_not(Reason) ->
    Self = self(),
    Pid = spawn(fun() ->
                        process_flag(trap_exit, true),
                        Self ! ready,
                        receive {'EXIT', _, _} -> ok end
                end),
    Monitor = monitor(process, Pid),
    receive ready -> ok end,
    exit(Pid, Reason),
    receive
        {'DOWN', Monitor, process, Pid, killed} -> error(killed);
        {'DOWN', Monitor, process, Pid, _} -> ok
    end.

%% The link comes before the end in one order only.
%% finds: error seven
-spec late_link(integer()) -> ok.
late_link(N) ->
    process_flag(trap_exit, true),
    Pid = spawn(fun() -> exit({shutdown, N}) end),
    true = link(Pid),
    receive
        {'EXIT', Pid, noproc} -> ok;
        {'EXIT', Pid, {shutdown, 7}} -> error(seven);
        {'EXIT', Pid, {shutdown, _}} -> ok
    end.

%% A worker is started anew, and ends again.
%% finds: error twice
-spec supervised(integer()) -> ok.
supervised(N) ->
    process_flag(trap_exit, true),
    supervise(start_worker(N), N, 0).

supervise(Pid, N, Ends) ->
    receive
        {'EXIT', Pid, normal} -> ok;
        {'EXIT', Pid, {shutdown, _}} when Ends =:= 1 -> error(twice);
        {'EXIT', Pid, {shutdown, _}} ->
            supervise(start_worker(N), N, Ends + 1)
    end.

start_worker(N) ->
    spawn_link(fun() ->
                       case N of
                           99 -> exit({shutdown, N});
                           _ -> ok
                       end
               end).

%% A table is gone with its owner.
%% finds: error badarg
-spec table_of_dead_owner(integer()) -> [tuple()].
table_of_dead_owner(N) ->
    Self = self(),
    {Pid, Monitor} =
        spawn_monitor(fun() ->
                              _ = ets:new(owned, [named_table, public]),
                              Self ! ready,
                              receive {stop, 5} -> ok; {stop, _} -> wait() end
                      end),
    receive ready -> ok end,
    Pid ! {stop, N},
    case N of
        5 -> receive {'DOWN', Monitor, process, Pid, _} -> ok end;
        _ -> ok
    end,
    ets:lookup(owned, N).

wait() ->
    receive never -> ok end.
