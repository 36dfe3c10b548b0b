%% Exceptions that are raised, caught, and raised again.
-module(exceptions).
-export([
    after_condition/1, after_hides/1, caught_value/1, classes/1,
    built_in_error/2, from_library/2, function_clause/1, if_clause/1,
    in_of/1, nested/1, not_caught/1, old_catch/1, old_catch_error/1,
    old_catch_exit/1, raise_again/1, stack_depth/1, stack_of_function/1,
    thrown_in_fun/1, try_clause/1, with_reason/2
]).

%% The code in `after` always runs, and decides by the input.
%% finds: error not_closed
-spec after_condition(integer()) -> integer().
after_condition(N) ->
    try
        1000 div (N - 3)
    catch
        error:badarith -> 0
    after
        close(N)
    end.

close(3) -> ok;
close(N) when N * 3 =:= 2997 -> error(not_closed);
close(_) -> ok.

%% An exception in `after` hides the one before.
%% finds: error second
-spec after_hides(integer()) -> no_return() | ok.
after_hides(N) ->
    try
        first(N)
    catch
        throw:first -> ok
    after
        second(N)
    end.

first(N) when N > 70 -> throw(first);
first(_) -> ok.

second(N) when N < 72, N > 70 -> error(second);
second(_) -> ok.

%% A thrown value stays symbolic after the catch.
%% finds: error {caught,_}
-spec caught_value(integer()) -> ok.
caught_value(N) ->
    try
        throw({value, N * 3})
    catch
        throw:{value, 9963} -> error({caught, N});
        throw:{value, _} -> ok
    end.

%% The class decides as well.
%% finds: error {class,exit}
-spec classes({throw | exit | error, integer()}) -> ok.
classes({Class, Value}) ->
    try
        raise(Class, Value)
    catch
        exit:1999 -> error({class, exit});
        _:_ -> ok
    end.

raise(throw, Value) -> throw(Value);
raise(exit, Value) -> exit(Value);
raise(error, Value) -> error(Value).

%% Errors of built-ins are caught like any other.
%% finds: error {no_quotient,_}
-spec built_in_error(integer(), integer()) -> integer().
built_in_error(A, B) ->
    try
        A div (B - 40)
    catch
        error:badarith when A > 40, A < 42 -> error({no_quotient, A});
        error:badarith -> 0
    end.

%% Errors of library functions, raised deeper inside.
%% finds: error {nothing_at,_}
-spec from_library(pos_integer(), [integer()]) -> integer().
from_library(Place, List) ->
    try
        lists:nth(Place, List)
    catch
        error:function_clause when length(List) =:= 3, Place > 4 ->
            error({nothing_at, Place});
        error:function_clause ->
            0
    end.

%% No clause of a function matches.
%% finds: error function_clause
-spec function_clause({integer(), integer()}) -> ok.
function_clause({A, B}) -> ordered(A, B - 3000).

ordered(A, B) when A =< B -> ok;
ordered(A, B) when A > B + 1 -> ok.

%% No condition of an `if` holds.
%% finds: error if_clause
-spec if_clause(integer()) -> low | high.
if_clause(N) ->
    if
        N < 1200 -> low;
        N > 1200 -> high
    end.

%% An exception in `of` is not caught by the same `try`.
%% finds: throw {big,_}
-spec in_of(integer()) -> ok.
in_of(N) ->
    try 2 * N of
        M when M =:= 5002 -> throw({big, N});
        _ -> ok
    catch
        throw:_ -> ok
    end.

%% The inner `try` only catches some exceptions.
%% finds: error outer
-spec nested(integer()) -> ok.
nested(N) ->
    try
        try
            throw(N - 10)
        catch
            throw:M when M < 500 -> ok
        end
    catch
        throw:M2 when M2 < 502, M2 > 500 -> error(outer);
        throw:_ -> ok
    end.

%% A class that is not caught.
%% finds: exit {stopped,_}
-spec not_caught(integer()) -> ok.
not_caught(N) ->
    try
        case N * N of
            841 -> exit({stopped, N});
            _ -> throw(other)
        end
    catch
        throw:other -> ok
    end.

%% `catch` makes no difference between a value and a thrown one.
%% finds: error {seen,321}
-spec old_catch(integer()) -> ok.
old_catch(N) ->
    case catch thrown_if_odd(N) of
        321 -> error({seen, 321});
        _ -> ok
    end.

thrown_if_odd(N) when N rem 2 =:= 1 -> throw(N);
thrown_if_odd(N) -> N.

%% Errors come as `{'EXIT', {Reason, Stack}}`.
%% finds: error {hidden,_}
-spec old_catch_error(integer()) -> ok.
old_catch_error(N) ->
    case catch 10 div (N - 5) + hd([N || N > 77]) of
        {'EXIT', {badarg, _}} when N > 70 -> error({hidden, badarg});
        {'EXIT', {badarith, _}} -> ok;
        _ -> ok
    end.

%% Exits come as `{'EXIT', Reason}`.
%% finds: error left
-spec old_catch_exit(integer()) -> ok.
old_catch_exit(N) ->
    case catch exit({N, N + 1}) of
        {'EXIT', {_, 4000}} -> error(left);
        {'EXIT', _} -> ok
    end.

%% An exception that is raised again keeps its class and its value.
%% finds: error {again,_}
-spec raise_again(integer()) -> ok.
raise_again(N) ->
    try
        try
            throw({inner, N})
        catch
            Class:Reason:Stack -> erlang:raise(Class, Reason, Stack)
        end
    catch
        throw:{inner, 606} -> error({again, N});
        throw:_ -> ok
    end.

%% The length of a stack trace as data: each call adds to it.
%% finds: error {too_deep,_}
-spec stack_depth(0..20) -> ok.
stack_depth(N) ->
    try
        descend(N)
    catch
        throw:bottom:Stack ->
            case length(Stack) of
                Depth when Depth > 6 -> error({too_deep, N});
                _ -> ok
            end
    end.

descend(0) -> throw(bottom);
descend(N) when N < 0 -> [];
descend(N) -> [go_on(N - 1)].

go_on(0) -> throw(bottom);
go_on(N) -> {descend(N - 1)}.

%% The function in which it was raised, from the stack trace.
%% finds: error {raised_in,odd}
-spec stack_of_function(integer()) -> ok.
stack_of_function(N) ->
    try
        {even(N), done}
    catch
        throw:_:Stack ->
            case Stack of
                [{_, odd, _, _} | _] -> error({raised_in, odd});
                [{_, even, _, _} | _] -> ok
            end
    end.

even(N) when N < 500 -> throw(small);
even(N) -> [odd(N)].

odd(N) when N rem 500 =:= 499 -> throw(large);
odd(N) -> N.

%% An exception leaves a fold early.
%% finds: error {stopped_at,_}
-spec thrown_in_fun([integer()]) -> ok.
thrown_in_fun(List) ->
    Add = fun
        (N, Sum) when Sum + N =:= 1234 -> throw({reached, N});
        (N, Sum) -> Sum + N
    end,
    try lists:foldl(Add, 0, List) of
        _ -> ok
    catch
        throw:{reached, N} when N =:= 234 -> error({stopped_at, N});
        throw:{reached, _} -> ok
    end.

%% No clause of `of` matches.
%% finds: error {try_clause,_}
-spec try_clause(integer()) -> ok.
try_clause(N) ->
    try N rem 1000 of
        M when M < 999 -> ok
    catch
        throw:_ -> ok
    end.

%% The reason is built from the input.
%% finds: error {pair,_}
-spec with_reason(integer(), atom()) -> ok.
with_reason(N, Name) ->
    try
        error({reason, Name, [N + 1]})
    catch
        error:{reason, key, [1500]} -> error({pair, Name});
        error:{reason, _, _} -> ok
    end.
