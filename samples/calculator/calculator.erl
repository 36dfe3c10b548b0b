%% A calculator with a stack: [7, 2, add] returns {ok, 9}. Numbers are pushed
%% on the stack, operators replace the numbers on top of it.
%%
%% The bug is in share/2, after three conditions: an amount above 100, more than
%% 10 people, and at least 10 for each of them. Then the bonus is divided among
%% all but 12 people. With exactly 12 people that is a division by zero.
-module(calculator).
-export([calculate/1]).

calculate(Program) ->
    run(Program, []).

run([Number | Program], Stack) when is_integer(Number) ->
    run(Program, [Number | Stack]);
run([add | Program], [B, A | Stack]) ->
    run(Program, [A + B | Stack]);
run([negate | Program], [A | Stack]) ->
    run(Program, [-A | Stack]);
run([share | Program], [People, Amount | Stack]) when People > 0 ->
    run(Program, [share(Amount, People) | Stack]);
run([], [Result]) ->
    {ok, Result};
run(Program, Stack) ->
    {error, {stuck, Program, Stack}}.

%% The share of each person, with a bonus for large amounts and groups.
share(Amount, People) ->
    case Amount > 100 of
        true ->
            case People > 10 of
                true ->
                    case Amount >= 10 * People of
                        true -> Amount div People + 50 div (People - 12);
                        false -> Amount div People
                    end;
                false ->
                    Amount div People
            end;
        false ->
            Amount div People
    end.
