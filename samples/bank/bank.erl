%% A customer with two accounts, and a list of commands for them:
%%
%%     bank:run([{deposit, 10}, {save, 4}, {withdraw, 6}])
%%
%% The bug is in the clause for withdraw: it compares the amount with all money
%% of the customer, not with the money of the current account. A deposit, then a
%% transfer to the savings, then a large withdrawal overdraw the account. The
%% audit at the end notices it.
-module(bank).
-export([run/1]).

-record(accounts, {current = 0, savings = 0}).

run(Commands) ->
    case all_valid(Commands) of
        true -> audit(lists:foldl(fun execute/2, #accounts{}, Commands));
        false -> {error, bad_commands}
    end.

all_valid([]) ->
    true;
all_valid([{Command, Amount} | Commands]) when is_integer(Amount), Amount > 0 ->
    is_command(Command) andalso all_valid(Commands);
all_valid(_) ->
    false.

is_command(deposit) -> true;
is_command(withdraw) -> true;
is_command(save) -> true;
is_command(_) -> false.

%% Skips commands if there is not enough money.
execute({deposit, Amount}, #accounts{current = Current, savings = Savings}) ->
    #accounts{current = Current + Amount, savings = Savings};
execute({withdraw, Amount}, #accounts{current = Current, savings = Savings})
  when Amount =< Current + Savings ->
    #accounts{current = Current - Amount, savings = Savings};
execute({save, Amount}, #accounts{current = Current, savings = Savings})
  when Amount =< Current ->
    #accounts{current = Current - Amount, savings = Savings + Amount};
execute(_, Accounts) ->
    Accounts.

audit(#accounts{current = Current}) when Current < 0 -> error(overdrawn);
audit(#accounts{current = Current, savings = Savings}) -> {ok, Current + Savings}.
