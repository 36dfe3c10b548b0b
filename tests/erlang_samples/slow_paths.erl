%% A function with many paths of the same length, each run of which takes a few
%% milliseconds in code that is not followed (slow_work).
-module(slow_paths).

-export([count/1]).

-spec count(term()) -> integer().
count(Items) -> slow_work:spend(100_000) + sum(Items).

sum([{add, N} | Rest]) when is_integer(N), N > 3 -> 1 + sum(Rest);
sum([{add, _} | Rest]) -> sum(Rest);
sum([sub | Rest]) -> sum(Rest) - 1;
sum([double | Rest]) -> 2 * sum(Rest);
sum([stop | _]) -> 0;
sum([]) -> 0.
