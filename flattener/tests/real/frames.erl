%% Bit strings: every type of segment, built, matched and comprehended.
-module(frames).

-export([pack/3, unpack/1, parity/1, utf/1, words/1]).

-define(MAGIC, 16#CAFE).

pack(Kind, Ratio, Payload) ->
    Size = byte_size(Payload),
    <<?MAGIC:16/big, Kind:5, (Kind bxor 3):3, Ratio:64/float-little, Size:24,
      Payload/binary, -1:12/signed-native>>.

unpack(<<?MAGIC:16, Kind:5, _:3, Ratio:64/float-little, Size:24,
         Payload:Size/binary, Rest/bits>>) when Kind < 20 ->
    {ok, {Kind, Ratio, Payload, Rest}};
unpack(<<"GIF8", Version, $a, Rest/binary>>) when Version =:= $7; Version =:= $9 ->
    {ok, {gif, Version, Rest}};
unpack(<<1:1, Rest/bits>>) ->
    {odd, Rest};
unpack(Other) when is_bitstring(Other) ->
    error.

parity(Bits) ->
    lists:foldl(fun(Bit, Sum) -> Bit bxor Sum end, 0, [B || <<B:1>> <= Bits]).

utf(Text) ->
    {<< <<Char/utf8>> || Char <- Text >>,
     << <<Char/utf16-little>> || Char <- Text, Char > 127 >>,
     <<"žluťoučký kůň"/utf8, 16#10FFFF/utf32>>}.

words(<<Length:8, Word:Length/binary, Rest/binary>>) -> [Word | words(Rest)];
words(<<>>) -> [];
words(<<Short:3/binary-unit:2>>) -> [Short].
