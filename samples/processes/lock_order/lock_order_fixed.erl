%%% Transfers between accounts. The entry's process manages the locks of the
%%% accounts. A transfer locks both of its accounts. When the first transfer
%%% has its first lock, it starts the second.
%%%
%%% The correct twin of lock_order. Mended: every transfer locks the account
%%% with the smaller number first, whatever its direction.
-module(lock_order_fixed).
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
    lock(Locks, min(From, To)),
    Then(),
    To =:= From orelse lock(Locks, max(From, To)),
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
