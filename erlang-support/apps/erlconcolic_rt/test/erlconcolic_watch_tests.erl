%%% Tests of whether the collector hears of what controlled processes start.
-module(erlconcolic_watch_tests).

-include_lib("eunit/include/eunit.hrl").
-include("erlconcolic_controlled.hrl").

-import(erlconcolic_controlled, [scheduled/2, spawned/1]).

watch_test_() ->
    [fun spawned_processes_are_not_watched/0,
     fun foreign_code_is_watched/0,
     fun harmless_foreign_code_is_not_watched/0,
     fun foreign_code_is_watched_while_it_calls_the_program/0,
     fun what_nobody_told_of_is_killed/0,
     fun what_waits_is_killed/0].

flags() ->
    {flags, Flags} = erlang:trace_info(self(), flags),
    lists:sort(Flags).

%% What a spawned process sees after it did something.
seen_after(Do) ->
    Tester = self(),
    Answer = scheduled(fun() ->
                               spawned(fun() -> Do(), Tester ! {seen, flags()}
                                       end)
                       end, []),
    receive {seen, Flags} -> {Flags, Answer} end.

spawned_processes_are_not_watched() ->
    ?assertMatch({[set_on_spawn], #{uncontrolled := []}},
                 seen_after(fun() -> ok end)).

harmless_foreign_code_is_not_watched() ->
    Do = fun() ->
                 2 = ?OUT:opaque(9, lists, max, [[1, 2]]),
                 true = ?OUT:step(9, plain, erlang, is_process_alive, [self()])
         end,
    ?assertMatch({[set_on_spawn], #{uncontrolled := []}}, seen_after(Do)).

foreign_code_is_watched() ->
    Tester = self(),
    Forever = fun() -> receive after infinity -> ok end end,
    Do = fun() -> Tester ! ?OUT:opaque(9, proc_lib, spawn, [Forever]) end,
    ?assertMatch({[procs, set_on_spawn], #{uncontrolled := [_]}},
                 seen_after(Do)),
    receive Pid when is_pid(Pid) -> ?assertNot(is_process_alive(Pid)) end.

%% The function of OTP goes on after the first spawn.
foreign_code_is_watched_while_it_calls_the_program() ->
    Program = fun() ->
                      ?OUT:opaque(9, lists, foreach,
                                  [fun(_) -> spawned(fun() -> ok end) end,
                                   [1, 2]]),
                      flags()
              end,
    ?assertMatch(#{outcome := {ok, <<"[procs,set_on_spawn]">>}},
                 scheduled(Program, [])).

what_nobody_told_of_is_killed() ->
    Tester = self(),
    Program = fun() ->
                      spawned(fun() ->
                                      Tester ! spawned(fun() -> ok end),
                                      exit(self(), kill)
                              end)
              end,
    #{members := [_, #{'end' := killed}]} = scheduled(Program, []),
    receive Pid when is_pid(Pid) -> ?assertNot(is_process_alive(Pid)) end.

what_waits_is_killed() ->
    Tester = self(),
    Program = fun() ->
                      Tester ! spawned(fun() -> ?RECEIVE(never, ok) end)
              end,
    #{members := [_, #{'end' := waiting}]} = scheduled(Program, []),
    receive Pid when is_pid(Pid) -> ?assertNot(is_process_alive(Pid)) end.
