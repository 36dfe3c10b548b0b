%%% A shard of a table moves from an old server to a new one. The new server
%%% asks the old one to hand it over. The entry's process asks the old server
%%% for the value of a key, and stops the new server at the end.
%%%
%%% The bug: the old server drops requests for a shard that it has handed over.
%%% A client who does not know of the move waits for ever.
%%%
%%% Input: the shard of the key moves, Shard =:= (5 * Key + 1) rem 16, for
%%% example handover:main(0, 1).
%%% Order: the shard is handed over before the client's request arrives.
-module(handover).
-export([main/2]).

-spec main(0..15, 0..15) -> integer().
main(Key, Shard) ->
    Old = spawn(fun() -> old(none, 2) end),
    New = spawn(fun() -> new(Old, Shard) end),
    Old ! {get, Key, self()},
    receive
        {value, Value} ->
            New ! stop,
            Value
    end.

%% Handles so many messages.
old(_, 0) ->
    ok;
old(Moved, Left) ->
    receive
        {get, Key, From} ->
            shard(Key) =:= Moved orelse (From ! {value, 2 * Key}),
            old(Moved, Left - 1);
        {hand_over, Shard, New} ->
            New ! {shard, Shard},
            old(Shard, Left - 1)
    end.

new(Old, Shard) ->
    Old ! {hand_over, Shard, self()},
    receive
        {shard, Shard} -> serve()
    end.

serve() ->
    receive
        {get, Key, From} -> From ! {value, 2 * Key}, serve();
        stop -> ok
    end.

shard(Key) -> (5 * Key + 1) rem 16.
