%%% A shop tells the prices of two articles. The entry's process asks for the
%%% first price, and does not wait for it once the shop has opened. Then it
%%% asks for the next article without a rebate and divides its money by that
%%% price.
%%%
%%% The correct twin of late_reply. Mended: requests have numbers, and replies
%%% have the number of their request. A late reply stays in the mailbox.
-module(late_reply_fixed).
-export([main/2]).

-spec main(0..15, 0..15) -> {integer() | unknown, integer()}.
main(Article, Rebate) ->
    Customer = self(),
    Shop = spawn(fun() -> shop(Customer) end),
    Shop ! {price, 1, Article, Rebate},
    receive
        open -> ok
    end,
    First = receive
                {price, 1, Price} -> Price
            after 0 ->
                unknown
            end,
    Shop ! {price, 2, Article + 1, 0},
    receive
        {price, 2, Second} -> {First, 100 div Second}
    end.

shop(Customer) ->
    Customer ! open,
    answer(Customer),
    answer(Customer).

answer(Customer) ->
    receive
        {price, Number, Article, Rebate} ->
            Customer ! {price, Number, abs(3 * Article - Rebate)}
    end.
