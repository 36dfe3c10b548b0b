%%% Packets with sequence numbers of five bits, which begin again after 31.
%%% Three packets take three different ways to the entry's process. It keeps
%%% packets that come early, drops those that it has seen, and returns the data
%%% in order.
%%%
%%% The correct twin of sequence_numbers. Mended: a packet is early if it is at
%%% most 15 numbers ahead of the expected one, where 0 comes after 31.
-module(sequence_numbers_fixed).
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
                {packet, Number, Data}
                  when (Number - Expected + 32) rem 32 < 16 ->
                    data(Expected, [{Number, Data} | Early], Left);
                {packet, _, _} ->
                    data(Expected, Early, Left)
            end
    end.
