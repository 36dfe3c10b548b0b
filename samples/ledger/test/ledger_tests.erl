-module(ledger_tests).
-include_lib("eunit/include/eunit.hrl").

with_accounts() ->
    lists:foldl(fun(Account, Ledger) ->
                        {ok, Opened} = ledger:open(Account, Ledger),
                        Opened
                end, ledger:new(), [cash, rent, salary]).

ledger_test_() ->
    {setup, fun with_accounts/0,
     fun(Ledger) ->
             [?_assertEqual([cash, rent, salary], ledger:accounts(Ledger)),
              ?_assertEqual({error, {already_open, cash}}, ledger:open(cash, Ledger)),
              ?_assertEqual({error, same_account}, ledger:post(cash, cash, 1, Ledger)),
              ?_assertEqual({error, {no_account, tax}}, ledger:post(cash, tax, 1, Ledger)),
              ?_assertEqual({error, {no_account, tax}}, ledger:post(tax, cash, 1, Ledger)),
              ?_assertEqual({error, nothing_to_undo}, ledger:undo(Ledger)),
              ?_assertThrow({no_account, tax}, ledger:balance(tax, Ledger))]
             ++ [?_assertEqual({error, {bad_amount, Amount}},
                               ledger:post(cash, rent, Amount, Ledger))
                 || Amount <- [0, -1, 1.5, a, "1"]]
     end}.

postings_test_() ->
    [begin
         {ok, Posted} = ledger:post(salary, cash, Amount, with_accounts()),
         {ok, Undone} = ledger:undo(Posted),
         [?_assertEqual(Amount, ledger:balance(cash, Posted)),
          ?_assertEqual(-Amount, ledger:balance(salary, Posted)),
          ?_assertEqual(0, ledger:balance(cash, Undone)),
          ?_assertEqual(with_accounts(), Undone)]
     end || Amount <- [1, 2, 100, 123456789012345678901234567890]].

import_test_() ->
    Import = fun(Lines) -> ledger:import(Lines, with_accounts()) end,
    {ok, Ledger} = Import(["salary cash 1000", "cash rent 412.35"]),
    [?_assertEqual(58765, ledger:balance(cash, Ledger)),
     ?_assertEqual(41235, ledger:balance(rent, Ledger)),
     ?_assertEqual({error, {bad_line, "cash"}}, Import(["cash"])),
     ?_assertEqual({error, {bad_amount, "x"}}, Import(["cash rent x", "cash rent 1"])),
     ?_assertEqual({error, {no_account, tax}}, Import(["tax rent 1"])),
     ?_assertMatch({ok, _}, Import([]))].

concurrent_test() ->
    Self = self(),
    Pids = [spawn_link(fun() ->
                               {ok, Ledger} = ledger:post(salary, cash, N, with_accounts()),
                               Self ! {self(), ledger:balance(cash, Ledger)}
                       end) || N <- lists:seq(1, 10)],
    ?assertEqual(lists:seq(1, 10), [receive {Pid, Balance} -> Balance end || Pid <- Pids]).
