%%% The election of a leader in a ring: the entry's process, a peer, a relay,
%%% and back to the entry's process. An id travels round the ring; a node drops
%%% ids below its own. A node that gets its own id is the leader and says so. A
%%% peer that sees an election with no smaller id than its own does not start
%%% one.
%%%
%%% The bug: an id is not unique. With equal ids, both nodes can believe that
%%% their own id came back. Then there are two leaders.
%%%
%%% Input: equal ids, for example ring_election:main(1, 1).
%%% Order: the peer starts its own election before the id of the entry's
%%% process arrives there.
-module(ring_election).
-export([main/2]).

-spec main(1..16, 1..16) -> leader | follower.
main(Id, PeerId) ->
    First = self(),
    Relay = spawn(fun() -> follower(First) end),
    Peer = spawn(fun() -> peer(PeerId, Relay) end),
    Peer ! {elect, Id},
    candidate(first, Id, Peer).

peer(Id, Next) ->
    receive
        {elect, Other} when Other >= Id ->
            Next ! {elect, Other},
            follower(Next)
    after 0 ->
        Next ! {elect, Id},
        candidate(peer, Id, Next)
    end.

candidate(Name, Id, Next) ->
    receive
        {elect, Id} ->
            Next ! {leader, Name},
            receive
                {leader, Leader} -> Name = Leader
            end,
            leader;
        {elect, Other} when Other > Id ->
            Next ! {elect, Other},
            follower(Next);
        {elect, _} ->
            candidate(Name, Id, Next)
    end.

follower(Next) ->
    receive
        {elect, Id} -> Next ! {elect, Id}, follower(Next);
        {leader, Leader} -> Next ! {leader, Leader}, follower
    end.
