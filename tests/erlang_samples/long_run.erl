%% A run of about a million events for any argument. In every round the values
%% depend on the argument, but the decisions do not.
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
