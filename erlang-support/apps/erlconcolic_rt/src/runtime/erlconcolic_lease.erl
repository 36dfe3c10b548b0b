%%% The controlled processes of a run: the one that calls the entry function,
%%% and those that instrumented code spawns in them. Only one of them runs at a
%%% time, the one with the lease. A lease is a number of steps; the process
%%% contacts the gate, see erlconcolic_gate, when they are used up and it is
%%% about to take another one, when it waits for a message, and when it ends.
%%%
%%% The process dictionary has under '$erlconcolic_lease' how many steps are
%%% left, and under '$erlconcolic_member' the rest. A process without a lease is
%%% not controlled.
%%%
%%% {erlconcolic_contact, Index, Ref, Left, News, Why} goes to the gate, and
%%% {Ref, Answer, Lease} comes back when the process may go on. Until then the
%%% process is parked: it waits here, and what it reported is all that it did.
-module(erlconcolic_lease).

-include("erlconcolic_keys.hrl").

-export([start/2, pause/0, resume/1]).
-export([step/4, leave/3, reach_out/3, back/0]).
-export([wait_time/1, timed_out/2, await_message/0, is_spawned/0,
         live_on/1]).
-export([last_step/0, report/0, has_others/0, is_controlled/1]).

-export_type([settings/0, news/0, why/0, place/0, answer/0, born/0, shared/0,
              report/0, reached/0]).

-type settings() :: erlconcolic_settings:settings().
-type exception() :: {Class :: atom(), Reason :: term(), Stack :: [term()]}.

%% What all controlled processes share: a table for erlconcolic_marks, which
%% also has how processes begin, and the index of the last process and of the
%% one with the lease.
-type shared() ::
    #{marks := ets:tid(), numbers := atomics:atomics_ref(),
      delivery := instant | any}.

%% The processes that were spawned since the last contact, and those that may
%% have got a message, the newest first.
-type news() :: {[born()], [receiver()]}.
-type born() ::
    #{index := pos_integer(), pid := pid(), start := reference(),
      path := path(), entry := entry(),
      %% How long a timer waits.
      time => erlconcolic_timers:time()}.
-type receiver() :: pid() | atom() | {atom(), node()} | everyone.

%% The numbers of the spawns that led to a process, the newest first.
-type path() :: [non_neg_integer(), ...].
-type entry() :: erlconcolic_initial_call:initial_call().

-type why() ::
    yield | poll | {wait, timeout(), place()} | share | {signal, term()}
  | {settle, term()} | {uncontrolled, mfa()} | {reach_out, mfa()}
  | {timer_left, pid(), cancel_timer | read_timer} | clock
    %% With the rest of its log, if nobody hears of the end.
  | {ended, How :: term(), Hearers :: [pid()], Log :: binary()}
    %% If messages take their time: one is sent; those that are under way to
    %% these are to be delivered.
  | {post, pid(), Message :: term()} | {flush, reached()} | {leave, mfa()}.

%% Who hears of a process that has ended, or whom a step reaches.
-type reached() :: everyone | {hearers, [term()]} | {target, term()}.

%% Where a receive stands, as in a stack; empty if that is not known.
-type place() :: [{file, string()} | {line, pos_integer()}].
-type answer() ::
    go | timeout | really | {shared, shared()} | posted | direct
  | {left, non_neg_integer() | false} | {clock, non_neg_integer()}.
-type report() :: none | {Left :: non_neg_integer(), news()}.

-record(member,
        {gate :: pid(),
         settings :: settings() | #{enter := fun()},
         index :: non_neg_integer(),
         path :: path(),
         spawns = 0 :: non_neg_integer(),
         shared = alone :: alone | shared(),
         %% Whether it waits for messages as it would without the gate.
         really = false :: boolean(),
         born = [] :: [born()],
         receivers = [] :: [receiver()]}).

%% The indices in `numbers' of what is shared.
-define(LAST_INDEX, 1).
-define(HOLDER, 2).

%% How many words the heap of a spawned process has at first.
-define(HEAP, 610).

%% The key of all settings in the table of the run.
-define(SETTINGS, settings).

%% The longest timeout of a receive.
-define(MAX_TIMEOUT, 16#ffffffff).

%% This process, which calls the entry function, is controlled.
-spec start(settings(), pos_integer()) -> ok.
start(Settings, Lease) ->
    put(?MEMBER, #member{gate = group_leader(), settings = Settings, index = 0,
                         path = [0]}),
    put(?LEASE, Lease),
    ok.

%% From now on this process is not controlled.
-spec pause() -> term().
pause() ->
    erase(?LEASE).

-spec resume(term()) -> ok.
resume(undefined) ->
    ok;
resume(Lease) ->
    put(?LEASE, Lease),
    ok.

%% Steps.

%% Makes a call that is a step, if this process is controlled.
-spec step(erlconcolic_steps:kind(), module(), atom(), [term()]) -> term().
step(Kind, Module, Function, Args) ->
    case get(?LEASE) of
        undefined -> erlconcolic_disguise:call(Module, Function, Args);
        _ -> controlled(Kind, Module, Function, Args)
    end.

-spec controlled(erlconcolic_steps:kind(), module(), atom(), [term()]) ->
    term().
controlled(plain, Module, Function, Args) ->
    take(),
    erlconcolic_disguise:call(Module, Function, Args);
controlled(send, Module, Function, Args) ->
    take(),
    send(get(?MEMBER), Module, Function, Args);
controlled(ask, Module, Function, Args) ->
    ok = flush(Module, Function, Args),
    take(),
    Value = erlconcolic_disguise:call(Module, Function, Args),
    ok = take_signals(Function),
    Value;
controlled(spawn, Module, Function, Args) ->
    take(),
    case erlconcolic_spawn:request(Function, Args) of
        {ok, Body, Options} -> spawn_child(Body, Options);
        error ->
            ok = erlconcolic_watch:on(),
            erlconcolic_disguise:call(Module, Function, Args)
    end;
controlled(signal, Module, Function, [Target | _] = Args) ->
    ok = flush(Module, Function, Args),
    take(),
    go = contact({signal, Target}),
    Value = erlconcolic_disguise:call(Module, Function, Args),
    go = contact({settle, Target}),
    Value;
controlled(sleep, Module, Function, [Time] = Args) ->
    case is_timeout(Time) of
        true -> sleep(Time);
        false -> take(), erlconcolic_disguise:call(Module, Function, Args)
    end;
controlled(timer, erlang, Function, Args) ->
    take(),
    case erlconcolic_timers:request(Function, Args) of
        {ok, Timer} -> start_timer({erlang, Function, length(Args)}, Timer);
        error -> free_timer(erlang, Function, Args)
    end;
controlled(timer, Module, Function, Args) ->
    take(),
    free_timer(Module, Function, Args);
controlled(timer_left, Module, Function, [Reference | _] = Args) ->
    take(),
    case timer(Reference) of
        {ok, Pid} ->
            {left, Left} = contact({timer_left, Pid, Function}),
            erlconcolic_timers:left(Args, Left);
        error ->
            erlconcolic_disguise:call(Module, Function, Args)
    end;
controlled(clock, _Module, _Function, Args) ->
    take(),
    {clock, Time} = contact(clock),
    case Args of
        [] -> erlang:convert_time_unit(Time, millisecond, native);
        [Unit] -> erlang:convert_time_unit(Time, millisecond, Unit)
    end.

%% A timer that nobody controls.
-spec free_timer(module(), atom(), [term()]) -> term().
free_timer(Module, Function, Args) ->
    ok = reach_out(Module, Function, Args),
    erlconcolic_disguise:call(Module, Function, Args).

%% The reference of a timer has the number of its process.
-spec start_timer(mfa(), erlconcolic_timers:timer()) -> reference().
start_timer(Mfa, Timer) ->
    Reference = make_ref(),
    Pid = spawn_child({timer, Mfa, Reference, Timer}, []),
    ok = erlconcolic_marks:add_timer(Reference, Pid),
    Reference.

-spec timer(term()) -> {ok, pid()} | error.
timer(Reference) ->
    case get(?MEMBER) of
        #member{shared = #{marks := Marks}} when is_reference(Reference) ->
            erlconcolic_marks:timer(Reference, Marks);
        _ -> error
    end.

%% The message about a process that has ended before it is monitored is there
%% only when this process is scheduled again: a receive that does not wait does
%% not find it.
-spec take_signals(atom()) -> ok.
take_signals(monitor) ->
    true = erlang:yield(),
    ok;
take_signals(_) ->
    ok.

%% Takes one step, after it has asked for it if there is none left.
-spec take() -> ok.
take() ->
    case get(?LEASE) of
        0 ->
            go = contact(yield),
            take();
        Left ->
            put(?LEASE, Left - 1),
            ok
    end.

-spec send(#member{}, module(), atom(), [term()]) -> term().
send(#member{shared = #{delivery := any}}, Module, Function, Args) ->
    send_later(Module, Function, Args);
send(Member, Module, Function, [To | _] = Args) ->
    Value = erlconcolic_disguise:call(Module, Function, Args),
    sent(To, Member),
    Value.

-spec sent(term(), #member{}) -> ok.
sent(_To, #member{shared = alone}) ->
    ok;
sent(To, #member{receivers = [To | _]}) ->
    ok;
sent(To, #member{receivers = Receivers} = Member) ->
    put(?MEMBER, Member#member{receivers = [receiver(To) | Receivers]}),
    ok.

%% Messages take their time, except those to this process itself. Where the
%% receiver is not known, or no process of the run, the message is sent at once,
%% behind those that were sent before.
-spec send_later(module(), atom(), [term()]) -> term().
send_later(Module, Function, [To, Message | Options] = Args) ->
    Posted = case erlconcolic_steps:receiver(To, Options) of
                 {ok, Pid} when Pid =/= self() ->
                     contact({post, Pid, Message});
                 {ok, _} ->
                     direct;
                 unknown ->
                     go = contact({flush, everyone}),
                     direct
             end,
    case Posted of
        posted ->
            erlconcolic_steps:sent(Function, Args);
        direct ->
            Value = erlconcolic_disguise:call(Module, Function, Args),
            sent(To, get(?MEMBER)),
            Value
    end.

%% This process is about to take a step that reaches others: what it sent them
%% before arrives before.
-spec flush(module(), atom(), [term()]) -> ok.
flush(Module, Function, Args) ->
    case get(?MEMBER) of
        #member{shared = #{delivery := any}} ->
            case erlconcolic_steps:reached(Module, Function, Args) of
                {ok, Target} -> flush({target, Target});
                none -> ok
            end;
        _ ->
            ok
    end.

-spec flush(reached()) -> ok.
flush(Reached) ->
    case get(?LEASE) of
        0 ->
            go = contact(yield),
            flush(Reached);
        _ ->
            go = contact({flush, Reached}),
            ok
    end.

%% Who gets messages that are sent to an alias is not known.
-spec receiver(term()) -> receiver().
receiver(To) when is_reference(To) -> everyone;
receiver(To) -> To.

%% This process is about to call foreign code, which may send messages: what the
%% process sent before arrives before.
-spec leave(module(), atom(), [term()]) -> ok.
leave(Module, Function, Args) ->
    case get(?MEMBER) of
        #member{shared = #{delivery := any}} ->
            case get(?LEASE) of
                undefined -> ok;
                _ -> go = contact({leave, {Module, Function, length(Args)}}), ok
            end;
        _ ->
            ok
    end.

%% This process makes a call from which messages may come that nobody controls.
-spec reach_out(module(), atom(), [term()]) -> ok.
reach_out(Module, Function, Args) ->
    case get(?LEASE) of
        undefined -> ok;
        _ -> go = contact({reach_out, {Module, Function, length(Args)}}), ok
    end.

%% A call of foreign code has returned. If it took long, others have the lease.
-spec back() -> ok.
back() ->
    case get(?MEMBER) of
        undefined -> ok;
        #member{shared = alone} -> ok;
        #member{shared = #{numbers := Numbers}, index = Index} ->
            case atomics:get(Numbers, ?HOLDER) =:= Index
                orelse get(?LEASE) =:= undefined of
                true -> ok;
                false -> go = contact(yield), ok
            end
    end.

%% Spawning.

-spec spawn_child(erlconcolic_spawn:body(), [term()]) ->
    pid() | {pid(), reference()}.
spawn_child(Body, Options) ->
    #{marks := Marks, numbers := Numbers} = share(),
    #member{path = Path, spawns = Spawns, born = Born} = Member = get(?MEMBER),
    Index = atomics:add_get(Numbers, ?LAST_INDEX, 1),
    ChildPath = [Spawns + 1 | Path],
    Start = make_ref(),
    {HasRoom, NewOptions} = erlconcolic_spawn:with_room(?HEAP, Options),
    Watch = erlconcolic_watch:relax(),
    %% The tracer gets two copies of this fun, so it holds little.
    Live = fun() ->
                   ok = erlconcolic_spawn:forget_room(HasRoom),
                   ok = erlconcolic_watch:inherit(Watch),
                   live(Marks, Index, ChildPath, Start, Body)
           end,
    Spawned = spawn_opt(Live, NewOptions),
    Pid = erlconcolic_spawn:pid(Spawned),
    ok = erlconcolic_marks:add(Pid, Index),
    New = born(Body, #{index => Index, pid => Pid, start => Start,
                       path => ChildPath,
                       entry => erlconcolic_spawn:entry(Body)}),
    put(?MEMBER, Member#member{spawns = Spawns + 1, born = [New | Born],
                               really = false}),
    Spawned.

-spec born(erlconcolic_spawn:body(), born()) -> born().
born({timer, _, _, #{time := Time}}, Born) -> Born#{time => Time};
born(_Body, Born) -> Born.

%% From the first spawn on there are things to share.
-spec share() -> shared().
share() ->
    case get(?MEMBER) of
        #member{shared = alone} ->
            {shared, #{marks := Marks} = Shared} = contact(share),
            #member{} = Member = get(?MEMBER),
            Sharing = Member#member{shared = Shared},
            put(?MEMBER, Sharing),
            ok = erlconcolic_marks:share(Marks),
            true = ets:insert(Marks, common(Sharing)),
            Shared;
        #member{shared = Shared} ->
            Shared
    end.

%% What all processes of a run have in common. They seldom need all settings.
-spec common(#member{}) -> [tuple(), ...].
common(#member{settings = Settings} = Member) ->
    #{max_heap := MaxHeap, allow := Allow, record := Record,
      enter := Enter} = Settings,
    First = Member#member{spawns = 0, born = [], receivers = [],
                          really = false, settings = #{enter => Enter}},
    [{?MEMBER, First, MaxHeap, Allow, Record}, {?SETTINGS, Settings}].

%% The life of a process that was spawned. What it needs does not come as a
%% message: others may look at its mailbox before it begins.
-spec live(ets:tid(), pos_integer(), path(), reference(),
           erlconcolic_spawn:body()) -> term().
live(Marks, Index, Path, Start, {timer, _, Reference, Timer}) ->
    #{to := To, form := Form, message := Message} = Timer,
    [{_, #member{} = First, _, _, _}] = ets:lookup(Marks, ?MEMBER),
    Member = First#member{index = Index, path = Path},
    put(?MEMBER, Member),
    receive {Start, timeout, Lease} -> put(?LEASE, Lease - 1) end,
    try To ! erlconcolic_timers:message(Form, Reference, Message) of
        _ -> sent(To, Member)
    catch
        %% Nobody has this name.
        error:badarg -> ok
    end,
    _ = tell({ended, normal, [], <<>>}),
    ok;
live(Marks, Index, Path, Start, Body) ->
    [{_, #member{} = First, MaxHeap, Allow, Record}] =
        ets:lookup(Marks, ?MEMBER),
    _ = process_flag(max_heap_size, MaxHeap),
    Member = First#member{index = Index, path = Path},
    put(?MEMBER, Member),
    receive {Start, go, Lease} -> put(?LEASE, Lease) end,
    ok = erlconcolic_marks:join(Marks),
    put(?OUTSIDE, true),
    ok = erlconcolic_log:start(Member#member.gate, Allow, Record, 0),
    live_on(Body).

%% Calls the function of a process, which then ends.
-spec live_on(erlconcolic_spawn:body()) -> term().
live_on(Body) ->
    #member{settings = #{enter := Enter}, shared = Shared} = get(?MEMBER),
    %% Code that is not followed may send messages, and take steps unseen.
    try erlconcolic_spawn:call(Body, Enter, fun reach_out/3) of
        _ -> ended(normal)
    catch
        Class:Reason:Stack ->
            Frames = erlconcolic_stack:of_program(Stack),
            ended(describe({Class, Reason, Stack}, Shared)),
            erlang:raise(Class, Reason, Frames)
    end.

-spec describe(exception(), shared()) -> term().
describe(Exception, #{marks := Marks}) ->
    _ = process_flag(max_heap_size, 0),
    [{_, #{describe := Describe}}] = ets:lookup(Marks, ?SETTINGS),
    Describe(erlconcolic_exit_reason:original(Exception)).

%% The end is the last step. The program may have erased the state of this
%% process; then the end comes without notice.
-spec ended(term()) -> ok.
ended(How) ->
    ok = flush_hearers(How),
    ok = last_step(),
    case get(?LEASE) of
        undefined -> erlconcolic_log:finish();
        _ -> tell_end(How)
    end.

%% Those who will hear of the end get the messages of this process before.
-spec flush_hearers(term()) -> ok.
flush_hearers(How) ->
    case {get(?LEASE), get(?MEMBER)} of
        {Lease, #member{shared = #{delivery := any}}} when is_integer(Lease) ->
            case erlconcolic_hearers:concerned(How) of
                [] -> ok;
                Hearers -> flush({hearers, Hearers})
            end;
        _ ->
            ok
    end.

%% The gate needs to know who will hear of the end.
-spec tell_end(term()) -> ok.
tell_end(How) ->
    #member{gate = Gate} = get(?MEMBER),
    case erlconcolic_hearers:all() -- [Gate] of
        [] ->
            ok = erlconcolic_log:finish_with(
                           fun(Log) -> tell({ended, How, [], Log}) end);
        Hearers ->
            ok = erlconcolic_log:finish(),
            _ = How =:= normal orelse (go = contact({signal, Hearers})),
            go = contact({ended, How, Hearers, <<>>}),
            ok
    end.

%% Takes the step that is the end of this process.
-spec last_step() -> ok.
last_step() ->
    case get(?LEASE) of
        undefined -> ok;
        _ -> take()
    end.

%% Whether a process that starts with this is controlled.
-spec is_controlled(term()) -> boolean().
is_controlled({erlang, apply, [Fun, []]}) when is_function(Fun, 0) ->
    erlang:fun_info(Fun, module) =:= {module, ?MODULE};
is_controlled(_) ->
    false.

%% Whether controlled processes were spawned.
-spec has_others() -> boolean().
has_others() ->
    case get(?MEMBER) of
        #member{shared = #{}} -> true;
        _ -> false
    end.

%% What the gate does not know yet of a process that has ended.
-spec report() -> report().
report() ->
    case get(?LEASE) of
        undefined -> none;
        Left -> {Left, news()}
    end.

%% Waiting.

%% How long a receive waits. A process that is controlled does not wait there,
%% but asks the gate when it finds nothing.
-spec wait_time(term()) -> term().
wait_time(Time) ->
    case get(?LEASE) of
        undefined ->
            Time;
        _ ->
            #member{really = Really} = get(?MEMBER),
            case Really orelse not is_timeout(Time) of
                true -> Time;
                false -> 0
            end
    end.

%% A receive found nothing: whether it looks again, or its time is over.
-spec timed_out(timeout(), place()) -> again | timeout.
timed_out(Time, Place) ->
    case get(?LEASE) of
        undefined -> timeout;
        0 when Time =:= 0 -> again(contact(poll));
        _ when Time =:= 0 -> take(), timeout;
        _ -> waited(get(?MEMBER), Time, Place)
    end.

-spec waited(#member{}, timeout(), place()) -> again | timeout.
waited(#member{really = true}, _Time, _Place) ->
    take(),
    timeout;
waited(#member{really = false}, Time, Place) ->
    again(contact({wait, Time, Place})).

%% The gate leaves room for the step of the timeout.
-spec again(answer()) -> again | timeout.
again(go) ->
    again;
again(really) ->
    put(?MEMBER, (get(?MEMBER))#member{really = true}),
    again;
again(timeout) ->
    take(),
    timeout.

%% As a receive without clauses.
-spec sleep(timeout()) -> ok.
sleep(Time) ->
    Left = wait_time(Time),
    receive after Left -> ok end,
    case timed_out(Time, []) of
        again -> sleep(Time);
        timeout -> ok
    end.

%% Waits for any message before a process hibernates, if it is controlled.
-spec await_message() -> ok.
await_message() ->
    case {get(?LEASE), get(?MEMBER)} of
        {undefined, _} -> ok;
        {_, #member{really = true}} -> ok;
        _ ->
            case process_info(self(), message_queue_len) of
                {_, 0} ->
                    again = again(contact({wait, infinity, []})),
                    await_message();
                _ ->
                    ok
            end
    end.

%% Whether this process is controlled and was started by another one.
-spec is_spawned() -> boolean().
is_spawned() ->
    case {get(?LEASE), get(?MEMBER)} of
        {undefined, _} -> false;
        {_, #member{index = Index}} -> Index > 0
    end.

-spec is_timeout(term()) -> boolean().
is_timeout(infinity) -> true;
is_timeout(Time) ->
    is_integer(Time) andalso Time >= 0 andalso Time =< ?MAX_TIMEOUT.

%% Contacts.

-spec contact(why()) -> answer().
contact(Why) ->
    answer(tell(Why)).

-spec tell(why()) -> reference().
tell(Why) ->
    #member{gate = Gate, index = Index} = get(?MEMBER),
    News = news(),
    Left = get(?LEASE),
    Ref = make_ref(),
    Gate ! {erlconcolic_contact, Index, Ref, Left, News, Why},
    Ref.

-spec answer(reference()) -> answer().
answer(Ref) ->
    receive
        {Ref, Answer, Lease} ->
            put(?LEASE, Lease),
            Answer
    end.

%% Nobody is told twice.
-spec news() -> news().
news() ->
    case get(?MEMBER) of
        #member{born = [], receivers = []} ->
            {[], []};
        #member{born = Born, receivers = Receivers} = Member ->
            put(?MEMBER, Member#member{born = [], receivers = []}),
            {Born, Receivers}
    end.
