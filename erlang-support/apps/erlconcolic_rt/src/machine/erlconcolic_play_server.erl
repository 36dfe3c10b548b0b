%%% Plays a sequence of events against the callbacks of a gen_server, see
%%% erlconcolic_play.
%%%
%%% A timeout of 0 ms is over before the next event of the sequence, but only if
%%% no message is there, as in OTP. (The next event of a process may also be
%%% there already, which cancels the timeout. Such a race is not played.) Since
%%% OTP 28 `{timeout, 0, Message}' is over before any message.
%%%
%%% Hibernation is ignored, it is not visible to callbacks.
-module(erlconcolic_play_server).

-export([play/3, play/4]).

%% The timeout that is set: what is handled as if it had been received.
-type timeout_() :: none | {Time :: non_neg_integer(), Message :: term()}.

-record(server, {play :: erlconcolic_play:play(),
                 events :: [erlconcolic_play:event()],
                 module :: module(),
                 state :: term(),
                 timeout = none :: timeout_()}).

-type handled() :: erlconcolic_machine_mark:handled().

%% The longest time of a receive.
-define(LONGEST, 16#FFFFFFFF).

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
        {ok, State} ->
            begin_with(none, server(Play, Events, Module, State));
        {ok, State, Action} ->
            Server = server(Play, Events, Module, State),
            case meaning(Action, Server) of
                bad -> erlconcolic_play:abort(bad(Result), Play);
                Meaning -> begin_with(Meaning, Server)
            end;
        _ ->
            erlconcolic_play:refused(Result, bad(Result), Play)
    end.

-spec server(erlconcolic_play:play(), [erlconcolic_play:event()], module(),
             State :: term()) -> #server{}.
server(Play, Events, Module, State) ->
    #server{play = Play, events = Events, module = Module, state = State}.

-spec bad(Result :: term()) -> {bad_return_value, term()}.
bad(Result) ->
    {bad_return_value, Result}.

%% What an action means: a callback to call, a message to handle, or a timeout
%% to wait for.
-spec meaning(Action :: term(), #server{}) ->
          bad | {continue, term()} | {now, Message :: term()} | timeout_().
meaning({continue, Continue}, _Server) ->
    {continue, Continue};
meaning(hibernate, _Server) ->
    none;
meaning(infinity, _Server) ->
    none;
meaning(Time, _Server) when is_integer(Time), Time >= 0 ->
    {Time, timeout};
meaning(Action, #server{play = Play}) when is_tuple(Action) ->
    case erlconcolic_play:release(Play) >= 28 of
        true -> meaning_since_28(Action, Play);
        false -> bad
    end;
meaning(_Bad, _Server) ->
    bad.

-spec meaning_since_28(Action :: tuple(), erlconcolic_play:play()) ->
          bad | {now, Message :: term()} | timeout_().
meaning_since_28({timeout, Time, Message}, _Play) ->
    relative(Time, Message);
meaning_since_28({hibernate, Time, Message}, _Play) ->
    relative(Time, Message);
meaning_since_28({timeout, Time, Message, Options}, Play) ->
    with_options(Options, false, Time, Message, Play);
meaning_since_28({hibernate, Time, Message, Options}, Play) ->
    with_options(Options, false, Time, Message, Play);
meaning_since_28(_Bad, _Play) ->
    bad.

-spec with_options(Options :: term(), Absolute :: boolean(), Time :: term(),
                   Message :: term(), erlconcolic_play:play()) ->
          bad | {now, Message :: term()} | timeout_().
with_options([], false, Time, Message, _Play) ->
    relative(Time, Message);
with_options([], true, Time, Message, Play) ->
    absolute(Time, Message, Play);
with_options([{abs, Absolute} | Options], _, Time, Message, Play)
  when is_boolean(Absolute) ->
    with_options(Options, Absolute, Time, Message, Play);
with_options({abs, Absolute}, _, Time, Message, Play) ->
    with_options([{abs, Absolute}], false, Time, Message, Play);
with_options(_Bad, _Absolute, _Time, _Message, _Play) ->
    bad.

-spec relative(Time :: term(), Message :: term()) ->
          bad | {now, Message :: term()} | timeout_().
relative(infinity, _Message) -> none;
relative(0, Message) -> {now, Message};
relative(Time, Message) when is_integer(Time), Time > 0 -> {Time, Message};
relative(_Bad, _Message) -> bad.

%% One that has passed is over behind the messages that are there.
-spec absolute(Time :: term(), Message :: term(), erlconcolic_play:play()) ->
          bad | timeout_().
absolute(infinity, _Message, _Play) ->
    none;
absolute(Time, Message, Play) when is_integer(Time) ->
    case Time - erlconcolic_play:now(Play) of
        Left when Left > 0 -> {Left, Message};
        _ -> {0, Message}
    end;
absolute(_Bad, _Message, _Play) ->
    bad.

-spec begin_with({continue, term()} | {now, term()} | timeout_(), #server{}) ->
          erlconcolic_play:result().
begin_with(Meaning, Server) ->
    ok = mark(init, Server),
    go_on(Meaning, Server).

%% A callback has returned.
-spec go_on({continue, term()} | {now, term()} | timeout_(), #server{}) ->
          erlconcolic_play:result().
go_on({continue, Continue}, Server) ->
    handle_continue(Continue, Server);
go_on({now, Message}, Server) ->
    handle(Message, Server);
go_on(Timeout, Server) ->
    look(Server#server{timeout = Timeout}).

%% Handles what is in the mailbox, then timeouts of 0 ms.
-spec look(#server{}) -> erlconcolic_play:result().
look(#server{play = Before} = Server) ->
    {Arrival, Play} = erlconcolic_play:message(Before),
    case Arrival of
        {message, Message} -> handle(Message, Server#server{play = Play});
        none -> quiet(Server#server{play = Play})
    end.

-spec quiet(#server{}) -> erlconcolic_play:result().
quiet(#server{timeout = {0, Message}} = Server) ->
    handle(Message, Server);
quiet(#server{timeout = {Time, timeout}, play = Play}) when Time > ?LONGEST ->
    %% The receive of OTP fails.
    ok = erlconcolic_play:ended(none, timeout_value, Play),
    erlconcolic_play:fail(timeout_value, Play);
quiet(#server{play = Play, state = State, timeout = Timeout} = Server) ->
    ok = erlconcolic_play:settled(State, left(Timeout), Play),
    next_event(Server).

-spec left(timeout_()) -> none | non_neg_integer().
left(none) -> none;
left({Time, _Message}) -> Time.

-spec next_event(#server{}) -> erlconcolic_play:result().
next_event(#server{events = [], play = Play}) ->
    erlconcolic_play:returned(running, Play);
next_event(#server{events = [none | _], play = Play}) ->
    erlconcolic_play:returned(running, Play);
next_event(#server{events = [Event | Events], play = Before} = Server) ->
    Play = erlconcolic_play:next(Before),
    event(Event, Server#server{events = Events, play = Play}).

-spec event(erlconcolic_play:event(), #server{}) -> erlconcolic_play:result().
event({call, Request}, #server{play = Play} = Server) ->
    handle_call(Request, erlconcolic_play:from(Play), Server);
event({cast, Request}, Server) ->
    handle_cast(Request, Server);
event({info, Info}, Server) ->
    handle_info(Info, Server);
event(timeout, #server{timeout = none, play = Before} = Server) ->
    {Arrival, _Passed, Play} = erlconcolic_play:wait(none, Before),
    case Arrival of
        {message, Message} -> handle(Message, Server#server{play = Play});
        none -> erlconcolic_play:returned(no_timer, Play)
    end;
event(timeout, #server{timeout = {Time, Own}, play = Before} = Server) ->
    {Arrival, _Passed, Play} = erlconcolic_play:wait(Time, Before),
    case Arrival of
        {message, Message} -> handle(Message, Server#server{play = Play});
        none ->
            ok = erlconcolic_play:fired(Own, Play),
            handle(Own, Server#server{play = Play})
    end.

%% Handles a message as the process would that receives it.
-spec handle(Message :: term(), #server{}) -> erlconcolic_play:result().
handle({'$gen_call', From, Request}, Server) ->
    handle_call(Request, From, Server);
handle({'$gen_cast', Request}, Server) ->
    handle_cast(Request, Server);
handle(Info, Server) ->
    handle_info(Info, Server).

-spec handle_call(Request :: term(), From :: term(), #server{}) ->
          erlconcolic_play:result().
handle_call(Request, From, #server{module = Module, state = State} = Server) ->
    Args = [Request, From, State],
    case erlconcolic_callback:tried(Module, handle_call, Args) of
        {returned, Result} ->
            answered(Result, From, {call, Request}, Server);
        {raised, Class, Reason, Stack} ->
            crashed({Class, Reason, Stack}, {call, Request}, Server)
    end.

-spec handle_cast(Request :: term(), #server{}) -> erlconcolic_play:result().
handle_cast(Request, Server) ->
    call(handle_cast, Request, {cast, Request}, Server).

%% A server without this callback ignores infos.
-spec handle_info(Info :: term(), #server{}) -> erlconcolic_play:result().
handle_info(Info, #server{module = Module, state = State} = Server) ->
    case erlang:function_exported(Module, handle_info, 2) of
        false -> returned({noreply, State}, {info, Info}, Server);
        true -> call(handle_info, Info, {info, Info}, Server)
    end.

-spec handle_continue(Continue :: term(), #server{}) ->
          erlconcolic_play:result().
handle_continue(Continue, Server) ->
    call(handle_continue, Continue, {continue, Continue}, Server).

%% Calls a callback that has a message and the state as arguments.
-spec call(Callback :: atom(), Message :: term(), handled(), #server{}) ->
          erlconcolic_play:result().
call(Callback, Message, Handled, Server) ->
    #server{module = Module, state = State} = Server,
    case erlconcolic_callback:tried(Module, Callback, [Message, State]) of
        {returned, Result} -> returned(Result, Handled, Server);
        {raised, Class, Reason, Stack} ->
            crashed({Class, Reason, Stack}, Handled, Server)
    end.

%% What handle_call/3 returned.
-spec answered(Result :: term(), From :: term(), handled(), #server{}) ->
          erlconcolic_play:result().
answered({reply, Reply, State}, From, Handled, Server) ->
    changed(none, Handled, replied(From, Reply, Server#server{state = State}));
answered({reply, Reply, State, Action} = Result, From, Handled, Server) ->
    case meaning(Action, Server) of
        bad ->
            stopped(bad(Result), Handled, Server);
        Meaning ->
            Replied = replied(From, Reply, Server#server{state = State}),
            changed(Meaning, Handled, Replied)
    end;
answered({stop, Reason, Reply, State}, From, Handled, Server) ->
    Stopping = Server#server{state = State},
    case terminated(Reason, Handled, Stopping) of
        ok ->
            #server{play = Play} = replied(From, Reply, Stopping),
            erlconcolic_play:finish(Reason, Play);
        {Class, New, Stack} ->
            #server{play = Play} = replied(From, Reply, Stopping),
            erlconcolic_play:crash(Class, New, Stack, Play)
    end;
answered(Result, _From, Handled, Server) ->
    returned(Result, Handled, Server).

-spec replied(From :: term(), Reply :: term(), #server{}) -> #server{}.
replied(From, Reply, #server{play = Play} = Server) ->
    Server#server{play = erlconcolic_play:reply(From, Reply, Play)}.

%% What any other callback returned.
-spec returned(Result :: term(), handled(), #server{}) ->
          erlconcolic_play:result().
returned({noreply, State}, Handled, Server) ->
    changed(none, Handled, Server#server{state = State});
returned({noreply, State, Action} = Result, Handled, Server) ->
    case meaning(Action, Server) of
        bad -> stopped(bad(Result), Handled, Server);
        Meaning -> changed(Meaning, Handled, Server#server{state = State})
    end;
returned({stop, Reason, State}, Handled, Server) ->
    stopped(Reason, Handled, Server#server{state = State});
returned(Result, Handled, Server) ->
    stopped(bad(Result), Handled, Server).

-spec changed({continue, term()} | {now, term()} | timeout_(), handled(),
              #server{}) -> erlconcolic_play:result().
changed(Meaning, Handled, Server) ->
    ok = mark(Handled, Server),
    go_on(Meaning, Server).

-spec mark(handled(), #server{}) -> ok.
mark(Handled, #server{play = Play, state = State}) ->
    erlconcolic_play:marked(Handled, none, State, Play).

-spec stopped(Reason :: term(), handled(), #server{}) ->
          erlconcolic_play:result().
stopped(Reason, Handled, #server{play = Play} = Server) ->
    case terminated(Reason, Handled, Server) of
        ok -> erlconcolic_play:finish(Reason, Play);
        {Class, New, Stack} -> erlconcolic_play:crash(Class, New, Stack, Play)
    end.

-spec crashed({error | exit, Reason :: term(), erlconcolic_play:stack()},
              handled(), #server{}) -> erlconcolic_play:result().
crashed({Class, Reason, Stack}, Handled, #server{play = Play} = Server) ->
    case terminated(told(Class, Reason, Stack), Handled, Server) of
        ok -> erlconcolic_play:crash(Class, Reason, Stack, Play);
        {Other, New, Last} -> erlconcolic_play:crash(Other, New, Last, Play)
    end.

%% The reason that terminate/2 is told.
-spec told(error | exit, Reason :: term(), erlconcolic_play:stack()) -> term().
told(error, Reason, Stack) -> {Reason, Stack};
told(exit, Reason, _Stack) -> Reason.

%% The machine ends: calls terminate/2.
-spec terminated(Reason :: term(), handled(), #server{}) ->
          ok | {error | exit, term(), erlconcolic_play:stack()}.
terminated(Reason, Handled, Server) ->
    #server{play = Play, module = Module, state = State} = Server,
    ok = erlconcolic_play:ended(Handled, Reason, Play),
    erlconcolic_callback:terminate(Module, [Reason, State]).
