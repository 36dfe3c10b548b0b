%%% The beginning of the text of a term that is too large to write whole:
%%% `[1,2,...]'. Terms share their parts, so the text of a small term may be
%%% huge, and writing large integers in decimal may take very long.
-module(erlconcolic_cut_text).

-export([is_large/1, text/1]).

%% Larger maps have their keys in an order of their own.
-define(SMALL_MAP, 32).

%% Terms with more parts are large. Every byte and every character is a part.
-define(MAX_PARTS, 100000).

%% Integers with more bytes are written in hexadecimal, and cut.
-define(MAX_INTEGER, 20000).

%% Characters that are written, roughly.
-define(ROOM, 10000).

-spec is_large(term()) -> boolean().
is_large(Term) ->
    count([Term], ?MAX_PARTS) < 0.

%% How many more parts there could be; negative if there are too many.
-spec count(term(), integer()) -> integer().
count(_Term, Left) when Left < 0 -> Left;
count([First | Rest], Left) -> count(Rest, count(First, Left - 1));
count(Tuple, Left) when is_tuple(Tuple) ->
    count_elements(Tuple, 1, Left - 1);
count(Map, Left) when map_size(Map) > Left -> -1;
count(Map, Left) when is_map(Map) ->
    count(maps:to_list(Map), Left);
count(Bits, Left) when is_bitstring(Bits) -> Left - byte_size(Bits);
count(Integer, Left) when is_integer(Integer) ->
    case erlang:external_size(Integer) of
        Size when Size > ?MAX_INTEGER -> -1;
        Size -> Left - Size div 4
    end;
count(_Other, Left) -> Left - 1.

-spec count_elements(tuple(), pos_integer(), integer()) -> integer().
count_elements(Tuple, Index, Left) when Left < 0; Index > tuple_size(Tuple) ->
    Left;
count_elements(Tuple, Index, Left) ->
    count_elements(Tuple, Index + 1, count(element(Index, Tuple), Left)).

-spec text(term()) -> binary().
text(Term) ->
    {Text, _} = write(Term, ?ROOM),
    iolist_to_binary(Text).

-spec write(term(), integer()) -> {iodata(), integer()}.
write(_Term, Room) when Room =< 0 -> {"...", Room};
write([_ | _] = List, Room) ->
    {Text, Left} = elements(List, Room - 1),
    {[$[, Text, $]], Left};
write(Tuple, Room) when is_tuple(Tuple), tuple_size(Tuple) > 0 ->
    {Text, Left} = elements(first(Tuple, Room), Room - 1),
    {[${, Text, $}], Left};
write(Map, Room) when map_size(Map) > 0 ->
    {Text, Left} = pairs(first_pairs(Map, Room), Room - 2),
    {["#{", Text, $}], Left};
write(<<Bytes:?ROOM/binary, _/bitstring>>, Room) ->
    {Text, Left} = elements(binary_to_list(Bytes), Room),
    {["<<", Text, ">>"], Left};
write(Integer, Room) when is_integer(Integer) ->
    IsLong = erlang:external_size(Integer) > ?MAX_INTEGER,
    case erlconcolic_integer_text:short(Integer) of
        none when IsLong ->
            leaf([sign(Integer), "16#", first_digits(abs(Integer)), "..."],
                 Room);
        none -> leaf(erlconcolic_text:text(Integer), Room);
        Short -> leaf(Short, Room)
    end;
write(Fun, Room) when is_function(Fun) ->
    leaf(unicode:characters_to_binary(io_lib:format("~0tP", [Fun, 10])), Room);
write(Other, Room) ->
    leaf(erlconcolic_text:text(Other), Room).

-spec leaf(iodata(), integer()) -> {iodata(), integer()}.
leaf(Text, Room) ->
    {Text, Room - iolist_size(Text)}.

-spec sign(integer()) -> string().
sign(Integer) when Integer < 0 -> "-";
sign(_) -> "".

-spec first_digits(pos_integer()) -> binary().
first_digits(Integer) ->
    binary:encode_hex(binary:part(binary:encode_unsigned(Integer), 0, 50)).

%% A tuple may have millions of elements.
-spec first(tuple(), pos_integer()) -> [term()].
first(Tuple, Room) ->
    [element(Index, Tuple)
     || Index <- lists:seq(1, min(Room, tuple_size(Tuple)))].

-spec elements(term(), integer()) -> {iodata(), integer()}.
elements([Last], Room) ->
    write(Last, Room);
elements([First | Rest], Room) ->
    {Text, Left} = write(First, Room),
    {RestText, RestLeft} = rest(Rest, Left - 1),
    {[Text | RestText], RestLeft}.

-spec rest(term(), integer()) -> {iodata(), integer()}.
rest(_Rest, Room) when Room =< 0 ->
    {",...", Room};
rest([_ | _] = Rest, Room) ->
    {Text, Left} = elements(Rest, Room),
    {[$, | Text], Left};
rest(Tail, Room) ->
    {Text, Left} = write(Tail, Room),
    {[$| | Text], Left}.

%% Small maps are written in the order of terms, which is the same everywhere.
-spec first_pairs(map(), integer()) -> [{term(), term()}].
first_pairs(Map, _Room) when map_size(Map) =< ?SMALL_MAP ->
    lists:sort(maps:to_list(Map));
first_pairs(Map, Room) ->
    next_pairs(maps:next(maps:iterator(Map)), Room).

-spec next_pairs(none | {term(), term(), maps:iterator()}, integer()) ->
    [{term(), term()}].
next_pairs({Key, Value, Iterator}, Room) when Room > 0 ->
    [{Key, Value} | next_pairs(maps:next(Iterator), Room - 1)];
next_pairs(_Next, _Room) ->
    [].

-spec pairs([{term(), term()}], integer()) -> {iodata(), integer()}.
pairs(_Pairs, Room) when Room =< 0 ->
    {"...", Room};
pairs([{Key, Value} | Pairs], Room) ->
    {KeyText, Left} = write(Key, Room),
    {ValueText, ValueLeft} = write(Value, Left),
    Pair = [KeyText, " => ", ValueText],
    case Pairs of
        [] ->
            {Pair, ValueLeft};
        _ ->
            {Text, NewLeft} = pairs(Pairs, ValueLeft - 5),
            {[Pair, $,, Text], NewLeft}
    end.
