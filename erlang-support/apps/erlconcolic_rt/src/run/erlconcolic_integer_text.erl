%%% Integers as people write them: a long one that is near a power of two is
%%% `1 bsl 1023 - 1'. The rules are those of `number_text.rs' in the folder
%%% `erlang-term'.
-module(erlconcolic_integer_text).

-export([text/1, short/1]).

%% Integers with fewer bits are written in decimal.
-define(LEAST, (1 bsl 100)).
%% How many bits the factor of a power has at most.
-define(FACTOR_BITS, 64).
%% How far from a multiple of a power a number may be.
-define(NEAR, 1000).

-spec text(integer()) -> iodata().
text(Integer) ->
    case short(Integer) of
        none -> integer_to_binary(Integer);
        Text -> Text
    end.

%% The text of an integer that is near a power of two.
-spec short(integer()) -> iodata() | none.
short(Integer) when Integer > -?LEAST, Integer < ?LEAST ->
    none;
short(Integer) ->
    Number = abs(Integer),
    Shift = bits(Number) - ?FACTOR_BITS,
    Factor = Number bsr Shift,
    Low = Number - (Factor bsl Shift),
    Missing = (1 bsl Shift) - Low,
    if_near(Integer, Factor, Shift, Low, Missing).

-spec if_near(integer(), pos_integer(), pos_integer(), non_neg_integer(),
              pos_integer()) -> iodata() | none.
if_near(Integer, Factor, Shift, Low, _Missing) when Low =< ?NEAR ->
    shifted(Integer, Factor, Shift, Low);
if_near(Integer, Factor, Shift, _Low, Missing) when Missing =< ?NEAR ->
    shifted(Integer, Factor + 1, Shift, -Missing);
if_near(_Integer, _Factor, _Shift, _Low, _Missing) ->
    none.

-spec bits(pos_integer()) -> pos_integer().
bits(Number) ->
    <<First, Rest/binary>> = binary:encode_unsigned(Number),
    bit_size(Rest) + length(integer_to_list(First, 2)).

-spec shifted(integer(), pos_integer(), pos_integer(), integer()) -> iodata().
shifted(Integer, Factor, Shift, Rest) when Factor rem 2 =:= 0 ->
    shifted(Integer, Factor div 2, Shift + 1, Rest);
shifted(Integer, Factor, Shift, Rest) when Integer < 0 ->
    ["-(", power(Factor, Shift), ")", rest(-Rest)];
shifted(_Integer, Factor, Shift, Rest) ->
    [power(Factor, Shift), rest(Rest)].

-spec power(pos_integer(), pos_integer()) -> iodata().
power(Factor, Shift) ->
    [integer_to_binary(Factor), " bsl ", integer_to_binary(Shift)].

-spec rest(integer()) -> iodata().
rest(0) -> "";
rest(Rest) when Rest > 0 -> [" + ", integer_to_binary(Rest)];
rest(Rest) -> [" - ", integer_to_binary(-Rest)].
