%%% The state of a gate, and how it changes with what processes tell.
-module(erlconcolic_gate_state).

-include("erlconcolic_gate.hrl").

-export([told/4, told_parked/4, counted/3, lengthen/3, parked/3]).
-export([wake/2, woken/2, everyone_woken/1]).
-export([has_entry_ended/1, update/3, change/2]).
-export([pid/2, indices_of/2, targets/1]).

-export_type([told/0, parked/0]).

%% What is new of a process: how many steps it may still take, and what the
%% answer to it must have.
-type told() ::
    #{granted := non_neg_integer(), ref := reference() | none,
      atom() => term()}.

%% The same of one that no longer runs.
-type parked() ::
    #{granted := non_neg_integer(), ref := reference() | none,
      status := erlconcolic_members:status(), atom() => term()}.

%% What a process did since it told the last time.
-spec told(index(), told(), erlconcolic_lease:news(), gate()) -> gate().
told(Index, Told, News, Gate) ->
    #gate{contacts = Contacts} = Counted =
        counted(Index, Told, with_news(News, Gate)),
    Counted#gate{contacts = Contacts + 1}.

%% The same of a process that no longer runs. What it sent to itself before does
%% not wake it.
-spec told_parked(index(), parked(), erlconcolic_lease:news(), gate()) ->
    gate().
told_parked(Index, #{granted := Left} = Told, News, Gate) ->
    #gate{members = Members, leases = Leases, expected = Expected,
          contacts = Contacts, running = Running, last = Last} = Heard =
        with_news(News, Gate),
    #{granted := Granted} = erlconcolic_members:get(Index, Members),
    Taken = Granted - Left,
    {NewRunning, NewLast} = case Running of
                                Index -> {none, Index};
                                _ -> {Running, Last}
                            end,
    Heard#gate{members = erlconcolic_members:update(Index, Told, Members),
               leases = lengthen(Index, Taken, Leases),
               steps = steps(Taken, Heard),
               expected = max(0, Expected - Taken), contacts = Contacts + 1,
               running = NewRunning, last = NewLast}.

-spec with_news(erlconcolic_lease:news(), gate()) -> gate().
with_news({[], []}, Gate) ->
    Gate;
with_news({Born, Receivers}, Gate) ->
    WithBorn = lists:foldr(fun born/2, Gate, Born),
    lists:foldl(fun wake/2, WithBorn, Receivers).

%% Counts the steps that a process took, given how many it may still take, with
%% what else is new of it.
-spec counted(index(), #{granted := non_neg_integer(), atom() => term()},
              gate()) -> gate().
counted(Index, #{granted := Left} = News, #gate{members = Members} = Gate) ->
    #{granted := Granted} = erlconcolic_members:get(Index, Members),
    #gate{leases = Leases, expected = Expected} = Gate,
    Taken = Granted - Left,
    Gate#gate{members = erlconcolic_members:update(Index, News, Members),
              leases = lengthen(Index, Taken, Leases),
              steps = steps(Taken, Gate),
              expected = max(0, Expected - Taken)}.

%% How many steps there were since the first spawn, with these.
-spec steps(non_neg_integer(), gate()) -> non_neg_integer().
steps(_Taken, #gate{shared = none}) -> 0;
steps(Taken, #gate{steps = Steps}) -> Steps + Taken.

%% Adds steps of a process or of a channel to the leases.
-spec lengthen(Owner, non_neg_integer(), [{Owner, pos_integer()}]) ->
    [{Owner, pos_integer()}] when Owner :: index() | channel().
lengthen(_Owner, 0, Leases) -> Leases;
lengthen(Owner, Taken, [{Owner, Before} | Leases]) ->
    [{Owner, Before + Taken} | Leases];
lengthen(Owner, Taken, Leases) -> [{Owner, Taken} | Leases].

-spec born(erlconcolic_lease:born(), gate()) -> gate().
born(#{index := Index, pid := Pid, start := Start, path := Path,
       entry := Entry} = Born, Gate) ->
    #gate{members = Members, clock = Clock} = Gate,
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
parked(Index, Status, #gate{running = Running, members = Members} = Gate) ->
    Parked = erlconcolic_members:update(Index, #{status => Status}, Members),
    case Running of
        Index -> Gate#gate{members = Parked, running = none, last = Index};
        _ -> Gate#gate{members = Parked}
    end.

-spec has_entry_ended(gate()) -> boolean().
has_entry_ended(#gate{members = Members}) ->
    case erlconcolic_members:get(0, Members) of
        #{status := {ended, _}} -> true;
        #{} -> false
    end.

-spec update(index(), #{atom() => term()}, gate()) -> gate().
update(Index, News, #gate{members = Members} = Gate) ->
    Gate#gate{members = erlconcolic_members:update(Index, News, Members)}.

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
