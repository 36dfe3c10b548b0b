%% Bit strings that are taken apart, put together and gone through.
-module(taken_bits).
-export([
    checksum/1, counted/1, dns_name/1, doubled/1, flags/1, float_field/1,
    from_the_end/1, header/1, ip_address/1, little/1, nibbles/1, signed/1,
    sized/1, utf8/1, varint/1
]).

%% All bytes but the last add up to the last.
%% finds: error accepted
-spec checksum(binary()) -> ok.
checksum(<<A, B, C, Sum>>) when (A + B + C) rem 256 =:= Sum, A > B, B > C ->
    error(accepted);
checksum(_) ->
    ok.

%% finds: error three_ones
-spec counted(<<_:6>>) -> ok.
counted(Bits) ->
    case lists:sum([Bit || <<Bit:1>> <= Bits]) of
        3 -> error(three_ones);
        _ -> ok
    end.

%% Labels with their lengths, and a zero at the end.
%% finds: error {name,[<<"a">>,<<"bc">>]}
-spec dns_name(binary()) -> ok.
dns_name(Bytes) ->
    case labels(Bytes) of
        [<<"a">>, <<"bc">>] = Labels -> error({name, Labels});
        _ -> ok
    end.

labels(<<0, _/binary>>) -> [];
labels(<<Size, Label:Size/binary, Rest/binary>>) -> [Label | labels(Rest)];
labels(_) -> [].

%% finds: error doubled
-spec doubled(binary()) -> ok.
doubled(Bytes) when byte_size(Bytes) =:= 4 ->
    <<Half:2/binary, Other/binary>> = Bytes,
    case Half =:= Other andalso Half > <<"m">> of
        true -> error(doubled);
        false -> ok
    end;
doubled(_) ->
    ok.

%% finds: error flags
-spec flags(<<_:16>>) -> ok.
flags(<<1:1, _:3, Code:4, 1:1, _:6, Last:1>>) when Code > 11, Last =:= 0 ->
    error(flags);
flags(_) ->
    ok.

%% finds: error pi
-spec float_field(binary()) -> ok.
float_field(<<"f", X/float, _/binary>>) when X > 3.0, X < 3.5 -> error(pi);
float_field(_) -> ok.

%% finds: error trailer
-spec from_the_end(binary()) -> ok.
from_the_end(Bytes) when byte_size(Bytes) > 4 ->
    Place = byte_size(Bytes) - 2,
    case Bytes of
        <<_:Place/binary, "\r\n">> -> error(trailer);
        _ -> ok
    end;
from_the_end(_) ->
    ok.

%% finds: error {version,3}
-spec header(binary()) -> ok.
header(<<"GIF", Version:4, Kind:4, Size:16, Rest/binary>>) when
    Version =:= 3, Kind < 2, byte_size(Rest) =:= Size, Size > 0
->
    error({version, Version});
header(_) ->
    ok.

%% finds: error private
-spec ip_address(<<_:32>>) -> ok.
ip_address(<<192, 168, Net, Host>>) when Net + Host =:= 300 -> error(private);
ip_address(_) -> ok.

%% finds: error little
-spec little(binary()) -> ok.
little(<<N:32/little, N:32/big, _/binary>>) when N > 0 -> error(little);
little(_) -> ok.

%% finds: error bcd
-spec nibbles(binary()) -> ok.
nibbles(Bytes) ->
    case [Digit || <<Digit:4>> <= Bytes] of
        [1, 9, 8, Last] when Last < 10 -> error(bcd);
        _ -> ok
    end.

%% finds: error minus
-spec signed(<<_:24>>) -> ok.
signed(<<N:24/signed>>) when N < -8000000 -> error(minus);
signed(_) -> ok.

%% finds: error {sized,_}
-spec sized(bitstring()) -> ok.
sized(<<Size:3, Value:Size, _/bits>>) when Value > 100 ->
    error({sized, Value});
sized(_) -> ok.

%% finds: error euro
-spec utf8(binary()) -> ok.
utf8(<<16#20AC/utf8, Rest/binary>>) when Rest =/= <<>> -> error(euro);
utf8(_) -> ok.

%% Seven bits in each byte; the first bit says whether more follow.
%% finds: error {number,300}
-spec varint(binary()) -> ok.
varint(Bytes) ->
    case number(Bytes, 0) of
        300 -> error({number, 300});
        _ -> ok
    end.

number(<<1:1, Part:7, Rest/binary>>, Sum) -> number(Rest, Sum * 128 + Part);
number(<<0:1, Part:7, _/binary>>, Sum) -> Sum * 128 + Part;
number(_, _) -> none.
