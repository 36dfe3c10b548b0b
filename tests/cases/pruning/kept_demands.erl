%% What operations want of values that nobody looks at: a map, a binary, a list,
%% a number.
-module(kept_demands).
-export([
    added/2, appended/2, bytes_left/1, clean_collected/1, collected/2,
    header/2, in_front/1, in_map/2, in_text/2, measured/2, picked/4,
    put_into/2, returned/1, reversed/2, searched/2, tested/2, whole_list/1,
    written/2
]).

%% A sum that is only returned, of what may be no number.
%% finds all at depth 2: error badarith
-spec added(boolean(), a | b) -> number().
added(IsRight, Kind) ->
    N = number(IsRight),
    case decided(Kind) of
        x -> 0;
        y -> N + 1
    end.

number(true) -> 1;
number(false) -> one.

decided(a) -> x;
decided(b) -> y.

%% Something is put behind a list that may have another end.
%% finds all at depth 2: error badarg
-spec appended(boolean(), a | b) -> list().
appended(IsRight, Kind) ->
    List = list(IsRight),
    case decided(Kind) of
        x -> [];
        y -> List ++ [z]
    end.

list(true) -> [x];
list(false) -> [x | y].

%% The same loop, once with few bytes left.
%% finds all at depth 2: error two_left
-spec bytes_left(binary()) -> ok.
bytes_left(<<$s, Rest/binary>>) when byte_size(Rest) < 2 -> left(Rest);
bytes_left(<<$l, Rest/binary>>) -> left(Rest);
bytes_left(_) -> ok.

left(<<$a, $b>>) -> error(two_left);
left(<<$a, _/binary>>) -> ok;
left(_) -> ok.

%% What is collected is only returned.
%% clean at depth 3: complete
-spec clean_collected([a | b]) -> {binary(), map()}.
clean_collected(List) -> clean_collected(List, <<>>, #{}).

clean_collected([], Text, Map) -> {Text, Map};
clean_collected([a | Rest], Text, Map) ->
    clean_collected(Rest, <<Text/binary, $a>>, Map#{a => Text});
clean_collected([b | Rest], Text, Map) ->
    clean_collected(Rest, <<Text/binary, $b>>, Map#{b => Text}).

%% A map that is filled in a loop, or something else.
%% finds all at depth 3: error {badmap,_}
-spec collected(boolean(), [a | b]) -> map().
collected(IsRight, List) ->
    put_all(List, map(IsRight)).

put_all([a | Rest], Map) -> put_all(Rest, Map);
put_all([b | Rest], Map) -> put_all(Rest, Map#{b => Rest});
put_all([], Map) -> Map.

map(true) -> #{};
map(false) -> none.

%% The first byte decides after the others were read.
%% finds all at depth 2: error in_first; error in_second
-spec header(binary(), a | b) -> ok.
header(<<Tag, Rest/binary>>, Kind) when Tag < 2, byte_size(Rest) < 3 ->
    Letter = decided(Kind),
    ok = skip(Rest),
    case {Tag, Letter} of
        {0, x} -> error(in_first);
        {1, y} -> error(in_second);
        _ -> ok
    end;
header(_, _) ->
    ok.

skip(<<$z, Rest/binary>>) -> skip(Rest);
skip(_) -> ok.

%% A byte that was looked at in front of the rest is read again.
%% finds all at depth 2: error a_again; error b_again
-spec in_front(binary()) -> ok.
in_front(<<_, Rest/binary>> = Text) -> again(Rest, second(Text));
in_front(<<>>) -> ok.

second(<<_, $a, _/binary>>) -> x;
second(<<_, $b, _/binary>>) -> x;
second(_) -> x.

again(Rest, x) ->
    case Rest of
        <<$a, 1, _/binary>> -> error(a_again);
        <<$b, 2, _/binary>> -> error(b_again);
        _ -> ok
    end.

%% A value that is put into a map later.
%% finds all at depth 2: error first; error second
-spec in_map(boolean(), a | b) -> ok.
in_map(Choice, Kind) ->
    Name = name(Choice),
    Letter = decided(Kind),
    in_made_map(#{name => Name, letter => Letter}).

in_made_map(#{name := first, letter := x}) -> error(first);
in_made_map(#{name := second, letter := y}) -> error(second);
in_made_map(_) -> ok.

name(true) -> first;
name(false) -> second.

%% A byte that is put into a binary later.
%% finds all at depth 2: error first; error second
-spec in_text(boolean(), a | b) -> ok.
in_text(Choice, Kind) ->
    Byte = byte(Choice),
    Letter = decided(Kind),
    in_made_text(<<Byte>>, Letter).

byte(true) -> 1;
byte(false) -> 2.

in_made_text(<<1>>, x) -> error(first);
in_made_text(<<2>>, y) -> error(second);
in_made_text(_, _) -> ok.

%% The length of a list that may have another end.
%% finds all at depth 2: error badarg
-spec measured(boolean(), a | b) -> non_neg_integer().
measured(IsRight, Kind) ->
    List = list(IsRight),
    case decided(Kind) of
        x -> 0;
        y -> length(List)
    end.

%% One of two parts of the input, of which only one must be a number.
%% finds all at depth 2: error badarith
-spec picked(boolean(), 0..9, 0..9 | one, a | b) -> number().
picked(IsFirst, One, Other, Kind) ->
    N = pick(IsFirst, One, Other),
    case decided(Kind) of
        x -> 0;
        y -> N + 1
    end.

pick(true, One, _) -> One;
pick(false, _, Other) -> Other.

%% A pair is put into what may be no map.
%% finds all at depth 2: error {badmap,_}
-spec put_into(boolean(), a | b) -> map().
put_into(IsRight, Kind) ->
    Map = map(IsRight),
    case decided(Kind) of
        x -> #{};
        y -> Map#{z => 1}
    end.

%% The caller compares what a loop counted.
%% finds all at depth 4: error two
-spec returned([a | b]) -> ok.
returned(List) ->
    case count(List, 0) of
        2 -> error(two);
        _ -> ok
    end.

count([], N) -> N;
count([a | Rest], N) -> count(Rest, N);
count([b | Rest], N) -> count(Rest, N + 1).

%% A list that may have another end is reversed.
%% finds all at depth 2: error function_clause
-spec reversed(boolean(), a | b) -> list().
reversed(IsRight, Kind) ->
    List = list(IsRight),
    case decided(Kind) of
        x -> [];
        y -> lists:reverse(List)
    end.

%% Code that is not followed is given what was decided before.
%% finds all at depth 2: error first; error second
-spec searched(boolean(), a | b) -> ok.
searched(Choice, Kind) ->
    Text = atom_to_list(name(Choice)),
    Letter = decided(Kind),
    case {erl_scan:string(Text), Letter} of
        {{ok, [{atom, _, first}], _}, x} -> error(first);
        {{ok, [{atom, _, second}], _}, y} -> error(second);
        _ -> ok
    end.

%% Only whether something is a map.
%% finds all at depth 2: error no_map
-spec tested(boolean(), a | b) -> ok.
tested(IsRight, Kind) ->
    Map = map(IsRight),
    case decided(Kind) of
        x -> ok;
        y -> only_map(Map)
    end.

only_map(Map) when is_map(Map) -> ok;
only_map(_) -> error(no_map).

%% A binary is read while the list that it is in waits.
%% finds all at depth 2: error a_before; error b_before
-spec whole_list([binary()]) -> ok.
whole_list([<<C, Rest/binary>>] = List) when byte_size(Rest) < 4 ->
    x = one_letter(C),
    ok = skip(Rest),
    case List of
        [<<$a, _, _/binary>>] -> error(a_before);
        [<<$b, _, _, _/binary>>] -> error(b_before);
        _ -> ok
    end;
whole_list(_) ->
    ok.

one_letter($a) -> x;
one_letter($b) -> x;
one_letter(_) -> x.

%% Bytes are put behind what may be no binary.
%% finds all at depth 2: error badarg
-spec written(boolean(), a | b) -> binary().
written(IsRight, Kind) ->
    Text = text(IsRight),
    case decided(Kind) of
        x -> <<>>;
        y -> <<Text/binary, 1>>
    end.

text(true) -> <<"x">>;
text(false) -> x.
