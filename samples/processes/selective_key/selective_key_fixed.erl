%%% Prices of two articles, looked up by two processes at once. A reply has the
%%% key of its request, and the entry's process takes the replies by their
%%% keys.
%%%
%%% The correct twin of selective_key. Mended: the key is a new reference for
%%% each request, so two requests never have the same key.
-module(selective_key_fixed).
-export([main/2]).

-spec main(0..21, 0..21) -> {pos_integer(), pos_integer()}.
main(First, Second) ->
    FirstKey = look_up(First, self()),
    SecondKey = look_up(Second, self()),
    {price(FirstKey, First), price(SecondKey, Second)}.

look_up(Article, From) ->
    Key = make_ref(),
    spawn(fun() -> From ! {Key, {Article, 100 + 3 * Article}} end),
    Key.

price(Key, Article) ->
    receive
        {Key, Reply} ->
            {Article, Price} = Reply,
            Price
    end.
