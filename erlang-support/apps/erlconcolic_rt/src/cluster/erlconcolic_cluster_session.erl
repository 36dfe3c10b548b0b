%%% One end of a session: passes frames on, until the other end is gone. Each
%%% has a process of its own, so that a slow connection delays no other.
-module(erlconcolic_cluster_session).

-export([offer/2, answer/2]).

-export_type([event/0]).

-type event() :: {opened, node()} | {frame, binary()} | closed.

%% How long the other node may take to answer.
-define(PATIENCE, 10_000).

%% Opens a session with a node that has said hello. The process ends with it.
-spec offer(pid(), node()) -> pid().
offer(Owner, Node) ->
    spawn(fun() -> offering(Owner, Node) end).

%% The end of a session that another node has opened.
-spec answer(pid(), pid()) -> pid().
answer(Owner, Peer) ->
    spawn(fun() ->
                  Monitor = monitor(process, Peer),
                  Peer ! {answered, self()},
                  begin_session(Owner, Peer, Monitor)
          end).

-spec offering(pid(), node()) -> ok.
offering(Owner, Node) ->
    Server = monitor(process, {erlconcolic_cluster, Node}),
    {erlconcolic_cluster, Node} ! {open, self()},
    receive
        {answered, Peer} ->
            true = demonitor(Server, [flush]),
            begin_session(Owner, Peer, monitor(process, Peer));
        {'DOWN', Server, process, _, _} ->
            ok
    after ?PATIENCE ->
            ok
    end.

-spec begin_session(pid(), pid(), reference()) -> ok.
begin_session(Owner, Peer, Monitor) ->
    tell(Owner, {opened, node(Peer)}),
    loop(Owner, Peer, Monitor).

-spec loop(pid(), pid(), reference()) -> ok.
loop(Owner, Peer, Monitor) ->
    receive
        {out, Frame} ->
            Peer ! {in, Frame},
            loop(Owner, Peer, Monitor);
        {in, Frame} ->
            tell(Owner, {frame, Frame}),
            loop(Owner, Peer, Monitor);
        {'DOWN', Monitor, process, _, _} ->
            tell(Owner, closed);
        close ->
            ok
    end.

-spec tell(pid(), event()) -> ok.
tell(Owner, Event) ->
    Owner ! {session, self(), Event},
    ok.
