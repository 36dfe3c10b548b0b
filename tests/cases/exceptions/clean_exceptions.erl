%% Exceptions that are all caught in their functions.
-module(clean_exceptions).
-export([
    after_all/1, all_classes/1, caught_error/2, deep/1, exit_normal/1,
    optional/1, rethrown/1, safe_element/2, stack/1
]).

%% Nothing in `after` fails.
%% clean: complete
-spec after_all(integer()) -> integer().
after_all(N) ->
    try
        100 div N
    catch
        error:badarith -> 0
    after
        true = abs(N) >= 0
    end.

%% Every class is caught.
%% clean: complete
-spec all_classes(0..3) -> integer().
all_classes(N) ->
    try
        case N of
            0 -> throw(N);
            1 -> exit(N);
            2 -> error(N);
            3 -> N
        end
    catch
        _:Value -> Value
    end.

%% The error of the division is caught where it can be raised.
%% clean: complete
-spec caught_error(integer(), integer()) -> integer().
caught_error(A, B) ->
    try
        A div B
    catch
        error:badarith -> 0
    end.

%% A throw deep inside is caught outside.
%% clean
-spec deep([integer()]) -> integer().
deep(List) ->
    try
        product(List)
    catch
        throw:zero -> 0
    end.

product([]) -> 1;
product([0 | _]) -> throw(zero);
product([N | Rest]) -> N * product(Rest).

%% A normal exit is not a crash.
%% clean: complete
-spec exit_normal(integer()) -> ok.
exit_normal(77) -> exit(normal);
exit_normal(_) -> ok.

%% `catch` as a default.
%% clean: complete
-spec optional([integer()]) -> integer().
optional(List) ->
    case catch hd(List) of
        N when is_integer(N) -> N;
        {'EXIT', {badarg, _}} -> 0
    end.

%% Raised again and then caught.
%% clean: complete
-spec rethrown(integer()) -> ok.
rethrown(N) ->
    try
        try
            throw(N)
        catch
            throw:M when M > 10 -> throw({large, M})
        end
    catch
        throw:{large, M2} when M2 > 10 -> ok;
        throw:M2 when M2 =< 10 -> ok
    end.

%% An element that may be missing.
%% clean
-spec safe_element(integer(), tuple()) -> term().
safe_element(Place, Tuple) ->
    try
        element(Place, Tuple)
    catch
        error:badarg -> none
    end.

%% The functions in a stack trace belong to the path.
%% clean: complete
-spec stack(integer()) -> atom().
stack(N) ->
    try
        one_of_two(N)
    catch
        error:_:Stack ->
            [{_, Function, _, _} | _] = Stack,
            Function
    end.

one_of_two(0) -> error(zero);
one_of_two(_) -> error(other).
