%% Functions that return for every fun they get.
-module(clean_funs).
-export([
    arities/1, composed/2, consistent/1, equal_arguments/2, memo/2,
    outside/2, predicate/2,
    results/1, same_fun/2, thunk/1, typed/2, wrapped/1
]).

%% Only calls funs with the right arity.
%% clean: complete
-spec arities(function()) -> ok.
arities(F) when is_function(F, 0) ->
    F(),
    ok;
arities(F) when is_function(F, 2) ->
    F(a, b),
    ok;
arities(F) when is_function(F) ->
    ok.

%% clean: complete
-spec composed(fun((integer()) -> 1..9), integer()) -> integer().
composed(F, N) ->
    100 div F(F(N)).

%% clean: complete
-spec consistent(fun((integer()) -> integer())) -> ok.
consistent(F) ->
    case F(1) =:= F(1) of
        true -> ok;
        false -> error(bug)
    end.

%% clean: complete
-spec equal_arguments(F, {integer(), integer()}) -> ok when
    F :: fun((integer()) -> integer()).
equal_arguments(F, {A, B}) ->
    case F(A) =:= F(B) of
        false when A =:= B -> error(bug);
        _ -> ok
    end.

%% clean: complete
-spec memo(fun((integer()) -> ok | {error, atom()}), integer()) -> atom().
memo(F, N) ->
    case F(N) of
        ok -> ok;
        {error, Reason} when is_atom(Reason) -> Reason
    end.

%% clean: complete
-spec predicate(fun((integer()) -> boolean()), [integer()]) -> ok.
predicate(F, List) ->
    Kept = lists:filter(F, List),
    case lists:all(F, Kept) of
        true -> ok;
        false -> error(bug)
    end.

%% All results are of the type, also for other arguments.
%% clean: complete
-spec results(fun((atom()) -> {pos_integer(), [a | b]})) -> ok.
results(F) ->
    {N, List} = F(first),
    {M, _} = F(second),
    case 1 div (N + M - 1) of
        _ when is_list(List) -> ok
    end.

%% A fun always returns the same for the same argument.
%% clean: complete
-spec same_fun(F, F) -> ok when F :: fun((integer()) -> integer()).
same_fun(F, G) when F =:= G ->
    case F(4) - G(4) of
        0 -> ok;
        _ -> error(bug)
    end;
same_fun(_, _) ->
    ok.

%% clean: complete
-spec thunk(fun(() -> integer())) -> ok.
thunk(F) ->
    case F() - F() of
        0 -> ok;
        _ -> error(bug)
    end.

%% clean: complete
-spec typed(fun((...) -> 1..3), atom()) -> ok.
typed(F, A) when is_function(F, 1) ->
    case F(A) of
        1 -> ok;
        2 -> ok;
        3 -> ok
    end;
typed(_, _) ->
    ok.

%% clean: complete
-spec wrapped({ok, fun((integer()) -> fun(() -> atom()))} | none) -> atom().
wrapped({ok, F}) -> (F(1))();
wrapped(none) -> none.

%% A fun may be given what is not of its type: that is no crash of the fun.
%% clean: complete
-spec outside(fun((pos_integer()) -> 1..9), integer()) -> integer().
outside(F, N) -> 100 div F(N).
