%%% A warehouse with 12 parts. The entry's process is the warehouse. Two
%%% suppliers deliver, one of them a single part. A customer orders parts, not
%%% more than there are with the deliveries, and then closes the books.
%%%
%%% The correct twin of end_marker. Mended: a delivery is an end marker too,
%%% because each supplier delivers once. The warehouse waits for all three.
-module(end_marker_fixed).
-export([main/2]).

-spec main(0..2, 0..30) -> non_neg_integer().
main(Delivery, Order) ->
    Warehouse = self(),
    spawn(fun() -> Warehouse ! {delivered, 1} end),
    spawn(fun() -> Warehouse ! {delivered, Delivery} end),
    spawn(fun() -> customer(Warehouse, Order, 13 + Delivery) end),
    warehouse(12, 3).

customer(Warehouse, Order, Most) when Order =< Most ->
    Warehouse ! {ordered, Order},
    Warehouse ! closed;
customer(Warehouse, _, _) ->
    Warehouse ! closed.

%% Ends when so many others are done.
warehouse(Stock, 0) ->
    inventory(Stock);
warehouse(Stock, Others) ->
    receive
        {delivered, Parts} -> warehouse(Stock + Parts, Others - 1);
        {ordered, Parts} -> warehouse(Stock - Parts, Others);
        closed -> warehouse(Stock, Others - 1)
    end.

inventory(Stock) when Stock >= 0 -> Stock.
