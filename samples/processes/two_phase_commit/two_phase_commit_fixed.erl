%%% Two-phase commit of an order. The entry's process is a stock of 13 parts. A
%%% coordinator asks the stock and the bank whether the order is possible; if
%%% both vote yes, the stock must deliver. A shop sells parts from the same
%%% stock, if there are enough. The bank has 23 coins; a part costs 3.
%%%
%%% The correct twin of two_phase_commit. Mended: a stock that votes yes puts
%%% the parts aside. A commit uses them, an abort puts them back.
-module(two_phase_commit_fixed).
-export([main/2]).

-spec main(1..8, 1..8) -> non_neg_integer().
main(Sold, Ordered) ->
    Stock = self(),
    spawn(fun() -> Stock ! {sell, Sold} end),
    Bank = spawn(fun bank/0),
    spawn(fun() -> coordinator(Stock, Bank, Ordered) end),
    stock(13, 0, 3).

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
stock(Parts, _, 0) ->
    Parts;
stock(Parts, Aside, Left) ->
    receive
        {sell, Sold} ->
            stock(sell(Parts, Sold), Aside, Left - 1);
        {prepare, Ordered, From} when Ordered =< Parts ->
            From ! {vote, true},
            stock(Parts - Ordered, Ordered, Left - 1);
        {prepare, _, From} ->
            From ! {vote, false},
            stock(Parts, 0, Left - 1);
        {commit, Aside} ->
            stock(Parts, 0, Left - 1);
        abort ->
            stock(Parts + Aside, 0, Left - 1)
    end.

sell(Parts, Sold) when Sold =< Parts -> Parts - Sold;
sell(Parts, _) -> Parts.
