%%% Two philosophers at a table with two forks. The entry's process is the
%%% table. A small portion needs the fork on the left only, a portion of 7
%%% needs both. A philosopher asks for his forks, eats when he has them, and
%%% puts them back.
%%%
%%% The bug: both ask for the fork on their left first. If each has one fork
%%% and wants the other one too, both wait for ever.
%%%
%%% Input: philosophers:main({7, 7}).
%%% Order: both ask for their left forks before one of them asks for his right
%%% fork.
-module(philosophers).
-export([main/1]).

-spec main({0..7, 0..7}) -> ok.
main({Portion, OtherPortion}) ->
    Table = self(),
    spawn(fun() -> dine(Table, forks(Portion, 1, 2)) end),
    spawn(fun() -> dine(Table, forks(OtherPortion, 2, 1)) end),
    table([], [], 2).

forks(Portion, Left, Right) when Portion >= 7 -> [Left, Right];
forks(_, Left, _) -> [Left].

dine(Table, Forks) ->
    [Table ! {take, Fork, self()} || Fork <- Forks],
    [receive {fork, Fork} -> ok end || Fork <- Forks],
    Table ! {put, self()}.

%% Ends after so many meals.
table(_, _, 0) ->
    ok;
table(Held, Waiting, Meals) ->
    receive
        {take, Fork, Guest} ->
            {Now, Later} = give(Waiting ++ [{Fork, Guest}], Held, []),
            table(Now, Later, Meals);
        {put, Guest} ->
            Others = [Place || {_, Other} = Place <- Held, Other =/= Guest],
            {Now, Later} = give(Waiting, Others, []),
            table(Now, Later, Meals - 1)
    end.

give([], Held, Waiting) ->
    {Held, Waiting};
give([{Fork, Guest} = Place | Places], Held, Waiting) ->
    case lists:keymember(Fork, 1, Held) of
        true -> give(Places, Held, Waiting ++ [Place]);
        false -> Guest ! {fork, Fork}, give(Places, [Place | Held], Waiting)
    end.
