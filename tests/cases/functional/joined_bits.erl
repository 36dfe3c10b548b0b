%% Bit strings that are put together, and their sizes.
-module(joined_bits).
-export([
    aligned/1, built/2, generated/1, not_a_byte/1, padded/1, split_word/1,
    clean_round_trip/2, clean_sizes/1
]).

%% finds: error not_aligned
-spec aligned(bitstring()) -> ok.
aligned(Bits) when bit_size(Bits) rem 8 =:= 3, byte_size(Bits) =:= 2 ->
    error(not_aligned);
aligned(_) ->
    ok.

%% finds: error built
-spec built(0..255, 0..65535) -> ok.
built(A, B) ->
    case <<A, B:16/little>> of
        <<"OK!">> -> error(built);
        _ -> ok
    end.

%% finds: error generated
-spec generated(binary()) -> ok.
generated(Bytes) ->
    case <<<<(Byte bxor 32)>> || <<Byte>> <= Bytes, Byte > $@>> of
        <<"abc">> when byte_size(Bytes) > 3 -> error(generated);
        _ -> ok
    end.

%% finds: error badarg
-spec not_a_byte(integer()) -> binary().
not_a_byte(N) when N > 250 -> list_to_binary([N]);
not_a_byte(_) -> <<>>.

%% finds: error padded
-spec padded(binary()) -> ok.
padded(Bytes) ->
    Missing = (4 - byte_size(Bytes) rem 4) rem 4,
    case <<Bytes/binary, 0:Missing/unit:8>> of
        <<_:32, "x", 0:24>> -> error(padded);
        _ -> ok
    end.

%% finds: error split
-spec split_word(0..16#FFFF) -> ok.
split_word(Word) ->
    <<High:5, Middle:6, Low:5>> = <<Word:16>>,
    case {High, Middle, Low} of
        {31, 0, 17} -> error(split);
        _ -> ok
    end.

%% clean: complete
-spec clean_round_trip(0..15, 0..4095) -> ok.
clean_round_trip(A, B) ->
    <<A:4, B:12>> = <<(A bsl 12 bor B):16>>,
    ok.

%% clean
-spec clean_sizes(bitstring()) -> ok.
clean_sizes(Bits) ->
    true = bit_size(Bits) =< byte_size(Bits) * 8,
    ok.
