%%% A table with a primary server and a replica. The entry's process writes a
%%% slot at the primary, which passes the write on to the replica. Then it asks
%%% both for a slot, counted from the end of the table, and takes the first
%%% reply.
%%%
%%% The bug: the first reply may come from the replica, before it has got the
%%% write. Then it is the old value.
%%%
%%% Input: the slot that is read is the written one, Written =:= 15 - Read, for
%%% example first_reply:main(15, 0).
%%% Order: the replica answers before the write arrives there, and before the
%%% primary answers.
-module(first_reply).
-export([main/2]).

-spec main(0..15, 0..15) -> old | new.
main(Written, Read) ->
    Slot = 15 - Read,
    Primary = spawn(fun primary/0),
    Replica = spawn(fun() -> replica(none, 2) end),
    Primary ! {write, Written, Replica},
    Primary ! {read, Slot, self()},
    Replica ! {read, Slot, self()},
    Expected = value(Slot, Written),
    receive
        {value, Value} -> Expected = Value
    end.

primary() ->
    receive
        {write, Written, Replica} ->
            Replica ! {write, Written},
            receive
                {read, Slot, From} -> From ! {value, value(Slot, Written)}
            end
    end.

%% Handles so many messages: a read and a write, in any order.
replica(_, 0) ->
    ok;
replica(Written, Left) ->
    receive
        {write, Slot} ->
            replica(Slot, Left - 1);
        {read, Slot, From} ->
            From ! {value, value(Slot, Written)},
            replica(Written, Left - 1)
    end.

value(Slot, Slot) -> new;
value(_, _) -> old.
