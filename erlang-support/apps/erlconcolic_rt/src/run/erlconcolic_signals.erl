%%% Signals between the controlled processes of a run. They are real, and take
%%% effect at a time that nobody knows. So after each step that may end a
%%% process, and after each end, the gate waits until all that follows from it
%%% has happened: links have ended those that they end, and messages about an
%%% end are in the mailboxes.
%%%
%%% A process that is parked is ended without notice. The gate keeps the rest of
%%% its log before that can happen.
-module(erlconcolic_signals).

-export([reached/2, expect/2, has_ended/2, ended/3, probe/2]).

-type members() :: erlconcolic_members:members().
-type index() :: non_neg_integer().

%% How long a process may take to end, and how often it is looked at before it
%% is given time, in milliseconds.
-define(PATIENCE, 5000).
-define(LOOKS, 200).

%% The controlled processes that signals to these may reach by links.
-spec reached([pid()], members()) -> [index()].
reached(Pids, Members) ->
    lists:reverse(reached(Pids, [], Members)).

-spec reached([term()], [index()], members()) -> [index()].
reached([Pid | Pids], Reached, Members) ->
    case erlconcolic_members:index(Pid, Members) of
        {ok, Index} ->
            case lists:member(Index, Reached) of
                true ->
                    reached(Pids, Reached, Members);
                false ->
                    reached(links(Pid) ++ Pids, [Index | Reached], Members)
            end;
        error ->
            reached(Pids, Reached, Members)
    end;
reached([], Reached, _Members) ->
    Reached.

-spec links(pid()) -> [term()].
links(Pid) ->
    case process_info(Pid, links) of
        {links, Links} -> Links;
        undefined -> []
    end.

%% These processes may end now, and those that are linked to them: keeps the
%% rests of their logs.
-spec expect([pid()], members()) -> members().
expect(Pids, Members) ->
    expect(Pids, #{}, Members).

-spec expect([pid()], #{pid() => []}, members()) -> members().
expect([Pid | Pids], Seen, Members) when is_map_key(Pid, Seen) ->
    expect(Pids, Seen, Members);
expect([Pid | Pids], Seen, Members) ->
    case erlconcolic_members:index(Pid, Members) of
        {ok, Index} ->
            {Links, NewMembers} = keep_log(Pid, Index, Members),
            expect(Links ++ Pids, Seen#{Pid => []}, NewMembers);
        error ->
            expect(Pids, Seen#{Pid => []}, Members)
    end;
expect([], _Seen, Members) ->
    Members.

-spec keep_log(pid(), index(), members()) -> {[pid()], members()}.
keep_log(Pid, Index, Members) ->
    case process_info(Pid, [links, dictionary]) of
        [{links, Links}, {dictionary, Dictionary}] ->
            Log = case erlconcolic_log:rest(Dictionary) of
                      {ok, Rest} -> Rest;
                      busy -> <<>>
                  end,
            {[Link || Link <- Links, is_pid(Link)],
             erlconcolic_members:update(Index, #{log => Log}, Members)};
        undefined ->
            {[], Members}
    end.

%% Whether a process has ended, after all signals that were sent to it before.
%% If so, waits until it is gone.
-spec probe(index(), members()) -> {ended, term()} | alive.
probe(Index, Members) ->
    #{pid := Pid} = Member = erlconcolic_members:get(Index, Members),
    case is_process_alive(Pid) of
        true -> alive;
        false -> {ended, reason(Member)}
    end.

%% The process ends by itself: waits until it is gone.
-spec has_ended(index(), members()) -> term().
has_ended(Index, Members) ->
    reason(erlconcolic_members:get(Index, Members)).

-spec reason(erlconcolic_members:member()) -> term().
reason(#{monitor := Monitor}) ->
    receive
        {'DOWN', Monitor, process, _, Reason} -> Reason
    after ?PATIENCE ->
        stuck
    end.

%% This process is gone: waits until these have heard of it if they hear of it.
%% Returns those that have ended of it, with their reasons.
-spec ended(pid(), [index()], members()) -> [{index(), term()}].
ended(Gone, Indices, Members) ->
    lists:flatmap(fun(Index) -> heard(Gone, Index, Members) end, Indices).

-spec heard(pid(), index(), members()) -> [{index(), term()}].
heard(Gone, Index, Members) ->
    #{pid := Pid} = Member = erlconcolic_members:get(Index, Members),
    case has_heard(Gone, Pid, ?LOOKS) of
        true -> [];
        ended -> [{Index, reason(Member)}]
    end.

-spec has_heard(pid(), pid(), integer()) -> boolean() | ended.
has_heard(Gone, Pid, Looks) ->
    case process_info(Pid, [links, monitors]) of
        undefined ->
            ended;
        [{links, Links}, {monitors, Monitors}] ->
            Waits = lists:member(Gone, Links)
                orelse lists:member({process, Gone}, Monitors),
            case Waits andalso Looks > -?PATIENCE of
                true ->
                    _ = Looks > 0 orelse (receive after 1 -> ok end),
                    has_heard(Gone, Pid, Looks - 1);
                false ->
                    true
            end
    end.
