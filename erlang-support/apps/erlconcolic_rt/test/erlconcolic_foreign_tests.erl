%%% Tests of calls that reach processes and ports outside of the run.
-module(erlconcolic_foreign_tests).

-include_lib("eunit/include/eunit.hrl").

-import(erlconcolic_foreign, [check/2]).

%% Runs Test in a traced process, like those of a run, with one of its children.
%% Trace messages disappear with the tracer.
in_run(Test) ->
    {_, Monitor} = spawn_monitor(fun() -> exit({done, traced(Test)}) end),
    receive
        {'DOWN', Monitor, _, _, {done, Result}} -> Result;
        {'DOWN', Monitor, _, _, Reason} -> error(Reason)
    end.

traced(Test) ->
    Self = self(),
    {Pid, Monitor} = spawn_monitor(fun() ->
                                           receive go -> ok end,
                                           Self ! {self(), Test(child())}
                                   end),
    1 = erlang:trace(Pid, true, [procs, set_on_spawn]),
    Pid ! go,
    receive
        {Pid, Result} -> demonitor(Monitor, [flush]), Result;
        {'DOWN', Monitor, _, _, Reason} -> error(Reason)
    end.

child() ->
    spawn_link(fun() -> receive never -> ok end end).

own_processes_may_be_disturbed_test() ->
    in_run(fun(Child) ->
        [?assertEqual(ok, check(Function, Args))
         || {Function, Args} <- [{exit, [Child, kill]}, {link, [Child]},
                                 {register, [name, Child]},
                                 {suspend_process, [Child]},
                                 {group_leader, [Child, Child]},
                                 {'!', [Child, {'EXIT', self(), x}]},
                                 {send_after, [1, Child, message]},
                                 {exit, [no_pid, x]}, {link, [dead()]}]],
        ?assertEqual(ends, check(exit, [self(), kill]))
    end).

other_processes_may_not_be_disturbed_test() ->
    Init = whereis(init),
    in_run(fun(_) ->
        [?assertEqual(blocked, check(Function, Args))
         || {Function, Args} <- [{exit, [Init, kill]}, {link, [Init]},
                                 {register, [name, Init]},
                                 {suspend_process, [Init, []]},
                                 {process_flag, [Init, save_calls, 1]},
                                 {group_leader, [self(), Init]},
                                 {'!', [init, {'EXIT', self(), x}]},
                                 {send, [Init, {'DOWN', x}, []]},
                                 {'!', [hd(erlang:ports()), x]},
                                 {exit, [hd(erlang:ports()), kill]}]]
    end).

messages_of_the_runtime_cannot_be_forged_test() ->
    [?assertEqual(blocked, check('!', [group_leader(), {Tag, self(), x}]))
     || Tag <- [erlconcolic_start, erlconcolic_log, erlconcolic_outcome,
                erlconcolic_returned, erlconcolic_blocked]],
    [?assertEqual(ok, check('!', [group_leader(), Message]))
     || Message <- [x, {}, {io_request, self(), x, getopts}]].

timers_of_names_spoil_the_node_test() ->
    ?assertEqual(spoils, check(send_after, [1, name, message])),
    ?assertEqual(spoils, check(start_timer, [1, name, message, []])).

dead() ->
    {Pid, Monitor} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', Monitor, _, _, _} -> Pid end.
