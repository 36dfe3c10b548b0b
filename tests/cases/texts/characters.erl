%% Characters beyond ASCII, and functions of `string` on binaries.
-module(characters).
-export([
    encoded/1, decoded/1, broken/1, cut_off/1, latin/1, wide/1, nested/1,
    lexemes/1, split/1, split_at_all/1, trimmed/1, upper/1, upper_latin/1,
    found/1, prefixed/1, padded/1, joined/1, clean_round_trip/1, clean_case/1
]).

%% finds: error encoded
-spec encoded(string()) -> ok.
encoded(Text) ->
    case unicode:characters_to_binary(Text) of
        <<16#E9/utf8, 16#20AC/utf8>> -> error(encoded);
        _ -> ok
    end.

%% finds: error decoded
-spec decoded(binary()) -> ok.
decoded(Text) ->
    case unicode:characters_to_list(Text) of
        [16#E9, $x] -> error(decoded);
        _ -> ok
    end.

%% Bytes that are no text.
%% finds: error {broken,_}
-spec broken(binary()) -> ok.
broken(Text) ->
    case unicode:characters_to_binary(Text, utf8) of
        {error, <<"a">>, <<Byte, _/binary>>} when Byte > 250 ->
            error({broken, Byte});
        _ -> ok
    end.

%% A text that ends within a character.
%% finds: error cut_off
-spec cut_off(binary()) -> ok.
cut_off(Text) ->
    case unicode:characters_to_list(Text) of
        {incomplete, "ab", <<_, _>>} -> error(cut_off);
        _ -> ok
    end.

%% A character that Latin-1 does not have.
%% finds: error {badmatch,_}
-spec latin([char()]) -> binary().
latin(Text) ->
    Binary = unicode:characters_to_binary(Text, unicode, latin1),
    true = is_binary(Binary),
    Binary.

%% finds: error surrogates
-spec wide([char()]) -> ok.
wide(Text) ->
    case unicode:characters_to_binary(Text, unicode, utf16) of
        <<_:16, _:16>> when length(Text) =:= 1 -> error(surrogates);
        _ -> ok
    end.

%% Text in a text.
%% finds: error nested
-spec nested(binary()) -> ok.
nested(Name) ->
    case unicode:characters_to_list(["<", [Name], $>]) of
        [$<, 16#FC, $>] -> error(nested);
        _ -> ok
    end.

%% finds: error two
-spec lexemes([$\s..$~]) -> ok.
lexemes(Characters) ->
    Text = list_to_binary(Characters),
    case string:lexemes(Text, " ,") of
        [<<"a">>, <<"b">>] -> error(two);
        _ -> ok
    end.

%% finds: error pair
-spec split([$\s..$~]) -> ok.
split(Characters) ->
    Text = list_to_binary(Characters),
    case string:split(Text, "=") of
        [<<"k">>, <<"v">>] -> error(pair);
        _ -> ok
    end.

%% finds: error three
-spec split_at_all([$\s..$~]) -> ok.
split_at_all(Characters) ->
    Text = list_to_binary(Characters),
    case string:split(Text, <<".">>, all) of
        [<<"1">>, _, <<"3">>] -> error(three);
        _ -> ok
    end.

%% finds: error trimmed
-spec trimmed([$\s..$~]) -> ok.
trimmed(Characters) ->
    Text = list_to_binary(Characters),
    case string:trim(Text) of
        <<"x">> when byte_size(Text) > 1 -> error(trimmed);
        _ -> ok
    end.

%% finds: error upper
-spec upper([$\s..$~]) -> ok.
upper(Characters) ->
    Text = list_to_binary(Characters),
    case string:uppercase(Text) of
        <<"OK">> when Text =/= <<"OK">> -> error(upper);
        _ -> ok
    end.

%% Letters with accents.
%% finds: error upper
-spec upper_latin([char()]) -> ok.
upper_latin(Text) ->
    case string:uppercase(Text) of
        [16#C9, $T] when hd(Text) > 16#C9 -> error(upper);
        _ -> ok
    end.

%% finds: error found
-spec found([$\s..$~]) -> ok.
found(Characters) ->
    Text = list_to_binary(Characters),
    case string:find(Text, <<"->">>) of
        <<"->x">> when byte_size(Text) > 3 -> error(found);
        _ -> ok
    end.

%% finds: error {rest,_}
-spec prefixed([$\s..$~]) -> ok.
prefixed(Characters) ->
    Text = list_to_binary(Characters),
    case string:prefix(Text, "id:") of
        nomatch -> ok;
        <<"7">> = Rest -> error({rest, Rest});
        _ -> ok
    end.

%% finds: error padded
-spec padded([$\s..$~]) -> ok.
padded(Characters) ->
    Text = list_to_binary(Characters),
    case iolist_to_binary(string:pad(Text, 4, leading, $0)) of
        <<"0042">> when byte_size(Text) =:= 2 -> error(padded);
        _ -> ok
    end.

%% A space that an accent joins is no space.
%% finds: error joined
-spec joined(<<_:24>>) -> ok.
joined(<<$\s, 204, Byte>> = Text) when Byte > 127, Byte < 192 ->
    case string:trim(Text) of
        <<$\s, _:16>> -> error(joined);
        _ -> ok
    end;
joined(_) ->
    ok.

%% clean
-spec clean_round_trip([$a..$z | 16#E0..16#FC]) -> ok.
clean_round_trip(Text) ->
    Binary = unicode:characters_to_binary(Text),
    Text = unicode:characters_to_list(Binary),
    ok.

%% clean
-spec clean_case([$A..$Z | $a..$z]) -> ok.
clean_case(Text) ->
    Lower = string:lowercase(Text),
    Lower = string:lowercase(string:uppercase(Text)),
    ok.
