%% Bit strings: their sizes, their bytes, and what is left of them.
-module(kept_bits).
-export([
    built/1, byte_sizes/1, clean_built/1, comprehension/1, field_of_size/2,
    first_and_last/1, last_byte/2, length_prefixed/1, little_or_big/2,
    rests/1, signed/2, skipped/1, tail_bits/1, unit/2
]).

%% The bytes that a loop put together.
%% finds all at depth 4: error ab; error ba
-spec built([a | b]) -> ok.
built(List) -> built(List, <<>>).

built([], <<"ab">>) -> error(ab);
built([], <<"bba">>) -> error(ba);
built([], _) -> ok;
built([a | Rest], Seen) -> built(Rest, <<Seen/binary, "a">>);
built([b | Rest], Seen) -> built(Rest, <<Seen/binary, "b">>).

%% There are no other bytes.
%% clean at depth 4: complete
-spec clean_built([a | b]) -> ok.
clean_built(List) -> clean_built(List, <<>>).

clean_built([], <<"c", _/binary>>) -> error(c);
clean_built([], _) -> ok;
clean_built([a | Rest], Seen) -> clean_built(Rest, <<Seen/binary, "a">>);
clean_built([b | Rest], Seen) -> clean_built(Rest, <<Seen/binary, "b">>).

%% Only the size of what was put together.
%% finds all at depth 4: error two_bytes
-spec byte_sizes([a | b]) -> ok.
byte_sizes(List) -> byte_sizes(List, <<>>).

byte_sizes([], Seen) when byte_size(Seen) =:= 2 -> error(two_bytes);
byte_sizes([], _) -> ok;
byte_sizes([a | Rest], Seen) -> byte_sizes(Rest, <<Seen/binary, 0>>);
byte_sizes([b | Rest], Seen) -> byte_sizes(Rest, Seen).

%% A comprehension that makes a binary.
%% finds all at depth 4: error one_zero_one
-spec comprehension([0..1]) -> ok.
comprehension(List) ->
    case << <<N:1>> || N <- List >> of
        <<5:3>> -> error(one_zero_one);
        _ -> ok
    end.

%% The size of a field was decided before.
%% finds all at depth 2: error one_byte; error two_bytes
-spec field_of_size(boolean(), a | b) -> ok.
field_of_size(Choice, Kind) ->
    Size = size_of(Choice),
    case {Kind, <<1, 2, 3>>} of
        {a, <<N:Size, _/binary>>} when N =:= 1 -> error(one_byte);
        {b, <<N:Size, _/binary>>} when N =:= 258 -> error(two_bytes);
        _ -> ok
    end.

size_of(true) -> 8;
size_of(false) -> 16.

%% The first byte of the input is kept until the last one comes.
%% finds all at depth 2: error same_ends
-spec first_and_last(binary()) -> ok.
first_and_last(<<First, Rest:2/binary>>) when First > 250 ->
    last(Rest, First);
first_and_last(_) ->
    ok.

last(<<First>>, First) -> error(same_ends);
last(<<_, Rest/binary>>, First) -> last(Rest, First);
last(<<>>, _) -> ok.

%% The last byte differs, the size does not.
%% finds all at depth 2: error one; error two
-spec last_byte(boolean(), a | b) -> ok.
last_byte(Choice, Kind) ->
    Bytes = <<0, (number(Choice))>>,
    case {Kind, Bytes} of
        {a, <<_, 1>>} -> error(one);
        {b, <<_, 2>>} -> error(two);
        _ -> ok
    end.

number(true) -> 1;
number(false) -> 2.

%% A length in the input says where the rest begins.
%% finds all at depth 2: error short_body; error long_body
-spec length_prefixed(binary()) -> ok.
length_prefixed(<<Size, Bytes/binary>>) when byte_size(Bytes) =:= 3, Size < 3 ->
    <<_:Size/binary, Rest/binary>> = Bytes,
    ending(Rest);
length_prefixed(_) ->
    ok.

ending(<<"x">>) -> error(long_body);
ending(<<"yz">>) -> error(short_body);
ending(_) -> ok.

%% The order of the bytes of a number.
%% finds all at depth 2: error big; error little
-spec little_or_big(boolean(), a | b) -> ok.
little_or_big(Choice, Kind) ->
    Bytes = bytes(Choice),
    case {Kind, Bytes} of
        {a, <<1:16/big>>} -> error(big);
        {b, <<1:16/little>>} -> error(little);
        _ -> ok
    end.

bytes(true) -> <<1:16/big>>;
bytes(false) -> <<1:16/little>>.

%% Two rests of one binary.
%% finds all at depth 2: error first_rest; error second_rest
-spec rests(binary()) -> ok.
rests(<<0, Rest:2/binary>>) -> rest(Rest);
rests(<<1, _, Rest:2/binary>>) -> rest(Rest);
rests(_) -> ok.

rest(<<A, B>>) when A =:= B, A > 200 -> error(first_rest);
rest(<<A, B>>) when A =:= B + 9 -> error(second_rest);
rest(_) -> ok.

%% One byte that is read in two ways.
%% finds all at depth 2: error negative; error positive
-spec signed(boolean(), a | b) -> ok.
signed(Choice, Kind) ->
    N = read(Choice, <<255>>),
    case {Kind, N} of
        {a, -1} -> error(negative);
        {b, 255} -> error(positive);
        _ -> ok
    end.

read(true, <<N/signed>>) -> N;
read(false, <<N>>) -> N.

%% How much was skipped.
%% finds all at depth 4: error at_two
-spec skipped([a | b]) -> ok.
skipped(List) -> skipped(List, 0).

skipped([], N) ->
    case <<"..x.">> of
        <<_:N/binary, "x", _/binary>> -> error(at_two);
        _ -> ok
    end;
skipped([a | Rest], N) -> skipped(Rest, N + 1);
skipped([b | Rest], N) -> skipped(Rest, N).

%% Bits that are no whole byte.
%% finds all at depth 4: error three_bits
-spec tail_bits([a | b]) -> ok.
tail_bits(List) -> tail_bits(List, <<1>>).

tail_bits([], Seen) when bit_size(Seen) rem 8 =:= 3 -> error(three_bits);
tail_bits([], _) -> ok;
tail_bits([a | Rest], Seen) -> tail_bits(Rest, <<Seen/bits, 0:1>>);
tail_bits([b | Rest], Seen) -> tail_bits(Rest, <<Seen/bits, 1:9>>).

%% Whether the rest is made of whole bytes.
%% finds all at depth 2: error bytes; error bits
-spec unit(boolean(), a | b) -> ok.
unit(Choice, Kind) ->
    Bits = bits(Choice),
    case {Kind, Bits} of
        {a, <<_, _/binary>>} -> error(bytes);
        {b, <<_:4, Rest/bits>>} when not is_binary(Bits) -> four(Rest);
        _ -> ok
    end.

bits(true) -> <<1, 2>>;
bits(false) -> <<1, 2:4>>.

four(<<_:8>>) -> error(bits);
four(_) -> ok.
