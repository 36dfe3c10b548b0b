%%% A free list of five slots. The entry's process has the list. A borrower
%%% takes two slots and returns one of them. A client reads the first slot and
%%% the one behind it, and then takes the first slot: the other one becomes the
%%% first, if the list is still the same.
%%%
%%% The correct twin of free_list. Mended: the list has a version, which grows
%%% with every change. The client takes the first slot only if the list still
%%% has the version that he read.
-module(free_list_fixed).
-export([main/2]).

-spec main(0..15, 0..15) -> [1..5].
main(Size, Need) ->
    List = self(),
    spawn(fun() -> borrower(List, Size =:= 2 * Need + 1) end),
    spawn(fun() -> client(List) end),
    slots([1, 2, 3, 4, 5], [], 1, 5).

borrower(List, ReturnFirst) ->
    List ! take,
    List ! take,
    List ! {return, ReturnFirst}.

client(List) ->
    List ! {read, self()},
    receive
        {slots, Version, Next} -> List ! {swap, Version, Next}
    end.

%% Handles so many messages and returns the free slots.
slots(Free, _, _, 0) ->
    Free;
slots([First, Next | _] = Free, Taken, Version, Left) ->
    receive
        take ->
            slots(tl(Free), [First | Taken], Version + 1, Left - 1);
        {return, ReturnFirst} ->
            Slot = returned(ReturnFirst, Taken),
            slots([Slot | Free], [], Version + 1, Left - 1);
        {read, From} ->
            From ! {slots, Version, Next},
            slots(Free, Taken, Version, Left - 1);
        {swap, Version, New} ->
            Next = New,
            slots(tl(Free), Taken, Version + 1, Left - 1);
        {swap, _, _} ->
            slots(Free, Taken, Version, Left - 1)
    end.

returned(true, [_, First]) -> First;
returned(false, [Second, _]) -> Second.
