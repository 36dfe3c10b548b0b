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

is_plain(Text) when is_binary(Text) -> is_utf8(Text);
is_plain(Text) -> is_flat(Text).

is_flat([]) -> true;
is_flat([C | Rest]) when ?IS_CHARACTER(C) -> is_flat(Rest);
is_flat(_) -> false.

is_utf8(<<>>) -> true;
is_utf8(<<_/utf8, Rest/binary>>) -> is_utf8(Rest);
is_utf8(_) -> false.

decoded(<<C/utf8, Rest/binary>>) -> [C | decoded(Rest)];
decoded(<<>>) -> [].
