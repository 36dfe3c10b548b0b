%% Bugs that need numbers packed into words, or wide numbers.
-module(words).
-export([
    alpha/1, checksum/1, cipher/2, packed_date/3, permissions/2, red_green/1,
    rotated/2, sign_bit/1, two_complement/1, unpacked/1, very_wide_mask/1,
    wide_mask/1, wide_shift/1
]).

%% The highest byte of a colour.
%% finds: error transparent
-spec alpha(0..16#FFFFFFFF) -> ok.
alpha(Colour) ->
    case (Colour bsr 24) band 16#FF of
        16#7F when Colour band 16#FFFFFF =:= 16#ABCDEF -> error(transparent);
        _ -> ok
    end.

%% The exclusive or of all bytes.
%% finds: error {checksum,_}
-spec checksum([0..255]) -> ok.
checksum(Bytes) ->
    Sum = lists:foldl(fun(Byte, Acc) -> Byte bxor Acc end, 16#5A, Bytes),
    case Sum of
        16#C3 when length(Bytes) > 2 -> error({checksum, Bytes});
        _ -> ok
    end.

%% A key that must be found from two of its results.
%% finds: error broken
-spec cipher(integer(), integer()) -> ok.
cipher(Key, Text) when Text > 1000 ->
    case {Text bxor Key, Key band 16#F0F} of
        {16#BEEF, 16#A05} -> error(broken);
        _ -> ok
    end;
cipher(_, _) ->
    ok.

%% Year, month and day in sixteen bits.
%% finds: error epoch
-spec packed_date(0..127, 1..12, 1..31) -> ok.
packed_date(Year, Month, Day) ->
    case (Year bsl 9) bor (Month bsl 5) bor Day of
        16#5A4D -> error(epoch);
        _ -> ok
    end.

%% The granted bits must cover the requested ones.
%% finds: error {granted,_}
-spec permissions(0..16#1FF, 0..16#1FF) -> ok.
permissions(Granted, Asked) when Asked > 8#600 ->
    case Asked band (bnot Granted) of
        8#21 when Granted > 0 -> error({granted, Granted});
        _ -> ok
    end;
permissions(_, _) ->
    ok.

%% Colours built and taken apart.
%% finds: error teal
-spec red_green({0..255, 0..255, 0..255}) -> ok.
red_green({R, G, B}) ->
    Packed = (R bsl 16) bor (G bsl 8) bor B,
    case {Packed bsr 8, Packed band 16#0F} of
        {16#0080, 7} -> error(teal);
        _ -> ok
    end.

%% A byte rotated by some bits.
%% finds: error rotated
-spec rotated(0..255, 0..7) -> ok.
rotated(Byte, By) ->
    case ((Byte bsl By) bor (Byte bsr (8 - By))) band 16#FF of
        16#B1 when By =:= 3 -> error(rotated);
        _ -> ok
    end.

%% The sign of a number of 32 bits.
%% finds: error negative
-spec sign_bit(0..16#FFFFFFFF) -> ok.
sign_bit(Word) ->
    case Word bsr 31 of
        1 when Word band 16#7FFFFFFF =:= 1969 -> error(negative);
        _ -> ok
    end.

%% Bytes as numbers with a sign.
%% finds: error {signed,_}
-spec two_complement(0..255) -> ok.
two_complement(Byte) ->
    Signed = (Byte bxor 16#80) - 16#80,
    case Signed of
        -77 -> error({signed, Byte});
        _ -> ok
    end.

%% Fields of a header.
%% finds: error {header,_}
-spec unpacked(integer()) -> ok.
unpacked(Word) ->
    Version = (Word bsr 12) band 16#F,
    Type = (Word bsr 8) band 16#F,
    case {Version, Type, Word band 16#FF} of
        {4, 11, Length} when Length > 200 -> error({header, Length});
        _ -> ok
    end.

%% Beyond 128 bits.
%% finds: error very_wide
-spec very_wide_mask(integer()) -> ok.
very_wide_mask(N) when N band ((1 bsl 200) - 1) =:= (1 bsl 180) + 5 ->
    error(very_wide);
very_wide_mask(_) ->
    ok.

%% A mask of 100 bits.
%% finds: error wide
-spec wide_mask(integer()) -> ok.
wide_mask(N) ->
    case N band ((1 bsl 100) - 1) of
        987654321098765432109876543210 when N < 0 -> error(wide);
        _ -> ok
    end.

%% Beyond 64 bits.
%% finds: error {wide_shift,_}
-spec wide_shift(integer()) -> ok.
wide_shift(N) ->
    case (N bsr 70) bxor 16#3F of
        16#1000 when N band 1 =:= 1 -> error({wide_shift, N});
        _ -> ok
    end.
