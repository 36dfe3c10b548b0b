%%% What customers want.
-module(orders).

-export([packages/2]).

-include_lib("stock/include/stock.hrl").

%% How many packages things of one weight make. A package holds as many as
%% there is room for on their shelf; for the heaviest there is none.
-spec packages(Count :: pos_integer(), Grams :: non_neg_integer()) ->
    pos_integer().
packages(Count, Grams) ->
    #place{free = Free} = stock:shelf(Grams),
    (Count + Free - 1) div Free.
