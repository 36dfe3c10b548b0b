%% Funs made from funs, and funs that return or get funs.
-module(higher_order_funs).
-export([
    composed/3, curried/2, given_another/2, given_itself/1, given_own/1,
    made/2, selected/3
]).

%% finds: error composed
-spec composed(F, G, integer()) -> ok when
    F :: fun((integer()) -> atom()),
    G :: fun((atom()) -> integer()).
composed(F, G, N) ->
    H = fun(X) -> G(F(X)) end,
    case {H(N), H(N - 1)} of
        {8, 9} -> error(composed);
        _ -> ok
    end.

%% A fun that returns funs.
%% finds: error curried
-spec curried(F, integer()) -> ok when
    F :: fun((integer()) -> fun((integer()) -> integer())).
curried(F, N) ->
    Half = F(N),
    case {Half(1), Half(2), (F(0))(1)} of
        {10, 20, 30} -> error(curried);
        _ -> ok
    end.

%% A fun of the program cannot be distinguished from others.
%% finds: error given
-spec given_own(fun((fun((integer()) -> integer())) -> integer())) -> ok.
given_own(F) ->
    case F(fun(X) -> X + 1 end) of
        33 -> error(given);
        _ -> ok
    end.

%% One fun of the input gets another one.
%% finds: error given
-spec given_another(fun((term()) -> integer()), fun(() -> integer())) -> ok.
given_another(F, G) ->
    case {F(G), G()} of
        {N, M} when N + M =:= 33, M < 3 -> error(given);
        _ -> ok
    end.

%% finds: error given_itself
-spec given_itself(fun((term()) -> atom())) -> ok.
given_itself(F) ->
    case F(F) of
        self -> error(given_itself);
        _ -> ok
    end.

%% A fun of the program that calls one of the input.
%% finds: error {made,_}
-spec made(fun((integer()) -> integer()), integer()) -> ok.
made(F, N) ->
    Plus = fun(X) -> F(X) + N end,
    case Plus(F(5)) of
        100 when N > 60 -> error({made, N});
        _ -> ok
    end.

%% The input says which fun is called.
%% finds: error selected
-spec selected(1..3, integer(), integer()) -> ok.
selected(Which, N, Most) ->
    Small = fun(X) -> X < Most end,
    Funs = {fun(X) -> X + N end, fun(X) -> X * N end, Small},
    case (element(Which, Funs))(13) of
        39 when Which =:= 2 -> error(selected);
        _ -> ok
    end.
