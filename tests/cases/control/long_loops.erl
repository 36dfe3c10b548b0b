%% Loops of thousands of decisions, with something behind them.
-module(long_loops).
-export([after_loop/2, between_loops/2]).

%% A bug behind a loop that decides 2,200 times.
%% finds: error bug
-spec after_loop(integer(), integer()) -> ok.
after_loop(Limit, N) ->
    _ = below(Limit, 2200, 0),
    case N of
        4711 -> error(bug);
        _ -> ok
    end.

%% Between two such loops.
%% finds: error bug
-spec between_loops(integer(), [integer()]) -> ok.
between_loops(Limit, List) ->
    _ = below(Limit, 1100, 0),
    Found = lists:member(17, List),
    _ = below(Limit, 1100, 0),
    case Found of
        true -> error(bug);
        false -> ok
    end.

below(_, 0, Count) -> Count;
below(Limit, N, Count) when N < Limit -> below(Limit, N - 1, Count + 1);
below(Limit, N, Count) -> below(Limit, N - 1, Count).
