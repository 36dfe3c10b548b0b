-module(orders).

-export([total/1, root/2, hoard/1, steps/1, census/1]).

%% Each run takes a few milliseconds, so that a fault has time to happen.
total(Orders) ->
    receive after 3 -> sum(Orders) end.

sum([{add, N} | Rest]) when N > 3 -> 1 + sum(Rest);
sum([{half, N} | Rest]) -> N div 2 + sum(Rest);
sum([sub | Rest]) -> sum(Rest) - 1;
sum([stop | _]) -> 0;
sum([]) -> 0.

%% Bits of unknown numbers need Z3.
root(X, Y) when X bxor Y =:= 1003, X band Y =:= 0, X > 100, Y > 100 -> X - Y;
root(X, Y) when (X * Y) bxor 12345 =:= 1, X > Y, Y > 2 -> exit({root, X});
root(_, _) -> none.

%% Arrays of numbers are not on a heap, like large binaries.
hoard(keep) -> fill([]);
hoard(X) when is_atom(X) -> X;
hoard(_) -> other.

fill(Kept) -> fill([atomics:new(1000000, []) | Kept]).

%% The tool needs about 100 bytes for each step.
steps(N) when N > 0 -> steps(N - 1);
steps(_) -> done.

%% Counts of the BEAM after this run, for each path through a list of numbers.
census(Numbers) ->
    {kinds(Numbers), length(processes()), length(erlang:ports()),
     erlang:system_info(atom_count)}.

kinds([]) -> 0;
kinds([N | Rest]) when N > 5 -> 1 + kinds(Rest);
kinds([_ | Rest]) -> kinds(Rest).
