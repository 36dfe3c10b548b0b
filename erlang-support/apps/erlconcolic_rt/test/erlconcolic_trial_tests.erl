%%% Tests of trials: runs whose processes go on as they come, in another order
%%% than usual.
-module(erlconcolic_trial_tests).

-include_lib("eunit/include/eunit.hrl").

%% Called by the runs.
-export([call/1]).

goes_on_until_all_processes_wait_or_have_ended_test() ->
    #{outcome := Outcome, exits := Exits} =
        trial(fun() ->
                      _ = spawn(fun() ->
                                        _ = lists:seq(1, 1000000),
                                        error(late)
                                end),
                      done
              end),
    ?assertEqual({ok, <<"done">>}, Outcome),
    ?assertMatch([{exception, error, <<"late">>, [_ | _]}], Exits).

tells_how_processes_ended_test() ->
    #{exits := Exits} =
        trial(fun() ->
                      [_ = spawn(fun() -> End() end)
                       || End <- [fun() -> ok end, fun() -> exit(why) end,
                                  fun() -> throw(ball) end,
                                  fun() -> exit({why, [a]}) end,
                                  fun() -> exit({why, [a | b]}) end]]
              end),
    Ends = lists:sort([{Class, Text} || {exception, Class, Text, _} <- Exits]),
    ?assertEqual([{exit, <<"why">>}, {exit, <<"{why,[a]}">>},
                  {exit, <<"{why,[a|b]}">>}, {throw, <<"ball">>}], Ends).

finds_processes_that_wait_for_each_other_test() ->
    Wait = fun() -> receive never -> ok end end,
    Program = fun() -> _ = spawn(Wait), Wait() end,
    #{outcome := {deadlock, Waiting}} = trial(Program, 0, true),
    ?assertMatch([{[0], [_ | _]}, {[0, 1], [_ | _]}], Waiting).

waits_for_processes_that_do_something_test() ->
    Program = fun() ->
                      Me = self(),
                      _ = spawn(fun() -> Me ! lists:sum(lists:seq(1, 100000))
                                end),
                      receive Sum -> Sum end
              end,
    [?assertMatch(#{outcome := {ok, <<"5000050000">>}, exits := []},
                  trial(Program, Number, true))
     || Number <- lists:seq(0, 9)].

the_process_of_the_entry_function_stays_test() ->
    Program = fun() ->
                      Me = self(),
                      _ = spawn(fun() ->
                                        process_flag(trap_exit, true),
                                        link(Me),
                                        receive {'EXIT', _, _} -> error(gone)
                                        end
                                end),
                      done
              end,
    ?assertMatch(#{outcome := {ok, <<"done">>}, exits := []}, trial(Program)).

leaves_the_node_as_it_was_test() ->
    Before = {erlang:system_info(schedulers_online), length(processes())},
    Program = fun() -> _ = spawn(fun() -> receive x -> ok end end), done end,
    [trial(Program, Number, false) || Number <- lists:seq(0, 7)],
    ?assertEqual(Before, {erlang:system_info(schedulers_online),
                          length(processes())}).

without_a_trial_started_processes_are_named_test() ->
    Program = fun() -> _ = spawn(fun() -> ok end), done end,
    #{uncontrolled := Names} = run(Program, #{}),
    ?assertMatch([{?MODULE, _, 0}], Names).

call(Program) ->
    Program().

trial(Program) ->
    trial(Program, 0, false).

trial(Program, Number, Waits) ->
    run(Program, #{trial => #{number => Number, waits => Waits}}).

run(Program, More) ->
    Request = #{module => ?MODULE, function => call, arguments => [Program],
                timeout => 30000, max_heap => 10000000, allow => [],
                record => false, schedules => none},
    {ok, Answer} = erlconcolic_run:run(maps:merge(Request, More),
                                       fun(_) -> ok end),
    Answer.
