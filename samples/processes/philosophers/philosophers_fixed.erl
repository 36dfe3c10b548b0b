%%% Two philosophers at a table with two forks. The entry's process is the
%%% table. A small portion needs the fork on the left only, a portion of 7
%%% needs both. A philosopher asks for his forks, eats when he has them, and
%%% puts them back.
%%%
%%% The correct twin of philosophers. Mended: a philosopher asks for all of his
%%% forks at once, and the table gives him all of them or none yet.
-module(philosophers_fixed).
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
    Table ! {take, Forks, self()},
    receive
        {forks, Forks} -> Table ! {put, Forks}
    end.

%% Ends after so many meals.
table(_, _, 0) ->
    ok;
table(Held, Waiting, Meals) ->
    receive
        {take, Forks, Guest} ->
            {Now, Later} = give(Waiting ++ [{Forks, Guest}], Held, []),
            table(Now, Later, Meals);
        {put, Forks} ->
            {Now, Later} = give(Waiting, Held -- Forks, []),
            table(Now, Later, Meals - 1)
    end.

give([], Held, Waiting) ->
    {Held, Waiting};
give([{Forks, Guest} = Place | Places], Held, Waiting) ->
    case Forks -- Held of
        Forks -> Guest ! {forks, Forks}, give(Places, Forks ++ Held, Waiting);
        _ -> give(Places, Held, Waiting ++ [Place])
    end.
