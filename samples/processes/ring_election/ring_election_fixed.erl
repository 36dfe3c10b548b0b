%%% The election of a leader in a ring: the entry's process, a peer, a relay,
%%% and back to the entry's process. An id travels round the ring; a node drops
%%% ids below its own. A node that gets its own id is the leader and says so. A
%%% peer that sees an election with no smaller id than its own does not start
%%% one.
%%%
%%% The correct twin of ring_election. Mended: an id is a pair of the number
%%% from the input and the place in the ring, so no two ids are equal.
-module(ring_election_fixed).
-export([main/2]).

-spec main(1..16, 1..16) -> leader | follower.
main(Id, PeerId) ->
    First = self(),
    Relay = spawn(fun() -> follower(First) end),
    Peer = spawn(fun() -> peer({PeerId, 2}, Relay) end),
    Peer ! {elect, {Id, 1}},
    candidate(first, {Id, 1}, Peer).

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
