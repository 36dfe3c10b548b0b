%%% A shop tells the prices of two articles. The entry's process asks for the
%%% first price, and does not wait for it once the shop has opened. Then it
%%% asks for the next article without a rebate and divides its money by that
%%% price.
%%%
%%% The bug: a reply does not say which request it belongs to. If the first
%%% reply comes late, it is taken for the second, and it can be 0.
%%%
%%% Input: 3 * Article =:= Rebate, for example late_reply:main(1, 3).
%%% Order: the shop says that it is open, then the entry's process polls before
%%% the shop sends the first price.
-module(late_reply).
-export([main/2]).

-spec main(0..15, 0..15) -> {integer() | unknown, integer()}.
main(Article, Rebate) ->
    Customer = self(),
    Shop = spawn(fun() -> shop(Customer) end),
    Shop ! {price, Article, Rebate},
    receive
        open -> ok
    end,
    First = receive
                {price, Price} -> Price
            after 0 ->
                unknown
            end,
    Shop ! {price, Article + 1, 0},
    receive
        {price, Second} -> {First, 100 div Second}
    end.

shop(Customer) ->
    Customer ! open,
    answer(Customer),
    answer(Customer).

answer(Customer) ->
    receive
        {price, Article, Rebate} ->
            Customer ! {price, abs(3 * Article - Rebate)}
    end.
