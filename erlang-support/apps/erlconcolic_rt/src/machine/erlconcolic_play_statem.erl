%%% Plays a sequence of events against the callbacks of a gen_statem, see
%%% erlconcolic_play. erlconcolic_play_actions reads what callbacks return.
%%%
%%% One round: a callback handles an event, its actions are read, and after a
%%% change of state (or a repeated state) there is an enter call, if the module
%%% wants that, whose actions are added. Then the transition is made: timers are
%%% cancelled and set, and the events that the actions insert are first in the
%%% queue, before postponed ones, which a change of state brings back. When the
%%% queue is empty, timeouts of 0 ms are over, in the order in which they were
%%% set; then come messages, then the next event of the sequence.
%%%
%%% Hibernation is ignored, it is not visible to callbacks.
-module(erlconcolic_play_statem).

-include("erlconcolic_play_effects.hrl").

-export([play/3, play/4]).

-type type() :: {call, From :: term()} | cast | info | internal
              | erlconcolic_play_timers:type().

-type event() :: {type(), Content :: term()}.

-record(statem, {play :: erlconcolic_play:play(),
                 events :: [erlconcolic_play:event()],
                 %% Not known before the first transition.
                 callbacks :: undefined
                            | erlconcolic_play_callbacks:callbacks(),
                 state :: term(),
                 data :: term(),
                 %% Events to handle before the next message.
                 queue = [] :: [event()],
                 %% The last one is first.
                 postponed = [] :: [event()],
                 timers :: erlconcolic_play_timers:timers()}).

-type statem() :: #statem{}.

-type effects() :: erlconcolic_play_actions:effects().

%% A round that is under way: the event, and the state to which it leads. The
%% machine has its old state until the transition.
-record(round, {event :: init | event(),
                state :: term(),
                data :: term(),
                effects :: effects()}).

-type round() :: #round{}.

-spec play(module(), Argument :: term(), [erlconcolic_play:event()]) ->
          erlconcolic_play:result().
play(Module, Argument, Events) ->
    play(Module, Argument, Events, #{}).

-spec play(module(), Argument :: term(), [erlconcolic_play:event()],
           erlconcolic_play:options()) -> erlconcolic_play:result().
play(Module, Argument, Events, Options) ->
    Play = erlconcolic_play:new(Options),
    Result = erlconcolic_callback:init(Module, Argument),
    case Result of
        {ok, State, Data} ->
            enter(Module, [], statem(Play, Events, State, Data));
        {ok, State, Data, Actions} ->
            enter(Module, Actions, statem(Play, Events, State, Data));
        _ ->
            Bad = {bad_return_from_init, Result},
            erlconcolic_play:refused(Result, Bad, Play)
    end.

-spec statem(erlconcolic_play:play(), [erlconcolic_play:event()],
             State :: term(), Data :: term()) -> statem().
statem(Play, Events, State, Data) ->
    #statem{play = Play, events = Events, state = State, data = Data,
            timers = erlconcolic_play_timers:new()}.

%% The machine begins in its first state, as if it had changed to it. The event
%% is none of the machine.
-spec enter(module(), Actions :: term(), statem()) -> erlconcolic_play:result().
enter(Module, Actions, #statem{play = Play} = Statem) ->
    #statem{state = State, data = Data} = Statem,
    case erlconcolic_play_callbacks:new([Module]) of
        {ok, Callbacks} ->
            Effects = #effects{play = Play, callbacks = Callbacks},
            Round = #round{event = init, state = State, data = Data,
                           effects = Effects},
            act(Actions, event, true, Round, Statem);
        Failure ->
            Settled = {State, Data},
            ended(Failure, init, Settled, [Module], Play)
    end.

%% Handles an event: a new round.
-spec handle(event(), statem()) -> erlconcolic_play:result().
handle({Type, Content} = Event, Statem) ->
    #statem{play = Play, callbacks = Callbacks, state = State, data = Data} =
        Statem,
    Effects = #effects{play = Play, callbacks = Callbacks},
    Round = #round{event = Event, state = State, data = Data,
                   effects = Effects},
    call(event, Type, Content, Round, Statem).

-spec call(erlconcolic_play_actions:call(), Type :: term(), Content :: term(),
           round(), statem()) -> erlconcolic_play:result().
call(Call, Type, Content, Round, Statem) ->
    #round{state = State, data = Data, effects = Effects} = Round,
    #effects{callbacks = Callbacks} = Effects,
    case erlconcolic_play_callbacks:call(Type, Content, State, Data, Callbacks)
    of
        {returned, Result} ->
            returned(Result, Call, Round, Statem);
        {raised, Class, Reason, Stack} ->
            Event = Round#round.event,
            crashed({Class, Reason, Stack}, Event, Effects, Statem)
    end.

%% A crash in an enter call leaves the state that the machine had before.
-spec crashed(erlconcolic_play_callbacks:failure(), init | event(), effects(),
              statem()) -> erlconcolic_play:result().
crashed(Failure, Event, Effects, #statem{state = State, data = Data}) ->
    #effects{play = Play, callbacks = Callbacks} = Effects,
    ended(Failure, Event, {State, Data}, Callbacks, Play).

-spec returned(Result :: term(), erlconcolic_play_actions:call(), round(),
               statem()) -> erlconcolic_play:result().
returned(Result, Call, #round{state = State} = Round, Statem) ->
    case Result of
        {next_state, State, Data} ->
            keep([], Call, Round#round{data = Data}, Statem);
        {next_state, State, Data, Actions} ->
            keep(Actions, Call, Round#round{data = Data}, Statem);
        {next_state, Next, Data} when Call =:= event ->
            Changed = Round#round{state = Next, data = Data},
            act([], Call, true, Changed, Statem);
        {next_state, Next, Data, Actions} when Call =:= event ->
            Changed = Round#round{state = Next, data = Data},
            act(Actions, Call, true, Changed, Statem);
        {next_state, _, _} ->
            bad(bad_state_enter_return_from_state_function, Result, Round);
        {next_state, _, _, _} ->
            bad(bad_state_enter_return_from_state_function, Result, Round);
        {keep_state, Data} ->
            keep([], Call, Round#round{data = Data}, Statem);
        {keep_state, Data, Actions} ->
            keep(Actions, Call, Round#round{data = Data}, Statem);
        keep_state_and_data ->
            keep([], Call, Round, Statem);
        {keep_state_and_data, Actions} ->
            keep(Actions, Call, Round, Statem);
        {repeat_state, Data} ->
            act([], Call, true, Round#round{data = Data}, Statem);
        {repeat_state, Data, Actions} ->
            act(Actions, Call, true, Round#round{data = Data}, Statem);
        repeat_state_and_data ->
            act([], Call, true, Round, Statem);
        {repeat_state_and_data, Actions} ->
            act(Actions, Call, true, Round, Statem);
        _ ->
            stopping(Result, Round)
    end.

-spec stopping(Result :: term(), round()) -> erlconcolic_play:result().
stopping(Result, Round) ->
    case Result of
        stop ->
            stop(normal, Round);
        {stop, Reason} ->
            stop(Reason, Round);
        {stop, Reason, Data} ->
            stop(Reason, Round#round{data = Data});
        {stop_and_reply, Reason, Replies} ->
            reply_and_stop(Reason, Replies, Round);
        {stop_and_reply, Reason, Replies, Data} ->
            reply_and_stop(Reason, Replies, Round#round{data = Data});
        _ ->
            bad(bad_return_from_state_function, Result, Round)
    end.

-spec keep(Actions :: term(), erlconcolic_play_actions:call(), round(),
           statem()) -> erlconcolic_play:result().
keep(Actions, Call, Round, Statem) ->
    act(Actions, Call, false, Round, Statem).

%% Does what actions say; then comes an enter call or the transition.
-spec act(Actions :: term(), erlconcolic_play_actions:call(),
          Enter :: boolean(), round(), statem()) -> erlconcolic_play:result().
act(Actions, Call, Enter, #round{effects = Effects} = Round, Statem) ->
    case erlconcolic_play_actions:read(Actions, Call, Effects) of
        {ok, More} ->
            entered(Enter, Round#round{effects = More}, Statem);
        {failed, Failure, More} ->
            ended(Failure, Round#round{effects = More})
    end.

-spec entered(Enter :: boolean(), round(), statem()) ->
          erlconcolic_play:result().
entered(false, Round, Statem) ->
    transition(Round, Statem);
entered(true, #round{effects = Effects} = Round, Statem) ->
    case erlconcolic_play_callbacks:wants_enter(Effects#effects.callbacks) of
        true -> call(enter, enter, Statem#statem.state, Round, Statem);
        false -> transition(Round, Statem)
    end.

-spec transition(round(), statem()) -> erlconcolic_play:result().
transition(Round, #statem{state = Old, timers = Timers} = Statem) ->
    #round{event = Event, state = State, data = Data,
           effects = Effects} = Round,
    #effects{play = Play, callbacks = Callbacks, inserted = Inserted,
             settings = Settings} = Effects,
    Postponed = postponed(Event, Effects, Statem),
    Quiet = erlconcolic_play_timers:cancel(timeout, Timers),
    {Queue, Kept, Left} =
        case State of
            Old ->
                {Statem#statem.queue, Postponed, Quiet};
            _ ->
                {lists:reverse(Postponed, Statem#statem.queue), [],
                 erlconcolic_play_timers:cancel(state_timeout, Quiet)}
        end,
    Set = erlconcolic_play_timers:set(Settings, Play, Left),
    Changed = Statem#statem{play = Play, callbacks = Callbacks,
                            state = State, data = Data,
                            queue = lists:reverse(Inserted, Queue),
                            postponed = Kept, timers = Set},
    ok = erlconcolic_play:marked(handled(Event), State, {State, Data}, Play),
    go_on(Changed).

-spec postponed(init | event(), effects(), statem()) -> [event()].
postponed(init, _Effects, #statem{postponed = Postponed}) ->
    Postponed;
postponed(_Event, #effects{postpone = false},
          #statem{postponed = Postponed}) ->
    Postponed;
postponed(Event, #effects{postpone = true}, #statem{postponed = Postponed}) ->
    [Event | Postponed].

-spec handled(init | event()) -> erlconcolic_machine_mark:handled().
handled(init) -> init;
handled({{call, _From}, Content}) -> {call, Content};
handled({cast, Content}) -> {cast, Content};
handled({info, Content}) -> {info, Content};
handled({internal, Content}) -> {internal, Content};
handled({Type, Content}) -> {timeout, Type, Content}.

%% Handles what is in the queue, then timeouts of 0 ms, then messages.
-spec go_on(statem()) -> erlconcolic_play:result().
go_on(#statem{queue = [Event | Queue]} = Statem) ->
    handle(Event, Statem#statem{queue = Queue});
go_on(#statem{queue = [], timers = Timers} = Statem) ->
    case erlconcolic_play_timers:take_zero(Timers) of
        none -> look(Statem);
        {Type, Content, Rest} -> over(Type, Content, Rest, Statem)
    end.

-spec over(erlconcolic_play_timers:type(), Content :: term(),
           erlconcolic_play_timers:timers(), statem()) ->
          erlconcolic_play:result().
over(Type, Content, Timers, Statem) ->
    handle({Type, Content}, Statem#statem{timers = Timers}).

-spec look(statem()) -> erlconcolic_play:result().
look(#statem{play = Before, timers = Timers} = Statem) ->
    case erlconcolic_play_timers:take_due(Timers) of
        {Type, Content, Rest} ->
            over(Type, Content, Rest, Statem);
        none ->
            {Arrival, Play} = erlconcolic_play:message(Before),
            arrived(Arrival, Statem#statem{play = Play})
    end.

-spec arrived(erlconcolic_play:arrival(), statem()) ->
          erlconcolic_play:result().
arrived({message, Message}, Statem) ->
    handle(event_of(Message), Statem);
arrived(none, #statem{timers = Timers} = Statem) ->
    case erlconcolic_play_timers:take_past(Timers) of
        {Type, Content, Rest} -> over(Type, Content, Rest, Statem);
        none -> quiet(Statem)
    end.

-spec quiet(statem()) -> erlconcolic_play:result().
quiet(#statem{play = Play, state = State, data = Data} = Statem) ->
    Left = erlconcolic_play_timers:left(Statem#statem.timers),
    ok = erlconcolic_play:settled({State, Data}, Left, Play),
    next_event(Statem).

-spec event_of(Message :: term()) -> event().
event_of({'$gen_call', From, Request}) -> {{call, From}, Request};
event_of({'$gen_cast', Request}) -> {cast, Request};
event_of(Message) -> {info, Message}.

-spec next_event(statem()) -> erlconcolic_play:result().
next_event(#statem{events = [], play = Play}) ->
    erlconcolic_play:returned(running, Play);
next_event(#statem{events = [none | _], play = Play}) ->
    erlconcolic_play:returned(running, Play);
next_event(#statem{events = [Event | Events], play = Before} = Statem) ->
    Play = erlconcolic_play:next(Before),
    event(Event, Statem#statem{events = Events, play = Play}).

-spec event(erlconcolic_play:event(), statem()) -> erlconcolic_play:result().
event({call, Request}, #statem{play = Play} = Statem) ->
    handle({{call, erlconcolic_play:from(Play)}, Request}, Statem);
event({cast, Request}, Statem) ->
    handle({cast, Request}, Statem);
event({info, Info}, Statem) ->
    handle({info, Info}, Statem);
event(timeout, #statem{play = Before, timers = Timers} = Statem) ->
    Left = erlconcolic_play_timers:left(Timers),
    {Arrival, Passed, Play} = erlconcolic_play:wait(Left, Before),
    waited(Arrival, Left, Passed, Statem#statem{play = Play}).

-spec waited(erlconcolic_play:arrival(), Left :: none | non_neg_integer(),
             Passed :: non_neg_integer(), statem()) ->
          erlconcolic_play:result().
waited(none, none, _Passed, #statem{play = Play}) ->
    erlconcolic_play:returned(no_timer, Play);
waited(none, _Left, _Passed, #statem{play = Play} = Statem) ->
    {Type, Content, Rest} = erlconcolic_play_timers:fire(Statem#statem.timers),
    ok = erlconcolic_play:fired(Type, Play),
    over(Type, Content, Rest, Statem);
waited({message, Message}, _Left, Passed, Statem) ->
    Later = erlconcolic_play_timers:pass(Passed, Statem#statem.timers),
    handle(event_of(Message), Statem#statem{timers = Later}).

-spec bad(What :: atom(), Result :: term(), round()) ->
          erlconcolic_play:result().
bad(What, Result, Round) ->
    ended({error, {What, Result}, none}, Round).

-spec stop(Reason :: term(), round()) -> erlconcolic_play:result().
stop(Reason, Round) ->
    ended({exit, Reason, none}, Round).

-spec reply_and_stop(Reason :: term(), Replies :: term(), round()) ->
          erlconcolic_play:result().
reply_and_stop(Reason, Replies, #round{effects = Effects} = Round) ->
    case erlconcolic_play_actions:reply_all(Replies, Effects) of
        {ok, More} -> stop(Reason, Round#round{effects = More});
        {failed, Failure, More} -> ended(Failure, Round#round{effects = More})
    end.

-spec ended(erlconcolic_play_callbacks:failure(), round()) ->
          erlconcolic_play:result().
ended(Failure, Round) ->
    #round{event = Event, state = State, data = Data,
           effects = Effects} = Round,
    #effects{play = Play, callbacks = Callbacks} = Effects,
    ended(Failure, Event, {State, Data}, Callbacks, Play).

-spec ended(erlconcolic_play_callbacks:failure(), init | event(),
            {State :: term(), Data :: term()},
            [module(), ...] | erlconcolic_play_callbacks:callbacks(),
            erlconcolic_play:play()) -> erlconcolic_play:result().
ended({_, Reason, _} = Failure, Event, {State, Data}, Callbacks, Play) ->
    ok = erlconcolic_play:ended(handled(Event), Reason, Play),
    case erlconcolic_play_callbacks:terminate(Reason, State, Data, Callbacks) of
        ok -> raise(Failure, Play);
        Other -> raise(Other, Play)
    end.

-spec raise(erlconcolic_play_callbacks:failure(), erlconcolic_play:play()) ->
          erlconcolic_play:result().
raise({exit, Reason, none}, Play) ->
    erlconcolic_play:finish(Reason, Play);
raise({error, Reason, none}, Play) ->
    erlconcolic_play:fail(Reason, Play);
raise({Class, Reason, Stack}, Play) ->
    erlconcolic_play:crash(Class, Reason, Stack, Play).
