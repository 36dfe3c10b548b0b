%% Conversions between numbers, texts and lists.
-module(conversions).
-export([
    clean_hexadecimal/1, binary_digits/1, hexadecimal/1, hexadecimal_text/1,
    not_a_number/1
]).

%% A number in base 16 and back.
%% clean
-spec clean_hexadecimal(0..255) -> ok.
clean_hexadecimal(N) ->
    N = list_to_integer(integer_to_list(N, 16), 16),
    ok.

%% finds: error {binary,_}
-spec binary_digits(non_neg_integer()) -> ok.
binary_digits(N) ->
    case integer_to_list(N, 2) of
        "10110" -> error({binary, N});
        _ -> ok
    end.

%% finds: error {hexadecimal,_}
-spec hexadecimal([$0..$9 | $A..$F]) -> ok.
hexadecimal([_, _, _] = Text) ->
    case list_to_integer(Text, 16) of
        16#BEE -> error({hexadecimal, Text});
        _ -> ok
    end;
hexadecimal(_) ->
    ok.

%% finds: error {text,_}
-spec hexadecimal_text(non_neg_integer()) -> ok.
hexadecimal_text(N) ->
    case integer_to_list(N, 16) of
        "1C" ++ _ = Text when N > 500 -> error({text, Text});
        _ -> ok
    end.

%% A text that is not a number in this base.
%% finds: error badarg
-spec not_a_number([$0..$9, ...]) -> integer().
not_a_number(Text) -> list_to_integer(Text, 9).
