%% Values of which one path says more than another.
-module(kept_wider).
-export([
    clean_ascending/2, less_deep/1, narrow_first/2, neither/2, sides/2,
    tied/3, without_first/1
]).

%% Two lists in order. What was compared before says more and more about the
%% same two numbers.
%% clean at depth 4: complete
-spec clean_ascending([integer()], [integer()]) -> [integer()].
clean_ascending([A | As], [B | _] = Bs) when A < B ->
    [A | clean_ascending(As, Bs)];
clean_ascending([_ | _] = As, [B | Bs]) -> [B | clean_ascending(As, Bs)];
clean_ascending([], Bs) -> Bs;
clean_ascending(As, []) -> As.

%% More is said of the second list, but there is more of it.
%% finds all at depth 4: error four
-spec less_deep([a | b]) -> ok.
less_deep([a | Rest]) -> count(Rest);
less_deep([b | _] = List) -> count(List);
less_deep([]) -> ok.

count([_, _, _, _]) -> error(four);
count(_) -> ok.

%% The one of which more is said comes first.
%% finds all at depth 2: error seven
-spec narrow_first(0..9, a | b | c) -> ok.
narrow_first(N, Kind) when N < 5, N =/= 3 -> narrowed(N, Kind);
narrow_first(N, Kind) -> narrowed(N, Kind).

narrowed(N, a) -> odd_one(N);
narrowed(N, b) -> odd_one(N + 1);
narrowed(_, c) -> ok.

odd_one(7) -> error(seven);
odd_one(_) -> ok.

%% Each of two numbers is left out in one way, and both in the last one.
%% finds all at depth 2: error one; error two
-spec neither(0..9, a | b | c) -> ok.
neither(N, a) when N =/= 1 -> left(N, x);
neither(N, b) when N =/= 2 -> left(N, x);
neither(N, c) when N =/= 1, N =/= 2 -> left(N, y);
neither(_, _) -> ok.

left(N, x) when N < 8 -> which(N);
left(N, y) when N < 8 -> which(N);
left(_, _) -> ok.

which(1) -> error(one);
which(2) -> error(two);
which(_) -> ok.

%% Two halves of the numbers.
%% finds all at depth 2: error low; error high
-spec sides(0..9, a | b) -> ok.
sides(N, Kind) when N > 5 -> after_side(N, Kind);
sides(N, Kind) -> after_side(N, Kind).

after_side(N, a) -> ends(N);
after_side(_, b) -> ok.

ends(2) -> error(low);
ends(8) -> error(high);
ends(_) -> ok.

%% What is said ties the number to another one that is not used any more.
%% finds all at depth 2: error two; error five
-spec tied(0..9, 0..9, a | b) -> ok.
tied(X, Y, Kind) when X > 3, Y > X -> loosened(Y, Kind);
tied(X, Y, Kind) when Y < X, X < 4 -> loosened(Y, Kind);
tied(_, _, _) -> ok.

loosened(2, a) -> error(two);
loosened(5, a) -> error(five);
loosened(_, _) -> ok.

%% A list without its first element, and one about whose first element
%% something is said.
%% finds all at depth 3: error zero; error nine
-spec without_first([0..9]) -> ok.
without_first([N | Rest]) when N > 4 -> first(Rest);
without_first([N | _] = List) when N > 0 -> first(List);
without_first(_) -> ok.

first([0 | _]) -> error(zero);
first([4, 9 | _]) -> error(nine);
first(_) -> ok.
