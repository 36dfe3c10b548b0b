%%% Packets with sequence numbers of five bits, which begin again after 31.
%%% Three packets take three different ways to the entry's process. It keeps
%%% packets that come early, drops those that it has seen, and returns the data
%%% in order.
%%%
%%% The bug: a packet with a smaller number than the expected one is dropped.
%%% At the end of the numbers, an early packet has a smaller number: 0 instead
%%% of 32. It never comes again, and the entry's process waits for ever.
%%%
%%% Input: the first number, (3 * Sender + Sent) rem 32, is 30 or 31, for
%%% example sequence_numbers:main(0, 31).
%%% Order: a packet with the number 0 or 1 arrives before one with 30 or 31.
-module(sequence_numbers).
-export([main/2]).

-spec main(0..15, 0..31) -> [a | b | c].
main(Sender, Sent) ->
    Receiver = self(),
    First = (3 * Sender + Sent) rem 32,
    Second = next(First),
    spawn(fun() -> Receiver ! {packet, First, a} end),
    spawn(fun() -> Receiver ! {packet, Second, b} end),
    spawn(fun() -> Receiver ! {packet, next(Second), c} end),
    data(First, [], 3).

next(Number) -> (Number + 1) rem 32.

%% The data of so many packets, from the expected one on.
data(_, _, 0) ->
    [];
data(Expected, Early, Left) ->
    case lists:keytake(Expected, 1, Early) of
        {value, {_, Data}, Others} ->
            [Data | data(next(Expected), Others, Left - 1)];
        false ->
            receive
                {packet, Number, Data} when Number >= Expected ->
                    data(Expected, [{Number, Data} | Early], Left);
                {packet, _, _} ->
                    data(Expected, Early, Left)
            end
    end.
