%% Built-ins for bit strings.
-module(functions).
-export([
    part/2, part_out_of_range/2, to_list/1, from_list/1, data/1, number/1,
    number_base/1, round_trip/1, split_at/2, to_atom/1, size/1,
    bits_to_list/1, large/1, clean_part/1
]).

%% finds: error {part,_}
-spec part(binary(), 0..4) -> ok.
part(Binary, Start) when byte_size(Binary) > Start + 2 ->
    case binary_part(Binary, Start, 2) of
        <<"no">> when Start > 1 -> error({part, Start});
        _ -> ok
    end;
part(_, _) ->
    ok.

%% finds: error badarg
-spec part_out_of_range(binary(), 0..9) -> binary().
part_out_of_range(Binary, Length) when byte_size(Binary) > 2 ->
    binary:part(Binary, 1, Length);
part_out_of_range(Binary, _) ->
    Binary.

%% finds: error {listed,_}
-spec to_list(binary()) -> ok.
to_list(Binary) ->
    case binary_to_list(Binary) of
        [A, B, C] when A + B + C =:= 500 -> error({listed, Binary});
        _ -> ok
    end.

%% finds: error {bytes,_}
-spec from_list([byte()]) -> ok.
from_list(Bytes) ->
    case list_to_binary(Bytes) of
        <<Word:16, Word:16>> when Word > 255 -> error({bytes, Word});
        _ -> ok
    end.

%% finds: error {data,_}
-spec data(iolist()) -> ok.
data(Data) ->
    case iolist_to_binary(Data) of
        <<"hi!">> -> error({data, Data});
        _ -> ok
    end.

%% finds: error {number,_}
-spec number(binary()) -> ok.
number(Binary) ->
    try binary_to_integer(Binary) of
        4096 -> error({number, Binary});
        _ -> ok
    catch
        error:badarg -> ok
    end.

%% finds: error {color,_}
-spec number_base(<<_:48>>) -> ok.
number_base(Text) ->
    try binary_to_integer(Text, 16) of
        16#FF8000 -> error({color, Text});
        _ -> ok
    catch
        error:badarg -> ok
    end.

%% finds: error {again,_}
-spec round_trip(integer()) -> ok.
round_trip(Number) when Number > 99, Number < 1000 ->
    case binary_to_integer(<<(integer_to_binary(Number))/binary, "7">>) of
        4567 -> error({again, Number});
        _ -> ok
    end;
round_trip(_) ->
    ok.

%% finds: error {halves,_}
-spec split_at(binary(), 0..3) -> ok.
split_at(Binary, Place) when byte_size(Binary) =:= 4 ->
    case split_binary(Binary, Place) of
        {<<"a">>, <<"xyz">>} -> error({halves, Place});
        _ -> ok
    end;
split_at(_, _) ->
    ok.

%% finds: error {named,_}
-spec to_atom(binary()) -> ok.
to_atom(Binary) when byte_size(Binary) < 10 ->
    try binary_to_atom(Binary) of
        ok -> error({named, Binary});
        _ -> ok
    catch
        error:_ -> ok
    end;
to_atom(_) ->
    ok.

%% finds: error {size,_}
-spec size(bitstring()) -> ok.
size(Bits) ->
    if
        byte_size(Bits) =:= 3, bit_size(Bits) =:= 18 -> error({size, Bits});
        true -> ok
    end.

%% finds: error {listed,_}
-spec bits_to_list(bitstring()) -> ok.
bits_to_list(Bits) ->
    case bitstring_to_list(Bits) of
        [7, <<5:3>>] -> error({listed, Bits});
        _ -> ok
    end.

%% finds: error {large,_}
-spec large(binary()) -> ok.
large(Binary) when byte_size(Binary) > 300 -> error({large, Binary});
large(_) -> ok.

%% clean
-spec clean_part(binary()) -> ok.
clean_part(Binary) when byte_size(Binary) > 3 ->
    Part = binary_part(Binary, {1, 2}),
    2 = byte_size(Part),
    <<_, Part:2/binary, _/binary>> = Binary,
    ok;
clean_part(_) ->
    ok.
