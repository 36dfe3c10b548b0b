%%% Random scripted machines (see erlconcolic_script) and events for them.
%%%
%%% Times of timers are numbers of units whose sums all differ, each at most
%%% once in a case. Time passes only until the next timer is over, so no two
%%% timers are over at times that are less than a unit apart.
-module(erlconcolic_random_machine).

-export([random/1]).

-export_type([machine/0]).

-type machine() :: #{behaviour := gen_server | gen_statem,
                     module := module(),
                     steps := #{atom() => [erlconcolic_script:step()]},
                     modes := #{module() => erlconcolic_script:step()},
                     events := [erlconcolic_play:event()]}.

-define(UNITS, [3, 5, 6, 7]).

%% A case. The same seed makes the same one on a release of OTP.
-spec random(Seed :: integer()) -> machine().
random(Seed) ->
    rand:seed(exsss, {Seed, 17, 4711}),
    put(units, ?UNITS),
    Theme = one_of([mixed, timers, modules, queues]),
    put(theme, Theme),
    %% Many cases have no timers, and are quick.
    put(timed, Theme =:= timers orelse chance(40)),
    put(effects, chance(60)),
    Behaviour = one_of([gen_server, gen_statem, gen_statem]),
    Modes = modes(),
    #{behaviour => Behaviour,
      module => weighted([{5, erlconcolic_scripted},
                          {1, erlconcolic_scripted_bare}]),
      steps => steps(Behaviour),
      modes => Modes,
      events => list(2, 8, fun event/0)}.

event() ->
    case get(timed) andalso chance(more(timers, 20, 45)) of
        true -> timeout;
        false -> {one_of([call, call, cast, info]), small()}
    end.

steps(gen_server) ->
    #{init => [step(fun server_init/0)],
      call => list(1, 6, fun() -> step(fun server_call/0) end),
      event => list(1, 8, fun() -> step(fun server_event/0) end),
      terminate => [step(fun terminate/0)]};
steps(gen_statem) ->
    #{init => [step(fun statem_init/0)],
      event => list(2, 16, fun() -> step(fun statem_event/0) end),
      enter => list(0, 6, fun() -> step(fun statem_enter/0) end),
      terminate => [step(fun terminate/0)]}.

modes() ->
    maps:from_list([{Module, {[], mode()}}
                    || Module <- [erlconcolic_scripted,
                                  erlconcolic_scripted_bare,
                                  erlconcolic_scripted_other]]).

mode() ->
    Mode = weighted([{30, handle_event_function},
                     {30, [handle_event_function, state_enter]},
                     {20, state_functions},
                     {20, [state_enter, state_functions]},
                     {10, [state_functions, handle_event_function]},
                     {1, [state_enter]},
                     {1, []},
                     {1, small()}]),
    {weighted([{90, return}, {8, throw}, {1, error}]), Mode}.

%% Most steps go on; a thrown value is a returned one.
step(Outcome) ->
    Effects = case get(effects) andalso chance(30) of
                  true -> list(1, 3, fun effect/0);
                  false -> []
              end,
    {Effects, Outcome()}.

effect() ->
    case get(timed) andalso chance(25) of
        true ->
            case units() of
                none -> {send, small()};
                Units -> {one_of([send_after, start_timer]), Units, small()}
            end;
        false ->
            weighted([{3, {send, small()}},
                      {2, {cast, small()}},
                      {1, {call, small()}},
                      {3, {reply, client(), small()}}])
    end.

outcome(Term) ->
    {weighted([{10, return}, {1, throw}]), Term}.

crash() ->
    weighted([{2, {error, small()}},
              {1, {error, normal}},
              {1, {exit, reason()}}]).

reason() ->
    one_of([normal, shutdown, {shutdown, small()}, small(), {bad, small()}]).

terminate() ->
    weighted([{8, {return, ok}}, {1, {throw, small()}}, {1, crash()}]).

%% gen_server

server_init() ->
    weighted([{20, outcome({ok, small()})},
              {30, fun() -> outcome({ok, small(), server_action()}) end},
              {1, fun() -> outcome(not_started()) end},
              {1, fun crash/0}]).

not_started() ->
    one_of([{stop, reason()}, ignore, {error, small()}, {ok, small(), bad},
            small()]).

server_call() ->
    weighted([{18, fun() -> outcome({reply, small(), small()}) end},
              {18, fun() ->
                           outcome({reply, small(), small(), server_action()})
                   end},
              {1, fun() -> outcome({stop, reason(), small(), small()}) end},
              {15, fun server_event/0}]).

server_event() ->
    weighted([{16, fun() -> outcome({noreply, small()}) end},
              {20, fun() -> outcome({noreply, small(), server_action()}) end},
              {1, fun() -> outcome({stop, reason(), small()}) end},
              {1, fun crash/0},
              {1, fun() -> outcome(bad_result()) end}]).

bad_result() ->
    one_of([small(), {noreply}, {reply, small(), small()},
            {noreply, small(), small(), small()}, {stop, small()}, ok]).

server_action() ->
    weighted([{10, fun() -> {continue, small()} end},
              {3, hibernate},
              {3, infinity},
              {3, 0},
              {15, fun() -> time(fun(Time) -> Time end) end},
              {1, fun() -> one_of([-1, bad, {continue}, 1.0]) end},
              {case erlang:system_info(otp_release) >= "28" of
                   true -> 15;
                   false -> 1
               end, fun server_timeout/0}]).

%% Those of OTP 28.
server_timeout() ->
    Tag = one_of([timeout, hibernate]),
    weighted([{4, fun() -> {Tag, 0, small()} end},
              {9, fun() -> time(fun(Time) -> {Tag, Time, small()} end) end},
              {5, fun() ->
                          time(fun(Time) ->
                                       {Tag, Time, small(), {abs, false}}
                               end)
                  end},
              {5, fun() ->
                          absolute(fun(Time) ->
                                           {Tag, Time, small(), [{abs, true}]}
                                   end)
                  end},
              {1, {Tag, infinity, small()}},
              {1, {Tag, -1, small()}},
              {1, {Tag, 0, small(), bad}}]).

%% gen_statem

statem_init() ->
    weighted([{more(timers, 20, 1),
               fun() -> outcome({ok, state(), small()}) end},
              {30, fun() -> outcome({ok, state(), small(), actions()}) end},
              {1, fun() -> outcome(not_started()) end},
              {1, fun crash/0}]).

state() ->
    weighted([{10, a}, {10, b}, {10, c}, {1, fun small/0}]).

statem_event() ->
    weighted([{12, fun() -> outcome({next_state, state(), small()}) end},
              {28, fun() ->
                           outcome({next_state, state(), small(), actions()})
                   end},
              {60, fun() -> statem_same(fun actions/0) end},
              {1, fun statem_stop/0},
              {1, fun crash/0},
              {1, fun() -> outcome(bad_transition()) end}]).

statem_same(Actions) ->
    weighted([{2, fun() -> outcome({keep_state, small()}) end},
              {5, fun() -> outcome({keep_state, small(), Actions()}) end},
              {1, outcome(keep_state_and_data)},
              {5, fun() -> outcome({keep_state_and_data, Actions()}) end},
              {2, fun() -> outcome({next_state, '$state', small()}) end},
              {2, fun() ->
                          outcome({next_state, '$state', small(), Actions()})
                  end},
              {1, fun() -> outcome({repeat_state, small()}) end},
              {1, fun() -> outcome({repeat_state, small(), Actions()}) end},
              {1, outcome(repeat_state_and_data)},
              {1, fun() -> outcome({repeat_state_and_data, Actions()}) end}]).

statem_enter() ->
    weighted([{120, fun() -> statem_same(fun enter_actions/0) end},
              {4, fun() -> statem_same(fun actions/0) end},
              {1, fun() -> outcome({next_state, state(), small()}) end},
              {1, fun() ->
                          outcome({next_state, state(), small(), actions()})
                  end},
              {1, fun statem_stop/0},
              {1, fun crash/0}]).

statem_stop() ->
    outcome(one_of([stop, {stop, reason()}, {stop, reason(), small()},
                    {stop_and_reply, reason(), replies()},
                    {stop_and_reply, reason(), replies(), small()}])).

replies() ->
    one_of([[], reply(), [reply()], [reply(), reply()], [reply(), small()]]).

bad_transition() ->
    one_of([small(), {next_state, a}, {keep_state}, {stop},
            {noreply, small()}]).

actions() -> actions(fun action/0).

enter_actions() -> actions(fun enter_action/0).

actions(Action) ->
    case chance(20) of
        true -> Action();
        false -> list(more(timers, 0, 2), 4, Action)
    end.

%% What the case is about has more weight.
more(Theme, Few, Many) ->
    case get(theme) of
        Theme -> Many;
        _ -> Few
    end.

action() ->
    weighted([{12, fun enter_action/0},
              {more(queues, 4, 12), fun postpone/0},
              {more(queues, 5, 15),
               fun() -> {next_event, event_type(), small()} end},
              {more(modules, 1, 20), fun change_module/0},
              {1, fun rarely_bad/0}]).

rarely_bad() ->
    weighted([{1, fun bad_action/0}, {6, fun enter_action/0}]).

enter_action() ->
    weighted([{10, fun reply/0},
              {1, one_of([hibernate, {hibernate, true}, {hibernate, false}])},
              {12, fun timeout_action/0}]).

bad_action() ->
    one_of([bad, {bad, small()}, {timeout, bad, small()}, {postpone, small()},
            {postpone, cancel}, {hibernate, bad}, {next_event, bad, small()},
            {reply, small(), small()}, -1, {state_timeout, -1, small()},
            {timeout, 5, small(), bad}, {timeout, bad, small(), {abs, true}},
            {timeout, 5, small(), [{abs, false}, {abs, false}]},
            {change_callback_module, {bad}}, {{timeout, x, y}, cancel},
            {bad, 5, small(), []}, {bad, update, small()}]).

postpone() ->
    one_of([postpone, postpone, {postpone, true}, {postpone, false}]).

change_module() ->
    one_of([{change_callback_module, erlconcolic_scripted_other},
            {change_callback_module, erlconcolic_scripted},
            {push_callback_module, erlconcolic_scripted_other},
            {push_callback_module, erlconcolic_scripted_bare},
            {push_callback_module, erlconcolic_scripted},
            weighted([{8, {push_callback_module, erlconcolic_scripted}},
                      {8, pop_callback_module},
                      {1, {change_callback_module, no_such_module}}])]).

event_type() ->
    weighted([{5, internal}, {1, cast}, {1, info}, {1, timeout_type()},
              {1, {call, client()}}]).

timeout_type() ->
    weighted([{2, timeout}, {2, state_timeout}, {2, {timeout, x}},
              {more(timers, 2, 8), {timeout, y}},
              {more(timers, 0, 8), {timeout, z}}]).

timeout_action() ->
    Type = timeout_type(),
    weighted([{3, fun() -> {Type, 0, small()} end},
              {more(timers, 8, 30),
               fun() -> time(fun(Time) -> {Type, Time, small()} end) end},
              {2, fun() -> time(fun(Time) -> Time end) end},
              {1, 0},
              {1, infinity},
              {1, {Type, infinity, small()}},
              {2, {Type, cancel}},
              {3, {Type, update, small()}},
              {1, {Type, 0, small(), []}},
              {1, {Type, 0, small(), {abs, true}}},
              {1, fun() ->
                          time(fun(Time) ->
                                       {Type, Time, small(), [{abs, false}]}
                               end)
                  end},
              {2, fun() ->
                          absolute(fun(Time) ->
                                           {Type, Time, small(), {abs, true}}
                                   end)
                  end}]).

reply() -> {reply, client(), small()}.

client() -> {'$from', rand:uniform(4) - 1}.

%% A time that no other timer of the case has, or 0 ms.
time(Make) ->
    case units() of
        none -> Make(0);
        Units -> Make({'$time', Units})
    end.

%% Also one that has passed, but not together with messages: it is not known
%% which of both comes first.
absolute(Make) ->
    Units = case chance(30) of
                true -> none;
                false -> units()
            end,
    HasMessages = get(effects),
    case Units of
        none when HasMessages -> Make(infinity);
        none -> Make({'$absolute', -1});
        _ -> Make({'$absolute', Units})
    end.

units() ->
    case {get(timed), get(units)} of
        {true, [_ | _] = Units} ->
            One = one_of(Units),
            put(units, lists:delete(One, Units)),
            One;
        _ ->
            none
    end.

small() ->
    one_of([0, 1, 2, x, y, {x, 1}, [y], timeout]).

chance(Percent) -> rand:uniform(100) =< Percent.

list(Least, Most, Make) ->
    [Make() || _ <- lists:seq(1, Least + rand:uniform(Most - Least + 1) - 1)].

one_of(List) ->
    lists:nth(rand:uniform(length(List)), List).

%% Functions are called only if they are chosen.
weighted(Choices) ->
    Sum = lists:sum([Weight || {Weight, _} <- Choices]),
    case chosen(rand:uniform(Sum), Choices) of
        Make when is_function(Make, 0) -> Make();
        Value -> Value
    end.

chosen(Number, [{Weight, Value} | _]) when Number =< Weight -> Value;
chosen(Number, [{Weight, _} | Rest]) -> chosen(Number - Weight, Rest).
