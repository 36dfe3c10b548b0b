%%% A server with a secret and two clients. The entry's process logs in as a
%%% guest and tries to read; another client logs in with a user's number and a
%%% code and reads too. Only the right code opens the secret.
%%%
%%% The bug: the server remembers the rights of the last login, not of each
%%% client. A guest reads with the rights of somebody else.
%%%
%%% Input: the right code, Code =:= (7 * User + 3) rem 16, for example
%%% two_clients:main(0, 3).
%%% Order: the other client logs in between the login and the read of the
%%% entry's process.
-module(two_clients).
-export([main/2]).

-spec main(0..15, 0..15) -> denied.
main(User, Code) ->
    Server = spawn(fun() -> server(none, 4) end),
    spawn(fun() -> client(Server, User, Code) end),
    denied = client(Server, guest, 0).

client(Server, User, Code) ->
    Server ! {login, User, Code},
    Server ! {read, self()},
    receive
        {answer, Answer} -> Answer
    end.

%% Handles so many messages.
server(_, 0) ->
    ok;
server(Rights, Left) ->
    receive
        {login, User, Code} ->
            server(rights(User, Code), Left - 1);
        {read, From} ->
            From ! {answer, answer(Rights)},
            server(Rights, Left - 1)
    end.

rights(guest, _) -> none;
rights(User, Code) when Code =:= (7 * User + 3) rem 16 -> all;
rights(_, _) -> none.

answer(all) -> secret;
answer(none) -> denied.
