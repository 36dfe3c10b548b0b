%% Tables and bits of bytes: encoders as libraries write them.
-module(bytes).
-export([
    checksum/3, hexadecimal/1, json/1, nibbles/1, quoted/1, s_box/1,
    two_bytes/2, wide_table/1
]).

%% An element of a table of 256.
%% finds: error bug
-spec s_box(byte()) -> ok.
s_box(Byte) ->
    case element(Byte + 1, substitutions()) of
        17 when Byte band 15 =/= 0 -> error(bug);
        _ -> ok
    end.

%% Two bytes, each by a table, and bits of both.
%% finds: error bug
-spec two_bytes(byte(), byte()) -> ok.
two_bytes(A, B) ->
    Left = element(A + 1, substitutions()),
    Right = element(B + 1, substitutions()),
    case Left bxor Right of
        101 when A band 15 =:= 3, B bsr 4 =:= 9 -> error(bug);
        _ -> ok
    end.

%% Three small numbers in one condition.
%% finds: error bug
-spec checksum(0..9, 0..9, 0..9) -> ok.
checksum(A, B, C) ->
    Weights = {3, 1, 4, 1, 5, 9, 2, 6, 5, 7},
    Sum = element(A + 1, Weights) * element(B + 1, Weights),
    case Sum - element(C + 1, Weights) of
        61 when A < B -> error(bug);
        _ -> ok
    end.

%% Both halves of a byte.
%% finds: error bug
-spec nibbles(byte()) -> ok.
nibbles(Byte) ->
    case {Byte bsr 4, Byte band 15} of
        {Same, Same} -> ok;
        {High, Low} when High bxor Low =:= 5, High * Low =:= 108 -> error(bug);
        _ -> ok
    end.

%% Digits of a text in base 16.
%% finds: error bug
-spec hexadecimal(binary()) -> ok.
hexadecimal(Text) ->
    case digits(Text) of
        "7E41" -> error(bug);
        _ -> ok
    end.

digits(<<Byte, Rest/binary>>) ->
    [digit(Byte bsr 4), digit(Byte band 15) | digits(Rest)];
digits(<<>>) ->
    [].

digit(N) when N < 10 -> $0 + N;
digit(N) -> $A + N - 10.

%% Characters that an address cannot have, as a percent sign and two digits.
%% finds: error bug
-spec quoted(binary()) -> ok.
quoted(Text) ->
    case quote(Text) of
        "a%E9" -> error(bug);
        _ -> ok
    end.

quote(<<Byte, Rest/binary>>) ->
    case is_unreserved(Byte) of
        true -> [Byte | quote(Rest)];
        false -> [$%, digit(Byte bsr 4), digit(Byte band 15) | quote(Rest)]
    end;
quote(<<>>) ->
    [].

is_unreserved(Byte) when Byte >= $a, Byte =< $z -> true;
is_unreserved(Byte) when Byte >= $A, Byte =< $Z -> true;
is_unreserved(Byte) when Byte >= $0, Byte =< $9 -> true;
is_unreserved(Byte) -> lists:member(Byte, "-._~").

%% The text of a string in JSON, with a table of what to do with a byte.
%% finds: error bug
-spec json(binary()) -> ok.
json(Text) ->
    case escaped(Text) of
        "\\u0007\\n" -> error(bug);
        _ -> ok
    end.

escaped(<<Byte, Rest/binary>>) ->
    case element(Byte + 1, classes()) of
        plain -> [Byte | escaped(Rest)];
        escape -> [$\\, letter(Byte) | escaped(Rest)];
        control -> code(Byte) ++ escaped(Rest);
        high -> code(Byte) ++ escaped(Rest)
    end;
escaped(<<>>) ->
    [].

letter($\b) -> $b;
letter($\t) -> $t;
letter($\n) -> $n;
letter($\f) -> $f;
letter($\r) -> $r;
letter(Other) -> Other.

code(Byte) ->
    [$\\, $u, $0, $0, small(Byte bsr 4), small(Byte band 15)].

small(N) -> element(N + 1, list_to_tuple("0123456789abcdef")).

%% A table of more elements than a byte has values.
%% finds: error bug
-spec wide_table(0..999) -> ok.
wide_table(N) ->
    Squares = list_to_tuple([I * I rem 1009 || I <- lists:seq(0, 999)]),
    case element(N + 1, Squares) of
        Square when Square =:= N + 5, N > 400 -> error(bug);
        _ -> ok
    end.

substitutions() ->
    {99, 124, 119, 123, 242, 107, 111, 197, 48, 1, 103, 43, 254, 215, 171,
     118, 202, 130, 201, 125, 250, 89, 71, 240, 173, 212, 162, 175, 156,
     164, 114, 192, 183, 253, 147, 38, 54, 63, 247, 204, 52, 165, 229, 241,
     113, 216, 49, 21, 4, 199, 35, 195, 24, 150, 5, 154, 7, 18, 128, 226,
     235, 39, 178, 117, 9, 131, 44, 26, 27, 110, 90, 160, 82, 59, 214, 179,
     41, 227, 47, 132, 83, 209, 0, 237, 32, 252, 177, 91, 106, 203, 190, 57,
     74, 76, 88, 207, 208, 239, 170, 251, 67, 77, 51, 133, 69, 249, 2, 127,
     80, 60, 159, 168, 81, 163, 64, 143, 146, 157, 56, 245, 188, 182, 218,
     33, 16, 255, 243, 210, 205, 12, 19, 236, 95, 151, 68, 23, 196, 167,
     126, 61, 100, 93, 25, 115, 96, 129, 79, 220, 34, 42, 144, 136, 70, 238,
     184, 20, 222, 94, 11, 219, 224, 50, 58, 10, 73, 6, 36, 92, 194, 211,
     172, 98, 145, 149, 228, 121, 231, 200, 55, 109, 141, 213, 78, 169, 108,
     86, 244, 234, 101, 122, 174, 8, 186, 120, 37, 46, 28, 166, 180, 198,
     232, 221, 116, 31, 75, 189, 139, 138, 112, 62, 181, 102, 72, 3, 246,
     14, 97, 53, 87, 185, 134, 193, 29, 158, 225, 248, 152, 17, 105, 217,
     142, 148, 155, 30, 135, 233, 206, 85, 40, 223, 140, 161, 137, 13, 191,
     230, 66, 104, 65, 153, 45, 15, 176, 84, 187, 22}.

classes() ->
    {control, control, control, control, control, control, control, control,
     escape, escape, escape, control, escape, escape, control, control,
     control, control, control, control, control, control, control, control,
     control, control, control, control, control, control, control, control,
     plain, plain, escape, plain, plain, plain, plain, plain, plain, plain,
     plain, plain, plain, plain, plain, plain, plain, plain, plain, plain,
     plain, plain, plain, plain, plain, plain, plain, plain, plain, plain,
     plain, plain, plain, plain, plain, plain, plain, plain, plain, plain,
     plain, plain, plain, plain, plain, plain, plain, plain, plain, plain,
     plain, plain, plain, plain, plain, plain, plain, plain, plain, plain,
     escape, plain, plain, plain, plain, plain, plain, plain, plain, plain,
     plain, plain, plain, plain, plain, plain, plain, plain, plain, plain,
     plain, plain, plain, plain, plain, plain, plain, plain, plain, plain,
     plain, plain, plain, plain, plain, control, high, high, high, high,
     high, high, high, high, high, high, high, high, high, high, high, high,
     high, high, high, high, high, high, high, high, high, high, high, high,
     high, high, high, high, high, high, high, high, high, high, high, high,
     high, high, high, high, high, high, high, high, high, high, high, high,
     high, high, high, high, high, high, high, high, high, high, high, high,
     high, high, high, high, high, high, high, high, high, high, high, high,
     high, high, high, high, high, high, high, high, high, high, high, high,
     high, high, high, high, high, high, high, high, high, high, high, high,
     high, high, high, high, high, high, high, high, high, high, high, high,
     high, high, high, high, high, high, high, high, high, high, high, high,
     high, high, high, high}.
