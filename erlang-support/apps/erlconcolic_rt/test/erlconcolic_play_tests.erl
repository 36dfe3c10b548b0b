%%% Plays, where erlconcolic_machine_law does not look: marks, invariants,
%%% options, equal times, other processes, other releases. The module is the
%%% callback module of its machines, whose state (or data) is a fun.
-module(erlconcolic_play_tests).

-include_lib("eunit/include/eunit.hrl").

-export([init/1, handle_call/3, handle_cast/2, handle_info/2, callback_mode/0,
         handle_event/4, is_small/1, parity/1]).

init(Result) -> Result.

handle_call(Request, From, Fun) -> Fun({call, From, Request}).

handle_cast(Request, Fun) -> Fun({cast, Request}).

handle_info(Info, Fun) -> Fun({info, Info}).

callback_mode() -> handle_event_function.

handle_event(Type, Content, State, Fun) -> Fun(Type, Content, State).

server(Fun, Events, Options) ->
    erlconcolic_play_server:play(?MODULE, {ok, Fun}, Events, Options).

statem(Actions, Fun, Events, Options) ->
    erlconcolic_play_statem:play(?MODULE, {ok, 0, Fun, Actions}, Events,
                                 Options).

%% Ends

plays_all_events_test() ->
    ?assertEqual({running, [{1, 2}, {3, 4}]},
                 server(fun add_one/1, [{call, 1}, {cast, x}, {call, 3}],
                        #{})).

add_one({call, _From, N}) -> {reply, N + 1, fun add_one/1};
add_one({cast, _}) -> {noreply, fun add_one/1}.

stops_at_none_test() ->
    Fun = fun(_) -> error(reached) end,
    ?assertEqual({running, []}, server(Fun, [none, {cast, x}], #{})),
    ?assertEqual({running, []}, statem([], Fun, [none, {cast, x}], #{})).

timeout_without_timer_ends_test_() ->
    Fun = fun(_) -> error(reached) end,
    [?_assertEqual({no_timer, []}, Play(Options))
     || Options <- [#{wait => 1}, #{mailbox => false}],
        Play <- [fun(With) -> server(Fun, [timeout, {cast, x}], With) end,
                 fun(With) -> statem([], Fun, [timeout, {cast, x}], With) end]].

keeps_the_stack_of_a_crash_test() ->
    Crash = fun({cast, X}) -> {noreply, hd(X)} end,
    try server(Crash, [{cast, []}], #{}) of
        Result -> error({no_crash, Result})
    catch
        error:badarg:Stack ->
            ?assertMatch([{erlang, hd, [[]], _}, {?MODULE, _, 1, _} | _],
                         Stack)
    end.

abnormal_reasons_are_exits_test() ->
    Stop = fun({cast, Reason}) -> {stop, Reason, none} end,
    ?assertExit(bad, server(Stop, [{cast, bad}], #{})),
    ?assertEqual({{stopped, normal}, []},
                 server(Stop, [{cast, normal}], #{})),
    ?assertEqual({{stopped, {shutdown, x}}, []},
                 server(Stop, [{cast, {shutdown, x}}], #{})),
    ?assertExit({bad_return_value, bad},
                server(fun(_) -> bad end, [{cast, x}], #{})),
    ?assertError({bad_return_from_state_function, bad},
                 statem([], fun(_, _, _) -> bad end, [{cast, x}], #{})).

init_that_does_not_start_test_() ->
    [?_assertEqual({Expected, []}, Module:play(?MODULE, Result, [], Options))
     || Module <- [erlconcolic_play_server, erlconcolic_play_statem],
        {Result, Expected, Options} <-
            [{ignore, ignore, #{}},
             {{stop, bad}, {not_started, bad}, #{}},
             {{error, bad}, {not_started, bad}, #{release => 26}}]].

exit_in_init_test_() ->
    [?_assertEqual({{not_started, Reason}, []},
                   Module:play(erlconcolic_scripted, script(Reason), []))
     || Module <- [erlconcolic_play_server, erlconcolic_play_statem],
        Reason <- [normal, shutdown, {shutdown, x}]]
        ++ [?_assertExit(bad, Module:play(erlconcolic_scripted, script(bad),
                                          []))
            || Module <- [erlconcolic_play_server, erlconcolic_play_statem]].

script(Reason) ->
    #{steps => #{init => [{[], {exit, Reason}}]}}.

error_of_init_is_new_in_26_test() ->
    Bad = {error, bad},
    Old = #{release => 25},
    ?assertExit({bad_return_value, Bad},
                erlconcolic_play_server:play(?MODULE, Bad, [], Old)),
    ?assertExit({bad_return_from_init, Bad},
                erlconcolic_play_statem:play(?MODULE, Bad, [], Old)).

%% The receive of a gen_server fails, and so does a timer of the BEAM.
times_that_are_too_long_test() ->
    ?assertError(timeout_value,
                 erlconcolic_play_server:play(?MODULE, {ok, x, 16#100000000},
                                              [])),
    ?assertError(badarg,
                 statem([{state_timeout, 1 bsl 70, x}], none, [], #{})).

%% Timers

timers_of_28_test_() ->
    Fun = fun({info, Info}) -> {stop, {shutdown, Info}, none} end,
    Play = fun(Action, Events, Release) ->
                   erlconcolic_play_server:play(
                     ?MODULE, {ok, Fun, Action}, Events,
                     #{mailbox => false, release => Release})
           end,
    Now = erlang:monotonic_time(millisecond),
    [?_assertEqual({{stopped, {shutdown, m}}, []}, Play(Action, Events, 28))
     || {Action, Events} <- [{{timeout, 0, m}, []},
                             {{hibernate, 0, m}, []},
                             {{timeout, 5000, m}, [timeout]},
                             {{hibernate, 5000, m, {abs, false}}, [timeout]},
                             {{timeout, Now + 9000, m, [{abs, true}]},
                              [timeout]},
                             {{timeout, Now - 9, m, [{abs, true}]}, []}]]
        ++ [?_assertExit({bad_return_value, _},
                         Play({timeout, 0, m}, [], 27)),
            ?_assertExit({bad_return_value, _},
                         Play({timeout, -1, m}, [], 28)),
            ?_assertExit({bad_return_value, _},
                         Play({timeout, 1, m, bad}, [], 28)),
            ?_assertEqual({no_timer, []},
                          Play({timeout, infinity, m}, [timeout], 28))].

%% OTP sets the timers of actions from the last one on. Those that are over at
%% the same time come without another timeout, and before messages.
equal_times_test() ->
    put(seen, []),
    Fun = fun(Type, _, _) ->
                  put(seen, get(seen) ++ [Type]),
                  _ = Type =:= {timeout, c} andalso (self() ! message),
                  keep_state_and_data
          end,
    {running, []} = statem([{{timeout, a}, 20, x}, {{timeout, b}, 20, x},
                            {state_timeout, 20, x}, {{timeout, c}, 20, x},
                            {{timeout, d}, 19, x}],
                           Fun, [timeout, timeout], #{}),
    ?assertEqual([{timeout, d}, {timeout, c}, state_timeout, {timeout, b},
                  {timeout, a}, info],
                 erase(seen)).

%% A time that has passed is behind messages, but not behind those that are sent
%% when another such timer is over.
times_that_have_passed_test() ->
    put(seen, []),
    Fun = fun(Type, Content, _) ->
                  put(seen, get(seen) ++ [Content]),
                  _ = Type =/= info andalso (self() ! last),
                  keep_state_and_data
          end,
    Past = erlang:monotonic_time(millisecond) - 5,
    self() ! first,
    {running, []} = statem([{{timeout, a}, Past, third, {abs, true}},
                            {{timeout, b}, Past, second, [{abs, true}]}],
                           Fun, [], #{}),
    ?assertEqual([first, second, third, last, last], erase(seen)).

cancelled_while_due_test() ->
    Fun = fun({timeout, b}, _, _) -> {next_state, 1, fun last/3};
             (state_timeout, _, _) -> error(cancelled)
          end,
    ?assertEqual({no_timer, []},
                 statem([{state_timeout, 20, x}, {{timeout, b}, 20, x}], Fun,
                        [timeout, timeout], #{wait => 1})).

last(Type, _, _) -> error({unexpected, Type}).

no_time_passes_without_a_mailbox_test() ->
    Fun = fun({timeout, _}, last, _) -> stop;
             ({timeout, N}, x, _) ->
                  {keep_state_and_data, {{timeout, N + 1}, 1 bsl 40, last}}
          end,
    ?assertEqual({{stopped, normal}, []},
                 statem({{timeout, 0}, 1 bsl 41, x}, Fun, [timeout, timeout],
                        #{mailbox => false})).

%% Processes

replies_of_others_are_no_events_test() ->
    Player = self(),
    Fun = fun({call, From}, X, _) ->
                  spawn(fun() ->
                                timer:sleep(20),
                                gen_statem:reply(From, {reply_to, X}),
                                Player ! message
                        end),
                  keep_state_and_data;
             (info, message, _) ->
                  {stop, normal}
          end,
    ?assertEqual({{stopped, normal}, [{1, {reply_to, x}}]},
                 statem([], Fun, [{call, x}, timeout], #{})).

messages_of_others_end_a_wait_test() ->
    Player = self(),
    Fun = fun(info, hello, 0) -> keep_state_and_data;
             (_, _, _) -> error(too_early)
          end,
    spawn(fun() -> timer:sleep(20), Player ! hello end),
    ?assertEqual({running, []},
                 statem({{timeout, a}, 10000, x}, Fun, [timeout], #{})).

%% Marks, labels and invariants

marks_test() ->
    Go = fun(internal, go, 1) -> {stop, {shutdown, x}} end,
    Fun = fun({call, From}, N, _) ->
                  {next_state, N, Go,
                   [{reply, From, yes}, {next_event, internal, go}]}
          end,
    {_, Marks} = marked(fun() -> statem([], Fun, [{call, 1}], #{}) end),
    ?assertMatch([{calls, []},
                  {state, [0, init, 0, {0, _}]},
                  {calls, []},
                  {state, [1, {call, 1}, 1, {1, Go}]},
                  {calls, []},
                  {ended, [1, {internal, go}, {shutdown, x}]},
                  {replied, [1, yes]}], Marks).

timeouts_are_marked_by_type_test() ->
    Fun = fun(_, _, _) -> keep_state_and_data end,
    {_, Marks} = marked(fun() ->
                                statem({{timeout, n}, 5, c}, Fun, [timeout],
                                       #{mailbox => false})
                        end),
    ?assertMatch([{calls, []}, {state, _}, {waits, [0, 5]},
                  {waited, [1, 5]}, {fired, [1, {timeout, n}]},
                  {calls, []},
                  {state, [1, {timeout, {timeout, n}, c}, 0, _]}], Marks).

%% The calls of marks, by a process that is traced.
marked(Play) ->
    {module, _} = code:ensure_loaded(erlconcolic_machine_mark),
    _ = erlang:trace_pattern({erlconcolic_machine_mark, '_', '_'}, true, []),
    {Pid, Monitor} =
        spawn_monitor(fun() -> receive go -> exit({result, Play()}) end end),
    1 = erlang:trace(Pid, true, [call]),
    Pid ! go,
    Result = receive {'DOWN', Monitor, _, _, {result, Value}} -> Value end,
    Delivered = erlang:trace_delivered(Pid),
    receive {trace_delivered, Pid, Delivered} -> ok end,
    {Result, received_marks(Pid)}.

received_marks(Pid) ->
    receive
        {trace, Pid, call, {_, Function, Args}} ->
            [{Function, Args} | received_marks(Pid)]
    after 0 ->
        []
    end.

is_small({State, _}) when is_integer(State) -> State < 3;
is_small(State) -> State.

parity(State) -> {parity, State}.

invariants_are_asked_after_each_event_test() ->
    Options = #{invariant => {?MODULE, is_small}},
    Play = fun(Events) -> statem([], fun count/3, Events, Options) end,
    ?assertEqual({running, []}, Play([{cast, x}, {cast, x}])),
    ?assertError({invariant, {?MODULE, is_small, 1}, _},
                 Play([{cast, x}, {cast, x}, {cast, x}])).

count(_, _, State) -> {next_state, State + 1, fun count/3}.

invariants_hold_between_events_only_test() ->
    %% The state in which the machine handles its own message is not asked for.
    Fun = fun(cast, _, 0) ->
                  self() ! back,
                  {next_state, 9, fun(info, back, 9) ->
                                          {next_state, 1, none}
                                  end}
          end,
    ?assertEqual({running, []},
                 statem([], Fun, [{cast, x}],
                        #{invariant => {?MODULE, is_small}})).

odd_invariants_test() ->
    Play = fun(State) ->
                   erlconcolic_play_server:play(
                     ?MODULE, {ok, State}, [],
                     #{invariant => {?MODULE, is_small}})
           end,
    ?assertEqual({running, []}, Play(true)),
    ?assertError({invariant, {?MODULE, is_small, 1}, _}, Play(false)),
    ?assertError({bad_invariant, {?MODULE, is_small, 1}, odd}, Play(odd)).

labels_test() ->
    {_, Marks} =
        marked(fun() ->
                       erlconcolic_play_server:play(
                         ?MODULE, {ok, x}, [],
                         #{state_of => {?MODULE, parity}})
               end),
    ?assertEqual([{calls, []}, {state, [0, init, {parity, x}, x]}], Marks).
