%%% Orders of customers.
-module(orders).

-export([packages/2]).

-include_lib("stock/include/stock.hrl").

%% How many packages are needed for things of one weight. A package holds as
%% many as their shelf has room for; there is no room for the heaviest.
-spec packages(Count :: pos_integer(), Grams :: non_neg_integer()) ->
    pos_integer().
packages(Count, Grams) ->
    #place{free = Free} = stock:shelf(Grams),
    (Count + Free - 1) div Free.
