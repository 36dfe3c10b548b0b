%% Checks the results of funs. Started as `erl -noshell -pa DIR -run
%% table_check main FILE' with a file of lines `{Fun, [{Arguments, Result}]}.'.
%% The node ends with status 0 if all are right, and prints those that are not.
-module(table_check).

-export([main/1]).

-spec main([string()]) -> no_return().
main([File]) ->
    Wrong = [{Args, Result, apply(Fun, Args)}
             || {Fun, Calls} <- spec_check_terms:read(File),
                {Args, Result} <- Calls,
                apply(Fun, Args) =/= Result],
    [io:format("~tw should give ~tw and gives ~tw~n",
               [Args, Result, Given]) || {Args, Result, Given} <- Wrong],
    halt(min(1, length(Wrong))).
