%%% A server with a secret and two clients. The entry's process logs in as a
%%% guest and tries to read; another client logs in with a user's number and a
%%% code and reads too. Only the right code opens the secret.
%%%
%%% The correct twin of two_clients. Mended: the server has a list with the
%%% rights of each client.
-module(two_clients_fixed).
-export([main/2]).

-spec main(0..15, 0..15) -> denied.
main(User, Code) ->
    Server = spawn(fun() -> server([], 4) end),
    spawn(fun() -> client(Server, User, Code) end),
    denied = client(Server, guest, 0).

client(Server, User, Code) ->
    Server ! {login, self(), User, Code},
    Server ! {read, self()},
    receive
        {answer, Answer} -> Answer
    end.

%% Handles so many messages.
server(_, 0) ->
    ok;
server(Clients, Left) ->
    receive
        {login, From, User, Code} ->
            server([{From, rights(User, Code)} | Clients], Left - 1);
        {read, From} ->
            {From, Rights} = lists:keyfind(From, 1, Clients),
            From ! {answer, answer(Rights)},
            server(Clients, Left - 1)
    end.

rights(guest, _) -> none;
rights(User, Code) when Code =:= (7 * User + 3) rem 16 -> all;
rights(_, _) -> none.

answer(all) -> secret;
answer(none) -> denied.
