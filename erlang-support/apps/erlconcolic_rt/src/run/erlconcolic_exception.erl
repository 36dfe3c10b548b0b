%%% What a program raises, in the words of Elixir: `** (ArithmeticError) bad
%%% argument in arithmetic expression'. Modules of exceptions have messages of
%%% their own, so only the program itself knows them.
-module(erlconcolic_exception).

-export([banner/3]).

%% Calls a function and describes its exception. Empty if there is none.
-spec banner(module(), Function :: atom(), [term()]) -> binary().
banner(Module, Function, Args) ->
    try erlang:apply(Module, Function, Args) of
        _Value -> <<>>
    catch
        Class:Reason:Stack ->
            described('Elixir.Exception', [Class, Reason, Stack])
    end.

%% Elixir may be missing, so xref and Dialyzer must not see what is called.
-spec described(module(), [term()]) -> binary().
described(Module, Args) ->
    erlang:apply(Module, format_banner, Args).
