%%% Measurements are written in batches. The entry's process collects them. A
%%% batch is written, as the average of its values, if its sum reaches 20, or
%%% if a timer sends a flush. The first batch begins with the value 1.
%%%
%%% The correct twin of batch_flush. Mended: a flush of an empty batch writes
%%% nothing.
-module(batch_flush_fixed).
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
collect(Batch, 0) ->
    write(Batch, []);
collect(Batch, Left) ->
    receive
        {value, Value} -> add([Value | Batch], Left - 1);
        flush -> write(Batch, collect([], Left - 1))
    end.

add(Batch, Left) ->
    case lists:sum(Batch) >= 20 of
        true -> write(Batch, collect([], Left));
        false -> collect(Batch, Left)
    end.

write([], Others) -> Others;
write(Batch, Others) -> [lists:sum(Batch) div length(Batch) | Others].
