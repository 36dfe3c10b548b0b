%% Bit strings that are put together.
-module(building).
-export([
    header/2, truncated/1, little/1, negative/1, checksum/1, joined/2,
    characters/1, wrong_type/1, wrong_size/1, too_short/2, digits/1,
    ordered/1, ordered_pair/2, comprehension/1, list_to_bits/1, filtered/1,
    in_guard/1, appended/1, clean_round_trip/2, clean_reversed/1
]).

%% finds: error {header,_}
-spec header(0..15, 0..15) -> ok.
header(A, B) ->
    case <<A:4, B:4>> of
        <<16#A7>> -> error({header, A, B});
        _ -> ok
    end.

%% Only the last bits are kept.
%% finds: error {last,_}
-spec truncated(integer()) -> ok.
truncated(Number) ->
    case <<Number:8>> of
        <<200>> when Number > 1000 -> error({last, Number});
        _ -> ok
    end.

%% finds: error {swapped,_}
-spec little(0..65535) -> ok.
little(Number) ->
    <<Swapped:16>> = <<Number:16/little>>,
    if
        Swapped =:= 16#1234 -> error({swapped, Number});
        true -> ok
    end.

%% finds: error {negative,_}
-spec negative(integer()) -> ok.
negative(Number) when Number < 0 ->
    case <<Number:16>> of
        <<16#FF, 16#10>> -> error({negative, Number});
        _ -> ok
    end;
negative(_) ->
    ok.

%% A packet that is made and taken apart.
%% finds: error {sum,_}
-spec checksum([0..255]) -> ok.
checksum(Bytes) when length(Bytes) < 4 ->
    Body = list_to_binary(Bytes),
    Sum = lists:sum(Bytes) rem 256,
    case <<(byte_size(Body)):8, Body/binary, Sum:8>> of
        <<3, _:3/binary, 99>> -> error({sum, Bytes});
        _ -> ok
    end;
checksum(_) ->
    ok.

%% finds: error {joined,_}
-spec joined(binary(), binary()) -> ok.
joined(A, B) ->
    case <<A/binary, $:, B/binary>> of
        <<"ab:cd">> -> error({joined, A});
        _ -> ok
    end.

%% finds: error {encoded,_}
-spec characters(0..16#D7FF) -> ok.
characters(Character) ->
    case <<Character/utf8>> of
        <<16#E2, 16#82, 16#AC>> -> error({encoded, Character});
        _ -> ok
    end.

%% finds: error badarg
-spec wrong_type(term()) -> binary().
wrong_type(Term) -> <<Term:8>>.

%% finds: error badarg
-spec wrong_size(integer()) -> bitstring().
wrong_size(Size) when Size > -5, Size < 10 -> <<1:Size>>;
wrong_size(_) -> <<>>.

%% finds: error badarg
-spec too_short(binary(), 0..10) -> binary().
too_short(Binary, Size) -> <<Binary:Size/binary>>.

%% finds: error {digits,_}
-spec digits(integer()) -> ok.
digits(Number) ->
    case integer_to_binary(Number) of
        <<"-4", Rest/binary>> when byte_size(Rest) =:= 2 ->
            error({digits, Number});
        _ ->
            ok
    end.

%% finds: error {between,_}
-spec ordered(binary()) -> ok.
ordered(Binary) when Binary > <<"lemon">>, Binary < <<"lemons">> ->
    error({between, Binary});
ordered(_) ->
    ok.

%% finds: error {order,_}
-spec ordered_pair(binary(), binary()) -> ok.
ordered_pair(A, B) when A < B, byte_size(A) > byte_size(B), B =/= <<"z">> ->
    error({order, A, B});
ordered_pair(_, _) ->
    ok.

%% finds: error {sum,_}
-spec comprehension(binary()) -> ok.
comprehension(Binary) ->
    case lists:sum([Byte || <<Byte>> <= Binary, Byte > 100]) of
        707 -> error({sum, Binary});
        _ -> ok
    end.

%% finds: error {made,_}
-spec list_to_bits([0..15]) -> ok.
list_to_bits(Digits) ->
    case <<<<(Digit + 1):4>> || Digit <- Digits>> of
        <<16#DEAD:16>> -> error({made, Digits});
        _ -> ok
    end.

%% finds: error {filtered,_}
-spec filtered(bitstring()) -> ok.
filtered(Bits) ->
    case <<<<Digit:4>> || <<Digit:4>> <= Bits, Digit < 10>> of
        <<1:4, 9:4, 8:4, 4:4>> -> error({filtered, Bits});
        _ -> ok
    end.

%% finds: error {guarded,_}
-spec in_guard(byte()) -> ok.
in_guard(Byte) when <<Byte, 1>> =:= <<77, 1>> -> error({guarded, Byte});
in_guard(_) -> ok.

%% finds: error {grown,_}
-spec appended([byte()]) -> ok.
appended(Bytes) ->
    case grow(Bytes, <<>>) of
        <<Length:16, "!?", _/binary>> when Length =:= 513 ->
            error({grown, Bytes});
        _ ->
            ok
    end.

grow([Byte | Bytes], Grown) -> grow(Bytes, <<Grown/binary, Byte>>);
grow([], Grown) -> Grown.

%% The parts come out as they went in.
%% clean
-spec clean_round_trip(integer(), binary()) -> ok.
clean_round_trip(Number, Binary) ->
    Short = Number band 255,
    <<Short, Binary/binary>> = <<Number, Binary/binary>>,
    ok.

%% clean
-spec clean_reversed(binary()) -> ok.
clean_reversed(Binary) ->
    List = binary_to_list(Binary),
    Binary = list_to_binary(List),
    true = length(List) =:= byte_size(Binary),
    ok.
