%% Checks how calls end. Started as `erl -noshell -pa DIR -run call_check main
%% FILE' with a file of lines `{Function, Arguments, {ok, Result}}.' or
%% `{Function, Arguments, {Class, Reason}}.', about functions of library_calls.
%% The node ends with status 0 if all are right, and prints those that are not.
-module(call_check).

-export([main/1]).

-spec main([string()]) -> no_return().
main([File]) ->
    Wrong = [{Call, Ending}
             || {Name, Args, _} = Call <- spec_check_terms:read(File),
                Ending <- [ending(Name, Args)],
                Ending =/= element(3, Call)],
    [io:format("~tp should end with ~tp~n", [Call, Ending])
     || {Call, Ending} <- Wrong],
    halt(min(1, length(Wrong))).

-spec ending(atom(), [term()]) -> {atom(), term()}.
ending(Name, Args) ->
    try apply(library_calls, Name, Args) of
        Result -> {ok, Result}
    catch
        Class:Reason -> {Class, Reason}
    end.
