%%% A small private telephone exchange. One call at a time: somebody lifts the
%%% receiver, dials the number of a line, that line rings, and it is answered. A
%%% line can be forwarded to another one. The neighbours of a line that rings
%%% can answer for it.
%%%
%%% States: idle, dialing, ringing, talking. Who answers while somebody dials
%%% waits until the line rings.
%%%
%%% Two bugs:
%%% - A line that is forwarded to the caller rings the caller.
%%% - When a neighbour answers, the new state is returned without its data.
%%%
%%% breaks: {9999, [{cast, {forward, 2000, 1000}}, {call, {off_hook, 1000}},
%%%                 {cast, {dial, 2000}}]}
%%% finds: error function_clause in connect/2
%%%
%%% breaks: {9999, [{call, {off_hook, 1000}}, {call, {answer, 3000}},
%%%                 {cast, {dial, 2999}}]}
%%% finds: error {bad_return_from_state_function,{next_state,talking}}
-module(telephone_exchange).
-behaviour(gen_statem).

-export([start_link/1, off_hook/2, dial/2, answer/2, on_hook/2, forward/3]).
-export([init/1, callback_mode/0, idle/3, dialing/3, ringing/3, talking/3,
         terminate/3]).

-define(DIAL_TIME, 200).
-define(RING_TIME, 150).

-type line() :: 1000..9999.
-type event() :: {off_hook | on_hook | answer | dial, line()}
               | {forward, From :: line(), To :: line()}
               | ring
               | silence
               | nobody.
-type state() :: idle | dialing | ringing | talking.

-record(exchange, {last :: line(),
                   forwarded = #{} :: #{line() => line()},
                   caller = none :: none | line(),
                   callee = none :: none | line()}).

%% Lines have numbers from 1000 on.
start_link(Last) ->
    gen_statem:start_link(?MODULE, Last, []).

off_hook(Exchange, Line) -> gen_statem:call(Exchange, {off_hook, Line}).

dial(Exchange, Line) -> gen_statem:cast(Exchange, {dial, Line}).

answer(Exchange, Line) -> gen_statem:call(Exchange, {answer, Line}).

on_hook(Exchange, Line) -> gen_statem:cast(Exchange, {on_hook, Line}).

forward(Exchange, From, To) ->
    gen_statem:cast(Exchange, {forward, From, To}).

-spec init(Last :: line()) -> {ok, state(), #exchange{}} | {stop, term()}.
init(Last) when Last > 1000 ->
    {ok, idle, #exchange{last = Last}};
init(Last) ->
    {stop, {shutdown, {last, Last}}}.

callback_mode() ->
    state_functions.

-spec idle(gen_statem:event_type(), event(), #exchange{}) ->
          gen_statem:event_handler_result(state(), #exchange{}).
idle({call, From}, {off_hook, Line}, #exchange{last = Last} = Exchange)
  when Line =< Last ->
    {next_state, dialing, Exchange#exchange{caller = Line},
     [{reply, From, dial_tone}, {state_timeout, ?DIAL_TIME, silence}]};
idle(Type, Event, Exchange) ->
    common(Type, Event, Exchange).

-spec dialing(gen_statem:event_type(), event(), #exchange{}) ->
          gen_statem:event_handler_result(state(), #exchange{}).
dialing(cast, {dial, Line}, #exchange{caller = Line} = Exchange) ->
    hang_up(Exchange);
dialing(cast, {dial, Line}, #exchange{last = Last} = Exchange)
  when Line =< Last ->
    Callee = maps:get(Line, Exchange#exchange.forwarded, Line),
    {next_state, ringing, Exchange#exchange{callee = Callee},
     {next_event, internal, ring}};
dialing({call, _}, {answer, _}, _) ->
    {keep_state_and_data, postpone};
dialing(cast, {on_hook, Line}, #exchange{caller = Line} = Exchange) ->
    hang_up(Exchange);
dialing(state_timeout, silence, Exchange) ->
    hang_up(Exchange);
dialing(Type, Event, Exchange) ->
    common(Type, Event, Exchange).

-spec ringing(gen_statem:event_type(), event(), #exchange{}) ->
          gen_statem:event_handler_result(state(), #exchange{}).
ringing(internal, ring, #exchange{caller = Caller, callee = Callee}) ->
    Time = connect(Caller, Callee),
    {keep_state_and_data, {state_timeout, Time, nobody}};
ringing({call, From}, {answer, Line}, #exchange{callee = Line} = Exchange) ->
    {next_state, talking, Exchange, {reply, From, connected}};
ringing({call, From}, {answer, Line}, Exchange) ->
    #exchange{last = Last, caller = Caller, callee = Callee} = Exchange,
    case abs(Line - Callee) of
        1 when Line =/= Caller, Line =< Last -> {next_state, talking};
        _ -> {keep_state_and_data, {reply, From, refused}}
    end;
ringing(cast, {on_hook, Line}, #exchange{caller = Line} = Exchange) ->
    hang_up(Exchange);
ringing(state_timeout, nobody, Exchange) ->
    hang_up(Exchange);
ringing(Type, Event, Exchange) ->
    common(Type, Event, Exchange).

-spec talking(gen_statem:event_type(), event(), #exchange{}) ->
          gen_statem:event_handler_result(state(), #exchange{}).
talking(cast, {on_hook, Line},
        #exchange{caller = Caller, callee = Callee} = Exchange)
  when Line =:= Caller; Line =:= Callee ->
    hang_up(Exchange);
talking(Type, Event, Exchange) ->
    common(Type, Event, Exchange).

terminate(_, _, _) ->
    ok.

common(cast, {forward, From, To}, #exchange{last = Last} = Exchange)
  when From =< Last, To =< Last, From =/= To ->
    #exchange{forwarded = Forwarded} = Exchange,
    {keep_state, Exchange#exchange{forwarded = Forwarded#{From => To}}};
common({call, From}, _, _) ->
    {keep_state_and_data, {reply, From, refused}};
common(_, _, _) ->
    keep_state_and_data.

hang_up(Exchange) ->
    {next_state, idle, Exchange#exchange{caller = none, callee = none}}.

%% How long a line rings for a caller: those who are far apart need longer.
connect(Caller, Callee) when Caller =/= Callee ->
    ?RING_TIME + abs(Caller - Callee) div 100.
