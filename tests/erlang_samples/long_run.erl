%% A run of about a million events, whatever the argument is. What is computed
%% depends on the argument in every round, what is decided does not.
-module(long_run).

-export([walk/1]).

-spec walk(integer()) -> integer().
walk(Number) ->
    rounds(160000, Number, {Number, 0}).

-spec rounds(non_neg_integer(), integer(), {integer(), integer()}) ->
    integer().
rounds(0, Number, {Last, Count}) ->
    Number + Last + Count;
rounds(Left, Number, {Last, Count}) when Left rem 2 =:= 0 ->
    rounds(Left - 1, Number, {kept(Last, Number), Count + 1});
rounds(Left, Number, {_, Count}) ->
    rounds(Left - 1, Number, {Number, Count}).

-spec kept(integer(), integer()) -> integer().
kept(_, Number) -> Number.
