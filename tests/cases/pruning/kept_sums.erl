%% Sums that only few of many combinations reach.
-module(kept_sums).
-export([
    all_high/6, behind_sum/5, both_ends/5, clean_all_high/6, clean_exactly/6,
    clean_parity/5, counted_up/1, exactly/6, flag/5, input_and_sum/4,
    mapped/5, parity/5, stored/5, word_of_sum/3
]).

%% Only one combination is above the limit.
%% finds all at depth 2: error all_high
-spec all_high(integer(), integer(), integer(), integer(), integer(),
               integer()) -> ok.
all_high(A, B, C, D, E, F) -> high([A, B, C, D, E, F], 1, 0, 20).

%% None is.
%% clean at depth 2: complete
-spec clean_all_high(integer(), integer(), integer(), integer(), integer(),
                     integer()) -> ok.
clean_all_high(A, B, C, D, E, F) -> high([A, B, C, D, E, F], 1, 0, 21).

high([], _, Sum, Limit) when Sum > Limit -> error(all_high);
high([], _, _, _) -> ok;
high([N | Rest], W, Sum, Limit) when N > 9 -> high(Rest, W + 1, Sum + W, Limit);
high([_ | Rest], W, Sum, Limit) -> high(Rest, W + 1, Sum, Limit).

%% After the sum another decision, and only for one sum.
%% finds all at depth 2: error behind
-spec behind_sum(integer(), integer(), integer(), integer(), integer()) -> ok.
behind_sum(A, B, C, D, E) ->
    case weigh([A, B, C, D], [2, 3, 5, 11], 0) of
        8 when E > 100 -> error(behind);
        _ -> ok
    end.

%% One bug at the lowest sum, one at the highest.
%% finds all at depth 2: error lowest; error highest
-spec both_ends(integer(), integer(), integer(), integer(), integer()) -> ok.
both_ends(A, B, C, D, E) ->
    case weigh([A, B, C, D, E], [1, 2, 4, 8, 16], 0) of
        0 -> error(lowest);
        31 -> error(highest);
        _ -> ok
    end.

%% A number is counted down, and another one up.
%% finds all at depth 2: error counted_up
-spec counted_up(0..9) -> ok.
counted_up(N) -> count_up(N, 0).

count_up(0, Count) when Count > 6 -> error(counted_up);
count_up(0, _) -> ok;
count_up(N, Count) -> count_up(N - 1, Count + 1).

%% Half way, the sum becomes a flag.
%% finds all at depth 2: error flag
-spec flag(integer(), integer(), integer(), integer(), integer()) -> ok.
flag(A, B, C, D, E) ->
    IsLarge = weigh([A, B, C], [1, 2, 4], 0) > 6,
    Other = weigh([D, E], [1, 2], 0),
    case {IsLarge, Other} of
        {true, 2} -> error(flag);
        _ -> ok
    end.

%% Only 3 + 5 + 29 is 37.
%% finds all at depth 2: error thirty_seven
-spec exactly(integer(), integer(), integer(), integer(), integer(),
              integer()) -> ok.
exactly(A, B, C, D, E, F) ->
    case weigh([A, B, C, D, E, F], [2, 3, 5, 11, 17, 29], 0) of
        37 -> error(thirty_seven);
        _ -> ok
    end.

%% No sum of even numbers is 37.
%% clean at depth 2: complete
-spec clean_exactly(integer(), integer(), integer(), integer(), integer(),
                    integer()) -> ok.
clean_exactly(A, B, C, D, E, F) ->
    case weigh([A, B, C, D, E, F], [2, 4, 6, 12, 18, 30], 0) of
        37 -> error(thirty_seven);
        _ -> ok
    end.

weigh([], [], Sum) -> Sum;
weigh([N | Rest], [W | Ws], Sum) when N > 9 -> weigh(Rest, Ws, Sum + W);
weigh([_ | Rest], [_ | Ws], Sum) -> weigh(Rest, Ws, Sum).

%% The last value of the input decides together with the sum.
%% finds all at depth 2: error high; error low
-spec input_and_sum(integer(), integer(), integer(), 0..9) -> ok.
input_and_sum(A, B, C, Last) ->
    Sum = weigh([A, B, C], [10, 20, 40], 0),
    if
        Sum + Last > 78 -> error(high);
        Sum - Last < -8 -> error(low);
        true -> ok
    end.

%% A map of the input counts, but only for one sum.
%% finds all at depth 2: error mapped
-spec mapped(integer(), integer(), integer(), integer(), #{key => x | y}) -> ok.
mapped(A, B, C, D, Map) ->
    Sum = weigh([A, B, C, D], [1, 2, 4, 8], 0),
    case Map of
        #{key := x} when Sum =:= 11 -> error(mapped);
        _ -> ok
    end.

%% Only the parity counts.
%% finds all at depth 2: error odd
-spec parity(integer(), integer(), integer(), integer(), integer()) -> ok.
parity(A, B, C, D, E) ->
    Sum = weigh([A, B, C, D, E], [2, 4, 8, 7, 16], 0),
    if
        Sum rem 2 =:= 1 -> error(odd);
        true -> ok
    end.

%% All are even.
%% clean at depth 2: complete
-spec clean_parity(integer(), integer(), integer(), integer(), integer()) -> ok.
clean_parity(A, B, C, D, E) ->
    Sum = weigh([A, B, C, D, E], [2, 4, 8, 6, 16], 0),
    if
        Sum rem 2 =:= 1 -> error(odd);
        true -> ok
    end.

%% The sum is in the dictionary for a while.
%% finds all at depth 2: error stored
-spec stored(integer(), integer(), integer(), integer(), integer()) -> ok.
stored(A, B, C, D, E) ->
    put(sum, weigh([A, B, C, D], [1, 2, 4, 8], 0)),
    case E > 9 andalso get(sum) of
        11 -> error(stored);
        _ -> ok
    end.

%% The sum chooses the word by which findings are told apart.
%% finds all at depth 2: error none; error one; error two; error three
-spec word_of_sum(integer(), integer(), integer()) -> no_return().
word_of_sum(A, B, C) ->
    Sum = weigh([A, B, C], [1, 1, 1], 0),
    error(element(1 + Sum, {none, one, two, three})).
