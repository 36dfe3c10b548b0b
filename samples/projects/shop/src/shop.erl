%%% The price of an order.
-module(shop).

-export([total/2]).

-include("shop.hrl").
-include_lib("money/include/money.hrl").

%% A discount on the whole order, or on its games.
-type voucher() :: none | {order, money:cents()} | {games, money:cents()}.

%% The price of all lines, minus the voucher.
-spec total([#line{}], voucher()) -> money:cents().
total(Lines, none) ->
    sum([Price || #line{price = Price} <- Lines]);
total(Lines, {order, Off}) ->
    money:subtract(total(Lines, none), Off);
total(Lines, {games, Off}) ->
    Games = [Line || #line{kind = game} = Line <- Lines],
    Share = Off div length(Games),
    sum([less(Line, Share) || Line <- Lines]).

%% A game gets its share of the voucher, a book does not.
-spec less(#line{}, money:cents()) -> money:cents().
less(#line{kind = game, price = Price}, Share) -> money:subtract(Price, Share);
less(#line{kind = book, price = Price}, _Share) -> Price.

-spec sum([money:cents()]) -> money:cents().
sum([Price | Prices]) -> money:add(Price, sum(Prices));
sum([]) -> ?NOTHING.
