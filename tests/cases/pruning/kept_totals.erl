%% What numbers come to on the way, in many combinations.
-module(kept_totals).
-export([
    clean_counted/1, clean_product/5, clean_two_sums/5, closure/5, counted/1,
    in_record/5, largest/5, list_sum/1, nested/5, product/5, reset/5,
    smallest/5, thrown/5, two_sums/5
]).

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

%% A product.
%% finds all at depth 2: error product
-spec product(integer(), integer(), integer(), integer(), integer()) -> ok.
product(A, B, C, D, E) -> product([A, B, C, D, E], 1, 1, 40).

%% A smaller product.
%% clean at depth 2: complete
-spec clean_product(integer(), integer(), integer(), integer(),
                    integer()) -> ok.
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
reset([N | Rest], Resets, Sum) when Sum > 2, N > 9 ->
    reset(Rest, Resets + 1, 0);
reset([N | Rest], Resets, Sum) when N > 9 -> reset(Rest, Resets, Sum + 2);
reset([_ | Rest], Resets, Sum) -> reset(Rest, Resets, Sum).

%% The lowest value on the way.
%% finds all at depth 2: error deep
-spec smallest(integer(), integer(), integer(), integer(), integer()) -> ok.
smallest(A, B, C, D, E) -> smallest([A, B, C, D, E], 0, 0).

smallest([], _, Min) when Min < -4 -> error(deep);
smallest([], _, _) -> ok;
smallest([N | Rest], Sum, Min) when N > 9 ->
    smallest(Rest, Sum + 1, min(Min, Sum));
smallest([_ | Rest], Sum, Min) -> smallest(Rest, Sum - 1, min(Min, Sum - 1)).

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
-spec clean_two_sums(integer(), integer(), integer(), integer(),
                     integer()) -> ok.
clean_two_sums(A, B, C, D, E) ->
    two_sums([A, B, C, D, E], [1, 2, 4, 8, 16], 0, 0).

two_sums([], [], Sum, Sum) -> error(balanced);
two_sums([], [], _, _) -> ok;
two_sums([N | Rest], [W | Ws], X, Y) when N > 9 -> two_sums(Rest, Ws, X + W, Y);
two_sums([_ | Rest], [W | Ws], X, Y) -> two_sums(Rest, Ws, X, Y + W).
