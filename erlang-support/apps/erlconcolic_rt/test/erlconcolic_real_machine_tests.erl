%%% Real machines: what is told about them.
-module(erlconcolic_real_machine_tests).

-include_lib("eunit/include/eunit.hrl").

-define(SECOND, 1000).

-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

init(crash) -> error(gone);
init(Result) -> Result.

handle_call({reply, X}, _From, State) -> {reply, X, State + 1};
handle_call({stop, Reason, Reply}, _From, State) ->
    {stop, Reason, Reply, State}.

handle_cast(crash, State) -> {noreply, hd(State)};
handle_cast(leave, _State) -> exit(gone);
handle_cast({wait, Time}, State) -> timer:sleep(Time), {noreply, State};
handle_cast({timeout, Time}, State) -> {noreply, State, Time}.

handle_info(timeout, State) -> {noreply, State + 10}.

play(Argument, Events, Timeout) ->
    maps:remove(exception, played(Argument, Events, Timeout)).

played(Argument, Events, Timeout) ->
    erlconcolic_machine_law:quietly(
      fun() ->
              erlconcolic_real_machine:play(gen_server, ?MODULE, Argument,
                                            Events, Timeout)
      end).

tells_states_and_replies_test() ->
    ?assertEqual(#{states => [{0, 0}, {1, 1}, {2, 1}, {3, 11}, {4, 12}],
                   replies => [{1, x}, {4, y}],
                   ending => running},
                 play({ok, 0},
                      [{call, {reply, x}}, {cast, {timeout, 100}}, timeout,
                       {call, {reply, y}}, none, {cast, crash}], ?SECOND)).

tells_the_stack_of_a_crash_test() ->
    #{states := [{0, 0}], replies := [], ending := {ended, {badarg, Stack}}} =
        play({ok, 0}, [{cast, crash}, {cast, crash}], ?SECOND),
    ?assertMatch([{erlang, hd, [0], _}, {?MODULE, handle_cast, 2, _} | _],
                 Stack).

tells_the_exception_that_ended_it_test_() ->
    [?_assertMatch(#{exception := {exit, gone, [{?MODULE, handle_cast, 2, _}
                                                | _]}},
                   played({ok, 0}, [{cast, leave}], ?SECOND)),
     ?_assertMatch(#{exception := {error, gone, [{?MODULE, init, 1, _} | _]}},
                   played(crash, [], ?SECOND)),
     ?_assertMatch(#{exception := none}, played({ok, 0}, [], ?SECOND))].

tells_the_reply_of_the_last_call_test() ->
    ?assertEqual(#{states => [{0, 0}], replies => [{1, bye}],
                   ending => {ended, bad}},
                 play({ok, 0}, [{call, {stop, bad, bye}}], ?SECOND)).

tells_why_it_did_not_start_test_() ->
    [?_assertEqual(#{states => [], replies => [], ending => Ending},
                   play(Result, [{cast, crash}], ?SECOND))
     || {Result, Ending} <- [{ignore, ignore},
                             {{stop, bad}, {not_started, bad}},
                             {bad, {not_started, {bad_return_value, bad}}}]].

tells_that_there_is_no_timer_test() ->
    ?assertEqual(#{states => [{0, 0}], replies => [], ending => no_timer},
                 play({ok, 0}, [timeout, {cast, crash}], 20)).

tells_that_it_is_busy_test() ->
    ?assertEqual(#{states => [{0, 0}], replies => [], ending => busy},
                 play({ok, 0}, [{cast, {wait, 5000}}], 20)).

ends_the_process_test() ->
    Before = processes(),
    _ = play({ok, 0}, [{call, {reply, x}}], ?SECOND),
    ?assertEqual([], processes() -- Before),
    ?assertEqual({message_queue_len, 0},
                 process_info(self(), message_queue_len)).

%% A timeout of 0 ms is over before the next event.
waits_for_a_timeout_of_0_test() ->
    ?assertMatch(#{states := [{0, 10}, {1, 20}]},
                 play({ok, 0, 0}, [{cast, {timeout, 0}}], ?SECOND)).
