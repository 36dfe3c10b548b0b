%%% Two-phase commit of an order. The entry's process is a stock of 13 parts. A
%%% coordinator asks the stock and the bank whether the order is possible; if
%%% both vote yes, the stock must deliver. A shop sells parts from the same
%%% stock, if there are enough. The bank has 23 coins; a part costs 3.
%%%
%%% The bug: the stock votes yes without putting the parts aside. If the shop
%%% sells them before the commit, the stock waits for ever: the guard does not
%%% let it take the commit out of its mailbox.
%%%
%%% Input: Sold + Ordered > 13 and Ordered < 8, for example
%%% two_phase_commit:main(8, 6).
%%% Order: the stock votes, the shop sells, the coordinator commits.
-module(two_phase_commit).
-export([main/2]).

-spec main(1..8, 1..8) -> non_neg_integer().
main(Sold, Ordered) ->
    Stock = self(),
    spawn(fun() -> Stock ! {sell, Sold} end),
    Bank = spawn(fun bank/0),
    spawn(fun() -> coordinator(Stock, Bank, Ordered) end),
    stock(13, 3).

coordinator(Stock, Bank, Parts) ->
    Stock ! {prepare, Parts, self()},
    Bank ! {prepare, 3 * Parts, self()},
    decide(Stock, vote() and vote(), Parts).

vote() ->
    receive
        {vote, Vote} -> Vote
    end.

decide(Stock, true, Parts) -> Stock ! {commit, Parts};
decide(Stock, false, _) -> Stock ! abort.

bank() ->
    receive
        {prepare, Coins, From} -> From ! {vote, Coins =< 23}
    end.

%% Handles so many messages and returns the number of parts.
stock(Parts, 0) ->
    Parts;
stock(Parts, Left) ->
    receive
        {sell, Sold} ->
            stock(sell(Parts, Sold), Left - 1);
        {prepare, Ordered, From} ->
            From ! {vote, Ordered =< Parts},
            stock(Parts, Left - 1);
        {commit, Ordered} when Ordered =< Parts ->
            stock(Parts - Ordered, Left - 1);
        abort ->
            stock(Parts, Left - 1)
    end.

sell(Parts, Sold) when Sold =< Parts -> Parts - Sold;
sell(Parts, _) -> Parts.
