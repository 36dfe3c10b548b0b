%%% Sets of integers as lists of intervals that are in order and do not touch.
%%%
%%% The bug: an interval that is added between two others is joined with the
%%% first one, but not with the second one if it reaches it only then. It takes
%%% three intervals, of which the last one closes the gap between the others.
%%% intervals_fixed.erl is the same without the bug.
-module(intervals).

-export([new/0, add/3, has/2, is_valid/1]).

-export_type([intervals/0]).

-type interval() :: {From :: integer(), To :: integer()}.
-type intervals() :: [interval()].

-spec new() -> intervals().
new() ->
    [].

-spec add(integer(), integer(), intervals()) -> intervals().
add(From, To, Intervals) when From > To ->
    add(To, From, Intervals);
add(From, To, [{_, Last} = Interval | Intervals]) when Last + 1 < From ->
    [Interval | add(From, To, Intervals)];
add(From, To, [{First, _} | _] = Intervals) when To + 1 < First ->
    [{From, To} | Intervals];
add(From, To, [{First, Last} | Intervals]) ->
    [{min(From, First), max(To, Last)} | Intervals];
add(From, To, []) ->
    [{From, To}].

-spec has(integer(), intervals()) -> boolean().
has(Integer, [{From, To} | Intervals]) when Integer > To ->
    From =< To andalso has(Integer, Intervals);
has(Integer, [{From, _} | _]) ->
    Integer >= From;
has(_, []) ->
    false.

%% Intervals are in order, with a gap between two of them.
-spec is_valid(intervals()) -> boolean().
is_valid([{From, To}, {Next, _} = Interval | Intervals]) ->
    From =< To andalso To + 1 < Next andalso is_valid([Interval | Intervals]);
is_valid([{From, To}]) ->
    From =< To;
is_valid([]) ->
    true.
