%% Checks messages before they are sent. First it checks the way of transport,
%% then every byte of the text, in a loop with infinitely many paths.
%% Depth-first search goes deeper and deeper into the loop for the first way of
%% transport and never reaches the others.
-module(endless_text).

-export([send/2]).

-type way() :: post | telegram | pigeon | fax | {courier, 1..99} | bottle.

-spec send(way(), binary()) -> {sent, non_neg_integer()} | refused.
send(Way, Text) ->
    Most = most_words(Way),
    case words(Text, blank, 0) of
        Words when Words > Most -> refused;
        0 when Way =:= bottle -> refused;
        Words -> {sent, Words}
    end.

-spec most_words(way()) -> non_neg_integer().
most_words(post) -> 100;
most_words(telegram) -> 3;
most_words(pigeon) -> 1;
most_words(fax) -> 50;
most_words({courier, Number}) when Number < 10 -> 2;
most_words({courier, _}) -> 4;
most_words(bottle) -> 2.

-spec words(binary(), blank | word, non_neg_integer()) -> non_neg_integer().
words(<<>>, blank, Count) -> Count;
words(<<>>, word, Count) -> Count + 1;
words(<<$\s, Rest/binary>>, blank, Count) -> words(Rest, blank, Count);
words(<<$\s, Rest/binary>>, word, Count) -> words(Rest, blank, Count + 1);
words(<<_, Rest/binary>>, _, Count) -> words(Rest, word, Count).
