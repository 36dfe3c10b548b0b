%% Folds, maps and comprehensions, whose loops are in other modules.
-module(kept_folds).
-export([
    all_and_any/2, captured_filter/2, clean_folded/1, comprehended/1,
    dropped/1, folded/1, folded_funs/1, folded_pair/1, from_right/1,
    map_fold/1, mapfold/1, mapped/2, nested_comprehension/2, partition/1,
    sorted/1, stored_key/1
]).

%% A fun with a captured value, for all elements.
%% finds all at depth 3: error all; error any
-spec all_and_any(a | b, [a | b]) -> ok.
all_and_any(Kind, List) ->
    Is = fun(X) -> X =:= Kind end,
    case {Kind, lists:all(Is, List), lists:any(Is, List)} of
        {a, true, true} when length(List) =:= 2 -> error(all);
        {b, false, true} -> error(any);
        _ -> ok
    end.

%% A filter of a comprehension with a value from before.
%% finds all at depth 3: error two_above; error none_above
-spec captured_filter(boolean(), [0..9]) -> ok.
captured_filter(Choice, List) ->
    Limit = limit(Choice),
    case [N || N <- List, N > Limit] of
        [_, _] when Limit =:= 7 -> error(two_above);
        [] when Limit =:= 2, length(List) =:= 2 -> error(none_above);
        _ -> ok
    end.

limit(true) -> 2;
limit(false) -> 7.

%% The elements that a comprehension made.
%% finds all at depth 4: error one_two; error two_one
-spec comprehended([a | b]) -> ok.
comprehended(List) ->
    case [number(X) || X <- List] of
        [1, 2] -> error(one_two);
        [2, 1, 1] -> error(two_one);
        _ -> ok
    end.

number(a) -> 1;
number(b) -> 2.

%% How many elements were left out in front.
%% finds all at depth 4: error two_left
-spec dropped([a | b]) -> ok.
dropped(List) ->
    case lists:dropwhile(fun(X) -> X =:= a end, List) of
        [b, a] -> error(two_left);
        _ -> ok
    end.

%% The accumulator of a fold.
%% finds all at depth 4: error two_more; error three_less
-spec folded([a | b]) -> ok.
folded(List) ->
    case lists:foldl(fun step/2, 0, List) of
        2 -> error(two_more);
        -3 -> error(three_less);
        _ -> ok
    end.

step(a, N) -> N + 1;
step(b, N) -> N - 1.

%% The sum is never that large.
%% clean at depth 4: complete
-spec clean_folded([a | b]) -> ok.
clean_folded(List) ->
    case lists:foldl(fun step/2, 0, List) of
        20 -> error(twenty);
        _ -> ok
    end.

%% A fold that makes a fun.
%% finds all at depth 4: error five
-spec folded_funs([a | b]) -> ok.
folded_funs(List) ->
    Fun = lists:foldl(fun compose/2, fun(N) -> N end, List),
    case Fun(1) of
        5 -> error(five);
        _ -> ok
    end.

compose(a, Fun) -> fun(N) -> Fun(N) + 1 end;
compose(b, Fun) -> fun(N) -> Fun(N) * 2 end.

%% One part of the accumulator is only carried.
%% finds all at depth 4: error b_last_of_three
-spec folded_pair([a | b]) -> [a | b].
folded_pair(List) ->
    Fold = fun(X, {N, _, Seen}) -> {N + 1, known(X), [X | Seen]} end,
    case lists:foldl(Fold, {0, none, []}, List) of
        {3, b, _} -> error(b_last_of_three);
        {_, _, Seen} -> Seen
    end.

known(a) -> a;
known(b) -> b.

%% A fold from the right, in the order of the list.
%% finds all at depth 4: error minus_one
-spec from_right([a | b]) -> ok.
from_right(List) ->
    case lists:foldr(fun(X, N) -> number(X) - N end, 0, List) of
        -1 -> error(minus_one);
        _ -> ok
    end.

%% A fold over a map with known keys.
%% finds all at depth 3: error sum
-spec map_fold([a | b]) -> ok.
map_fold(List) ->
    Map = maps:from_list([{X, number(X)} || X <- List]),
    case maps:fold(fun(_, N, Sum) -> Sum + N end, 0, Map) of
        3 -> error(sum);
        _ -> ok
    end.

%% A list and a value, from one loop.
%% finds all at depth 4: error places
-spec mapfold([a | b]) -> ok.
mapfold(List) ->
    case lists:mapfoldl(fun place/2, 1, List) of
        {[1, 1, 2], _} -> error(places);
        _ -> ok
    end.

place(a, N) -> {N, N + 1};
place(b, N) -> {1, N}.

%% A fun with a captured value, and the list that it makes.
%% finds all at depth 3: error with_one; error with_two
-spec mapped(boolean(), [a | b]) -> ok.
mapped(Choice, List) ->
    Add = limit(Choice),
    case lists:map(fun(X) -> number(X) + Add end, List) of
        [3, 4] -> error(with_one);
        [9, 8] -> error(with_two);
        _ -> ok
    end.

%% Two generators, of which the inner one starts again.
%% finds all at depth 3: error pairs
-spec nested_comprehension([1..2], [1..2]) -> ok.
nested_comprehension(One, Two) ->
    case [X || X <- One, Y <- Two, X =/= Y] of
        [1, 2] -> error(pairs);
        _ -> ok
    end.

%% Two lists, from one.
%% finds all at depth 4: error one_and_two
-spec partition([a | b]) -> ok.
partition(List) ->
    case lists:partition(fun(X) -> X =:= a end, List) of
        {[_], [_, _]} -> error(one_and_two);
        _ -> ok
    end.

%% The order of what comes out of a sort.
%% finds all at depth 3: error sorted
-spec sorted([0..9]) -> ok.
sorted([_, _, _] = List) ->
    case lists:sort(List) of
        [1, 4, 9] -> error(sorted);
        _ -> ok
    end;
sorted(_) ->
    ok.

%% A list of pairs, of which the first one with a key counts.
%% finds all at depth 4: error first_b
-spec stored_key([a | b | c]) -> ok.
stored_key(List) -> stored_key(List, []).

stored_key([], Pairs) ->
    case lists:keyfind(b, 2, Pairs) of
        {2, b} -> error(first_b);
        _ -> ok
    end;
stored_key([X | Rest], Pairs) ->
    stored_key(Rest, [{length(Rest), known_letter(X)} | Pairs]).

known_letter(a) -> a;
known_letter(b) -> b;
known_letter(c) -> c.
