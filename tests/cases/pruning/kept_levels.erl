%% One state at two levels of the input: only the higher one has enough left.
-module(kept_levels).
-export([
    counted_levels/1, far_first/1, near_first/1, two_arguments/2,
    two_branches/1, unwrapped/1
]).
-export_type([box/0, branches/0]).

-type box() :: {box, box()} | [a | b].
-type branches() :: {[a | b], {[a | b]}}.

%% The same rest, once after one element and once after three.
%% finds all at depth 4: error three_left
-spec far_first([far | near | a]) -> ok.
far_first([far, _, _ | Rest]) -> left(Rest);
far_first([near | Rest]) -> left(Rest);
far_first(_) -> ok.

left([a, a, a]) -> error(three_left);
left([_ | Rest]) -> left(Rest);
left([]) -> ok.

%% The same, with the other one first.
%% finds all at depth 4: error three_left
-spec near_first([near | far | a]) -> ok.
near_first([near | Rest]) -> left(Rest);
near_first([far, _, _ | Rest]) -> left(Rest);
near_first(_) -> ok.

%% The counter says on which level the rest is.
%% finds all at depth 4: error third; error first
-spec counted_levels([a | b]) -> ok.
counted_levels(List) -> counted_levels(List, 1).

counted_levels([b], 3) -> error(third);
counted_levels([b, a, a], 1) -> error(first);
counted_levels([_ | Rest], N) -> counted_levels(Rest, N + 1);
counted_levels([], _) -> ok.

%% The same loop over one argument or a part of another.
%% finds all at depth 3: error three_left
-spec two_arguments([[a]], [a]) -> ok.
two_arguments([Inner | _], []) -> left(Inner);
two_arguments(_, List) -> left(List).

%% Two lists on two levels, and the same loop for both.
%% finds all at depth 4: error three_left
-spec two_branches(branches()) -> ok.
two_branches({[], {Deep}}) -> left(Deep);
two_branches({List, {[b]}}) -> left(List);
two_branches(_) -> ok.

%% Each box costs a level.
%% finds all at depth 4: error b_in_one; error three_left
-spec unwrapped(box()) -> ok.
unwrapped(Box) -> unwrapped(Box, 0).

unwrapped({box, Box}, N) -> unwrapped(Box, N + 1);
unwrapped([b, _], 1) -> error(b_in_one);
unwrapped(List, _) -> left(List).
