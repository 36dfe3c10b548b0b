%% Takes time.
-module(slow_work).

-export([spend/1]).

-spec spend(non_neg_integer()) -> 0.
spend(0) -> 0;
spend(N) -> spend(N - 1).
