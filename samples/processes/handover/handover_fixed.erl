%%% A shard of a table moves from an old server to a new one. The new server
%%% asks the old one to hand it over. The entry's process asks the old server
%%% for the value of a key, and stops the new server at the end.
%%%
%%% The correct twin of handover. Mended: the old server knows who has the
%%% shard and passes requests for it on.
-module(handover_fixed).
-export([main/2]).

-spec main(0..15, 0..15) -> integer().
main(Key, Shard) ->
    Old = spawn(fun() -> old(none, none, 2) end),
    New = spawn(fun() -> new(Old, Shard) end),
    Old ! {get, Key, self()},
    receive
        {value, Value} ->
            New ! stop,
            Value
    end.

%% Handles so many messages.
old(_, _, 0) ->
    ok;
old(Moved, New, Left) ->
    receive
        {get, Key, From} ->
            case shard(Key) of
                Moved -> New ! {get, Key, From};
                _ -> From ! {value, 2 * Key}
            end,
            old(Moved, New, Left - 1);
        {hand_over, Shard, To} ->
            To ! {shard, Shard},
            old(Shard, To, Left - 1)
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
