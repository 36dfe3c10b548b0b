%% Counters and accumulators that the loop itself never looks at.
-module(kept_counters).
-export([
    clean_counted/1, clean_reversed/1, counted/1, delayed/1, difference/1,
    first_collected/1, in_tuple/1, kept_length/1, largest/1, marks/1,
    only_on_stop/1, parity/1, reversed/1, since_reset/1, swapped/1,
    two_counters/1
]).

%% The number of elements.
%% finds all at depth 4: error three
-spec counted([a | b]) -> ok.
counted(List) -> counted(List, 0).

counted([], 3) -> error(three);
counted([], _) -> ok;
counted([_ | Rest], Count) -> counted(Rest, Count + 1).

%% The same, and no list is so long.
%% clean at depth 4: complete
-spec clean_counted([a | b]) -> ok.
clean_counted(List) -> clean_counted(List, 0).

clean_counted([], 30) -> error(thirty);
clean_counted([], _) -> ok;
clean_counted([_ | Rest], Count) -> clean_counted(Rest, Count + 1).

%% A value that is looked at two rounds after it was passed on.
%% finds all at depth 4: error delayed
-spec delayed([a | b]) -> ok.
delayed(List) -> delayed(List, none, none, none).

delayed([], _, _, b) -> error(delayed);
delayed([], _, _, _) -> ok;
delayed([a | Rest], Last, Before, _) -> delayed(Rest, a, Last, Before);
delayed([b | Rest], Last, Before, _) -> delayed(Rest, b, Last, Before).

%% More of one than of the other, in any order.
%% finds all at depth 4: error more_a; error more_b
-spec difference([a | b]) -> ok.
difference(List) -> difference(List, 0).

difference([], 2) -> error(more_a);
difference([], -3) -> error(more_b);
difference([], _) -> ok;
difference([a | Rest], N) -> difference(Rest, N + 1);
difference([b | Rest], N) -> difference(Rest, N - 1).

%% The accumulator's first elements, as they are.
%% finds all at depth 4: error a_after_b; error b_after_a
-spec first_collected([a | b]) -> ok.
first_collected(List) -> first_collected(List, []).

first_collected([], [a, b | _]) -> error(a_after_b);
first_collected([], [b, a | _]) -> error(b_after_a);
first_collected([], _) -> ok;
first_collected([a | Rest], Seen) -> first_collected(Rest, [a | Seen]);
first_collected([b | Rest], Seen) -> first_collected(Rest, [b | Seen]).

%% A counter beside an accumulator that is only returned.
%% finds all at depth 4: error two
-spec in_tuple([a | b]) -> {ok, [a | b]}.
in_tuple(List) -> in_tuple(List, {0, []}).

in_tuple([], {2, _}) -> error(two);
in_tuple([], {_, Seen}) -> {ok, Seen};
in_tuple([a | Rest], {N, Seen}) -> in_tuple(Rest, {N, [a | Seen]});
in_tuple([b | Rest], {N, Seen}) -> in_tuple(Rest, {N + 1, [b | Seen]}).

%% A list of which only the length counts.
%% finds all at depth 4: error two_kept
-spec kept_length([a | b]) -> ok.
kept_length(List) -> kept_length(List, []).

kept_length([], Kept) ->
    case length(lists:reverse(Kept)) of
        2 -> error(two_kept);
        _ -> ok
    end;
kept_length([a | Rest], Kept) -> kept_length(Rest, [x | Kept]);
kept_length([b | Rest], Kept) -> kept_length(Rest, Kept).

%% The largest element so far, an unknown part of the input.
%% finds all at depth 3: error middle; error first
-spec largest([0..9]) -> ok.
largest([First | Rest]) -> largest(Rest, First);
largest([]) -> ok.

largest([N | Rest], Max) when N > Max -> largest(Rest, N);
largest([N], Max) when N + 3 =:= Max -> first(Max);
largest([_ | Rest], Max) -> largest(Rest, Max);
largest([], _) -> ok.

first(9) -> error(first);
first(8) -> error(middle);
first(_) -> ok.

%% The number of elements of one kind.
%% finds all at depth 4: error none_in_three; error two_in_three
-spec marks([a | b]) -> ok.
marks([_, _, _] = List) -> marks(List, 0);
marks(_) -> ok.

marks([], 0) -> error(none_in_three);
marks([], 2) -> error(two_in_three);
marks([], _) -> ok;
marks([a | Rest], N) -> marks(Rest, N);
marks([b | Rest], N) -> marks(Rest, N + 1).

%% Only one clause looks at what was collected.
%% finds all at depth 4: error stopped
-spec only_on_stop([a | b | stop]) -> [a | b].
only_on_stop(List) -> only_on_stop(List, []).

only_on_stop([stop | _], [b, b]) -> error(stopped);
only_on_stop([stop | _], _) -> [];
only_on_stop([a | Rest], Seen) -> only_on_stop(Rest, [a | Seen]);
only_on_stop([b | Rest], Seen) -> only_on_stop(Rest, [b | Seen]);
only_on_stop([], Seen) -> Seen.

%% Whether there was an even number of them.
%% finds all at depth 3: error even; error odd
-spec parity([a | b]) -> ok.
parity(List) -> parity(List, 0).

parity([a], N) when N rem 2 =:= 0, N > 0 -> error(even);
parity([b], N) when N rem 2 =:= 1 -> error(odd);
parity([], _) -> ok;
parity([_ | Rest], N) -> parity(Rest, N + 1).

%% The order of what was collected.
%% finds all at depth 4: error a_first; error b_first
-spec reversed([a | b]) -> ok.
reversed(List) -> reversed(List, []).

reversed([], Seen) ->
    case lists:reverse(Seen) of
        [a, b, b] -> error(a_first);
        [b, b, a] -> error(b_first);
        _ -> ok
    end;
reversed([a | Rest], Seen) -> reversed(Rest, [a | Seen]);
reversed([b | Rest], Seen) -> reversed(Rest, [b | Seen]).

%% The elements were all checked before.
%% clean at depth 4: complete
-spec clean_reversed([a | b]) -> ok.
clean_reversed(List) -> clean_reversed(List, []).

clean_reversed([], Seen) ->
    case lists:reverse(Seen) of
        [c | _] -> error(never);
        _ -> ok
    end;
clean_reversed([a | Rest], Seen) -> clean_reversed(Rest, [a | Seen]);
clean_reversed([b | Rest], Seen) -> clean_reversed(Rest, [b | Seen]).

%% A counter that starts again in the middle.
%% finds all at depth 4: error two_since_reset
-spec since_reset([tick | reset]) -> ok.
since_reset(List) -> since_reset(List, 0, false).

since_reset([], 2, true) -> error(two_since_reset);
since_reset([], _, _) -> ok;
since_reset([tick | Rest], N, Was) -> since_reset(Rest, N + 1, Was);
since_reset([reset | Rest], _, _) -> since_reset(Rest, 0, true).

%% Two values that change places in each round.
%% finds all at depth 4: error second; error first
-spec swapped([a | b]) -> ok.
swapped(List) -> swapped(List, x, y).

swapped([b], y, x) -> error(second);
swapped([a], x, z) -> error(first);
swapped([], _, _) -> ok;
swapped([a | Rest], One, Two) -> swapped(Rest, Two, One);
swapped([b | Rest], One, _) -> swapped(Rest, z, One).

%% Two counters, each of which says nothing by itself.
%% finds all at depth 5: error balanced
-spec two_counters([a | b]) -> ok.
two_counters(List) -> two_counters(List, 0, 0).

two_counters([], N, N) when N > 1 -> error(balanced);
two_counters([], _, _) -> ok;
two_counters([a | Rest], N, M) -> two_counters(Rest, N + 1, M);
two_counters([b | Rest], N, M) -> two_counters(Rest, N, M + 1).
