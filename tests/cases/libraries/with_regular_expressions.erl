%% options: --term-depth 8
%% Conditions on results of `re`.
-module(with_regular_expressions).
-export([
    alternatives/1, back_reference/1, caseless/1, compiled/1, date/1,
    fields/1, inside_word/1, key_and_value/1, last_line/1, lazy/1, named/1,
    not_followed/1, number_list/1, replaced/1, separators/1, swapped/1,
    tokens/1, umlaut/1, version/1, version_of_binary/1
]).

%% finds: error {chosen,"grey"}
-spec alternatives([byte()]) -> ok.
alternatives(Text) ->
    case re:run(Text, "^gr(a|e)y$", [{capture, [0, 1], list}]) of
        {match, [Word, "e"]} -> error({chosen, Word});
        _ -> ok
    end.

%% finds: error twice
-spec back_reference([$a..$z]) -> ok.
back_reference(Text) ->
    case re:run(Text, "^([a-z]{2})-?\\1$", [{capture, none}]) of
        match when hd(Text) > $w -> error(twice);
        _ -> ok
    end.

%% finds: error {method,_}
-spec caseless([byte()]) -> ok.
caseless(Text) ->
    case re:run(Text, "^get /", [caseless, {capture, first, list}]) of
        {match, ["GeT /" = Method]} -> error({method, Method});
        _ -> ok
    end.

%% finds: error {hexadecimal,_}
-spec compiled(binary()) -> ok.
compiled(Text) ->
    {ok, Pattern} = re:compile("^0x([[:xdigit:]]{2})$", [dollar_endonly]),
    case re:run(Text, Pattern, [{capture, all_but_first, list}]) of
        {match, [Digits]} ->
            case list_to_integer(Digits, 16) of
                16#BE = Number -> error({hexadecimal, Number});
                _ -> ok
            end;
        nomatch -> ok
    end.

%% finds: error {badmatch,false}
-spec date([byte()]) -> ok.
date(Text) ->
    case re:run(Text, "^(1[0-2]|0[1-9])-([0-3]\\d)$",
                [{capture, all_but_first, list}]) of
        {match, Parts} ->
            [Month, Day] = [list_to_integer(Part) || Part <- Parts],
            true = Day =:= 0 orelse calendar:valid_date(2023, Month, Day),
            ok;
        nomatch -> ok
    end.

%% finds: error {fields,3}
-spec fields(binary()) -> ok.
fields(Text) ->
    case re:split(Text, "\\s*,\\s*", [{return, list}]) of
        [_, "x", _] -> error({fields, 3});
        _ -> ok
    end.

%% finds: error hidden
-spec inside_word([byte()]) -> ok.
inside_word(Text) ->
    case re:run(Text, "\\Bcat\\b") of
        {match, [{2, 3}]} -> error(hidden);
        _ -> ok
    end.

%% finds: error {port,_}
-spec key_and_value(binary()) -> ok.
key_and_value(Line) ->
    case re:run(Line, "^(\\w+)\\s*=\\s*(\\d+)",
                [{capture, all_but_first, binary}]) of
        {match, [<<"port">>, Digits]} when byte_size(Digits) > 1 ->
            error({port, binary_to_integer(Digits)});
        _ -> ok
    end.

%% finds: error last
-spec last_line([byte()]) -> ok.
last_line(Text) ->
    case re:run(Text, "^ok$", [multiline, {capture, first, index}]) of
        {match, [{Start, 2}]} when Start > 1 -> error(last);
        _ -> ok
    end.

%% finds: error {tag,"b"}
-spec lazy([byte()]) -> ok.
lazy(Text) ->
    case re:run(Text, "<(.+?)>", [{capture, [1], list}]) of
        {match, ["b" = Tag]} -> error({tag, Tag});
        _ -> ok
    end.

%% finds: error {minute,_}
-spec named([byte()]) -> ok.
named(Text) ->
    case re:run(Text, "^(?<h>[01]\\d):(?<m>[0-5]\\d)$",
                [{capture, [m, h], list}]) of
        {match, [Minute, "13"]} when Minute > "57" -> error({minute, Minute});
        _ -> ok
    end.

%% finds: error found
-spec not_followed([byte()]) -> ok.
not_followed(Text) ->
    case re:run(Text, "(?<!a)b(?!c)") of
        {match, [{1, 1}]} when length(Text) =:= 3 -> error(found);
        _ -> ok
    end.

%% finds: error {sum,99}
-spec number_list([byte()]) -> ok.
number_list(Text) ->
    case re:run(Text, "\\d+", [global, {capture, first, list}]) of
        {match, [[A], [B]]} ->
            case list_to_integer(A) + list_to_integer(B) of
                99 -> error({sum, 99});
                _ -> ok
            end;
        _ -> ok
    end.

%% finds: error {text,_}
-spec replaced([$a..$z]) -> ok.
replaced(Text) ->
    case re:replace(Text, "[aeiou]", "*", [global, {return, list}]) of
        "b*d*" = New -> error({text, New});
        _ -> ok
    end.

%% finds: error pieces
-spec separators([byte()]) -> ok.
separators(Text) ->
    case re:split(Text, "[,;]| and ", [{return, list}, trim]) of
        ["a", "b", "c"] -> error(pieces);
        _ -> ok
    end.

%% finds: error {swapped,<<"k:v">>}
-spec swapped(binary()) -> ok.
swapped(Text) ->
    case re:replace(Text, "^(\\w+)=(\\w+)$", "\\2:\\g{1}",
                    [{return, binary}]) of
        <<"k:v">> = New when New =/= Text -> error({swapped, New});
        _ -> ok
    end.

%% finds: error {negative,_}
-spec tokens([byte()]) -> ok.
tokens(Text) ->
    case re:run(Text, "^(?:(\\d)|([a-z])|(-\\d))$") of
        {match, [_, {-1, 0}, {-1, 0}, Place]} -> error({negative, Place});
        _ -> ok
    end.

%% finds: error {umlaut,_}
-spec umlaut([$a..$z | 16#E4]) -> ok.
umlaut(Text) ->
    case re:run(Text, [16#E4, $+, $x], [unicode, {capture, all, binary}]) of
        {match, [Found]} when byte_size(Found) > 3 -> error({umlaut, Found});
        _ -> ok
    end.

%% finds: error {old,0,7}
-spec version([byte()]) -> ok.
version(Text) ->
    case re:run(Text, "^v?(\\d+)\\.(\\d+)$",
                [{capture, all_but_first, list}]) of
        {match, [Major, Minor]} ->
            case {list_to_integer(Major), list_to_integer(Minor)} of
                {0, 7} -> error({old, 0, 7});
                _ -> ok
            end;
        nomatch -> ok
    end.

%% finds: error {case_clause,{match,[<<>>]}}
-spec version_of_binary(binary()) -> ok.
version_of_binary(Text) ->
    case re:run(Text, "^1\\.(\\d*)$", [{capture, all_but_first, binary}]) of
        {match, [<<_, _/binary>>]} -> ok;
        nomatch -> ok
    end.
