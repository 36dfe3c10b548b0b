%%% A diary for one meeting room. The entry's process is the diary. An
%%% organiser asks whether an hour is free, tells a colleague abroad that he
%%% may plan too, and reserves the hour. The colleague asks and reserves in the
%%% same way; his clock is nine hours ahead.
%%%
%%% The bug: between the question and the reservation the other one can reserve
%%% the same hour. Then the diary finds the hour taken.
%%%
%%% Input: Here =:= (There + 9) rem 24, for example check_reserve:main(9, 0).
%%% Order: the organiser tells the colleague; before the organiser reserves,
%%% the colleague asks.
-module(check_reserve).
-export([main/2]).

-spec main(0..23, 0..23) -> [0..23].
main(Here, There) ->
    Diary = self(),
    Colleague = spawn(fun() -> colleague(Diary, (There + 9) rem 24) end),
    spawn(fun() -> organiser(Diary, Colleague, Here) end),
    diary([], 4).

organiser(Diary, Colleague, Hour) ->
    Answer = ask(Diary, Hour),
    Colleague ! plan,
    decide(Diary, Hour, Answer).

colleague(Diary, Hour) ->
    receive
        plan -> decide(Diary, Hour, ask(Diary, Hour))
    end.

ask(Diary, Hour) ->
    Diary ! {is_free, Hour, self()},
    receive
        {is_free, Answer} -> Answer
    end.

decide(Diary, Hour, true) -> Diary ! {reserve, Hour};
decide(Diary, _, false) -> Diary ! give_up.

%% Handles so many messages and returns the hours that are taken.
diary(Taken, 0) ->
    Taken;
diary(Taken, Left) ->
    receive
        {is_free, Hour, From} ->
            From ! {is_free, not lists:member(Hour, Taken)},
            diary(Taken, Left - 1);
        {reserve, Hour} ->
            false = lists:member(Hour, Taken),
            diary([Hour | Taken], Left - 1);
        give_up ->
            diary(Taken, Left - 1)
    end.
