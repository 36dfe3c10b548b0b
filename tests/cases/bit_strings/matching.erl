%% Bit strings that are taken apart.
-module(matching).
-export([
    nibbles/1, magic/1, tlv/1, packet/1, text/1, utf16/1, signed_little/1,
    float_field/1, small_float/1, size_from_argument/2, unit/1, bits_tail/1,
    request/1, varint/1, mac/1, ip_header/1, literal/1, rest/1, alias/1,
    several/1
]).

%% A header of two nibbles.
%% finds: error {version,_}
-spec nibbles(binary()) -> ok.
nibbles(<<4:4, Length:4, _/binary>>) when Length > 11 ->
    error({version, Length});
nibbles(_) ->
    ok.

%% Four bytes that begin a file, and a number after them.
%% finds: error {class,_}
-spec magic(binary()) -> ok.
magic(<<16#CAFEBABE:32, _:16, Major:16, _/binary>>) when Major =:= 52 ->
    error({class, Major});
magic(_) ->
    ok.

%% Type, length and value.
%% finds: error {password,_}
-spec tlv(binary()) -> ok.
tlv(<<7, Length, Value:Length/binary, Rest/binary>>) ->
    case Value of
        <<"key">> -> error({password, Rest});
        _ -> tlv(Rest)
    end;
tlv(<<_, Length, _:Length/binary, Rest/binary>>) ->
    tlv(Rest);
tlv(_) ->
    ok.

%% A length, a body and a checksum of the body.
%% finds: error {cracked,_}
-spec packet(binary()) -> ok | bad.
packet(<<Length:16, Body:Length/binary, Sum:8>>) ->
    case sum(Body, 0) rem 256 of
        Sum ->
            case Body of
                <<"cmd", Code, _/binary>> when Code > 200 ->
                    error({cracked, Code});
                _ ->
                    ok
            end;
        _ ->
            bad
    end;
packet(_) ->
    bad.

sum(<<Byte, Rest/binary>>, Sum) -> sum(Rest, Sum + Byte);
sum(<<>>, Sum) -> Sum.

%% Characters beyond ASCII.
%% finds: error {euro,_}
-spec text(binary()) -> ok.
text(<<$a, 16#20AC/utf8, Next/utf8, _/binary>>) when Next > 16#FFFF ->
    error({euro, Next});
text(_) ->
    ok.

%% Pairs of words.
%% finds: error {clef,_}
-spec utf16(binary()) -> ok.
utf16(<<Clef/utf16-little, _/binary>>) when Clef =:= 16#1D11E ->
    error({clef, Clef});
utf16(_) ->
    ok.

%% finds: error {balance,_}
-spec signed_little(binary()) -> ok.
signed_little(<<Account:16/little, Balance:32/little-signed>>) when
    Account =:= 4711, Balance < -100000
->
    error({balance, Balance});
signed_little(_) ->
    ok.

%% finds: error {hot,_}
-spec float_field(binary()) -> ok.
float_field(<<"T", Degrees/float, _/binary>>) when
    Degrees > 36.5, Degrees < 37.0
->
    error({hot, Degrees});
float_field(_) ->
    ok.

%% finds: error half
-spec small_float(binary()) -> ok.
small_float(<<0.5:32/float-little>>) -> error(half);
small_float(_) -> ok.

%% The size of a segment is an argument.
%% finds: error {wide,_}
-spec size_from_argument(integer(), bitstring()) -> ok.
size_from_argument(Size, Bits) ->
    case Bits of
        <<Number:Size, 2#101:3>> when Number > 1000 ->
            error({wide, Number});
        _ ->
            ok
    end.

%% finds: error {words,_}
-spec unit(binary()) -> ok.
unit(<<Count, Words:Count/binary-unit:16, $!>>) when Count > 1 ->
    error({words, Words});
unit(_) ->
    ok.

%% The rest is not a whole byte.
%% finds: error {left,_}
-spec bits_tail(bitstring()) -> ok.
bits_tail(<<1:1, 0:1, Rest/bitstring>>) when bit_size(Rest) =:= 13 ->
    error({left, Rest});
bits_tail(_) ->
    ok.

%% finds: error {path,_}
-spec request(binary()) -> ok.
request(<<"GET /", Path/binary>>) when byte_size(Path) > 3 ->
    case Path of
        <<"admin", _/binary>> -> error({path, Path});
        _ -> ok
    end;
request(_) ->
    ok.

%% Seven bits in each byte, the first ones last.
%% finds: error {number,_}
-spec varint(binary()) -> ok | none.
varint(Binary) ->
    case varint(Binary, 0, 1) of
        {300, <<>>} -> error({number, 300});
        none -> none;
        _ -> ok
    end.

varint(<<1:1, Digit:7, Rest/binary>>, Sum, Factor) when Factor < 1000000 ->
    varint(Rest, Sum + Digit * Factor, Factor * 128);
varint(<<0:1, Digit:7, Rest/binary>>, Sum, Factor) ->
    {Sum + Digit * Factor, Rest};
varint(_, _, _) ->
    none.

%% finds: error {local,_}
-spec mac(<<_:48>>) -> ok.
mac(<<_:6, 1:1, 0:1, Vendor:16, Device:24>>) when
    Vendor =:= 16#1B63, Device > 16#FFFF00
->
    error({local, Device});
mac(_) ->
    ok.

%% finds: error {fragment,_}
-spec ip_header(binary()) -> ok.
ip_header(
    <<4:4, Words:4, _:8, Total:16, _:16, _:3, Offset:13, _/binary>> = Packet
) when
    Words >= 5, Total =:= byte_size(Packet), Offset > 100
->
    error({fragment, Offset});
ip_header(_) ->
    ok.

%% finds: error same
-spec literal(binary()) -> ok.
literal(Binary) ->
    if
        Binary =:= <<"secret">> -> error(same);
        true -> ok
    end.

%% A rest of a rest.
%% finds: error {deep,_}
-spec rest(binary()) -> ok.
rest(<<_, A/binary>>) ->
    case A of
        <<_, B/binary>> when B =:= <<"xyz">> -> error({deep, A});
        _ -> ok
    end;
rest(_) ->
    ok.

%% finds: error {whole,_}
-spec alias(binary()) -> ok.
alias(<<First, _/binary>> = Whole) when byte_size(Whole) =:= First, First > 4 ->
    error({whole, Whole});
alias(_) ->
    ok.

%% Two sizes in one pattern.
%% finds: error {pair,_}
-spec several(binary()) -> ok.
several(<<N:4, M:4, A:N/binary, B:M/binary>>) when A =:= B, N > 1 ->
    error({pair, A});
several(_) ->
    ok.
