%% Sums that only few of many combinations reach.
-module(kept_sums).
-export([
    all_high/6, behind_sum/5, both_ends/5, clean_all_high/6, clean_exactly/6,
    clean_counted/1, clean_parity/5, clean_product/5, clean_two_sums/5,
    closure/5, counted/1, counted_up/1, exactly/6, flag/5,
    in_record/5, input_and_sum/4, largest/5, list_sum/1, mapped/5, nested/5, parity/5,
    product/5, reset/5, smallest/5, stored/5, thrown/5, two_sums/5, word_of_sum/3
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

%% A counter is compared with a limit that only the longest list reaches.
%% finds all at depth 6: error counted
-spec counted([integer()]) -> ok.
counted(List) -> count(List, 0, 5).

%% No list is so long.
%% clean at depth 6: complete
-spec clean_counted([integer()]) -> ok.
clean_counted(List) -> count(List, 0, 6).

count([], N, Limit) when N > Limit -> error(counted);
count([], _, _) -> ok;
count([N | Rest], Count, Limit) when N > 9 -> count(Rest, Count + 1, Limit);
count([_ | Rest], Count, Limit) -> count(Rest, Count, Limit).

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

%% A fun adds up.
%% finds all at depth 2: error closure
-spec closure(integer(), integer(), integer(), integer(), integer()) -> ok.
closure(A, B, C, D, E) -> closure([A, B, C, D, E], fun(X) -> X end).

closure([], Add) ->
    case Add(0) of
        14 -> error(closure);
        _ -> ok
    end;
closure([N | Rest], Add) when N > 9 ->
    W = length(Rest) * 3 + 1,
    closure(Rest, fun(X) -> Add(X) + W end);
closure([_ | Rest], Add) ->
    closure(Rest, fun(X) -> Add(X) + 1 end).

%% Two sums in a tuple, of which only one is looked at.
%% finds all at depth 2: error in_record
-spec in_record(integer(), integer(), integer(), integer(), integer()) -> ok.
in_record(A, B, C, D, E) -> in_record([A, B, C, D, E], {state, 0, 1}, 0).

in_record([], {state, 9, _}, _) -> error(in_record);
in_record([], _, _) -> ok;
in_record([N | Rest], {state, X, W}, Seen) when N > 9 ->
    in_record(Rest, {state, X + W, W + 1}, Seen + 1);
in_record([_ | Rest], {state, X, W}, Seen) ->
    in_record(Rest, {state, X, W + 1}, Seen).

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

%% The largest weight that was taken.
%% finds all at depth 2: error largest
-spec largest(integer(), integer(), integer(), integer(), integer()) -> ok.
largest(A, B, C, D, E) -> largest([A, B, C, D, E], [3, 7, 1, 9, 5], 0).

largest([], _, 5) -> error(largest);
largest([], _, _) -> ok;
largest([N | Rest], [W | Ws], Max) when N > 9 -> largest(Rest, Ws, max(W, Max));
largest([_ | Rest], [_ | Ws], Max) -> largest(Rest, Ws, Max).

%% A list of the input, whose elements are weighed by their places.
%% finds all at depth 5: error list_sum
-spec list_sum([boolean()]) -> ok.
list_sum(List) -> list_sum(List, 1, 0).

list_sum([], _, 11) -> error(list_sum);
list_sum([], _, _) -> ok;
list_sum([true | Rest], W, Sum) -> list_sum(Rest, W + 1, Sum + W * W);
list_sum([false | Rest], W, Sum) -> list_sum(Rest, W + 1, Sum + 1).

%% A map of the input counts, but only for one sum.
%% finds all at depth 2: error mapped
-spec mapped(integer(), integer(), integer(), integer(), #{key => x | y}) -> ok.
mapped(A, B, C, D, Map) ->
    Sum = weigh([A, B, C, D], [1, 2, 4, 8], 0),
    case Map of
        #{key := x} when Sum =:= 11 -> error(mapped);
        _ -> ok
    end.

%% Another function adds, and does so differently above a limit.
%% finds all at depth 2: error nested
-spec nested(integer(), integer(), integer(), integer(), integer()) -> ok.
nested(A, B, C, D, E) -> nested([A, B, C, D, E], 1, 0).

nested([], _, 2) -> error(nested);
nested([], _, _) -> ok;
nested([N | Rest], W, Sum) when N > 9 -> nested(Rest, W + 1, bounded(Sum, W));
nested([_ | Rest], W, Sum) -> nested(Rest, W + 1, Sum).

bounded(Sum, W) when Sum + W > 9 -> Sum + W - 10;
bounded(Sum, W) -> Sum + W.

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

%% A product.
%% finds all at depth 2: error product
-spec product(integer(), integer(), integer(), integer(), integer()) -> ok.
product(A, B, C, D, E) -> product([A, B, C, D, E], 1, 1, 40).

%% A smaller product.
%% clean at depth 2: complete
-spec clean_product(integer(), integer(), integer(), integer(), integer()) -> ok.
clean_product(A, B, C, D, E) -> product([A, B, C, D, E], 1, 1, 121).

product([], _, Product, Limit) when Product =:= Limit -> error(product);
product([], _, _, _) -> ok;
product([N | Rest], F, Product, Limit) when N > 9 ->
    product(Rest, F + 1, Product * F, Limit);
product([_ | Rest], F, Product, Limit) ->
    product(Rest, F + 1, Product, Limit).

%% The sum begins anew where it is too large.
%% finds all at depth 2: error reset
-spec reset(integer(), integer(), integer(), integer(), integer()) -> ok.
reset(A, B, C, D, E) -> reset([A, B, C, D, E], 0, 0).

reset([], 1, 2) -> error(reset);
reset([], _, _) -> ok;
reset([N | Rest], Resets, Sum) when Sum > 2, N > 9 -> reset(Rest, Resets + 1, 0);
reset([N | Rest], Resets, Sum) when N > 9 -> reset(Rest, Resets, Sum + 2);
reset([_ | Rest], Resets, Sum) -> reset(Rest, Resets, Sum).

%% The lowest value on the way.
%% finds all at depth 2: error deep
-spec smallest(integer(), integer(), integer(), integer(), integer()) -> ok.
smallest(A, B, C, D, E) -> smallest([A, B, C, D, E], 0, 0).

smallest([], _, Min) when Min < -4 -> error(deep);
smallest([], _, _) -> ok;
smallest([N | Rest], Sum, Min) when N > 9 -> smallest(Rest, Sum + 1, min(Min, Sum));
smallest([_ | Rest], Sum, Min) -> smallest(Rest, Sum - 1, min(Min, Sum - 1)).

%% The sum is in the dictionary for a while.
%% finds all at depth 2: error stored
-spec stored(integer(), integer(), integer(), integer(), integer()) -> ok.
stored(A, B, C, D, E) ->
    put(sum, weigh([A, B, C, D], [1, 2, 4, 8], 0)),
    case E > 9 andalso get(sum) of
        11 -> error(stored);
        _ -> ok
    end.

%% A sum is thrown and caught.
%% finds all at depth 2: error caught
-spec thrown(integer(), integer(), integer(), integer(), integer()) -> ok.
thrown(A, B, C, D, E) ->
    try throw_sum([A, B, C, D, E], 1, 0) of
        ok -> ok
    catch
        throw:12 -> error(caught);
        throw:_ -> ok
    end.

throw_sum([], _, Sum) when Sum > 9 -> throw(Sum);
throw_sum([], _, _) -> ok;
throw_sum([N | Rest], W, Sum) when N > 9 -> throw_sum(Rest, W + 1, Sum + W);
throw_sum([_ | Rest], W, Sum) -> throw_sum(Rest, W + 1, Sum).

%% Two sums are compared.
%% finds all at depth 2: error balanced
-spec two_sums(integer(), integer(), integer(), integer(), integer()) -> ok.
two_sums(A, B, C, D, E) -> two_sums([A, B, C, D, E], [1, 2, 5, 10, 16], 0, 0).

%% They are never the same.
%% clean at depth 2: complete
-spec clean_two_sums(integer(), integer(), integer(), integer(), integer()) -> ok.
clean_two_sums(A, B, C, D, E) ->
    two_sums([A, B, C, D, E], [1, 2, 4, 8, 16], 0, 0).

two_sums([], [], Sum, Sum) -> error(balanced);
two_sums([], [], _, _) -> ok;
two_sums([N | Rest], [W | Ws], X, Y) when N > 9 -> two_sums(Rest, Ws, X + W, Y);
two_sums([_ | Rest], [W | Ws], X, Y) -> two_sums(Rest, Ws, X, Y + W).

%% The sum chooses the word by which findings are told apart.
%% finds all at depth 2: error none; error one; error two; error three
-spec word_of_sum(integer(), integer(), integer()) -> no_return().
word_of_sum(A, B, C) ->
    Sum = weigh([A, B, C], [1, 1, 1], 0),
    error(element(1 + Sum, {none, one, two, three})).
