%%% The state of a gate, and how it changes with what processes tell.
-module(erlconcolic_gate_state).

-include("erlconcolic_gate.hrl").

-export([told/4, counted/3, lengthen/3, parked/3, wake/2, woken/2,
         everyone_woken/1]).
-export([has_entry_ended/1, update/3, change/2]).
-export([pid/2, indices_of/2, targets/1]).

%% What a process did since it told the last time.
-spec told(index(), non_neg_integer(), erlconcolic_lease:news(), gate()) ->
    gate().
told(Index, Left, {Born, Receivers}, Gate) ->
    Counted = counted(Index, Left, Gate),
    WithBorn = lists:foldr(fun born/2, Counted, Born),
    lists:foldl(fun wake/2, WithBorn, Receivers).

-spec counted(index(), non_neg_integer(), gate()) -> gate().
counted(Index, Left, #gate{members = Members} = Gate) ->
    #{granted := Granted} = erlconcolic_members:get(Index, Members),
    #gate{leases = Leases, steps = Steps, shared = Shared,
          expected = Expected} = Gate,
    Taken = Granted - Left,
    NewSteps = case Shared of
                   none -> 0;
                   #{} -> Steps + Taken
               end,
    update(Index, #{granted => Left},
           Gate#gate{leases = lengthen(Index, Taken, Leases), steps = NewSteps,
                     expected = max(0, Expected - Taken)}).

%% Adds steps of a process or of a channel to the leases.
-spec lengthen(Owner, non_neg_integer(), [{Owner, pos_integer()}]) ->
    [{Owner, pos_integer()}] when Owner :: index() | channel().
lengthen(_Owner, 0, Leases) -> Leases;
lengthen(Owner, Taken, [{Owner, Before} | Leases]) ->
    [{Owner, Before + Taken} | Leases];
lengthen(Owner, Taken, Leases) -> [{Owner, Taken} | Leases].

-spec born(erlconcolic_lease:born(), gate()) -> gate().
born(#{index := Index, pid := Pid, start := Start, path := Path,
       entry := Entry} = Born, #gate{members = Members, clock = Clock} = Gate) ->
    Status = case Born of
                 #{time := {until, Until}} ->
                     {waiting, max(0, Until - Clock), max(Until, Clock)};
                 #{time := Time} -> {waiting, Time, Clock + Time};
                 #{} -> fresh
             end,
    New = #{index => Index, pid => Pid, monitor => monitor(process, Pid),
            path => lists:reverse(Path), entry => Entry, status => Status,
            ref => Start, granted => 0, messages => 0, log => <<>>,
            place => [], is_timer => is_map_key(time, Born)},
    Gate#gate{members = erlconcolic_members:add(New, Members)}.

-spec wake(term(), gate()) -> gate().
wake(everyone, Gate) ->
    everyone_woken(Gate);
wake(Receiver, Gate) ->
    lists:foldl(fun woken/2, Gate, indices_of(targets(Receiver), Gate)).

-spec everyone_woken(gate()) -> gate().
everyone_woken(#gate{members = Members} = Gate) ->
    lists:foldl(fun woken/2, Gate, erlconcolic_members:living(Members)).

-spec woken(index(), gate()) -> gate().
woken(Index, #gate{members = Members} = Gate) ->
    case erlconcolic_members:get(Index, Members) of
        #{is_timer := true} -> Gate;
        #{status := {waiting, _, _}} -> update(Index, #{status => woken}, Gate);
        #{status := polling} -> update(Index, #{status => woken}, Gate);
        #{} -> Gate
    end.

%% A process no longer runs.
-spec parked(index(), erlconcolic_members:status(), gate()) -> gate().
parked(Index, Status, #gate{running = Running} = Gate) ->
    Parked = update(Index, #{status => Status}, Gate),
    case Running of
        Index -> Parked#gate{running = none, last = Index};
        _ -> Parked
    end.

-spec has_entry_ended(gate()) -> boolean().
has_entry_ended(#gate{members = Members}) ->
    case erlconcolic_members:get(0, Members) of
        #{status := {ended, _}} -> true;
        #{} -> false
    end.

-spec update(index(), #{atom() => term()}, gate()) -> gate().
update(Index, News, Gate) ->
    change(fun(It) -> erlconcolic_members:update(Index, News, It) end, Gate).

-spec change(fun((Members) -> Members), gate()) -> gate()
    when Members :: erlconcolic_members:members().
change(Change, #gate{members = Members} = Gate) ->
    Gate#gate{members = Change(Members)}.

-spec pid(index(), gate()) -> pid().
pid(Index, #gate{members = Members}) ->
    #{pid := Pid} = erlconcolic_members:get(Index, Members),
    Pid.

-spec indices_of([pid()], gate()) -> [index()].
indices_of(Pids, #gate{members = Members}) ->
    [Index || Pid <- Pids,
              {ok, Index} <- [erlconcolic_members:index(Pid, Members)]].

%% The processes that a name, a pid or a list of pids means.
-spec targets(term()) -> [pid()].
targets(Pid) when is_pid(Pid) -> [Pid];
targets([_ | _] = Pids) -> Pids;
targets({Name, Node}) when Node =:= node() -> targets(Name);
targets(Name) when is_atom(Name) ->
    case whereis(Name) of
        Pid when is_pid(Pid) -> [Pid];
        _ -> []
    end;
targets(_) -> [].
