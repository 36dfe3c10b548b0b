%%% A warehouse with 12 parts. The entry's process is the warehouse. Two
%%% suppliers deliver, one of them a single part. A customer orders parts, not
%%% more than there are with the deliveries, and then closes the books.
%%%
%%% The bug: the end marker comes from the customer, but the suppliers may not
%%% be done yet. The marker overtakes a delivery, and the stock is negative.
%%%
%%% Input: 12 < Order =< 13 + Delivery, for example end_marker:main(1, 14).
%%% Order: the customer closes the books before the deliveries that he needs.
-module(end_marker).
-export([main/2]).

-spec main(0..2, 0..30) -> non_neg_integer().
main(Delivery, Order) ->
    Warehouse = self(),
    spawn(fun() -> Warehouse ! {delivered, 1} end),
    spawn(fun() -> Warehouse ! {delivered, Delivery} end),
    spawn(fun() -> customer(Warehouse, Order, 13 + Delivery) end),
    warehouse(12).

customer(Warehouse, Order, Most) when Order =< Most ->
    Warehouse ! {ordered, Order},
    Warehouse ! closed;
customer(Warehouse, _, _) ->
    Warehouse ! closed.

warehouse(Stock) ->
    receive
        {delivered, Parts} -> warehouse(Stock + Parts);
        {ordered, Parts} -> warehouse(Stock - Parts);
        closed -> inventory(Stock)
    end.

inventory(Stock) when Stock >= 0 -> Stock.
