%%% Prices of a share. The entry's process publishes a price, and with the next
%%% tick of a clock a second one. A subscriber who sees the price he waits for
%%% unsubscribes; the publisher says goodbye to him.
%%%
%%% The correct twin of unsubscribe. Mended: after he has unsubscribed, the
%%% subscriber skips prices until the goodbye.
-module(unsubscribe_fixed).
-export([main/2]).

-spec main(0..15, 0..31) -> ok.
main(Start, Wanted) ->
    Publisher = self(),
    Subscriber = spawn(fun() -> listen(Publisher, Wanted) end),
    spawn(fun() -> Publisher ! tick end),
    Subscriber ! {price, 2 * Start + 1},
    receive
        {unsubscribe, Subscriber} ->
            Subscriber ! goodbye;
        tick ->
            Subscriber ! {price, 2 * Start + 2},
            Subscriber ! goodbye
    end,
    ok.

listen(Publisher, Wanted) ->
    receive
        {price, Wanted} ->
            Publisher ! {unsubscribe, self()},
            leave();
        {price, _} ->
            listen(Publisher, Wanted);
        goodbye ->
            goodbye
    end.

leave() ->
    receive
        {price, _} -> leave();
        goodbye -> goodbye
    end.
