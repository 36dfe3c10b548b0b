%%% Plays a sequence of events on the real thing: OTP starts the unchanged
%%% module as a process, which gets one event after the other. This confirms
%%% what erlconcolic_play_server and erlconcolic_play_statem found.
%%%
%%% The process begins in a function of ours, which only tells of an exception
%%% that ends it: the reason of an exit has no stack.
%%%
%%% The next event is sent when the process waits with an empty mailbox, so all
%%% that follows from an event has happened before. The process tells when it
%%% receives something, by a debug function (see sys:install/2): so a `timeout'
%%% takes as long as the timer does, and no longer.
%%%
%%% sys:get_state/1 starts the timeout of a gen_server again, the one that is a
%%% number. So that one fires a little later than it would by itself.
-module(erlconcolic_real_machine).

-export([play/5, begun/6]).

-export_type([result/0, exception/0]).

-type exception() :: {error | exit | throw, Reason :: term(),
                      erlconcolic_play:stack()}.

%% How it ended: `running' if it did not, `no_timer' if a timeout was not over
%% in time, `busy' if it did not wait for an event in time; the reason why the
%% process ended, in which errors have their stack; or why it did not start.
-type ending() :: running | no_timer | busy | ignore
                | {ended | not_started, Reason :: term()}.

%% States are those after each event, from init/1 on, 0, up to the last event
%% that the machine survived. The exception is that which ended the process, if
%% one is known: after hibernation none is.
-type result() :: #{states := [{Index :: non_neg_integer(), term()}],
                    replies := [{Index :: pos_integer(), term()}],
                    ending := ending(),
                    exception := none | exception()}.

-record(machine, {behaviour :: gen_server | gen_statem,
                  pid :: pid(),
                  monitor :: reference(),
                  %% Names what the debug function sends.
                  sign :: reference(),
                  timeout :: non_neg_integer(),
                  states = [] :: [{non_neg_integer(), term()}],
                  requests = [] :: [{pos_integer(), Request :: term()}]}).

%% How often a process that does not wait yet is looked at without a pause.
-define(YIELDS, 100).

%% Plays events; waits for each at most some milliseconds.
-spec play(gen_server | gen_statem, module(), Argument :: term(),
           [erlconcolic_play:event()], Timeout :: non_neg_integer()) ->
          result().
play(Behaviour, Module, Argument, Events, Timeout) ->
    Sign = make_ref(),
    Options = [{debug, [{install, {Sign, fun tell/3, {self(), Sign}}}]}],
    Args = [Behaviour, Module, Argument, Options, self(), Sign],
    case proc_lib:start_monitor(?MODULE, begun, Args, Timeout) of
        {{ok, Pid}, Monitor} ->
            Machine = #machine{behaviour = Behaviour, pid = Pid,
                               monitor = Monitor, sign = Sign,
                               timeout = Timeout},
            settle(0, Events, Machine);
        {ignore, Monitor} ->
            not_started(ignore, Sign, Monitor);
        {{error, Reason}, Monitor} ->
            not_started({not_started, Reason}, Sign, Monitor)
    end.

-spec not_started(ending(), Sign :: reference(), Monitor :: reference()) ->
          result().
not_started(Ending, Sign, Monitor) ->
    receive {'DOWN', Monitor, _, _, _} -> ok end,
    #{states => [], replies => [], ending => Ending,
      exception => exception(Sign)}.

%% The first function of the process; OTP does the rest as if it had begun
%% itself.
-spec begun(gen_server | gen_statem, module(), Argument :: term(),
            Options :: [term()], Player :: pid(), Sign :: reference()) ->
          term().
begun(Behaviour, Module, Argument, Options, Player, Sign) ->
    try
        gen:init_it(Behaviour, Player, self, Module, Argument, Options)
    catch
        Class:Reason:Stack ->
            Player ! {Sign, Class, Reason, Stack},
            erlang:raise(Class, Reason, Stack)
    end.

-spec exception(Sign :: reference()) -> none | exception().
exception(Sign) ->
    receive
        {Sign, Class, Reason, Stack} -> {Class, Reason, Stack}
    after 0 ->
        none
    end.

%% The debug function of the process.
-spec tell({pid(), reference()}, sys:system_event(), term()) ->
          {pid(), reference()}.
tell({Player, Sign} = To, Event, _) when element(1, Event) =:= in ->
    Player ! {Sign, received},
    To;
tell(To, _Event, _) ->
    To.

%% Waits until an event is handled, and notes the state.
-spec settle(Index :: non_neg_integer(), [erlconcolic_play:event()],
             #machine{}) -> result().
settle(Index, Events, #machine{states = States} = Machine) ->
    case state(Machine) of
        {ok, State} ->
            forget_signs(Machine),
            Settled = Machine#machine{states = [{Index, State} | States]},
            next_event(Index + 1, Events, Settled);
        busy ->
            result(busy, Machine);
        ended ->
            result(down(Machine), Machine)
    end.

-spec state(#machine{}) -> {ok, term()} | busy | ended.
state(#machine{pid = Pid, timeout = Timeout}) ->
    case is_waiting(Pid, ?YIELDS, deadline(Timeout)) of
        true ->
            try
                {ok, sys:get_state(Pid, Timeout)}
            catch
                exit:{timeout, _} -> busy;
                exit:_ -> ended
            end;
        false ->
            busy;
        ended ->
            ended
    end.

-spec deadline(Timeout :: non_neg_integer()) -> integer().
deadline(Timeout) ->
    erlang:monotonic_time(millisecond) + Timeout.

%% A process with a timeout of 0 ms does not wait. Most others are ready soon,
%% so the first looks come one after the other.
-spec is_waiting(pid(), Yields :: non_neg_integer(), Deadline :: integer()) ->
          boolean() | ended.
is_waiting(Pid, Yields, Deadline) ->
    case process_info(Pid, [status, message_queue_len]) of
        [{status, waiting}, {message_queue_len, 0}] ->
            true;
        undefined ->
            ended;
        _ when Yields > 0 ->
            true = erlang:yield(),
            is_waiting(Pid, Yields - 1, Deadline);
        _ ->
            case erlang:monotonic_time(millisecond) > Deadline of
                true ->
                    false;
                false ->
                    receive after 1 -> ok end,
                    is_waiting(Pid, 0, Deadline)
            end
    end.

-spec forget_signs(#machine{}) -> ok.
forget_signs(#machine{sign = Sign} = Machine) ->
    receive
        {Sign, received} -> forget_signs(Machine)
    after 0 ->
        ok
    end.

-spec next_event(Index :: pos_integer(), [erlconcolic_play:event()],
                 #machine{}) -> result().
next_event(_Index, [], Machine) ->
    result(running, Machine);
next_event(_Index, [none | _], Machine) ->
    result(running, Machine);
next_event(Index, [Event | Events], Machine) ->
    case send(Event, Index, Machine) of
        {ok, Sent} -> settle(Index, Events, Sent);
        no_timer -> result(no_timer, Machine)
    end.

-spec send(erlconcolic_play:event(), Index :: pos_integer(), #machine{}) ->
          {ok, #machine{}} | no_timer.
send({call, Term}, Index, Machine) ->
    #machine{behaviour = Behaviour, pid = Pid, requests = Requests} = Machine,
    Request = Behaviour:send_request(Pid, Term),
    {ok, Machine#machine{requests = [{Index, Request} | Requests]}};
send({cast, Term}, _Index, Machine) ->
    #machine{behaviour = Behaviour, pid = Pid} = Machine,
    ok = Behaviour:cast(Pid, Term),
    {ok, Machine};
send({info, Term}, _Index, #machine{pid = Pid} = Machine) ->
    Pid ! Term,
    {ok, Machine};
send(timeout, _Index, #machine{sign = Sign, monitor = Monitor} = Machine) ->
    receive
        {Sign, received} ->
            {ok, Machine};
        {'DOWN', Monitor, _, _, _} = Down ->
            self() ! Down,
            {ok, Machine}
    after Machine#machine.timeout ->
        no_timer
    end.

%% Why the process has ended.
-spec down(#machine{}) -> ending().
down(#machine{monitor = Monitor, timeout = Timeout}) ->
    receive
        {'DOWN', Monitor, _, _, Reason} -> {ended, Reason}
    after Timeout ->
        busy
    end.

-spec result(ending(), #machine{}) -> result().
result(Ending, Machine) ->
    #machine{states = States, sign = Sign} = Machine,
    Replies = replies(Machine),
    ok = kill(Ending, Machine),
    forget_signs(Machine),
    #{states => lists:reverse(States), replies => Replies, ending => Ending,
      exception => exception(Sign)}.

-spec kill(ending(), #machine{}) -> ok.
kill({ended, _Reason}, _Machine) ->
    ok;
kill(_Ending, #machine{pid = Pid, monitor = Monitor}) ->
    exit(Pid, kill),
    receive {'DOWN', Monitor, _, _, _} -> ok end.

%% Replies that have arrived; the process is not expected to send more.
-spec replies(#machine{}) -> [{pos_integer(), term()}].
replies(#machine{behaviour = Behaviour, requests = Requests}) ->
    [{Index, Reply}
     || {Index, Request} <- lists:reverse(Requests),
        {reply, Reply} <- [Behaviour:receive_response(Request, 0)]].
