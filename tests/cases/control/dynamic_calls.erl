%% Calls whose function is only known at run time.
-module(dynamic_calls).
-export([
    clean_operation/2, add/2, by_name/2, by_table/2, divide/2, fun_by_name/2,
    in_module/2, subtract/2
]).

add(A, B) -> A + B.

subtract(A, B) -> A - B.

divide(A, B) -> A div (B - 10).

%% Every name of the type is a function that returns.
%% clean
-spec clean_operation(add | subtract, integer()) -> integer().
clean_operation(Name, N) -> apply(?MODULE, Name, [N, 1]).

%% One of the functions fails.
%% finds: error badarith
-spec by_name(add | subtract | divide, integer()) -> integer().
by_name(Name, N) -> ?MODULE:Name(100, N).

%% The name comes from a table.
%% finds: error {result,_}
-spec by_table($+ | $- | $/, integer()) -> ok.
by_table(Sign, N) ->
    Table = [{$+, add}, {$-, subtract}, {$/, divide}],
    {Sign, Name} = lists:keyfind(Sign, 1, Table),
    case apply(?MODULE, Name, [N, 3]) of
        -4321 when Name =:= subtract -> error({result, N});
        _ -> ok
    end.

%% A fun made from a name.
%% finds: error {sum,_}
-spec fun_by_name(add | subtract, integer()) -> ok.
fun_by_name(Name, N) ->
    Fun = fun ?MODULE:Name/2,
    case Fun(N, N) of
        2442 -> error({sum, N});
        _ -> ok
    end.

%% The module is an input as well; one of them has no such function.
%% finds: error undef
-spec in_module(dynamic_calls | lists, integer()) -> integer().
in_module(Module, N) -> Module:divide(N, 3).
