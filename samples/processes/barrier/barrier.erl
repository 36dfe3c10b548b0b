%%% Three workers compute a part each and meet at a barrier. The entry's
%%% process is the barrier; it opens after three arrivals and adds the parts.
%%% The worker on the right has a slow machine: if it has more than seven times
%%% as much to do as the one on the left, it sends its part in two halves.
%%%
%%% The bug: the barrier counts arrivals, not workers. Two halves from the
%%% right open it although another worker has not arrived.
%%%
%%% Input: Right > 7 * Left, for example barrier:main(1, 8).
%%% Order: the worker on the right sends both halves before another one sends.
-module(barrier).
-export([main/2]).

-spec main(1..16, 1..16) -> pos_integer().
main(Left, Right) ->
    Barrier = self(),
    spawn(fun() -> Barrier ! {arrived, left, Left} end),
    spawn(fun() -> Barrier ! {arrived, middle, 4} end),
    spawn(fun() -> right(Barrier, Right, Right > 7 * Left) end),
    Arrivals = [arrival(), arrival(), arrival()],
    lists:sum([part(Side, Arrivals) || Side <- [left, middle, right]]).

right(Barrier, Part, true) ->
    Barrier ! {arrived, right, Part div 2},
    Barrier ! {arrived, right, Part - Part div 2};
right(Barrier, Part, false) ->
    Barrier ! {arrived, right, Part}.

arrival() ->
    receive
        {arrived, Side, Part} -> {Side, Part}
    end.

part(Side, Arrivals) ->
    {Side, Part} = lists:keyfind(Side, 1, Arrivals),
    Part.
