%%% Prices of two articles, looked up by two processes at once. A reply has the
%%% key of its request, and the entry's process takes the replies by their
%%% keys.
%%%
%%% The bug: the key is the article's number modulo 11. Two different articles
%%% can have the same key. Then the receive for the first one takes the reply
%%% that arrived first.
%%%
%%% Input: different articles with the same key, for example
%%% selective_key:main(0, 11).
%%% Order: the second look-up replies before the first.
-module(selective_key).
-export([main/2]).

-spec main(0..21, 0..21) -> {pos_integer(), pos_integer()}.
main(First, Second) ->
    look_up(First, self()),
    look_up(Second, self()),
    {price(First), price(Second)}.

look_up(Article, From) ->
    spawn(fun() -> From ! {key(Article), {Article, 100 + 3 * Article}} end).

price(Article) ->
    Key = key(Article),
    receive
        {Key, Reply} ->
            {Article, Price} = Reply,
            Price
    end.

key(Article) -> Article rem 11.
