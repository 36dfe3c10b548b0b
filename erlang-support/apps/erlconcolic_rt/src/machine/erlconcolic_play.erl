%%% A play: a sequence of events for a machine, in one process and without the
%%% process of its behaviour. erlconcolic_play_server and
%%% erlconcolic_play_statem do with what callbacks return what OTP does with it;
%%% here is what both share. All of it is followed by the tool like code of the
%%% user, so it is plain, and it branches on what callbacks return and on
%%% nothing else.
%%%
%%% *Events* are a list of
%%%
%%%     {call, Term}, {cast, Term}, {info, Term}
%%%     timeout    time passes until the next timer is over
%%%     none       the end; what comes behind it is ignored
%%%
%%% An info is given to the callback as it is. One that looks like a message of
%%% OTP's own ({'$gen_call', _, _}, {'$gen_cast', _}, {system, _, _}) is not
%%% taken for one, as a process would do: there are other events for them.
%%%
%%% *The mailbox* is that of the process that plays. What the machine sends to
%%% itself is handled before the next event, in the order of the messages, and
%%% so is what other processes have sent by then. A call has the process as its
%%% client, so replies arrive there too; they are recorded, and are no events.
%%% Only the first reply to a call counts, as for a client of OTP. If nothing
%%% can send messages (the option `mailbox' is false), there is no receive.
%%%
%%% *Time* stands still, except in a `timeout'. That waits in a receive, for the
%%% next timer of the machine at most, or for what a timer of a callback
%%% (erlang:send_after, erlang:start_timer, timer) or another process sends. So
%%% timers of both kinds are over in the order of their times. In a run of the
%%% tool a receive does not sleep. If there is no timer, the play ends: the wait
%%% is longer than any timer that counts.
%%%
%%% *The end*: a play returns if all events are played (`running'), a timeout
%%% finds no timer (`no_timer'), the machine stops for a reason that is no
%%% failure (`{stopped, Reason}': normal, shutdown, {shutdown, _}), or if init/1
%%% says that there is none (`ignore', `{not_started, Reason}': what starts the
%%% machine gets this as a value). Otherwise it raises what ends the process: a
%%% crash of a callback with its class, reason and stack, or an exit or error by
%%% which the behaviour ends it.
-module(erlconcolic_play).

-export([new/1, refused/3, release/1, next/1, from/1, fired/2, reply/3,
         message/1, wait/2, now/1, marked/4, settled/3, check/2, ended/3,
         finish/2, abort/2, crash/4, fail/2, returned/2]).

-export_type([play/0, options/0, event/0, ending/0, result/0, arrival/0,
              stack/0]).

-type event() :: {call | cast | info, term()} | timeout | none.

%% invariant  is asked of the state (of {State, Data} for a gen_statem) after
%%            each event of the sequence
%% state_of   makes the label of a state
%% replies    whether they are returned; true by default. If they are not,
%%            states with other replies before them can be the same
%% mailbox    whether messages may arrive; true by default
%% release    of OTP, whose behaviour is meant; by default the one that runs
%% wait       how many milliseconds a timeout waits if the machine has set none
%% clock      the monotonic time in milliseconds, if it stands still except in
%%            waits, as it does in a run of the tool; so nobody looks at it.
%%            `none' if nobody asks for it at all, because there is no mailbox
%%            and all timers are relative: then states do not depend on it
-type options() :: #{invariant => {module(), Function :: atom()},
                     state_of => {module(), Function :: atom()},
                     replies => boolean(),
                     mailbox => boolean(),
                     release => pos_integer(),
                     wait => non_neg_integer(),
                     clock => none | integer()}.

-type ending() :: running | no_timer | ignore
                | {stopped | not_started, Reason :: term()}.

%% Replies are in the order of their calls.
-type result() :: {ending(), Replies :: [{Index :: pos_integer(), term()}]}
                | ending().

%% What a receive found.
-type arrival() :: {message, term()} | none.

%% The stack of an exception.
-type stack() :: [tuple()].

-record(play, {index = 0 :: non_neg_integer(),
               %% The last one is first. `none' if they are not returned.
               replies :: none | [{Index :: pos_integer(), term()}],
               invariant :: none | {module(), atom()},
               state_of :: none | {module(), atom()},
               mailbox :: boolean(),
               release :: pos_integer(),
               wait :: non_neg_integer(),
               clock :: real | none | integer()}).

-opaque play() :: #play{}.

%% Calls of a play have this tag.
-define(TAG, '$erlconcolic_call').

%% The longest time of a receive.
-define(LONGEST, 16#FFFFFFFF).

-spec new(options()) -> play().
new(Options) ->
    #play{invariant = option(invariant, Options, none),
          state_of = option(state_of, Options, none),
          replies = case option(replies, Options, true) of
                        true -> [];
                        false -> none
                    end,
          mailbox = option(mailbox, Options, true),
          release = running_release(Options),
          wait = option(wait, Options, ?LONGEST),
          clock = option(clock, Options, real)}.

-spec option(atom(), options(), Default :: term()) -> term().
option(Key, Options, Default) ->
    case Options of
        #{Key := Value} -> Value;
        #{} -> Default
    end.

-spec running_release(options()) -> pos_integer().
running_release(#{release := Release}) -> Release;
running_release(#{}) -> list_to_integer(erlang:system_info(otp_release)).

%% There is no machine, because init/1 returned this; it is for the behaviour to
%% say what it calls a result that it does not know.
-spec refused(Result :: term(), Bad :: term(), play()) -> result().
refused({stop, Reason}, _Bad, Play) ->
    returned({not_started, Reason}, Play);
refused(ignore, _Bad, Play) ->
    returned(ignore, Play);
refused({error, Reason}, _Bad, #play{release = Release} = Play)
  when Release >= 26 ->
    returned({not_started, Reason}, Play);
refused(_Unknown, Bad, Play) ->
    abort(Bad, Play).

-spec release(play()) -> pos_integer().
release(#play{release = Release}) -> Release.

%% The next event of the sequence begins.
-spec next(play()) -> play().
next(#play{index = Index} = Play) -> Play#play{index = Index + 1}.

%% A timeout of the sequence is this one.
-spec fired(Name :: term(), play()) -> ok.
fired(Name, #play{index = Index}) ->
    erlconcolic_machine_mark:fired(Index, Name).

%% The client of a call. Its tag is no reference: one that differs from run to
%% run would be in every state.
-spec from(play()) -> {pid(), {?TAG, Index :: non_neg_integer()}}.
from(#play{index = Index}) -> {self(), {?TAG, Index}}.

%% Replies to a client. Our own gets its reply as a message, so that it is
%% behind those that the callbacks have sent; without a mailbox there are none.
-spec reply({pid(), term()}, Reply :: term(), play()) -> play().
reply(From, Reply, #play{mailbox = true} = Play) ->
    ok = gen_server:reply(From, Reply),
    Play;
reply({_, {?TAG, Index}}, Reply, Play) ->
    record(Index, Reply, Play);
reply(_Nobody, _Reply, Play) ->
    Play.

-spec record(Index :: pos_integer(), Reply :: term(), play()) -> play().
record(Index, Reply, #play{replies = none} = Play) ->
    ok = erlconcolic_machine_mark:replied(Index, Reply),
    Play;
record(Index, Reply, #play{replies = Replies} = Play) ->
    case is_replied(Index, Replies) of
        true ->
            Play;
        false ->
            ok = erlconcolic_machine_mark:replied(Index, Reply),
            Play#play{replies = [{Index, Reply} | Replies]}
    end.

-spec is_replied(Index :: pos_integer(), [{pos_integer(), term()}]) ->
          boolean().
is_replied(_Index, []) -> false;
is_replied(Index, [{Index, _} | _]) -> true;
is_replied(Index, [_ | Replies]) -> is_replied(Index, Replies).

%% The first message that is there.
-spec message(play()) -> {arrival(), play()}.
message(#play{mailbox = false} = Play) ->
    {none, Play};
message(Play) ->
    receive
        {{?TAG, Index}, Reply} -> message(record(Index, Reply, Play));
        Message -> {{message, Message}, Play}
    after 0 ->
        {none, Play}
    end.

%% Waits for a message until a time is over, `none' if no timer is set: none
%% arrives. Also returns how much of the time has passed.
-spec wait(none | Time :: non_neg_integer(), play()) ->
          {arrival(), Passed :: non_neg_integer(), play()}.
wait(Time, #play{index = Index} = Play) ->
    {Arrival, Passed, Waited} = wait_for(Time, Play),
    ok = erlconcolic_machine_mark:waited(Index, Passed),
    {Arrival, Passed, Waited}.

-spec wait_for(none | Time :: non_neg_integer(), play()) ->
          {arrival(), Passed :: non_neg_integer(), play()}.
wait_for(none, #play{mailbox = false} = Play) ->
    {none, 0, Play};
wait_for(Time, #play{mailbox = false} = Play) ->
    {none, Time, later(Time, Play)};
wait_for(none, #play{wait = Time} = Play) ->
    wait_since(now(Play), 0, Time, Play);
wait_for(Time, Play) ->
    wait_since(now(Play), 0, Time, Play).

%% A reply is no event: the wait goes on.
-spec wait_since(Start :: integer(), Passed :: non_neg_integer(),
                 Time :: non_neg_integer(), play()) ->
          {arrival(), Passed :: non_neg_integer(), play()}.
wait_since(Start, Passed, Time, Play) ->
    receive
        {{?TAG, Index}, Reply} ->
            Now = passed(Start, Time),
            wait_since(Start, Now, Time, record(Index, Reply, Play));
        Message ->
            Now = passed(Start, Time),
            {{message, Message}, Now, later(Now, Play)}
    after receive_time(Time - Passed) ->
        {none, Time, later(Time, Play)}
    end.

%% The monotonic time.
-spec now(play()) -> integer().
now(#play{clock = real}) -> erlang:monotonic_time(millisecond);
now(#play{clock = none}) -> 0;
now(#play{clock = Clock}) -> Clock.

-spec later(Passed :: non_neg_integer(), play()) -> play().
later(_Passed, #play{clock = real} = Play) -> Play;
later(_Passed, #play{clock = none} = Play) -> Play;
later(Passed, #play{clock = Clock} = Play) -> Play#play{clock = Clock + Passed}.

-spec passed(Start :: integer(), Most :: non_neg_integer()) ->
          non_neg_integer().
passed(Start, Most) ->
    min(Most, erlang:monotonic_time(millisecond) - Start).

-spec receive_time(non_neg_integer()) -> non_neg_integer().
receive_time(Time) when Time > ?LONGEST -> ?LONGEST;
receive_time(Time) -> Time.

%% An event is handled.
-spec marked(erlconcolic_machine_mark:handled(), Label :: term(),
             State :: term(), play()) -> ok.
marked(Handled, Label, State, #play{index = Index, state_of = none}) ->
    erlconcolic_machine_mark:state(Index, Handled, Label, State);
marked(Handled, _, State, #play{index = Index, state_of = {Module, Name}}) ->
    Label = Module:Name(State),
    erlconcolic_machine_mark:state(Index, Handled, Label, State).

%% The machine waits for the next event, or for its next timer.
-spec settled(State :: term(), Left :: none | non_neg_integer(), play()) -> ok.
settled(State, none, #play{invariant = Invariant}) ->
    check(Invariant, State);
settled(State, Left, #play{index = Index, invariant = Invariant}) ->
    ok = erlconcolic_machine_mark:waits(Index, Left),
    check(Invariant, State).

%% Asks an invariant of a state.
-spec check(none | {module(), Function :: atom()}, State :: term()) -> ok.
check(none, _State) ->
    ok;
check({Module, Function}, State) ->
    case Module:Function(State) of
        true -> ok;
        false -> error({invariant, {Module, Function, 1}, State});
        Other -> error({bad_invariant, {Module, Function, 1}, Other})
    end.

%% The machine ends because of what a callback did with an event.
-spec ended(none | erlconcolic_machine_mark:handled(), Reason :: term(),
            play()) -> ok.
ended(Handled, Reason, #play{index = Index}) ->
    erlconcolic_machine_mark:ended(Index, Handled, Reason).

%% The machine ends by an exit.
-spec finish(Reason :: term(), play()) -> result().
finish(Reason, Play) ->
    case Reason of
        normal -> returned({stopped, Reason}, Play);
        shutdown -> returned({stopped, Reason}, Play);
        {shutdown, _} -> returned({stopped, Reason}, Play);
        _ -> exit_after(Reason, last_replies(Play))
    end.

-spec exit_after(Reason :: term(), play()) -> no_return().
exit_after(Reason, _Play) ->
    exit(Reason).

%% There is no machine, because of what init/1 returned.
-spec abort(Reason :: term(), play()) -> no_return().
abort(Reason, Play) ->
    ok = ended(none, Reason, Play),
    exit_after(Reason, last_replies(Play)).

%% The machine ends by an exception that has a stack.
-spec crash(error | exit | throw, Reason :: term(), stack(),
            play()) -> result().
crash(exit, Reason, Stack, Play) ->
    case Reason of
        normal -> returned({stopped, Reason}, Play);
        shutdown -> returned({stopped, Reason}, Play);
        {shutdown, _} -> returned({stopped, Reason}, Play);
        _ -> raise(exit, Reason, Stack, last_replies(Play))
    end;
crash(Class, Reason, Stack, Play) ->
    raise(Class, Reason, Stack, last_replies(Play)).

-spec raise(error | exit | throw, Reason :: term(), stack(),
            play()) -> no_return().
raise(Class, Reason, Stack, _Play) ->
    erlang:raise(Class, Reason, Stack).

%% The behaviour itself fails.
-spec fail(Reason :: term(), play()) -> no_return().
fail(Reason, Play) ->
    error_after(Reason, last_replies(Play)).

-spec error_after(Reason :: term(), play()) -> no_return().
error_after(Reason, _Play) ->
    error(Reason).

-spec returned(ending(), play()) -> result().
returned(Ending, Play) ->
    case last_replies(Play) of
        #play{replies = none} -> Ending;
        #play{replies = Replies} -> {Ending, in_order(Replies, [])}
    end.

%% Sorts replies by their indexes, which are known numbers.
-spec in_order([{pos_integer(), term()}], Sorted) -> Sorted
    when Sorted :: [{Index :: pos_integer(), term()}].
in_order([], Sorted) -> Sorted;
in_order([Reply | Replies], Sorted) -> in_order(Replies, insert(Reply, Sorted)).

-spec insert({pos_integer(), term()}, Sorted) -> Sorted
    when Sorted :: [{Index :: pos_integer(), term()}].
insert({Index, _} = Reply, [{Other, _} = First | Rest]) when Other < Index ->
    [First | insert(Reply, Rest)];
insert(Reply, Rest) ->
    [Reply | Rest].

-spec last_replies(play()) -> play().
last_replies(#play{mailbox = false} = Play) ->
    Play;
last_replies(Play) ->
    receive
        {{?TAG, Index}, Reply} ->
            last_replies(record(Index, Reply, Play))
    after 0 ->
        Play
    end.
