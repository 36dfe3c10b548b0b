%% Lists: their length, their elements, and what is at their end.
-module(kept_lists).
-export([
    appended/2, clean_lengths/1, element_of_spine/1, hidden_tail/2,
    improper/1, last_element/1, lengths/2, member/1, nested_depth/1,
    nth/2, rest_longer/1, subtracted/1, whole_and_rest/1, wrapped/2,
    zipped/2
]).

%% Which list came first.
%% finds all at depth 2: error ab; error ba
-spec appended(boolean(), a | b) -> ok.
appended(Choice, Kind) ->
    List = append(Choice, [a], [b]),
    case {Kind, List} of
        {a, [a, b]} -> error(ab);
        {b, [b, a]} -> error(ba);
        _ -> ok
    end.

append(true, A, B) -> A ++ B;
append(false, A, B) -> B ++ A.

%% An element of a list that has always the same length.
%% finds all at depth 4: error second_is_b
-spec element_of_spine([a | b]) -> ok.
element_of_spine(List) -> element_of_spine(List, [none, none, none]).

element_of_spine([], [_, b, none]) -> error(second_is_b);
element_of_spine([], _) -> ok;
element_of_spine([a | Rest], [X, Y, _]) -> element_of_spine(Rest, [a, X, Y]);
element_of_spine([b | Rest], [X, Y, _]) -> element_of_spine(Rest, [b, X, Y]).

%% A tail that nobody takes until the end.
%% finds all at depth 2: error x_behind; error y_behind
-spec hidden_tail(boolean(), a | b) -> ok.
hidden_tail(Choice, Kind) ->
    [First | Tail] = [0 | behind(Choice)],
    case {First, Kind, Tail} of
        {0, a, [x]} -> error(x_behind);
        {0, b, [y]} -> error(y_behind);
        _ -> ok
    end.

behind(true) -> [x];
behind(false) -> [y].

%% A list whose end is no list.
%% finds all at depth 3: error badarg; error improper
-spec improper([a | b | stop]) -> non_neg_integer().
improper(List) -> improper(List, []).

improper([stop, a], Seen) when not length(Seen) >= 0; Seen =:= [] -> 0;
improper([stop, a], Seen) -> length(Seen);
improper([stop, b], [x | y]) -> error(improper);
improper([a | Rest], Seen) -> improper(Rest, [x | Seen]);
improper([b | Rest], []) -> improper(Rest, [x | y]);
improper(_, _) -> 0.

%% The last element of an accumulator is the first that was seen.
%% finds all at depth 4: error a_was_first; error b_was_first
-spec last_element([a | b]) -> ok.
last_element(List) -> last_element(List, []).

last_element([], [a, _, _] = Seen) -> is_last(b, Seen, b_was_first);
last_element([], [b, _, _] = Seen) -> is_last(a, Seen, a_was_first);
last_element([], _) -> ok;
last_element([a | Rest], Seen) -> last_element(Rest, [a | Seen]);
last_element([b | Rest], Seen) -> last_element(Rest, [b | Seen]).

is_last(X, List, Why) ->
    case lists:last(List) of
        X -> error(Why);
        _ -> ok
    end.

%% The lengths of two accumulators.
%% finds all at depth 4: error longer
-spec lengths([a | b], x | y) -> ok.
lengths(List, Kind) -> lengths(List, Kind, [], []).

lengths([], y, As, Bs) when length(As) > length(Bs) + 1 -> error(longer);
lengths([], _, _, _) -> ok;
lengths([a | Rest], Kind, As, Bs) -> lengths(Rest, Kind, [1 | As], Bs);
lengths([b | Rest], Kind, As, Bs) -> lengths(Rest, Kind, As, [1 | Bs]).

%% All elements are in one of the two.
%% clean at depth 4: complete
-spec clean_lengths([a | b]) -> ok.
clean_lengths(List) -> clean_lengths(List, [], [], length(List)).

clean_lengths([], As, Bs, N) when length(As) + length(Bs) =/= N ->
    error(lost);
clean_lengths([], _, _, _) -> ok;
clean_lengths([a | Rest], As, Bs, N) -> clean_lengths(Rest, [1 | As], Bs, N);
clean_lengths([b | Rest], As, Bs, N) -> clean_lengths(Rest, As, [1 | Bs], N).

%% Whether something is among the elements.
%% finds all at depth 4: error only_a
-spec member([a | b]) -> ok.
member(List) -> member(List, []).

member([], [_, _ | _] = Seen) ->
    case lists:member(b, Seen) of
        true -> ok;
        false -> error(only_a)
    end;
member([], _) -> ok;
member([a | Rest], Seen) -> member(Rest, [a | Seen]);
member([b | Rest], Seen) -> member(Rest, [b | Seen]).

%% How deep a list is nested.
%% finds all at depth 4: error twice_wrapped
-spec nested_depth([in | out]) -> ok.
nested_depth(List) -> nested_depth(List, []).

nested_depth([], [[[]]]) -> error(twice_wrapped);
nested_depth([], _) -> ok;
nested_depth([in | Rest], Seen) -> nested_depth(Rest, [Seen]);
nested_depth([out | Rest], [Seen]) -> nested_depth(Rest, Seen);
nested_depth([out | Rest], []) -> nested_depth(Rest, []).

%% An element by its place, which is counted.
%% finds all at depth 4: error y_chosen; error function_clause
-spec nth([a | b], x | y) -> ok.
nth(List, Kind) -> nth(List, Kind, 1).

nth([], Kind, N) ->
    case {Kind, lists:nth(N, [x, x, y])} of
        {y, y} -> error(y_chosen);
        _ -> ok
    end;
nth([a | Rest], Kind, N) -> nth(Rest, Kind, N + 1);
nth([b | Rest], Kind, N) -> nth(Rest, Kind, N).

%% The rest of the input is as long as what was seen.
%% finds all at depth 5: error middle
-spec rest_longer([a | b]) -> ok.
rest_longer(List) -> rest_longer(List, 0).

rest_longer([b | Rest], N) when N > 0, length(Rest) =:= N -> error(middle);
rest_longer([_ | Rest], N) -> rest_longer(Rest, N + 1);
rest_longer([], _) -> ok.

%% What is left of a list from which elements were taken.
%% finds all at depth 4: error b_left
-spec subtracted([a | b]) -> ok.
subtracted(List) -> subtracted(List, [a, b, a]).

subtracted([], [b]) -> error(b_left);
subtracted([], _) -> ok;
subtracted([a | Rest], Left) -> subtracted(Rest, Left -- [a]);
subtracted([b | Rest], Left) -> subtracted(Rest, Left -- [b]).

%% A list and a rest of it.
%% finds all at depth 4: error starts_with_b; error starts_with_a
-spec whole_and_rest([a | b]) -> ok.
whole_and_rest(Whole) -> whole_and_rest(Whole, Whole).

whole_and_rest([a, b], [b, _, _ | _]) -> error(starts_with_b);
whole_and_rest([b, a], [a, _, _ | _]) -> error(starts_with_a);
whole_and_rest([_ | Rest], Whole) -> whole_and_rest(Rest, Whole);
whole_and_rest([], _) -> ok.

%% A value inside a list inside a tuple.
%% finds all at depth 2: error x_inside; error y_inside
-spec wrapped(boolean(), a | b) -> ok.
wrapped(Choice, Kind) ->
    Value = {ok, [behind(Choice)]},
    {ok, [Inner]} = Value,
    case {Kind, Inner} of
        {a, [x]} -> error(x_inside);
        {b, [y]} -> error(y_inside);
        _ -> ok
    end.

%% Two lists that must have one length.
%% finds all at depth 3: error function_clause
-spec zipped([a | b], x | y) -> [{atom(), atom()}].
zipped(List, Kind) ->
    Kept = [X || X <- List, X =:= a],
    case Kind of
        x -> [];
        y -> zip(Kept, [p, q])
    end.

zip([A | As], [B | Bs]) -> [{A, B} | zip(As, Bs)];
zip([], _) -> [].
