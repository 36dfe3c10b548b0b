%%% Three workers compute a part each and meet at a barrier. The entry's
%%% process is the barrier; it opens when all have arrived and adds the parts.
%%% The worker on the right has a slow machine: if it has more than seven times
%%% as much to do as the one on the left, it sends its part in two halves.
%%%
%%% The correct twin of barrier. Mended: a half that is not the last one is no
%%% arrival, and the barrier waits for an arrival of each worker.
-module(barrier_fixed).
-export([main/2]).

-spec main(1..16, 1..16) -> pos_integer().
main(Left, Right) ->
    Barrier = self(),
    spawn(fun() -> Barrier ! {arrived, left, Left} end),
    spawn(fun() -> Barrier ! {arrived, middle, 4} end),
    spawn(fun() -> right(Barrier, Right, Right > 7 * Left) end),
    lists:sum([part(Side) || Side <- [left, middle, right]]).

right(Barrier, Part, true) ->
    Barrier ! {half, right, Part div 2},
    Barrier ! {arrived, right, Part - Part div 2};
right(Barrier, Part, false) ->
    Barrier ! {arrived, right, Part}.

%% The part of a worker that has arrived.
part(Side) ->
    receive
        {half, Side, Part} -> Part + part(Side);
        {arrived, Side, Part} -> Part
    end.
