%%% Transfers between accounts. The entry's process manages the locks of the
%%% accounts. A transfer locks the account it takes from, then the account it
%%% gives to. When the first transfer has its first lock, it starts the second.
%%%
%%% The bug: the order of the locks comes from the input. Two transfers in
%%% opposite directions can wait for each other for ever.
%%%
%%% Input: the second transfer goes the opposite way between the same two
%%% accounts, for example lock_order:main({0, 1}, {1, 0}).
%%% Order: the second transfer asks for its first lock before the first asks
%%% for its second.
-module(lock_order).
-export([main/2]).

-type transfer() :: {0..3, 0..3}.

-spec main(transfer(), transfer()) -> ok.
main(First, Second) ->
    Locks = self(),
    spawn(fun() ->
              transfer(Locks, First, fun() ->
                  spawn(fun() -> transfer(Locks, Second, fun() -> ok end) end)
              end)
          end),
    locks([], [], 2).

transfer(Locks, {From, To}, Then) ->
    lock(Locks, From),
    Then(),
    To =:= From orelse lock(Locks, To),
    Locks ! {unlock_all, self()}.

lock(Locks, Account) ->
    Locks ! {lock, Account, self()},
    receive
        locked -> ok
    end.

%% Ends after so many transfers.
locks(_, _, 0) ->
    ok;
locks(Held, Waiting, Left) ->
    receive
        {lock, Account, Owner} ->
            {Now, Later} = grant(Waiting ++ [{Account, Owner}], Held, []),
            locks(Now, Later, Left);
        {unlock_all, Owner} ->
            Others = [Lock || {_, Other} = Lock <- Held, Other =/= Owner],
            {Now, Later} = grant(Waiting, Others, []),
            locks(Now, Later, Left - 1)
    end.

grant([], Held, Waiting) ->
    {Held, Waiting};
grant([{Account, Owner} = Lock | Locks], Held, Waiting) ->
    case lists:keymember(Account, 1, Held) of
        true -> grant(Locks, Held, Waiting ++ [Lock]);
        false -> Owner ! locked, grant(Locks, [Lock | Held], Waiting)
    end.
