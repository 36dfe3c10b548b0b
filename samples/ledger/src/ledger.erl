%% Accounts and postings between them.
-module(ledger).
-export([new/0, open/2, post/4, balance/2, accounts/1, undo/1, import/2]).

-record(ledger, {balances = #{} :: #{atom() => integer()},
                 postings = [] :: [{atom(), atom(), pos_integer()}]}).

new() -> #ledger{}.

open(Account, #ledger{balances = Balances} = Ledger) ->
    case Balances of
        #{Account := _} -> {error, {already_open, Account}};
        #{} -> {ok, Ledger#ledger{balances = Balances#{Account => 0}}}
    end.

post(_, _, Amount, _) when not is_integer(Amount); Amount =< 0 ->
    {error, {bad_amount, Amount}};
post(Account, Account, _, _) ->
    {error, same_account};
post(From, To, Amount, #ledger{balances = Balances, postings = Postings} = Ledger) ->
    try
        Taken = maps:update_with(From, fun(Balance) -> Balance - Amount end, Balances),
        Given = maps:update_with(To, fun(Balance) -> Balance + Amount end, Taken),
        {ok, Ledger#ledger{balances = Given,
                           postings = [{From, To, Amount} | Postings]}}
    catch
        error:{badkey, Account} -> {error, {no_account, Account}}
    end.

balance(Account, #ledger{balances = Balances}) ->
    case maps:find(Account, Balances) of
        {ok, Balance} -> Balance;
        error -> throw({no_account, Account})
    end.

accounts(#ledger{balances = Balances}) ->
    lists:sort(maps:keys(Balances)).

undo(#ledger{postings = []}) ->
    {error, nothing_to_undo};
undo(#ledger{postings = [{From, To, Amount} | Earlier]} = Ledger) ->
    {ok, Undone} = post(To, From, Amount, Ledger),
    {ok, Undone#ledger{postings = Earlier}}.

%% Lines such as "cash rent 12.50".
import(Lines, Ledger) ->
    lists:foldl(fun(_, {error, _} = Error) -> Error;
                   (Line, {ok, Before}) -> import_line(Line, Before)
                end, {ok, Ledger}, Lines).

import_line(Line, Ledger) ->
    case string:lexemes(Line, " ") of
        [From, To, Amount] ->
            case money:parse(Amount) of
                {ok, Cents} ->
                    post(list_to_atom(From), list_to_atom(To), Cents, Ledger);
                error ->
                    {error, {bad_amount, Amount}}
            end;
        _ ->
            {error, {bad_line, Line}}
    end.
