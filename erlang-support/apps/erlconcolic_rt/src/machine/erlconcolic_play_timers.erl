%%% The timers of a gen_statem that is played: at most one for each type of
%%% timeout. They have a clock of their own, which stands still except while the
%%% play waits. So times that depend on the input are compared like other
%%% values, and each order of timers is a path.
%%%
%%% A timer is in one of four lists:
%%%
%%% zero     its time is 0: it is over at once, before any message
%%% due      it is over at the same time as one that has just fired
%%% running  with the time at which it is over, in the order of these times, and
%%%          for equal times in the order in which they were started
%%% past     its absolute time had passed when it was set. The BEAM looks at it
%%%          when the process does not run, so it is over behind all messages.
%%%          (Before some of them if the process has to pause; that is a race.)
%%%
%%% Before OTP 29 a timer that replaces one of 0 ms that is not over yet is
%%% lost: its end reaches the machine as an info. That is a mistake there, and
%%% is not done here.
-module(erlconcolic_play_timers).

-export([new/0, cancel/2, set/3, take_zero/1, take_due/1, take_past/1, left/1,
         pass/2, fire/1]).

-export_type([timers/0, type/0, setting/0]).

-type type() :: timeout | state_timeout | {timeout, Name :: term()}.

%% What an action says about the timer of a type: to stop it, to change its
%% content, or to start it; `absolute' times are those of the monotonic clock.
-type setting() :: {type(), cancel}
                 | {type(), update, Content :: term()}
                 | {type(), relative | absolute, infinity | integer(),
                    Content :: term()}.

-record(timers, {clock = 0 :: non_neg_integer(),
                 zero = [] :: [{type(), Content :: term()}],
                 due = [] :: [{type(), Content :: term()}],
                 running = [] :: [{type(), End :: integer(),
                                   Content :: term()}],
                 past = [] :: [{type(), Content :: term()}]}).

-opaque timers() :: #timers{}.

%% More than any timer of the BEAM may have.
-define(TOO_LONG, 16#FFFFFFFFFFFFFFFF).

-spec new() -> timers().
new() -> #timers{}.

-spec cancel(type(), timers()) -> timers().
cancel(_Type, #timers{zero = [], due = [], running = [], past = []} = Timers) ->
    Timers;
cancel(Type, Timers) ->
    #timers{zero = Zero, due = Due, running = Running, past = Past} = Timers,
    Timers#timers{zero = without(Type, Zero),
                  due = without(Type, Due),
                  running = without(Type, Running),
                  past = without(Type, Past)}.

-spec without(type(), [Timer]) -> [Timer].
without(_Type, []) -> [];
without(Type, [Timer | Timers]) when element(1, Timer) =:= Type -> Timers;
without(Type, [Timer | Timers]) -> [Timer | without(Type, Timers)].

%% Sets timers as actions say, of which the last one is first. Of several for
%% the same type the last one counts. OTP begins with the last one too, which
%% matters for equal times; those of 0 ms are over in the order of the actions.
-spec set([setting()], erlconcolic_play:play(), timers()) -> timers().
set([], _Play, Timers) ->
    Timers;
set(Settings, Play, Timers) ->
    set(Settings, [], [], Play, Timers).

-spec set([setting()], Seen :: [type()], Zero :: [{type(), term()}],
          erlconcolic_play:play(), timers()) -> timers().
set([], _Seen, [], _Play, Timers) ->
    Timers;
set([], _Seen, New, _Play, #timers{zero = Zero} = Timers) ->
    Timers#timers{zero = Zero ++ New};
set([Setting | Settings], Seen, Zero, Play, Timers) ->
    Type = element(1, Setting),
    case is_seen(Type, Seen) of
        true ->
            set(Settings, Seen, Zero, Play, Timers);
        false ->
            {More, Changed} = set_one(Setting, Play, Timers),
            set(Settings, [Type | Seen], More ++ Zero, Play, Changed)
    end.

-spec is_seen(type(), [type()]) -> boolean().
is_seen(_Type, []) -> false;
is_seen(Type, [Type | _]) -> true;
is_seen(Type, [_ | Types]) -> is_seen(Type, Types).

%% Returns a timer of 0 ms apart, if it is a new one.
-spec set_one(setting(), erlconcolic_play:play(), timers()) ->
          {[{type(), term()}], timers()}.
set_one({Type, cancel}, _Play, Timers) ->
    {[], cancel(Type, Timers)};
set_one({Type, update, Content}, _Play, Timers) ->
    update(Type, Content, Timers);
set_one({Type, _, infinity, _Content}, _Play, Timers) ->
    {[], cancel(Type, Timers)};
set_one({Type, _, 0, Content}, _Play, Timers) ->
    {[{Type, Content}], cancel(Type, Timers)};
set_one({Type, relative, Time, Content}, _Play, Timers) ->
    {[], run(Type, Time, Content, cancel(Type, Timers))};
set_one({Type, absolute, Time, Content}, Play, Timers) ->
    Left = Time - erlconcolic_play:now(Play),
    {[], run_absolute(Type, Left, Content, cancel(Type, Timers))}.

-spec run(type(), Time :: pos_integer(), Content :: term(), timers()) ->
          timers().
run(_Type, Time, _Content, _Timers) when Time > ?TOO_LONG ->
    error(badarg);
run(Type, Time, Content, #timers{clock = Clock, running = Running} = Timers) ->
    Timer = {Type, Clock + Time, Content},
    Timers#timers{running = insert(Timer, Running)}.

-spec insert(Timer, [Timer]) -> [Timer]
              when Timer :: {type(), End :: integer(), term()}.
insert(Timer, []) ->
    [Timer];
insert({_, End, _} = Timer, [{_, Other, _} = First | Rest])
  when Other =< End ->
    [First | insert(Timer, Rest)];
insert(Timer, Timers) ->
    [Timer | Timers].

-spec run_absolute(type(), Left :: integer(), Content :: term(), timers()) ->
          timers().
run_absolute(Type, Left, Content, Timers) when Left > 0 ->
    run(Type, Left, Content, Timers);
run_absolute(Type, _Left, Content, #timers{past = Past} = Timers) ->
    Timers#timers{past = Past ++ [{Type, Content}]}.

%% A timer that is not there is started with 0 ms.
-spec update(type(), Content :: term(), timers()) ->
          {[{type(), term()}], timers()}.
update(Type, Content, Timers) ->
    #timers{zero = Zero, due = Due, running = Running, past = Past} = Timers,
    case is_set(Type, [Zero, Due, Running, Past]) of
        true ->
            {[], Timers#timers{zero = changed(Type, Content, Zero),
                               due = changed(Type, Content, Due),
                               running = changed(Type, Content, Running),
                               past = changed(Type, Content, Past)}};
        false ->
            {[{Type, Content}], Timers}
    end.

-spec is_set(type(), [[tuple()]]) -> boolean().
is_set(_Type, []) ->
    false;
is_set(Type, [[] | Lists]) ->
    is_set(Type, Lists);
is_set(Type, [[Timer | _] | _]) when element(1, Timer) =:= Type ->
    true;
is_set(Type, [[_ | Timers] | Lists]) ->
    is_set(Type, [Timers | Lists]).

-spec changed(type(), Content :: term(), [Timer]) -> [Timer]
              when Timer :: tuple().
changed(_Type, _Content, []) ->
    [];
changed(Type, Content, [{Type, _} | Timers]) ->
    [{Type, Content} | Timers];
changed(Type, Content, [{Type, Key, _} | Timers]) ->
    [{Type, Key, Content} | Timers];
changed(Type, Content, [Timer | Timers]) ->
    [Timer | changed(Type, Content, Timers)].

%% The next timer of 0 ms.
-spec take_zero(timers()) -> none | {type(), Content :: term(), timers()}.
take_zero(#timers{zero = []}) ->
    none;
take_zero(#timers{zero = [{Type, Content} | Zero]} = Timers) ->
    {Type, Content, Timers#timers{zero = Zero}}.

%% The next timer that is over before any message.
-spec take_due(timers()) -> none | {type(), Content :: term(), timers()}.
take_due(#timers{due = []}) ->
    none;
take_due(#timers{due = [{Type, Content} | Due]} = Timers) ->
    {Type, Content, Timers#timers{due = Due}}.

%% The next timer that is over when no message is there. All of them are over
%% then.
-spec take_past(timers()) -> none | {type(), Content :: term(), timers()}.
take_past(#timers{past = []}) ->
    none;
take_past(#timers{past = [{Type, Content} | Past]} = Timers) ->
    {Type, Content, Timers#timers{past = [], due = Past}}.

%% How long it takes until the next timer is over.
-spec left(timers()) -> none | non_neg_integer().
left(#timers{running = []}) ->
    none;
left(#timers{clock = Clock, running = [{_, End, _} | _]}) ->
    End - Clock.

%% Time passes, less than what is left.
-spec pass(Time :: non_neg_integer(), timers()) -> timers().
pass(Time, #timers{clock = Clock} = Timers) ->
    Timers#timers{clock = Clock + Time}.

%% Time passes until the next timer is over.
-spec fire(timers()) -> {type(), Content :: term(), timers()}.
fire(#timers{running = [{Type, End, Content} | Running]} = Timers) ->
    {Due, Rest} = over(End, Running),
    {Type, Content, Timers#timers{clock = End, due = Due, running = Rest}}.

-spec over(End :: integer(), [{type(), integer(), term()}]) ->
          {Due :: [{type(), term()}], [{type(), integer(), term()}]}.
over(End, [{Type, End, Content} | Running]) ->
    {Due, Rest} = over(End, Running),
    {[{Type, Content} | Due], Rest};
over(_End, Running) ->
    {[], Running}.
