%%% Tests of runs whose messages take their time.
-module(erlconcolic_deliveries_tests).

-include_lib("eunit/include/eunit.hrl").
-include("erlconcolic_controlled.hrl").

-import(erlconcolic_controlled,
        [as_schedule/1, logs/1, scheduled/3, send/2, spawned/1, spawned/2,
         step/3]).

%% The first process sends to the last one, and to the second one, which sends
%% to the last one too.
triangle() ->
    Me = self(),
    Forward = spawned(fun() -> ?RECEIVE(To, send(To, second)) end),
    Last = spawned(fun() ->
                           One = ?RECEIVE(M, M),
                           Other = ?RECEIVE(M, M),
                           send(Me, {One, Other})
                   end),
    send(Last, first),
    send(Forward, Last),
    ?RECEIVE(Result, Result).

later(Program, Schedule) ->
    later(Program, Schedule, #{}).

later(Program, Schedule, More) ->
    ok = erlconcolic_steps:keep([{erlang, is_process_alive, 1, ask, 0},
                                 {erlang, exit, 2, signal, 0},
                                 {erlang, monitor, 2, ask, 1}]),
    scheduled(Program, Schedule, More#{delivery => any}).

without_a_schedule_messages_arrive_at_once_test() ->
    ?assertMatch(#{outcome := {ok, <<"{first,second}">>}, followed := true,
                   leases := <<0, 3, 0, 0, 2, 1, 0, 1, 0, 0, 1, 1,
                               1, 1, 1, 0, 2, 1, _/binary>>},
                 later(fun triangle/0, [])).

a_message_may_overtake_that_of_another_sender_test() ->
    Schedule = [{[0], 4}, {{[0], [0, 1]}, 1}, {[0, 1], 1},
                {{[0, 1], [0, 2]}, 1}, {{[0], [0, 2]}, 1}],
    Run = later(fun triangle/0, Schedule),
    ?assertMatch(#{outcome := {ok, <<"{second,first}">>}, followed := true},
                 Run),
    Again = later(fun triangle/0, as_schedule(Run)),
    ?assertMatch(#{followed := true}, Again),
    ?assertEqual(maps:with([outcome, leases], Run),
                 maps:with([outcome, leases], Again)),
    ?assertEqual(logs(Run), logs(Again)).

deliveries_that_do_not_fit_are_told_test_() ->
    [?_assertMatch(#{outcome := {ok, _}, followed := false},
                   later(fun triangle/0, Schedule))
     || Schedule <- [[{[0], 2}, {{[0], [0, 2]}, 1}],
                     [{[0], 3}, {{[0], [0, 2]}, 2}],
                     [{[0], 3}, {{[0], [0, 3]}, 1}],
                     [{[0], 3}, {{[0, 2], [0]}, 1}]]].

messages_of_one_sender_stay_in_order_test() ->
    Program = fun() ->
                      Me = self(),
                      _ = spawned(fun() -> [send(Me, N) || N <- [1, 2, 3]] end),
                      [?RECEIVE(M, M) || _ <- [1, 2, 3]]
              end,
    Schedule = [{[0], 1}, {[0, 1], 3}, {{[0, 1], [0]}, 1}, {[0, 1], 1},
                {{[0, 1], [0]}, 2}, {[0], 1}],
    ?assertMatch(#{outcome := {ok, <<"[1,2,3]">>}, followed := true},
                 later(Program, Schedule)).

%% It has ended before they arrive.
messages_of_a_process_that_has_ended_arrive_test() ->
    Program = fun() ->
                      Me = self(),
                      _ = spawned(fun() -> send(Me, hello) end),
                      ?RECEIVE(hello, hello)
              end,
    ?assertMatch(#{outcome := {ok, <<"hello">>}, followed := true,
                   leases := <<0, 1, 1, 2, 1, 0, 0, 1, 0, 1>>},
                 later(Program, [{[0], 1}, {[0, 1], 2}, {{[0, 1], [0]}, 1}])).

messages_to_a_process_that_has_ended_vanish_test() ->
    Program = fun() ->
                      Pid = spawned(fun() -> ok end),
                      send(Pid, hello),
                      done
              end,
    ?assertMatch(#{outcome := {ok, <<"done">>}, followed := true},
                 later(Program, [{[0], 2}, {[0, 1], 1}, {[0], 1},
                                 {{[0], [0, 1]}, 1}])).

a_message_to_itself_arrives_at_once_test() ->
    Program = fun() ->
                      _ = spawned(fun() -> ok end),
                      send(self(), hello),
                      ?RECEIVE(hello, hello, 0, none)
              end,
    ?assertMatch(#{outcome := {ok, <<"hello">>}, followed := true,
                   leases := <<0, 3, 1, 1>>},
                 later(Program, [{[0], 3}])).

a_poll_comes_before_or_after_the_delivery_test_() ->
    Program = fun() ->
                      Me = self(),
                      _ = spawned(fun() -> send(Me, hello) end),
                      ?RECEIVE(hello, hello, 0, none)
              end,
    [?_assertMatch(#{outcome := {ok, Result}, followed := true},
                   later(Program, Schedule))
     || {Schedule, Result} <-
            [{[{[0], 1}, {[0, 1], 1}, {{[0, 1], [0]}, 1}, {[0], 1}],
              <<"hello">>},
             {[{[0], 1}, {[0, 1], 1}, {[0], 1}, {{[0, 1], [0]}, 1}],
              <<"none">>}]].

%% Neither is time over, nor is that a deadlock.
nobody_waits_for_what_is_under_way_test_() ->
    Program = fun(Time) ->
                      fun() ->
                              Me = self(),
                              _ = spawned(fun() -> send(Me, hello) end),
                              ?RECEIVE(hello, hello, Time, none)
                      end
              end,
    [?_assertMatch(#{outcome := {ok, <<"hello">>}, followed := Followed},
                   later(Program(Time), Schedule))
     || {Time, Schedule, Followed} <-
            [{infinity, [{[0], 1}, {[0, 1], 2}], true},
             {20, [{[0], 1}, {[0, 1], 2}], true},
             {20, [{[0], 1}, {[0, 1], 2}, {[0], 1}], false}]].

%% Signals stay behind messages.

an_exit_signal_stays_behind_messages_test() ->
    Program = fun() ->
                      Me = self(),
                      Pid = spawned(fun() ->
                                            send(Me, ready),
                                            ?RECEIVE(hello, send(Me, got)),
                                            ?RECEIVE(never, never)
                                    end),
                      ?RECEIVE(ready, ready),
                      send(Pid, hello),
                      step(signal, exit, [Pid, kill]),
                      ?RECEIVE(got, got, 10, none)
              end,
    Schedule = [{[0], 1}, {[0, 1], 1}, {{[0, 1], [0]}, 1}, {[0], 2}],
    #{leases := Leases} = later(Program, Schedule),
    ?assertEqual(<<0, 1, 1, 1, 1, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, 3>>, Leases).

asking_stays_behind_messages_test() ->
    Program = fun() ->
                      Me = self(),
                      Pid = spawned(fun() -> ?RECEIVE(hello, hello) end),
                      _ = spawned(fun() ->
                                          send(Pid, hello),
                                          _ = step(ask, is_process_alive,
                                                   [Pid]),
                                          send(Me, done)
                                  end),
                      ?RECEIVE(done, done)
              end,
    #{leases := Leases} = later(Program, [{[0], 2}, {[0, 2], 2}]),
    ?assertMatch(<<0, 2, 2, 1, 2, 0, 1, 1, 2, 2, _/binary>>, Leases).

answers_stay_behind_messages_test() ->
    Program = fun() ->
                      Me = self(),
                      Pid = spawned(fun() -> send(Me, hello) end),
                      IsAlive = step(ask, is_process_alive, [Pid]),
                      {IsAlive, ?RECEIVE(hello, hello, 0, none)}
              end,
    ?assertMatch(#{outcome := {ok, <<"{false,hello}">>}},
                 later(Program, [{[0], 1}, {[0, 1], 2}, {[0], 2}])).

ends_stay_behind_messages_test_() ->
    Watched = fun(Ends) ->
                      fun() ->
                              Me = self(),
                              {Pid, Ref} = spawned(spawn_monitor,
                                                   [fun() ->
                                                            send(Me, hello),
                                                            Ends()
                                                    end]),
                              [?RECEIVE(M, kind(M, Pid, Ref)) || _ <- [1, 2]]
                      end
              end,
    [?_assertMatch(#{outcome := {ok, <<"[hello,down]">>}},
                   later(Watched(Ends), [{[0], 1}, {[0, 1], 2}]))
     || Ends <- [fun() -> ok end, fun() -> exit(bad) end]].

kind({'DOWN', Ref, process, Pid, _}, Pid, Ref) -> down;
kind(Message, _Pid, _Ref) -> Message.

a_watcher_gets_the_messages_of_a_victim_first_test() ->
    Program = fun() ->
                      Me = self(),
                      Pid = spawned(fun() ->
                                            send(Me, hello),
                                            ?RECEIVE(never, never)
                                    end),
                      Ref = step(ask, monitor, [process, Pid]),
                      step(signal, exit, [Pid, kill]),
                      [?RECEIVE(M, kind(M, Pid, Ref)) || _ <- [1, 2]]
              end,
    ?assertMatch(#{outcome := {ok, <<"[hello,down]">>}},
                 later(Program, [{[0], 1}, {[0, 1], 1}, {[0], 2}])).

%% Receivers that the gate does not know.

names_are_looked_up_when_a_message_is_sent_test() ->
    Program = fun() ->
                      true = step(plain, register, [?MODULE, self()]),
                      _ = spawned(fun() -> send(?MODULE, hello) end),
                      Before = ?RECEIVE(hello, hello, 0, none),
                      true = step(plain, unregister, [?MODULE]),
                      {Before, ?RECEIVE(hello, hello)}
              end,
    Schedule = [{[0], 2}, {[0, 1], 1}, {[0], 2}, {{[0, 1], [0]}, 1}],
    ?assertMatch(#{outcome := {ok, <<"{none,hello}">>}, followed := true},
                 later(Program, Schedule)).

a_name_that_nobody_has_is_an_error_test() ->
    Program = fun() ->
                      _ = spawned(fun() -> ok end),
                      send(nobody_has_this_name, hello)
              end,
    ?assertMatch(#{outcome := {exception, error, <<"badarg">>, _}},
                 later(Program, [])).

foreign_code_sends_after_what_was_sent_before_test() ->
    Program = fun() ->
                      Me = self(),
                      _ = spawned(fun() ->
                                          send(Me, first),
                                          ?OUT:opaque(9, gen_server, cast,
                                                      [Me, second])
                                  end),
                      First = ?RECEIVE(M, M),
                      {First, ?RECEIVE(M, M)}
              end,
    Schedule = [{[0], 1}, {[0, 1], 1}, {[0], 1}],
    ?assertMatch(#{outcome := {ok, <<"{first,{'$gen_cast',second}}">>},
                   uncontrolled := [{gen_server, cast, 2}]},
                 later(Program, Schedule)).
