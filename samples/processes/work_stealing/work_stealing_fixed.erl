%%% Work stealing. The entry's process has a number of tasks left. Before it
%%% does them it looks once whether an idle thief asks for work, and gives him
%%% half of the tasks. The thief splits an hour between his tasks.
%%%
%%% The correct twin of work_stealing. Mended: a single task is not shared.
-module(work_stealing_fixed).
-export([main/2]).

-spec main(0..15, 0..15) -> {alone, integer()} | {shared, integer()}.
main(Tasks, Done) ->
    Owner = self(),
    spawn(fun() -> thief(Owner) end),
    work(Tasks - 2 * Done).

work(Left) ->
    receive
        {steal, Thief} when Left > 1 ->
            Thief ! {tasks, Left div 2},
            receive
                {minutes, Minutes} -> {shared, Minutes}
            end
    after 0 ->
        receive
            {steal, Thief} -> Thief ! nothing
        end,
        {alone, Left}
    end.

thief(Owner) ->
    Owner ! {steal, self()},
    receive
        {tasks, Tasks} -> Owner ! {minutes, 60 div Tasks};
        nothing -> ok
    end.
