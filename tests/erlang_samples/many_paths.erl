%% A function with many paths of the same length.
-module(many_paths).

-export([count/1]).

-spec count(term()) -> integer().
count([{add, N} | Rest]) when is_integer(N), N > 3 -> 1 + count(Rest);
count([{add, _} | Rest]) -> count(Rest);
count([sub | Rest]) -> count(Rest) - 1;
count([double | Rest]) -> 2 * count(Rest);
count([stop | _]) -> 0;
count([]) -> 0.
