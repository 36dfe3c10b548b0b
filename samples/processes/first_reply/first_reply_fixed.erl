%%% A table with a primary server and a replica. The entry's process writes a
%%% slot at the primary, which passes the write on to the replica. Then it asks
%%% both for a slot, counted from the end of the table.
%%%
%%% The correct twin of first_reply. Mended: a reply says how many writes the
%%% server has seen. The entry's process waits for both replies, and takes the
%%% one with more writes.
-module(first_reply_fixed).
-export([main/2]).

-spec main(0..15, 0..15) -> old | new.
main(Written, Read) ->
    Slot = 15 - Read,
    Primary = spawn(fun primary/0),
    Replica = spawn(fun() -> replica(none, 0, 2) end),
    Primary ! {write, Written, Replica},
    Primary ! {read, Slot, self()},
    Replica ! {read, Slot, self()},
    Expected = value(Slot, Written),
    {_, Value} = max(reply(), reply()),
    Expected = Value.

reply() ->
    receive
        {value, Writes, Value} -> {Writes, Value}
    end.

primary() ->
    receive
        {write, Written, Replica} ->
            Replica ! {write, Written},
            receive
                {read, Slot, From} -> From ! {value, 1, value(Slot, Written)}
            end
    end.

%% Handles so many messages: a read and a write, in any order.
replica(_, _, 0) ->
    ok;
replica(Written, Writes, Left) ->
    receive
        {write, Slot} ->
            replica(Slot, Writes + 1, Left - 1);
        {read, Slot, From} ->
            From ! {value, Writes, value(Slot, Written)},
            replica(Written, Writes, Left - 1)
    end.

value(Slot, Slot) -> new;
value(_, _) -> old.
