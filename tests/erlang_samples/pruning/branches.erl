%%% Independent branches: as many paths as there are subsets.
-module(branches).

-export([carried/6, carried/10, carried/12, carried/14]).
-export([sums/6, sums/10, sums/12, sums/14]).
-export([powers/6, powers/10, powers/12, powers/14]).

%% Nobody looks at the results, so each branch could be taken by itself.
-spec carried(integer(), integer(), integer(), integer(), integer(),
              integer()) -> [high | low].
carried(A, B, C, D, E, F) ->
    carry([A, B, C, D, E, F]).

-spec carried(integer(), integer(), integer(), integer(), integer(),
              integer(), integer(), integer(), integer(), integer()) ->
    [high | low].
carried(A, B, C, D, E, F, G, H, I, J) ->
    carry([A, B, C, D, E, F, G, H, I, J]).

-spec carried(integer(), integer(), integer(), integer(), integer(),
              integer(), integer(), integer(), integer(), integer(),
              integer(), integer()) -> [high | low].
carried(A, B, C, D, E, F, G, H, I, J, K, L) ->
    carry([A, B, C, D, E, F, G, H, I, J, K, L]).

-spec carried(integer(), integer(), integer(), integer(), integer(),
              integer(), integer(), integer(), integer(), integer(),
              integer(), integer(), integer(), integer()) -> [high | low].
carried(A, B, C, D, E, F, G, H, I, J, K, L, M, N) ->
    carry([A, B, C, D, E, F, G, H, I, J, K, L, M, N]).

carry(Numbers) -> carry(Numbers, []).

carry([], Seen) -> lists:reverse(Seen);
carry([N | Rest], Seen) when N > 9 -> carry(Rest, [high | Seen]);
carry([_ | Rest], Seen) -> carry(Rest, [low | Seen]).

%% A sum of some of 1..n: many subsets have the same one.
-spec sums(integer(), integer(), integer(), integer(), integer(),
           integer()) -> ok.
sums(A, B, C, D, E, F) ->
    sum([A, B, C, D, E, F]).

-spec sums(integer(), integer(), integer(), integer(), integer(), integer(),
           integer(), integer(), integer(), integer()) -> ok.
sums(A, B, C, D, E, F, G, H, I, J) ->
    sum([A, B, C, D, E, F, G, H, I, J]).

-spec sums(integer(), integer(), integer(), integer(), integer(), integer(),
           integer(), integer(), integer(), integer(), integer(),
           integer()) -> ok.
sums(A, B, C, D, E, F, G, H, I, J, K, L) ->
    sum([A, B, C, D, E, F, G, H, I, J, K, L]).

-spec sums(integer(), integer(), integer(), integer(), integer(), integer(),
           integer(), integer(), integer(), integer(), integer(), integer(),
           integer(), integer()) -> ok.
sums(A, B, C, D, E, F, G, H, I, J, K, L, M, N) ->
    sum([A, B, C, D, E, F, G, H, I, J, K, L, M, N]).

sum(Numbers) -> sum(Numbers, 1, 0).

%% After the last number `Weight` is one more than there are numbers.
sum([], Weight, Sum) when Sum > Weight * (Weight - 1) div 2 -> error(bug);
sum([], _, _) -> ok;
sum([N | Rest], Weight, Sum) when N > 9 -> sum(Rest, Weight + 1, Sum + Weight);
sum([_ | Rest], Weight, Sum) -> sum(Rest, Weight + 1, Sum).

%% A sum of powers of two: each subset has its own.
-spec powers(integer(), integer(), integer(), integer(), integer(),
             integer()) -> ok.
powers(A, B, C, D, E, F) ->
    power([A, B, C, D, E, F]).

-spec powers(integer(), integer(), integer(), integer(), integer(), integer(),
             integer(), integer(), integer(), integer()) -> ok.
powers(A, B, C, D, E, F, G, H, I, J) ->
    power([A, B, C, D, E, F, G, H, I, J]).

-spec powers(integer(), integer(), integer(), integer(), integer(), integer(),
             integer(), integer(), integer(), integer(), integer(),
             integer()) -> ok.
powers(A, B, C, D, E, F, G, H, I, J, K, L) ->
    power([A, B, C, D, E, F, G, H, I, J, K, L]).

-spec powers(integer(), integer(), integer(), integer(), integer(), integer(),
             integer(), integer(), integer(), integer(), integer(), integer(),
             integer(), integer()) -> ok.
powers(A, B, C, D, E, F, G, H, I, J, K, L, M, N) ->
    power([A, B, C, D, E, F, G, H, I, J, K, L, M, N]).

power(Numbers) -> power(Numbers, 1, 0).

power([], Weight, Sum) when Sum >= Weight -> error(bug);
power([], _, _) -> ok;
power([N | Rest], Weight, Sum) when N > 9 ->
    power(Rest, 2 * Weight, Sum + Weight);
power([_ | Rest], Weight, Sum) ->
    power(Rest, 2 * Weight, Sum).
