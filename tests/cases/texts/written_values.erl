%% Values as text: formats with fields, floats with options, external terms.
-module(written_values).
-export([
    fields/1, decimals/1, hexadecimal/1, left/1, precision/1, deep_text/1,
    term/1, printed/1, starred/2, characters/1, exponent/1, rounded/1,
    shortest/1, scientific/1, encoded/1, encoded_twice/1, sent/1,
    prefixed/1, clean_encoded/1, clean_width/1
]).

%% finds: error fields
-spec fields(0..2000) -> ok.
fields(Number) ->
    case lists:flatten(io_lib:format("~5..0B|~6B", [Number, -Number])) of
        "00123|  -123" -> error(fields);
        _ -> ok
    end.

%% finds: error decimals
-spec decimals(1..2000) -> ok.
decimals(Number) ->
    case lists:flatten(io_lib:format("~.2f", [Number / 4])) of
        "30.75" -> error(decimals);
        _ -> ok
    end.

%% finds: error dead
-spec hexadecimal(0..100000) -> ok.
hexadecimal(Number) ->
    case lists:flatten(io_lib:format("~.16b ~.16B", [Number, Number])) of
        "dead DEAD" -> error(dead);
        _ -> ok
    end.

%% finds: error left
-spec left([$a..$z]) -> ok.
left(Text) ->
    case lists:flatten(io_lib:format("~-4s|", [Text])) of
        "me  |" -> error(left);
        _ -> ok
    end.

%% Text that is too long is cut.
%% finds: error cut
-spec precision([$a..$z]) -> ok.
precision(Text) ->
    case lists:flatten(io_lib:format("~.2s", [Text])) of
        "ab" when length(Text) > 3 -> error(cut);
        _ -> ok
    end.

%% finds: error deep
-spec deep_text(binary()) -> ok.
deep_text(Text) ->
    case lists:flatten(io_lib:format("~ts!", [["<", [Text], $>]])) of
        "<hi>!" -> error(deep);
        _ -> ok
    end.

%% finds: error term
-spec term({integer(), [a | b]}) -> ok.
term(Term) ->
    case lists:flatten(io_lib:format("~w", [Term])) of
        "{7,[a,b]}" -> error(term);
        _ -> ok
    end.

%% finds: error printed
-spec printed({[$a..$z], 0..9}) -> ok.
printed(Term) ->
    case lists:flatten(io_lib:format("~p", [Term])) of
        "{\"no\",7}" -> error(printed);
        _ -> ok
    end.

%% The width is an argument.
%% finds: error starred
-spec starred(0..9, 0..99) -> ok.
starred(Width, Number) ->
    case lists:flatten(io_lib:format("~*B", [Width, Number])) of
        "   42" -> error(starred);
        _ -> ok
    end.

%% finds: error line
-spec characters($a..$z) -> ok.
characters(C) ->
    case lists:flatten(io_lib:format("~3c~tc", [C, C])) of
        "xxxx" -> error(line);
        _ -> ok
    end.

%% finds: error exponent
-spec exponent(1..9999) -> ok.
exponent(Number) ->
    case lists:flatten(io_lib:format("~.3e", [Number / 2])) of
        "1.25e+2" -> error(exponent);
        _ -> ok
    end.

%% finds: error rounded
-spec rounded(1..999) -> ok.
rounded(Number) ->
    case float_to_binary(Number / 8, [{decimals, 1}]) of
        <<"12.4">> -> error(rounded);
        _ -> ok
    end.

%% finds: error shortest
-spec shortest(1..999) -> ok.
shortest(Number) ->
    case float_to_list(Number / 4, [short]) of
        "10.25" -> error(shortest);
        _ -> ok
    end.

%% finds: error scientific
-spec scientific(1..9999) -> ok.
scientific(Number) ->
    case float_to_list(Number * 1.0, [{scientific, 1}]) of
        "7.7e+03" -> error(scientific);
        _ -> ok
    end.

%% finds: error encoded
-spec encoded(integer()) -> ok.
encoded(Number) ->
    case binary_to_term(term_to_binary({Number, a})) of
        {4242, a} -> error(encoded);
        _ -> ok
    end.

%% finds: error twice
-spec encoded_twice([integer()]) -> ok.
encoded_twice(Numbers) ->
    Inner = term_to_binary({list, Numbers}),
    Outer = binary_to_term(term_to_binary([Inner], [compressed]), [safe]),
    case [binary_to_term(It) || It <- Outer] of
        [{list, [3, 5]}] -> error(twice);
        _ -> ok
    end.

%% finds: error sent
-spec sent(integer()) -> ok.
sent(Number) ->
    self() ! term_to_binary(Number),
    receive
        Binary when is_binary(Binary) ->
            case binary_to_term(Binary) of
                777 -> error(sent);
                _ -> ok
            end
    end.

%% A number with a prefix, and a term that is cut.
%% finds: error prefixed
-spec prefixed(0..1000) -> ok.
prefixed(Number) ->
    Arguments = [Number, "0x", [Number], 9],
    case lists:flatten(io_lib:format("~.16X ~W", Arguments)) of
        "0xFF [255]" -> error(prefixed);
        _ -> ok
    end.

%% clean: complete
-spec clean_encoded(integer() | atom()) -> ok.
clean_encoded(Term) ->
    Term = binary_to_term(term_to_binary(Term)),
    ok.

%% clean: complete
-spec clean_width(0..99999) -> ok.
clean_width(Number) ->
    6 = length(lists:flatten(io_lib:format("~6.10.0B", [Number]))),
    ok.
