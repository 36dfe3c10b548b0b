%%% Measurements are written in batches. The entry's process collects them. A
%%% batch is written, as the average of its values, if its sum reaches 20, or
%%% if a timer sends a flush. The first batch begins with the value 1.
%%%
%%% The bug: a flush may come right after a full batch was written. Then the
%%% batch is empty, and the average divides by zero.
%%%
%%% Input: 1 + First + Second >= 20, for example batch_flush:main(9, 10).
%%% Order: the source sends both values before the timer sends the flush.
-module(batch_flush).
-export([main/2]).

-spec main(1..10, 1..10) -> [1..10].
main(First, Second) ->
    Writer = self(),
    spawn(fun() -> Writer ! flush end),
    spawn(fun() -> source(Writer, First, Second) end),
    collect([1], 3).

source(Writer, First, Second) ->
    Writer ! {value, First},
    Writer ! {value, Second}.

%% Handles so many messages and returns what was written.
collect([], 0) ->
    [];
collect(Batch, 0) ->
    [average(Batch)];
collect(Batch, Left) ->
    receive
        {value, Value} -> add([Value | Batch], Left - 1);
        flush -> [average(Batch) | collect([], Left - 1)]
    end.

add(Batch, Left) ->
    case lists:sum(Batch) >= 20 of
        true -> [average(Batch) | collect([], Left)];
        false -> collect(Batch, Left)
    end.

average(Batch) -> lists:sum(Batch) div length(Batch).
