%%% A free list of five slots. The entry's process has the list. A borrower
%%% takes two slots and returns one of them. A client reads the first slot and
%%% the one behind it, and then takes the first slot: the other one becomes the
%%% first, if the first one is still the same.
%%%
%%% The bug: the first slot can be the same although the list behind it is not,
%%% because the slot was taken and returned in between (the ABA problem).
%%%
%%% Input: the borrower returns the slot that he took first, which he does if
%%% Size =:= 2 * Need + 1, for example free_list:main(1, 0).
%%% Order: the client reads, the borrower takes two slots and returns one, the
%%% client takes the first slot.
-module(free_list).
-export([main/2]).

-spec main(0..15, 0..15) -> [1..5].
main(Size, Need) ->
    List = self(),
    spawn(fun() -> borrower(List, Size =:= 2 * Need + 1) end),
    spawn(fun() -> client(List) end),
    slots([1, 2, 3, 4, 5], [], 5).

borrower(List, ReturnFirst) ->
    List ! take,
    List ! take,
    List ! {return, ReturnFirst}.

client(List) ->
    List ! {read, self()},
    receive
        {slots, First, Next} -> List ! {swap, First, Next}
    end.

%% Handles so many messages and returns the free slots.
slots(Free, _, 0) ->
    Free;
slots([First, Next | _] = Free, Taken, Left) ->
    receive
        take ->
            slots(tl(Free), [First | Taken], Left - 1);
        {return, ReturnFirst} ->
            slots([returned(ReturnFirst, Taken) | Free], [], Left - 1);
        {read, From} ->
            From ! {slots, First, Next},
            slots(Free, Taken, Left - 1);
        {swap, First, New} ->
            Next = New,
            slots(tl(Free), Taken, Left - 1);
        {swap, _, _} ->
            slots(Free, Taken, Left - 1)
    end.

returned(true, [_, First]) -> First;
returned(false, [Second, _]) -> Second.
