%%% Ends of controlled processes, for the gate: what follows from one has
%%% happened before anyone goes on.
-module(erlconcolic_ends).

-include("erlconcolic_gate.hrl").

-import(erlconcolic_gate_state,
        [change/2, indices_of/2, parked/3, pid/2]).

-export([ended_by_itself/4, all_ended/2, probed/2]).

-spec ended_by_itself(index(), term(), [pid()], gate()) -> gate().
ended_by_itself(Index, How, Hearers, Gate) ->
    Expecting = change(fun(It) -> erlconcolic_signals:expect(Hearers, It) end,
                       Gate),
    _ = Hearers =:= []
        orelse erlconcolic_turns:answer(Index, go, #{granted => 0},
                                           Expecting),
    _ = erlconcolic_signals:has_ended(Index, Expecting#gate.members),
    Ended = parked(Index, {ended, How}, Expecting),
    %% A process may have both a link and a monitor.
    heard(Index, lists:usort(indices_of(Hearers, Ended)), Ended).

%% These may hear of the end of a process.
-spec heard(index(), [index()], gate()) -> gate().
heard(_Index, [], Gate) ->
    Gate;
heard(Index, Hearers, #gate{members = Members} = Gate) ->
    Living = erlconcolic_members:living(Members),
    Ended = erlconcolic_signals:ended(pid(Index, Gate),
                                      [It || It <- Hearers,
                                             lists:member(It, Living)],
                                      Members),
    NewGate = lists:foldl(fun erlconcolic_gate_state:woken/2, Gate,
                          Hearers),
    all_ended([{It, {down, Reason}} || {It, Reason} <- Ended], NewGate).

%% These are gone, and with them perhaps others.
-spec all_ended([{index(), {down, term()}}], gate()) -> gate().
all_ended(Ended, Gate) ->
    {New, NewGate} = lists:foldl(fun note_end/2, {[], Gate}, Ended),
    lists:foldl(fun(Index, #gate{members = Members} = It) ->
                        heard(Index, erlconcolic_members:living(Members), It)
                end, NewGate, lists:reverse(New)).

%% Nobody waits for the end of a process twice.
-spec note_end({index(), {down, term()}}, {[index()], gate()}) ->
    {[index()], gate()}.
note_end({Index, How}, {New, #gate{members = Members} = Gate}) ->
    case erlconcolic_members:get(Index, Members) of
        #{status := {ended, _}} ->
            {New, Gate};
        #{pid := Pid, log := Log} ->
            #gate{logs = Logs} = Ended = parked(Index, {ended, How}, Gate),
            {[Index | New], Ended#gate{logs = [{Pid, Log} | Logs]}}
    end.

%% Signals were sent to these processes.
-spec probed([index()], gate()) -> gate().
probed(Indices, #gate{members = Members} = Gate) ->
    Living = erlconcolic_members:living(Members),
    Ended = [{Index, {down, Reason}}
             || Index <- Indices, lists:member(Index, Living),
                {ended, Reason} <- [erlconcolic_signals:probe(Index, Members)]],
    all_ended(Ended, Gate).
