%%% A diary for one meeting room. The entry's process is the diary. An
%%% organiser asks whether an hour is free, tells a colleague abroad that he
%%% may plan too, and reserves the hour. The colleague asks and reserves in the
%%% same way; his clock is nine hours ahead.
%%%
%%% The correct twin of check_reserve. Mended: a reservation is a wish. The
%%% diary looks again whether the hour is free, and skips the wish if it is
%%% not.
-module(check_reserve_fixed).
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
            diary(reserve(lists:member(Hour, Taken), Hour, Taken), Left - 1);
        give_up ->
            diary(Taken, Left - 1)
    end.

reserve(true, _, Taken) -> Taken;
reserve(false, Hour, Taken) -> [Hour | Taken].
