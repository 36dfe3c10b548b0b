%% The behaviour of unicode for flat lists of characters, and for UTF-8.
-module(unicode).
-export([characters_to_list/1, characters_to_binary/1]).

-define(IS_CHARACTER(C),
        is_integer(C), 0 =< C, C < 16#110000, (C < 16#D800 orelse C > 16#DFFF)).

characters_to_list(Text) ->
    case is_plain(Text) of
        true when is_list(Text) -> Text;
        true -> decoded(Text);
        false -> unicode:characters_to_list(Text)
    end.

characters_to_binary(Text) ->
    case is_plain(Text) of
        true when is_list(Text) -> << <<C/utf8>> || C <- Text >>;
        true -> Text;
        false -> unicode:characters_to_binary(Text)
    end.

is_plain([]) -> true;
is_plain([C | Rest]) when ?IS_CHARACTER(C) -> is_plain(Rest);
is_plain(<<>>) -> true;
is_plain(<<_/utf8, Rest/binary>>) -> is_plain(Rest);
is_plain(_) -> false.

decoded(<<C/utf8, Rest/binary>>) -> [C | decoded(Rest)];
decoded(<<>>) -> [].
