%%% Tests of runs whose processes are controlled. The programs call the runtime
%%% as instrumented code does.
-module(erlconcolic_gate_tests).

-include_lib("eunit/include/eunit.hrl").

-include("erlconcolic_controlled.hrl").

-import(erlconcolic_controlled,
        [alive/1, as_schedule/1, logs/1, run/2, scheduled/2, scheduled/3,
         send/2, spawned/1, spawned/2, step/3]).

%% Called by the runs.
-export([ends_with/1, woken/1]).

%% Schedules.

two_senders() ->
    Me = self(),
    _ = spawned(fun() -> send(Me, a) end),
    _ = spawned(fun() -> send(Me, b) end),
    [?RECEIVE(Message, Message) || _ <- [1, 2]].

schedules_are_followed_test_() ->
    Program = fun two_senders/0,
    [?_assertMatch(#{outcome := {ok, Result}, leases := Leases,
                     followed := true},
                   scheduled(Program, Schedule))
     || {Schedule, Result, Leases} <-
            [{[], <<"[a,b]">>, <<0, 2, 1, 2, 2, 2, 0, 1>>},
             {[{[0], 2}, {[0, 2], 2}], <<"[b,a]">>,
              <<0, 2, 2, 2, 1, 2, 0, 1>>},
             {[{[0], 2}, {[0, 2], 1}, {[0, 1], 1}, {[0], 1}], <<"[b,a]">>,
              <<0, 2, 2, 1, 1, 1, 0, 1, 1, 1, 2, 1>>},
             {[{[0], 1}, {[0, 1], 2}, {[0], 1}], <<"[a,b]">>,
              <<0, 1, 1, 2, 0, 1, 2, 2, 0, 1>>}]].

schedules_that_do_not_fit_are_told_test_() ->
    Program = fun two_senders/0,
    [?_assertMatch(#{outcome := {ok, _}, followed := false},
                   scheduled(Program, Schedule))
     || Schedule <- [[{[0, 1], 1}],
                     [{[0], 3}],
                     [{[0], 2}, {[0, 3], 1}],
                     [{[0], 2}, {[0], 1}, {[0, 1], 1}],
                     [{[0], 2}, {[0, 1], 3}],
                     [{[0], 2}, {[0, 1], 2}, {[0, 1], 1}]]].

%% The leases of a run are a schedule for the same run.
leases_are_a_schedule_test_() ->
    Programs = [fun two_senders/0, fun server/0, fun timeouts/0, fun polls/0],
    Schedules = [[], [{[0], 1}, {[0, 1], 1}], [{[0], 2}, {[0, 2], 1}]],
    [fun() ->
             First = scheduled(Program, Schedule),
             Leases = as_schedule(First),
             Second = scheduled(Program, Leases),
             ?assertEqual(true, maps:get(followed, Second)),
             ?assertEqual(maps:with([outcome, leases], First),
                          maps:with([outcome, leases], Second)),
             ?assertEqual(logs(First), logs(Second))
     end || Program <- Programs, Schedule <- Schedules].

server() ->
    Server = spawned(fun() -> serve(0) end),
    Me = self(),
    Client = fun() ->
                     Ref = make_ref(),
                     send(Server, {self(), Ref}),
                     send(Me, ?RECEIVE({Ref, Value}, Value))
             end,
    _ = [spawned(Client) || _ <- [1, 2]],
    [?RECEIVE(Message, Message) || _ <- [1, 2]].

serve(Count) ->
    ?RECEIVE({Pid, Ref}, send(Pid, {Ref, Count})),
    serve(Count + 1).

timeouts() ->
    Me = self(),
    _ = spawned(fun() ->
                        ?RECEIVE(never, ok, 20, send(Me, late))
                end),
    _ = spawned(fun() ->
                        ?RECEIVE(never, ok, 10, send(Me, early))
                end),
    [?RECEIVE(Message, Message, 100, none) || _ <- [1, 2, 3]].

polls() ->
    Me = self(),
    _ = spawned(fun() -> send(Me, hello) end),
    poll(3).

poll(0) -> none;
poll(Left) -> ?RECEIVE(hello, {hello, Left}, 0, poll(Left - 1)).

%% Time.

the_shortest_time_is_over_first_test() ->
    ?assertMatch(#{outcome := {ok, <<"[early,late,none]">>}},
                 scheduled(fun timeouts/0, [])).

time_is_over_when_the_schedule_says_so_test_() ->
    Program = fun() ->
                      Me = self(),
                      _ = spawned(fun() -> send(Me, hello) end),
                      ?RECEIVE(hello, hello, 1000, none)
              end,
    Schedule = [{[0], 2}],
    [?_assertMatch(#{outcome := {ok, <<"hello">>}, followed := false},
                   scheduled(Program, Schedule, #{time => quiet})),
     ?_assertMatch(#{outcome := {ok, <<"none">>}, followed := true},
                   scheduled(Program, Schedule, #{time => any})),
     ?_assertMatch(#{outcome := {ok, <<"hello">>}},
                   scheduled(Program, [], #{time => any}))].

polling_sees_what_was_sent_before_test_() ->
    [?_assertMatch(#{outcome := {ok, Result}},
                   scheduled(fun polls/0, Schedule))
     || {Schedule, Result} <-
            [{[], <<"none">>},
             {[{[0], 1}, {[0, 1], 1}], <<"{hello,3}">>},
             {[{[0], 2}, {[0, 1], 1}], <<"{hello,2}">>},
             {[{[0], 3}, {[0, 1], 1}], <<"{hello,1}">>},
             {[{[0], 4}, {[0, 1], 1}], <<"none">>}]].

sleeping_takes_no_time_test() ->
    Sleep = fun() ->
                    ?OUT:step(9, sleep, timer, sleep, [3600000]),
                    done
            end,
    ?assertMatch(#{outcome := {ok, <<"done">>}, leases := <<0, 2>>},
                 scheduled(Sleep, [])),
    Wrong = fun() -> ?OUT:step(9, sleep, timer, sleep, [never]) end,
    ?assertMatch(#{outcome := {exception, error, <<"timeout_value">>, _}},
                 scheduled(Wrong, [])).

servers_that_tick_do_not_keep_a_run_alive_test() ->
    Program = fun() -> _ = spawned(fun tick/0), done end,
    ?assertMatch(#{outcome := {ok, <<"done">>},
                   members := [_, #{'end' := waiting}]},
                 scheduled(Program, [])).

tick() ->
    ?RECEIVE(never, ok, 10, tick()).

%% Ends.

a_deadlock_names_who_waits_test() ->
    Program = fun() ->
                      _ = spawned(fun() -> ?RECEIVE(never, ok) end),
                      _ = spawned(fun() -> ok end),
                      ?RECEIVE(never, ok)
              end,
    #{outcome := {deadlock, [{[0], [Place | _]}, {[0, 1], _}]}} =
        scheduled(Program, [], #{timeout => 600000}),
    ?assertMatch(#{module := ?MODULE, line := Line} when Line > 0, Place).

a_process_that_waits_after_the_end_is_no_deadlock_test() ->
    Program = fun() -> _ = spawned(fun() -> ?RECEIVE(never, ok) end), done end,
    ?assertMatch(#{outcome := {ok, <<"done">>},
                   members := [#{'end' := normal}, #{'end' := waiting}]},
                 scheduled(Program, [])).

others_go_on_after_the_end_of_the_entry_test() ->
    Program = fun() ->
                      Echo = spawned(fun() -> ?RECEIVE(M, ends_with(M)) end),
                      _ = spawned(fun() -> send(Echo, {error, late}) end),
                      done
              end,
    ?assertMatch(#{outcome := {ok, <<"done">>},
                   members := [_, #{'end' := {exception, error, <<"late">>, _}},
                               #{'end' := normal}]},
                 scheduled(Program, [])).

ends_of_processes_are_told_test_() ->
    [fun() ->
             Program = fun() -> _ = spawned(fun() -> ends_with(How) end), 1 end,
             #{members := [_, #{'end' := End, entry := Entry, path := [0, 1]}]}
                 = scheduled(Program, []),
             ?assertMatch(Expected, shortened(End)),
             ?assertMatch({in, {?MODULE, _, 0}}, Entry)
     end || {How, Expected} <-
                [{return, normal},
                 {{error, bad}, {exception, error, <<"bad">>}},
                 {{exit, bad}, {exception, exit, <<"bad">>}},
                 {{throw, bad}, {exception, throw, <<"bad">>}},
                 {{exit, normal}, {exception, exit, <<"normal">>}}]].

ends_with(return) -> ok;
ends_with({Class, Reason}) -> erlang:raise(Class, Reason, []).

shortened({exception, Class, Text, _}) -> {exception, Class, Text};
shortened(End) -> End.

too_many_steps_end_a_run_test_() ->
    Busy = fun() -> _ = spawned(fun busy/0), ?RECEIVE(never, ok) end,
    Late = fun() -> _ = spawned(fun busy/0), done end,
    [?_assertMatch(#{outcome := steps, members := [_, #{'end' := running}]},
                   scheduled(Busy, [], #{max_steps => 20})),
     ?_assertMatch(#{outcome := {ok, <<"done">>},
                     members := [_, #{'end' := running}]},
                   scheduled(Late, [], #{max_steps => 20}))].

busy() ->
    ?RECEIVE(never, ok, 0, busy()).

%% Steps before the first spawn do not count.
steps_of_one_process_have_no_limit_test() ->
    Program = fun() ->
                      _ = [send(self(), N) || N <- lists:seq(1, 100)],
                      _ = spawned(fun() -> ok end),
                      done
              end,
    ?assertMatch(#{outcome := {ok, <<"done">>}, leases := <<0, 102, 1, 1>>},
                 scheduled(Program, [], #{max_steps => 4})).

%% Signals.

a_link_ends_the_entry_test() ->
    Program = fun() ->
                      _ = spawned(spawn_link, [fun() -> error(bad) end]),
                      ?RECEIVE(never, ok)
              end,
    ?assertMatch(#{outcome := {exception, exit, <<"{bad,", _/binary>>, []}},
                 scheduled(Program, [])).

links_end_others_before_anyone_goes_on_test_() ->
    Program =
        fun() ->
                Me = self(),
                Chain = fun() ->
                                Last = spawned(spawn_link,
                                               [fun() -> ?RECEIVE(x, x) end]),
                                send(Me, Last),
                                ?RECEIVE(stop, exit(stopped))
                        end,
                First = spawned(Chain),
                Last = ?RECEIVE(Pid, Pid),
                step(signal, exit, [First, kill]),
                {alive(First), alive(Last)}
        end,
    [?_assertMatch(#{outcome := {ok, <<"{false,false}">>},
                     members := [_, #{'end' := killed}, #{'end' := killed}]},
                   scheduled(Program, []))
     || _ <- lists:seq(1, 20)].

trapped_exits_are_messages_test() ->
    Program =
        fun() ->
                _ = step(plain, process_flag, [trap_exit, true]),
                Pid = spawned(spawn_link, [fun() -> exit(bye) end]),
                ?RECEIVE({'EXIT', Pid, Reason}, Reason, 0,
                         {later, exit_of(Pid)})
        end,
    ?assertMatch(#{outcome := {ok, <<"{later,bye}">>}},
                 scheduled(Program, [])),
    ?assertMatch(#{outcome := {ok, <<"bye">>}, followed := true},
                 scheduled(Program, [{[0], 2}, {[0, 1], 1}])).

exit_of(Pid) ->
    ?RECEIVE({'EXIT', Pid, Reason}, Reason).

monitors_tell_of_ends_test() ->
    Program =
        fun() ->
                {Pid, Monitor} = spawned(spawn_monitor, [fun() -> exit(a) end]),
                ?RECEIVE({'DOWN', Monitor, process, Pid, Reason}, Reason)
        end,
    ?assertMatch(#{outcome := {ok, <<"a">>}}, scheduled(Program, [])).

a_killed_process_has_its_log_test() ->
    Program = fun() ->
                      Pid = spawned(fun() ->
                                            send(self(), lost),
                                            ?RECEIVE(never, ok)
                                    end),
                      ?RECEIVE(never, ok, 10, ok),
                      step(signal, exit, [Pid, kill]),
                      done
              end,
    #{outcome := {ok, <<"done">>}, logs := #{1 := Log}} =
        scheduled(Program, []),
    ?assertNotEqual(nomatch, binary:match(Log, <<"lost">>)).

names_are_free_after_an_end_test() ->
    Claim = fun() -> step(plain, register, [?MODULE, self()]) end,
    Program = fun() ->
                      {_, M} = spawned(spawn_monitor, [Claim]),
                      {_, N} = spawned(spawn_monitor, [Claim]),
                      [?RECEIVE({'DOWN', Ref, process, _, Reason}, Reason)
                       || Ref <- [M, N]]
              end,
    ?assertMatch(#{outcome := {ok, <<"[normal,normal]">>}},
                 scheduled(Program, [])).

%% The program kills itself, or all that it can.
hostile_programs_end_test_() ->
    [?_assertMatch(#{outcome := {exception, exit, <<"killed">>, []}},
                   scheduled(fun() -> step(signal, exit, [self(), kill]) end,
                             [])),
     ?_assertMatch(#{outcome := {blocked, {erlang, exit, 2}}},
                   scheduled(fun() ->
                                     step(signal, exit, [group_leader(), kill])
                             end, [])),
     ?_assertMatch(#{outcome := {blocked, {erlang, '!', 2}}},
                   scheduled(fun() ->
                                     send(group_leader(),
                                          {erlconcolic_contact, 0, x, 0, x, x})
                             end, [])),
     ?_assertMatch(#{outcome := {ok, <<"10000">>}},
                   scheduled(fun flood/0, [], #{max_steps => 100000}))].

flood() ->
    Me = self(),
    _ = spawned(fun() -> [send(Me, N) || N <- lists:seq(1, 10000)] end),
    ?RECEIVE(10000, 10000).

%% What nobody controls.

messages_of_others_are_waited_for_test_() ->
    Slow = fun(To) ->
                   fun() -> receive after 20 -> To ! tick end end
           end,
    Foreign = fun() ->
                      _ = ?OUT:opaque(9, proc_lib, spawn, [Slow(self())]),
                      ?RECEIVE(tick, tick)
              end,
    Two = fun() ->
                  Pid = spawned(fun() -> ?RECEIVE(tick, tick) end),
                  _ = ?OUT:opaque(9, proc_lib, spawn, [Slow(Pid)]),
                  Monitor = step(plain, monitor, [process, Pid]),
                  ?RECEIVE({'DOWN', Monitor, process, Pid, normal}, tick)
          end,
    [{timeout, 60,
      ?_assertMatch(#{outcome := {ok, <<"tick">>},
                      uncontrolled := [{?MODULE, _, _}]},
                    scheduled(Program, [], #{timeout => 50000}))}
     || Program <- [Foreign, Two]].

%% Timers of the gate.

timer(Function, Args) ->
    step(timer, Function, Args).

time_of_timers_is_that_of_the_gate_test() ->
    Program = fun() ->
                      _ = timer(send_after, [2000000, self(), second]),
                      _ = timer(start_timer, [1000000, self(), first]),
                      _ = timer(send_after, [3000000, self(), third,
                                             [{abs, true}]]),
                      [?RECEIVE(Message, shape(Message)) || _ <- [1, 2, 3]]
              end,
    ?assertMatch(#{outcome := {ok, <<"[timeout,second,third]">>},
                   uncontrolled := []},
                 scheduled(Program, [])).

shape({timeout, _, first}) -> timeout;
shape(Message) -> Message.

timers_are_read_and_cancelled_test() ->
    Left = fun(Function, Args) -> step(timer_left, Function, Args) end,
    Program = fun() ->
                      Timer = timer(send_after, [100, self(), tick]),
                      ok = ?OUT:step(9, sleep, timer, sleep, [30]),
                      [Left(read_timer, [Timer]), Left(cancel_timer, [Timer]),
                       Left(cancel_timer, [Timer]),
                       Left(cancel_timer, [Timer, [{info, false}]]),
                       Left(read_timer, [make_ref()])]
              end,
    ?assertMatch(#{outcome := {ok, <<"[70,70,false,ok,false]">>},
                   uncontrolled := []},
                 scheduled(Program, [])).

the_clock_is_that_of_the_gate_test() ->
    Clock = fun() -> step(clock, monotonic_time, [millisecond]) end,
    Program = fun() ->
                      _ = spawned(fun() -> ok end),
                      Before = Clock(),
                      ok = ?OUT:step(9, sleep, timer, sleep, [100000]),
                      Clock() - Before
              end,
    ?assertMatch(#{outcome := {ok, <<"100000">>}}, scheduled(Program, [])).

%% A process that is alone does not look at the clock for ever.
busy_waiting_ends_test() ->
    Clock = fun() -> step(clock, monotonic_time, [millisecond]) end,
    Program = fun() -> wait_until(Clock() + 100, Clock) end,
    ?assertMatch(#{outcome := {ok, <<"late">>}}, scheduled(Program, [])).

wait_until(Time, Clock) ->
    case Clock() >= Time of
        true -> late;
        false -> wait_until(Time, Clock)
    end.

a_process_in_foreign_code_lets_others_go_on_test() ->
    Program = fun() ->
                      Me = self(),
                      Waits = fun() -> receive go -> ok end end,
                      Pid = spawned(fun() ->
                                            ?OUT:opaque(3, erlang, apply,
                                                        [Waits, []]),
                                            send(Me, back)
                                    end),
                      ?RECEIVE(never, ok, 10, ok),
                      send(Pid, go),
                      ?RECEIVE(back, back)
              end,
    ?assertMatch(#{outcome := {ok, <<"back">>},
                   uncontrolled := [{erlang, apply, 2}]},
                 scheduled(Program, [], #{timeout => 50000})).

%% The steps after it are counted, and the end is told.
a_process_is_controlled_after_it_has_hibernated_test_() ->
    Program = fun(Module) ->
                      Me = self(),
                      Args = [?MODULE, woken, [Me]],
                      Pid = spawned(fun() ->
                                            ?OUT:opaque(3, Module, hibernate,
                                                        Args)
                                    end),
                      ?RECEIVE(never, ok, 10, ok),
                      send(Pid, wake),
                      ?RECEIVE(awake, awake)
              end,
    [?_assertMatch(#{outcome := {ok, <<"awake">>},
                     uncontrolled := Named,
                     leases := <<0, 3, 1, 2, 0, 1>>,
                     members := [_, #{'end' := normal}]},
                   scheduled(fun() -> Program(Module) end, []))
     || {Module, Named} <- [{erlang, []},
                            {proc_lib, [{proc_lib, wake_up, 3}]}]].

woken(Pid) ->
    ?RECEIVE(wake, send(Pid, awake)).

a_process_that_never_takes_a_step_lets_others_go_on_test() ->
    Program = fun() ->
                      _ = spawned(fun spin/0),
                      ?RECEIVE(never, ok, 20, done)
              end,
    ?assertMatch(#{outcome := {ok, <<"done">>}, uncontrolled := [_],
                   members := [_, #{'end' := running}]},
                 scheduled(Program, [], #{timeout => 1000})).

spin() ->
    spin().

processes_may_erase_their_state_test() ->
    Erase = fun() -> _ = [erase(Key) || Key <- get_keys()], ok end,
    Program = fun() ->
                      _ = spawned(fun() -> ?OUT:opaque(3, erlang, apply,
                                                       [Erase, []])
                                  end),
                      ?RECEIVE(never, ok, 20, done)
              end,
    ?assertMatch(#{outcome := {ok, <<"done">>},
                   members := [_, #{'end' := normal}]},
                 scheduled(Program, [])).

%% Without a gate.

processes_run_as_they_come_test() ->
    Program = fun two_senders/0,
    Run = run(Program, #{schedules => none}),
    ?assertMatch(#{outcome := {ok, _}}, Run),
    ?assertNot(is_map_key(leases, Run)).

one_process_has_one_lease_test() ->
    ?assertMatch(#{outcome := {ok, <<"1">>}, leases := <<0, 1>>,
                   members := [#{'end' := normal}]},
                 scheduled(fun() -> 1 end, [])).

%% A gate that has something to tell is told.
one_process_may_be_told_briefly_test() ->
    Brief = #{brief => true},
    Alone = scheduled(fun() -> 1 end, [], Brief),
    ?assertMatch(#{outcome := {ok, <<"1">>}, uncontrolled := []}, Alone),
    ?assertNot(is_map_key(leases, Alone)),
    ?assertMatch(#{leases := _, followed := false},
                 scheduled(fun() -> 1 end, [{[0, 1], 1}], Brief)),
    ?assertMatch(#{leases := _, members := [_, _]},
                 scheduled(fun() ->
                                   erlconcolic_lease:step(
                                     spawn, erlang, spawn,
                                     [fun() -> ok end])
                           end, [], Brief)).
