%%% Whose turn it is: which controlled process runs next, for the gate.
%%%
%%% The schedule decides, and behind the schedule the process that ran before,
%%% if it can go on, or else the oldest that can. Messages that are under way
%%% there are delivered first.
%%%
%%% Time stands still while a process can go on. If none can, the one whose
%%% receive has the shortest time left goes on, unless something that nobody
%%% controls may still send a message: then time is real.
-module(erlconcolic_turns).

-include("erlconcolic_gate.hrl").

-import(erlconcolic_gate_state,
        [change/2, has_entry_ended/1, pid/2, targets/1, update/3, woken/2]).

-export([next/1, waiting/2, poll/1, signal/3]).
-export([on/3, answer/4, hold/2]).

%% How long something that nobody controls may take before the run is over, in
%% milliseconds: while nobody has anything to do, and in any case.
-define(QUIET, 50).
-define(BUSY, 500).

%% Chooses who runs next, if nobody runs.
-spec next(gate()) -> {verdict(), gate()}.
next(#gate{running = none, signalling = {Index, Target}} = Gate) ->
    signal(Index, Target, Gate);
next(#gate{running = none, expected = 0, schedule = []} = Gate) ->
    next_behind_schedule(Gate);
next(#gate{running = none, expected = 0,
           schedule = [{{From, To}, Count} | Behind]} = Gate) ->
    Planned = Gate#gate{schedule = Behind},
    next(erlconcolic_deliveries:deliver(From, To, Count, Planned));
next(#gate{running = none, expected = 0, schedule = [{Path, Steps} | Behind],
           members = Members} = Gate) ->
    Planned = Gate#gate{schedule = Behind},
    case erlconcolic_members:index_at(Path, Members) of
        {ok, Index} -> lease(Index, Steps, Planned);
        error -> next(Planned#gate{followed = false})
    end;
next(#gate{running = none, expected = Expected, last = Last} = Gate) ->
    %% It has not taken all its steps. Perhaps its time is over.
    lease(Last, Expected, Gate#gate{expected = 0});
next(Gate) ->
    {running, Gate}.

%% The process takes so many steps, if it can. Perhaps others must wait first,
%% as they do without a step.
-spec lease(index(), pos_integer(), gate()) -> {verdict(), gate()}.
lease(Index, Steps, #gate{schedule = Schedule, members = Members} = Gate) ->
    case can(Index, Gate) of
        {after_local_code, Other} ->
            #{path := Path} = erlconcolic_members:get(Index, Members),
            local_code(Other, Gate#gate{schedule = [{Path, Steps} | Schedule]});
        {Answer, NewGate} ->
            run(Index, Answer, Steps, NewGate);
        no ->
            next(Gate#gate{followed = false})
    end.

%% The process goes on to its next step, or until it waits.
-spec local_code(index(), gate()) -> {running, gate()}.
local_code(Index, Gate) ->
    News = #{granted => 0, status => running},
    {running, answer(Index, go, News, Gate#gate{running = Index})}.

%% How a process can go on.
-spec can(index(), gate()) ->
    {go | timeout, gate()} | {after_local_code, index()} | no.
can(Index, #gate{members = Members, time = Time} = Gate) ->
    case erlconcolic_members:get(Index, Members) of
        #{status := {waiting, _, infinity}} -> no;
        #{status := {waiting, _, _}} when Time =:= any -> {timeout, Gate};
        #{status := {waiting, _, _}} -> can_time_out(Index, Gate);
        #{status := {ended, _}} -> no;
        #{status := outside} -> no;
        #{} -> {go, Gate}
    end.

-spec can_time_out(index(), gate()) ->
    {timeout, gate()} | {after_local_code, index()} | no.
can_time_out(_Index, #gate{under_way = [_ | _]}) ->
    no;
can_time_out(Index, #gate{members = Members} = Gate) ->
    case erlconcolic_members:ready(Members) of
        [] ->
            case not is_one_outside(Members) andalso not is_disturbed(Gate)
                andalso first_timeout(Gate) of
                {Index, Until} -> {timeout, Gate#gate{clock = Until}};
                _ -> no
            end;
        Ready ->
            IsUnsure = fun(It) -> is_unsure(It, Members) end,
            case lists:all(IsUnsure, Ready) of
                true -> {after_local_code, hd(Ready)};
                false -> no
            end
    end.

%% Whether the process may wait before it takes a step.
-spec is_unsure(index(), erlconcolic_members:members()) -> boolean().
is_unsure(Index, Members) ->
    #{status := Status} = erlconcolic_members:get(Index, Members),
    Status =/= ready andalso Status =/= polling.

%% The receive whose time is over first. After the end of the entry function
%% time is never over: a server that ticks would never stop.
-spec first_timeout(gate()) -> {index(), non_neg_integer()} | none.
first_timeout(#gate{members = Members} = Gate) ->
    case has_entry_ended(Gate) orelse erlconcolic_members:waiting(Members) of
        [{Until, Index, _} | _] when is_integer(Until) -> {Index, Until};
        _ -> none
    end.

-spec run(index(), go | timeout | really, non_neg_integer(), gate()) ->
    {verdict(), gate()}.
run(Index, Answer, Steps, #gate{schedule = Schedule} = Gate) ->
    Room = room(Gate),
    Lease = case Schedule of
                [] -> Room;
                _ -> min(Steps, Room)
            end,
    case Room of
        0 ->
            {{over, steps}, Gate};
        _ ->
            Running = Gate#gate{running = Index, expected = Steps,
                                idle_since = none},
            News = #{granted => Lease, status => running},
            {running, answer(Index, Answer, News, Running)}
    end.

-spec next_behind_schedule(gate()) -> {verdict(), gate()}.
next_behind_schedule(#gate{under_way = [_ | _]} = Gate) ->
    next_behind_schedule(erlconcolic_deliveries:deliver_all(Gate));
next_behind_schedule(#gate{members = Members, last = Last} = Gate) ->
    case erlconcolic_members:ready(Members) of
        [] ->
            stuck(Gate);
        [Oldest | _] = Ready ->
            case lists:member(Last, Ready) of
                true -> run(Last, go, 0, Gate);
                false -> run(Oldest, go, 0, Gate)
            end
    end.

%% Nobody can go on.
-spec stuck(gate()) -> {verdict(), gate()}.
stuck(#gate{members = Members} = Gate) ->
    case is_one_outside(Members) orelse is_disturbed(Gate) of
        true ->
            disturbed(Gate);
        false ->
            case first_timeout(Gate) of
                {Index, Until} ->
                    run(Index, timeout, 0, Gate#gate{clock = Until});
                none ->
                    {over(Gate), Gate}
            end
    end.

-spec over(gate()) -> verdict().
over(Gate) ->
    case has_entry_ended(Gate) of
        true -> {over, done};
        false -> {over, deadlock}
    end.

%% Something that nobody controls may happen. A process that is alone waits for
%% it as it would without the gate.
-spec disturbed(gate()) -> {verdict(), gate()}.
disturbed(#gate{members = Members} = Gate) ->
    case erlconcolic_members:living(Members) of
        [Alone] ->
            case erlconcolic_members:get(Alone, Members) of
                #{index := 0, status := {waiting, _, _}} ->
                    run(Alone, really, 0, Gate);
                #{} ->
                    idle(Gate)
            end;
        _ ->
            idle(Gate)
    end.

-spec idle(gate()) -> {idle, gate()}.
idle(#gate{idle_since = none} = Gate) ->
    {idle, Gate#gate{idle_since = erlang:monotonic_time(millisecond)}};
idle(Gate) ->
    {idle, Gate}.

-spec is_one_outside(erlconcolic_members:members()) -> boolean().
is_one_outside(Members) ->
    lists:any(fun(#{status := Status}) -> Status =:= outside end,
              erlconcolic_members:all(Members)).

-spec is_disturbed(gate()) -> boolean().
is_disturbed(#gate{reached_out = true}) ->
    true;
is_disturbed(#gate{strangers = Strangers}) ->
    lists:any(fun erlang:is_process_alive/1, Strangers).

%% The process sends a signal, which may end others, and those that are linked
%% to them. What they do up to their next steps does not depend on it, so they
%% do it before.
-spec signal(index(), term(), gate()) -> {running, gate()}.
signal(Index, Target, #gate{members = Members} = Gate) ->
    Targets = targets(Target),
    Reached = erlconcolic_signals:reached(Targets, Members),
    case [Other || Other <- Reached, Other =/= Index,
                   has_local_code(Other, Members)] of
        [Other | _] ->
            local_code(Other, Gate#gate{signalling = {Index, Target}});
        [] ->
            Pids = [pid(Index, Gate) | Targets],
            Expect = fun(It) -> erlconcolic_signals:expect(Pids, It) end,
            Heard = erlconcolic_deliveries:flush_to_hearers(Gate),
            on(Index, go, change(Expect, Heard#gate{signalling = none,
                                                    running = Index}))
    end.

%% Whether the process may do something before it takes a step.
-spec has_local_code(index(), erlconcolic_members:members()) -> boolean().
has_local_code(Index, Members) ->
    #{status := Status} = erlconcolic_members:get(Index, Members),
    Status =:= fresh orelse Status =:= woken.

%% The status of a process that finds no message.
-spec waiting(timeout(), gate()) -> erlconcolic_members:status().
waiting(infinity, _Gate) -> {waiting, infinity, infinity};
waiting(Time, #gate{clock = Clock}) -> {waiting, Time, Clock + Time}.

%% The process goes on with its lease.
-spec on(index(), erlconcolic_lease:answer(), gate()) -> {running, gate()}.
on(Index, Answer, #gate{members = Members} = Gate) ->
    #{granted := Left} = erlconcolic_members:get(Index, Members),
    News = #{granted => min(Left, room(Gate))},
    {running, answer(Index, Answer, News, Gate)}.

%% Lets a process go on. What is new of it has its lease.
-spec answer(index(), erlconcolic_lease:answer(),
             #{granted := non_neg_integer(), atom() => term()}, gate()) ->
    gate().
answer(Index, Answer, #{granted := Lease} = News,
       #gate{members = Members} = Gate) ->
    #{pid := Pid, ref := Ref} = erlconcolic_members:get(Index, Members),
    hold(Index, Gate),
    Pid ! {Ref, Answer, Lease},
    update(Index, News, Gate).

-spec hold(integer(), gate()) -> ok.
hold(_Index, #gate{shared = none}) -> ok;
hold(Index, #gate{shared = #{numbers := Numbers}}) ->
    atomics:put(Numbers, ?HOLDER, Index).

%% How many steps the run may still take.
-spec room(gate()) -> non_neg_integer().
room(#gate{shared = none}) -> ?UNLIMITED;
room(#gate{steps = Steps, max_steps = MaxSteps}) -> max(0, MaxSteps - Steps).

%% Nobody could go on: whether someone can now.
-spec poll(gate()) -> {verdict(), gate()}.
poll(#gate{running = none, members = Members} = Gate) ->
    Waiting = [Index || {_, Index, _} <- erlconcolic_members:waiting(Members)],
    case lists:foldl(fun count_messages/2, Gate, Waiting) of
        #gate{members = Members} -> polled(Gate);
        NewGate -> next(NewGate)
    end;
poll(Gate) ->
    {running, Gate}.

-spec count_messages(index(), gate()) -> gate().
count_messages(Index, #gate{members = Members} = Gate) ->
    #{pid := Pid, messages := Before} = erlconcolic_members:get(Index, Members),
    case process_info(Pid, message_queue_len) of
        {message_queue_len, Before} -> Gate;
        {message_queue_len, Now} -> woken(Index, update(Index,
                                                        #{messages => Now},
                                                        Gate));
        undefined -> Gate
    end.

%% Long enough, unless something only had no time to go on.
-spec quiet(gate()) -> {verdict(), gate()}.
quiet(Gate) ->
    case erlconcolic_patience:is_quiet() of
        true -> {{over, done}, Gate};
        false -> stuck(Gate)
    end.

%% Real time has passed.
-spec polled(gate()) -> {verdict(), gate()}.
polled(#gate{idle_since = Since} = Gate) ->
    Passed = erlang:monotonic_time(millisecond) - Since,
    case {has_entry_ended(Gate), first_timeout(Gate)} of
        {true, _} when Passed >= ?BUSY -> {{over, done}, Gate};
        {true, _} when Passed >= ?QUIET -> quiet(Gate);
        {false, {Index, Until}} when Until - Gate#gate.clock =< Passed ->
            run(Index, timeout, 0, Gate#gate{clock = Until});
        _ -> stuck(Gate)
    end.
