%%% A process keeps the number of free seats of an evening. Box offices are
%%% processes that sell them.
-module(tickets).

-export([evening/2]).
-export([open/1, book/2, close/1]).

%% Two box offices: each of them has one order for so many seats.
-spec evening(1..20, 1..20) -> {ok | sold_out, ok | sold_out}.
evening(One, Other) ->
    Seats = open(30),
    Self = self(),
    spawn(fun() -> Self ! {booked, book(Seats, Other)} end),
    First = book(Seats, One),
    receive
        {booked, Second} ->
            close(Seats),
            {First, Second}
    end.

-spec open(pos_integer()) -> pid().
open(Count) ->
    spawn(fun() -> seats(Count) end).

-spec book(pid(), pos_integer()) -> ok | sold_out.
book(Seats, Count) ->
    Seats ! {free, self()},
    receive
        {free, Free} when Free >= Count ->
            Seats ! {take, Count},
            ok;
        {free, _} ->
            sold_out
    end.

-spec close(pid()) -> close.
close(Seats) ->
    Seats ! close.

seats(Free) when Free >= 0 ->
    receive
        {free, From} ->
            From ! {free, Free},
            seats(Free);
        {take, Count} ->
            seats(Free - Count);
        close ->
            ok
    end.
