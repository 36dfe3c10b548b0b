%% Bits in functions without a bug.
-module(clean_bits).
-export([
    absorbed/2, low_bits/1, round_trip/3, same_twice/2, shifted_back/1,
    signed_byte/1, sum_of_parts/2
]).

%% Common bits are in each of the two.
%% clean: complete
-spec absorbed(0..63, 0..63) -> ok.
absorbed(A, B) ->
    case A band (A bor B) of
        A -> ok
    end.

%% A mask makes numbers small, negative ones too.
%% clean: complete
-spec low_bits(integer()) -> ok.
low_bits(N) ->
    case N band 7 of
        Low when Low >= 0, Low =< 7 -> ok
    end.

%% Packed values come out again.
%% clean: complete
-spec round_trip(0..255, 0..255, 0..255) -> ok.
round_trip(R, G, B) ->
    Packed = (R bsl 16) bor (G bsl 8) bor B,
    R = Packed bsr 16,
    G = (Packed bsr 8) band 255,
    B = Packed band 255,
    ok.

%% A cipher that is its own inverse.
%% clean
-spec same_twice(integer(), integer()) -> ok.
same_twice(Key, Text) ->
    Text = (Text bxor Key) bxor Key,
    ok.

%% Shifted to the left and back.
%% clean: complete
-spec shifted_back(integer()) -> ok.
shifted_back(N) ->
    N = (N bsl 13) bsr 13,
    ok.

%% A byte is never out of range.
%% clean: complete
-spec signed_byte(0..255) -> -128..127.
signed_byte(Byte) ->
    case (Byte bxor 16#80) - 16#80 of
        Signed when Signed >= -128, Signed < 128 -> Signed
    end.

%% The common bits of two numbers and their other bits add up.
%% clean: complete
-spec sum_of_parts(0..127, 0..127) -> ok.
sum_of_parts(A, B) ->
    true = (A bxor B) + 2 * (A band B) =:= A + B,
    ok.
