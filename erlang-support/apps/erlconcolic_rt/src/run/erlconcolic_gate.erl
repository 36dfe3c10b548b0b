%%% The gate of a run: only one controlled process runs at a time, the one that
%%% has the lease. It contacts the gate when its steps are used up, when it
%%% waits, and when it ends; then the gate gives the lease to the next one, see
%%% erlconcolic_turns. The other side is erlconcolic_lease. The collector tells
%%% the gate what happens.
-module(erlconcolic_gate).

-include("erlconcolic_gate.hrl").

-import(erlconcolic_gate_state,
        [counted/3, everyone_woken/1, indices_of/2, parked/3, pid/2,
         targets/1, told/4, told_parked/4, update/3]).

-export([new/1, admit/3, contact/3, entry_ended/3, entry_down/1, down/3]).
-export([is_untold/2, is_member/2, new_index/2, take_logs/1]).
-export([stranger/4, started/3, left/1, tick/1]).

-export_type([gate/0, options/0, verdict/0, contact/0]).

-type options() ::
    #{schedule := [{owner(), pos_integer()}],
      max_steps := pos_integer(),
      time := quiet | any,
      %% Whether a message is there when it is sent, or its delivery is a step.
      delivery := instant | any,
      %% Whether a run of one process is told without the gate.
      brief := boolean(),
      %% How long a process may take no step before the others go on, in checks
      %% of the collector.
      patience := pos_integer()}.

%% How long a process may wait in foreign code before the others go on, in
%% checks of the collector.
-define(TICKS, 2).

%% How often a process that is alone may look at the clock before it goes on by
%% a millisecond with each look.
-define(LOOKS_AT_CLOCK, 10).

%% The gate, and the first lease of the process that calls the entry function.
-spec new(options()) -> {pos_integer(), gate()}.
new(#{schedule := Schedule, max_steps := MaxSteps, time := Time,
      delivery := Delivery, brief := IsBrief, patience := Patience}) ->
    IsOther = fun({Path, _}) -> Path =/= [0] end,
    {Others, Rest} = lists:splitwith(IsOther, Schedule),
    Gate = #gate{schedule = Rest, max_steps = MaxSteps, time = Time,
                 delivery = Delivery, brief = IsBrief, patience = Patience,
                 followed = Others =:= []},
    case Rest of
        [] ->
            {?UNLIMITED, Gate};
        [{_, Steps}] ->
            {?UNLIMITED, Gate#gate{schedule = [], expected = Steps}};
        [{_, Steps} | Behind] ->
            {Steps, Gate#gate{schedule = Behind, expected = Steps}}
    end.

%% The process that calls the entry function has its first lease.
-spec admit({pid(), reference()}, pos_integer(), gate()) -> gate().
admit({Pid, Monitor}, Lease, #gate{members = Members} = Gate) ->
    First = #{index => 0, pid => Pid, monitor => Monitor, path => [0],
              entry => {erlang, apply, 3}, status => running, ref => none,
              granted => Lease, messages => 0, log => <<>>, place => [],
              is_timer => false},
    Gate#gate{members = erlconcolic_members:add(First, Members), running = 0}.

%% A controlled process tells something, and waits for an answer.
-spec contact(contact(), LastIndex :: index(), gate()) -> {verdict(), gate()}.
contact({_, Index, Ref, Left, News, Why}, LastIndex, Gate) ->
    Told = #{granted => Left, ref => Ref},
    case Why of
        yield ->
            park(Index, Told#{status => ready}, News, Gate);
        poll ->
            park(Index, Told#{status => polling}, News, Gate);
        {wait, Time, Place} ->
            Status = erlconcolic_turns:waiting(Time, Gate),
            park(Index, Told#{status => Status, place => Place}, News, Gate);
        {ended, How, Hearers, _Log} ->
            ended(Index, Told, News, How, Hearers, Gate);
        _ ->
            why(Why, Index, LastIndex, told(Index, Told, News, Gate))
    end.

%% The process waits until it is its turn.
-spec park(index(), erlconcolic_gate_state:parked(), erlconcolic_lease:news(),
           gate()) -> {verdict(), gate()}.
park(Index, Told, News, Gate) ->
    erlconcolic_turns:next(told_parked(Index, Told, News, Gate)).

-spec ended(index(), erlconcolic_gate_state:told(), erlconcolic_lease:news(),
            How :: term(), Hearers :: [pid()], gate()) -> {verdict(), gate()}.
ended(Index, Told, News, normal, [], Gate) ->
    %% Nobody hears of it.
    Parked = told_parked(Index, Told#{status => {ended, normal}}, News, Gate),
    _ = erlconcolic_signals:has_ended(Index, Parked#gate.members),
    erlconcolic_turns:next(Parked);
ended(Index, Told, News, How, Hearers, Gate) ->
    Counted = told(Index, Told, News, Gate),
    Heard = case How of
                normal -> Counted;
                _ -> erlconcolic_deliveries:flush_to_hearers(Counted)
            end,
    Ended = erlconcolic_ends:ended_by_itself(Index, How, Hearers, Heard),
    erlconcolic_turns:next(Ended).

-spec why(erlconcolic_lease:why(), index(), index(), gate()) ->
    {verdict(), gate()}.
why(share, Index, LastIndex, Gate) ->
    #gate{shared = Shared} = NewGate = share(LastIndex, Gate),
    erlconcolic_turns:on(Index, {shared, Shared}, NewGate);
why({signal, Target}, Index, _, Gate) ->
    erlconcolic_turns:signal(Index, Target, Gate);
why({post, To, Message}, Index, _, Gate) ->
    {Answer, NewGate} = erlconcolic_deliveries:post(Index, To, Message, Gate),
    erlconcolic_turns:on(Index, Answer, NewGate);
why({flush, Reached}, Index, _, Gate) ->
    erlconcolic_turns:on(Index, go,
                         erlconcolic_deliveries:flush(Index, Reached, Gate));
why({leave, Mfa}, Index, _, #gate{under_way = UnderWay} = Gate) ->
    case erlconcolic_deliveries:flush(Index, everyone, Gate) of
        #gate{under_way = UnderWay} -> erlconcolic_turns:on(Index, go, Gate);
        Flushed -> erlconcolic_turns:on(Index, go, named(Mfa, Flushed))
    end;
why({settle, Target}, Index, _, Gate) ->
    Targets = [Index | indices_of(targets(Target), Gate)],
    settled(Index, erlconcolic_ends:probed(Targets, everyone_woken(Gate)));
why({uncontrolled, Mfa}, Index, _, Gate) ->
    erlconcolic_turns:on(Index, go, named(Mfa, Gate));
why({reach_out, Mfa}, Index, _, Gate) ->
    Disturbed = (named(Mfa, Gate))#gate{reached_out = true},
    erlconcolic_turns:on(Index, go, Disturbed);
why({timer_left, Pid, Function}, Index, _, Gate) ->
    {Left, NewGate} = timer_left(Pid, Function, Gate),
    erlconcolic_turns:on(Index, {left, Left}, NewGate);
why(clock, Index, _, #gate{clock = Clock} = Gate) ->
    erlconcolic_turns:on(Index, {clock, Clock}, clock_read(Gate)).

%% A process that is alone may look at the clock until it is late enough.
-spec clock_read(gate()) -> gate().
clock_read(#gate{shared = none, clock = Clock, looks = Looks} = Gate)
  when Looks >= ?LOOKS_AT_CLOCK ->
    Gate#gate{clock = Clock + 1};
clock_read(#gate{looks = Looks} = Gate) ->
    Gate#gate{looks = Looks + 1}.

%% How much time a timer has left. If it is cancelled, it ends.
-spec timer_left(pid(), cancel_timer | read_timer, gate()) ->
    {non_neg_integer() | false, gate()}.
timer_left(Pid, Function, #gate{members = Members, clock = Clock} = Gate) ->
    {ok, Timer} = erlconcolic_members:index(Pid, Members),
    case {erlconcolic_members:get(Timer, Members), Function} of
        {#{status := {waiting, _, Until}}, read_timer} ->
            {Until - Clock, Gate};
        {#{status := {waiting, _, Until}}, cancel_timer} ->
            exit(Pid, kill),
            _ = erlconcolic_signals:has_ended(Timer, Members),
            {Until - Clock, update(Timer, #{status => {ended, normal}}, Gate)};
        {#{}, _} ->
            {false, Gate}
    end.

%% Something is not controlled.
-spec named(mfa(), gate()) -> gate().
named(Mfa, #gate{uncontrolled = Names} = Gate) ->
    Gate#gate{uncontrolled = Names#{Mfa => []}}.

-spec settled(index(), gate()) -> {verdict(), gate()}.
settled(Index, #gate{running = Index} = Gate) ->
    erlconcolic_turns:on(Index, go, Gate);
settled(_Index, Gate) ->
    erlconcolic_turns:next(Gate).

-spec share(index(), gate()) -> gate().
share(LastIndex, #gate{shared = none, delivery = Delivery} = Gate) ->
    Numbers = atomics:new(2, []),
    ok = atomics:put(Numbers, ?LAST_INDEX, LastIndex),
    Marks = ets:new(erlconcolic_marks, [public]),
    Gate#gate{shared = #{marks => Marks, numbers => Numbers,
                         delivery => Delivery}};
share(_LastIndex, Gate) ->
    Gate.

%% The index of a process that is not controlled and has a log.
-spec new_index(index(), gate()) -> index().
new_index(LastIndex, #gate{shared = none}) ->
    LastIndex + 1;
new_index(_LastIndex, #gate{shared = #{numbers := Numbers}}) ->
    atomics:add_get(Numbers, ?LAST_INDEX, 1).

%% The entry function has returned or raised. Its process stays, as the caller
%% of a function does.
-spec entry_ended(erlconcolic_lease:report(), term(), gate()) ->
    {verdict(), gate()}.
entry_ended(none, How, Gate) ->
    erlconcolic_turns:next(parked(0, {ended, How}, Gate));
entry_ended({Left, News}, How, Gate) ->
    Told = #{granted => Left, ref => none, status => {ended, How}},
    park(0, Told, News, Gate).

%% Whether the gate has nothing to tell when the entry function has ended: its
%% process was the only one, nothing is left, and no schedule was asked for.
-spec is_untold(erlconcolic_lease:report(), gate()) -> boolean().
is_untold({_, {[_ | _], _}}, _Gate) -> false;
is_untold(_Report, #gate{brief = true, schedule = [], expected = 0,
                         followed = true, shared = none, strangers = [],
                         reached_out = false, uncontrolled = Names}) ->
    map_size(Names) =:= 0;
is_untold(_Report, #gate{}) -> false.

%% Why the process of the entry function ended without notice.
-spec entry_down(gate()) -> {ok, term()} | no.
entry_down(#gate{members = Members}) ->
    case erlconcolic_members:get(0, Members) of
        #{status := {ended, {down, Reason}}} -> {ok, Reason};
        #{} -> no
    end.

%% A controlled process has ended without notice.
-spec down(pid(), term(), gate()) -> {verdict(), gate()}.
down(Pid, Reason, #gate{members = Members} = Gate) ->
    {ok, Index} = erlconcolic_members:index(Pid, Members),
    Ended = erlconcolic_ends:all_ended([{Index, {down, Reason}}], Gate),
    erlconcolic_turns:next(Ended).

%% The rests of the logs of processes that have ended without notice.
-spec take_logs(gate()) -> {[{pid(), binary()}], gate()}.
take_logs(#gate{logs = []} = Gate) ->
    {[], Gate};
take_logs(#gate{logs = Logs} = Gate) ->
    {lists:reverse(Logs), Gate#gate{logs = []}}.

-spec is_member(term(), gate()) -> boolean().
is_member(Pid, #gate{members = Members}) ->
    erlconcolic_members:index(Pid, Members) =/= error.

%% Someone has started a process that is not controlled.
-spec stranger(pid(), pid(), {module(), atom(), [term()]}, gate()) -> gate().
stranger(By, Pid, {Module, Function, Args}, Gate) ->
    #gate{strangers = Strangers, uncontrolled = Names} = Gate,
    NewNames = case is_member(By, Gate) of
                   true -> Names#{started(Module, Function, Args) => []};
                   false -> Names
               end,
    Gate#gate{strangers = [Pid | Strangers], uncontrolled = NewNames}.

%% The function that a process is there for.
-spec started(module(), atom(), [term()]) -> mfa().
started(Module, Function, Args) ->
    Call = erlconcolic_initial_call:of_call(Module, Function, Args),
    erlconcolic_initial_call:function(Call).

%% The processes that may be alive, and need not be known from traces. Those
%% that nobody told of were started just before their parent ended.
-spec left(gate()) -> [pid()].
left(#gate{shared = none}) ->
    [];
left(#gate{shared = #{marks := Marks, numbers := Numbers},
           members = Members} = Gate) ->
    Known = [pid(Index, Gate) || Index <- erlconcolic_members:living(Members)],
    case atomics:get(Numbers, ?LAST_INDEX) < erlconcolic_members:size(Members)
    of
        true -> Known;
        false -> lists:usort(erlconcolic_marks:processes(Marks) ++ Known)
    end.

%% Some time has passed. If the process with the lease waits in foreign code, or
%% takes no step for very long, the others go on.
-spec tick(gate()) -> {verdict(), gate()}.
tick(#gate{running = none} = Gate) ->
    {running, Gate};
tick(#gate{running = Index, contacts = Contacts, ticks = Ticks} = Gate) ->
    Work = erlconcolic_patience:work(pid(Index, Gate)),
    case Ticks of
        {Contacts, Waited, Before} ->
            Now = Waited + erlconcolic_patience:waited(Before, Work),
            late(Now, Gate#gate{ticks = {Contacts, Now, Work}});
        _ ->
            {running, Gate#gate{ticks = {Contacts, 0, Work}}}
    end.

-spec late(non_neg_integer(), gate()) -> {verdict(), gate()}.
late(Waited, #gate{running = Index, members = Members,
                   patience = Patience} = Gate) ->
    IsAlone = length(erlconcolic_members:living(Members)) =:= 1,
    IsTooLate = Waited >= erlconcolic_patience:checks(Patience),
    case Waited < erlconcolic_patience:checks(?TICKS) orelse IsAlone
        orelse uncontrolled_call(pid(Index, Gate), IsTooLate) of
        {Mfa, Left} -> let_others(Index, Mfa, Left, Gate);
        _ -> {running, Gate}
    end.

%% The function in which a process is, if it is not waited for any longer.
-spec uncontrolled_call(pid(), boolean()) ->
    {mfa(), non_neg_integer()} | none.
uncontrolled_call(Pid, IsTooLate) ->
    case process_info(Pid, [status, current_function, dictionary]) of
        [{status, waiting}, _, {dictionary, Dictionary}] ->
            erlconcolic_lease_left:foreign_call(Dictionary);
        [_, {current_function, {_, _, _} = Mfa}, {dictionary, Dictionary}]
          when IsTooLate ->
            case erlconcolic_lease_left:left(Dictionary) of
                none -> none;
                Left -> {Mfa, Left}
            end;
        _ ->
            none
    end.

-spec let_others(index(), mfa(), non_neg_integer(), gate()) ->
    {verdict(), gate()}.
let_others(Index, Mfa, Left, Gate) ->
    erlconcolic_turns:hold(-1, Gate),
    Counted = counted(Index, #{granted => Left}, Gate),
    Parked = parked(Index, outside, Counted),
    erlconcolic_turns:next((named(Mfa, Parked))#gate{expected = 0}).
