%%% An account with 18 coins. The entry's process is the account. A standing
%%% order deposits or withdraws; the account refuses it if there is not enough
%%% money. A customer asks for the balance and withdraws if that is enough.
%%%
%%% The bug: the account does not check the withdrawal of the customer again,
%%% although the balance may have changed after he asked.
%%%
%%% Input: a withdrawal by standing order and an amount that are more than 18
%%% together, for example overdraft:main({withdraw, 10}, 9).
%%% Order: the customer asks, the standing order is booked, the customer
%%% withdraws.
-module(overdraft).
-export([main/2]).

-spec main({deposit | withdraw, 1..10}, 1..10) -> non_neg_integer().
main({Kind, Sum}, Amount) ->
    Account = self(),
    spawn(fun() -> Account ! {order, Kind, Sum} end),
    spawn(fun() -> customer(Account, Amount) end),
    account(18, 3).

customer(Account, Amount) ->
    Account ! {balance, self()},
    receive
        {balance, Balance} when Balance >= Amount ->
            Account ! {withdraw, Amount};
        {balance, _} ->
            Account ! too_expensive
    end.

%% Handles so many messages and returns the balance.
account(Balance, 0) ->
    Balance;
account(Balance, Left) ->
    receive
        {order, deposit, Sum} ->
            account(Balance + Sum, Left - 1);
        {order, withdraw, Sum} when Sum =< Balance ->
            account(Balance - Sum, Left - 1);
        {order, withdraw, _} ->
            account(Balance, Left - 1);
        {balance, From} ->
            From ! {balance, Balance},
            account(Balance, Left - 1);
        {withdraw, Amount} ->
            account(pay(Balance, Amount), Left - 1);
        too_expensive ->
            account(Balance, Left - 1)
    end.

pay(Balance, Amount) when Amount =< Balance -> Balance - Amount.
