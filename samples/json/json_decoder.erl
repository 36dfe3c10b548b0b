%% Decodes JSON as in RFC 8259: objects become maps, arrays lists, strings
%% UTF-8 binaries, and `null`, `true` and `false` atoms. Exponents of numbers
%% are not supported.
%%
%% The bug is in unicode/4: characters above 16#FFFF are escaped as two halves.
%% It checks for a first half without a second one, but not for a second half
%% without a first one, which has no UTF-8.
-module(json_decoder).
-export([decode/1]).

-type json() :: null | boolean() | number() | binary() | [json()] |
                #{binary() => json()}.
-type reason() :: unexpected_end | {unexpected, byte()} | control_character |
                  {bad_escape, binary()} | {bad_number, binary()}.

-define(is_blank(C),
        (C =:= $\s orelse C =:= $\t orelse C =:= $\n orelse C =:= $\r)).
-define(is_digit(C), C >= $0, C =< $9).

-spec decode(binary()) -> {ok, json()} | {error, reason()}.
decode(Text) ->
    try value(skip(Text)) of
        {Value, Rest} -> finish(Value, skip(Rest))
    catch
        throw:{json, Reason} -> {error, Reason}
    end.

finish(Value, <<>>) -> {ok, Value};
finish(_, <<C, _/binary>>) -> {error, {unexpected, C}}.

skip(<<C, Rest/binary>>) when ?is_blank(C) -> skip(Rest);
skip(Text) -> Text.

fail(Reason) -> throw({json, Reason}).

unexpected(<<>>) -> fail(unexpected_end);
unexpected(<<C, _/binary>>) -> fail({unexpected, C}).

%% A value at the beginning of a text, and the text after it.
value(<<"null", Rest/binary>>) -> {null, Rest};
value(<<"true", Rest/binary>>) -> {true, Rest};
value(<<"false", Rest/binary>>) -> {false, Rest};
value(<<$", Rest/binary>>) -> string(Rest, <<>>);
value(<<$[, Rest/binary>>) -> array(skip(Rest));
value(<<${, Rest/binary>>) -> object(skip(Rest));
value(<<C, _/binary>> = Text) when C =:= $-; ?is_digit(C) -> number(Text);
value(Text) -> unexpected(Text).

array(<<$], Rest/binary>>) -> {[], Rest};
array(Text) -> elements(Text, []).

elements(Text, Done) ->
    {Value, Rest} = value(Text),
    case skip(Rest) of
        <<$,, More/binary>> -> elements(skip(More), [Value | Done]);
        <<$], More/binary>> -> {lists:reverse(Done, [Value]), More};
        Other -> unexpected(Other)
    end.

object(<<$}, Rest/binary>>) -> {#{}, Rest};
object(Text) -> members(Text, #{}).

members(<<$", Text/binary>>, Done) ->
    {Key, Rest} = string(Text, <<>>),
    {Value, Behind} = member_value(skip(Rest)),
    Members = Done#{Key => Value},
    case skip(Behind) of
        <<$,, More/binary>> -> members(skip(More), Members);
        <<$}, More/binary>> -> {Members, More};
        Other -> unexpected(Other)
    end;
members(Text, _) ->
    unexpected(Text).

member_value(<<$:, Text/binary>>) -> value(skip(Text));
member_value(Text) -> unexpected(Text).

string(<<$", Rest/binary>>, Done) -> {Done, Rest};
string(<<$\\, Rest/binary>>, Done) -> escape(Rest, Done);
string(<<C, _/binary>>, _) when C < $\s -> fail(control_character);
string(<<C/utf8, Rest/binary>>, Done) -> string(Rest, <<Done/binary, C/utf8>>);
string(Text, _) -> unexpected(Text).

escape(<<$u, A, B, C, D, Rest/binary>>, Done) ->
    unicode(hex([A, B, C, D], 0), [A, B, C, D], Rest, Done);
escape(<<C, Rest/binary>>, Done) ->
    case lists:keyfind(C, 1, escapes()) of
        {C, Meaning} -> string(Rest, <<Done/binary, Meaning>>);
        false -> fail({bad_escape, <<C>>})
    end;
escape(<<>>, _) ->
    fail(unexpected_end).

escapes() ->
    [{$", $"}, {$\\, $\\}, {$/, $/}, {$b, $\b}, {$f, $\f}, {$n, $\n},
     {$r, $\r}, {$t, $\t}].

unicode(error, Digits, _, _) ->
    fail({bad_escape, list_to_binary([$u | Digits])});
unicode(High, Digits, Text, Done) when High >= 16#D800, High < 16#DC00 ->
    case Text of
        <<"\\u", A, B, C, D, Rest/binary>> ->
            case hex([A, B, C, D], 0) of
                Low when is_integer(Low), Low >= 16#DC00, Low < 16#E000 ->
                    Point = 16#10000 + (High - 16#D800) * 16#400
                        + Low - 16#DC00,
                    string(Rest, <<Done/binary, Point/utf8>>);
                _ ->
                    fail({bad_escape, list_to_binary([$u | Digits])})
            end;
        _ ->
            fail({bad_escape, list_to_binary([$u | Digits])})
    end;
unicode(Point, _, Rest, Done) ->
    string(Rest, <<Done/binary, Point/utf8>>).

hex([], Number) -> Number;
hex([C | Digits], Number) when ?is_digit(C) ->
    hex(Digits, Number * 16 + C - $0);
hex([C | Digits], Number) when C >= $a, C =< $f ->
    hex(Digits, Number * 16 + C - $a + 10);
hex([C | Digits], Number) when C >= $A, C =< $F ->
    hex(Digits, Number * 16 + C - $A + 10);
hex(_, _) -> error.

number(Text) ->
    {Sign, Unsigned} = sign(Text),
    {Whole, Rest} = digits(Unsigned, <<>>),
    case {Whole, Rest} of
        {<<>>, _} ->
            unexpected(Rest);
        {<<$0, _, _/binary>>, _} ->
            fail({bad_number, Whole});
        {_, <<$., Behind/binary>>} ->
            {Fraction, More} = digits(Behind, <<>>),
            float(<<Sign/binary, Whole/binary>>, Fraction, More);
        _ ->
            {binary_to_integer(<<Sign/binary, Whole/binary>>), Rest}
    end.

sign(<<$-, Rest/binary>>) -> {<<"-">>, Rest};
sign(Text) -> {<<>>, Text}.

float(_, <<>>, Rest) ->
    unexpected(Rest);
float(Whole, Fraction, Rest) ->
    Text = <<Whole/binary, $., Fraction/binary>>,
    try
        {binary_to_float(Text), Rest}
    catch
        error:badarg -> fail({bad_number, Text})
    end.

digits(<<C, Rest/binary>>, Done) when ?is_digit(C) ->
    digits(Rest, <<Done/binary, C>>);
digits(Text, Done) ->
    {Done, Text}.
