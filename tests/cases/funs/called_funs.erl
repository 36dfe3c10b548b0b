%% Conditions on results of funs of the input.
-module(called_funs).
-export([
    applied/2, arity_error/1, bad_fun/1, compared/3, different/1, index/2,
    memo/2, nested/1, no_parameters/1, of_arity/1, parsed/2, retried/2,
    same/2, sum/3, twice/2, two_parameters/3
]).

%% finds: error answer
-spec two_parameters(F, integer(), atom()) -> ok when
    F :: fun((integer(), atom()) -> integer()).
two_parameters(F, N, A) ->
    case {F(N, A), F(N + 1, A)} of
        {41, 43} when N > 7 -> error(answer);
        _ -> ok
    end.

%% Arguments in a list.
%% finds: error seven
-spec applied(fun((integer(), integer()) -> integer()), [integer()]) -> ok.
applied(F, [A, _] = List) when A > 20 ->
    case apply(F, List) of
        7 -> error(seven);
        _ -> ok
    end;
applied(_, _) ->
    ok.

%% Any fun is allowed, also with other arities.
%% finds: error {badarity,_}
-spec arity_error(fun()) -> ok.
arity_error(F) when is_function(F, 1) -> ok;
arity_error(F) when is_function(F, 2) -> ok;
arity_error(F) ->
    F(one, two),
    ok.

%% Not a fun.
%% finds: error {badfun,_}
-spec bad_fun({atom(), term()}) -> ok.
bad_fun({call, F}) ->
    F(),
    ok;
bad_fun(_) ->
    ok.

%% The order of two results, and of two results of another fun.
%% finds: error order
-spec compared(Weight, Weight, [atom()]) -> ok when
    Weight :: fun((atom()) -> integer()).
compared(F, G, [A, B]) when A =/= B ->
    case F(A) < F(B) andalso G(A) > G(B) + 5 of
        true -> error(order);
        false -> ok
    end;
compared(_, _, _) ->
    ok.

%% Different results for different arguments.
%% finds: error different
-spec different(fun((1..3) -> integer())) -> ok.
different(F) ->
    case [F(1), F(2), F(3)] of
        [A, A, _] -> ok;
        [A, B, C] when C =:= A * B, C > 5 -> error(different);
        _ -> ok
    end.

%% An index into a tuple.
%% finds: error third
-spec index(fun((atom()) -> 1..4), atom()) -> ok.
index(F, A) ->
    case element(F(A), {x, y, z, u}) of
        z when A =/= b -> error(third);
        _ -> ok
    end.

%% All results are of the result type.
%% finds: error full
-spec memo(fun((integer()) -> ok | {error, atom()}), [integer()]) -> ok.
memo(F, [A, B | _]) when A < B ->
    case {F(A), F(B)} of
        {ok, {error, full}} -> error(full);
        _ -> ok
    end;
memo(_, _) ->
    ok.

%% Equal arguments, equal results.
%% finds: error fixed_point
-spec nested(fun((integer()) -> integer())) -> ok.
nested(F) ->
    case {F(F(F(1))), F(1)} of
        {1, N} when N =/= 1 -> error(fixed_point);
        _ -> ok
    end.

%% The same result each time.
%% finds: error twelve
-spec no_parameters(fun(() -> integer())) -> ok.
no_parameters(F) ->
    case F() + F() of
        24 -> error(twelve);
        _ -> ok
    end.

%% Funs that differ by their arities.
%% finds: error three
-spec of_arity(function()) -> ok.
of_arity(F) when is_function(F, 0); is_function(F, 1) -> ok;
of_arity(F) when is_function(F, 3) ->
    case F(a, b, c) of
        [d] -> error(three);
        _ -> ok
    end;
of_arity(_) ->
    ok.

%% A handler that may refuse.
%% finds: error stuck
-spec parsed(Parse, string()) -> ok when
    Parse :: fun((string()) -> {ok, integer(), string()} | error).
parsed(Parse, Text) ->
    case Parse(Text) of
        {ok, N, Rest} ->
            case Parse(Rest) of
                {ok, M, Text} when M > N -> error(stuck);
                _ -> ok
            end;
        error ->
            ok
    end.

%% Tries at most three times.
%% finds: error late
-spec retried(fun((non_neg_integer()) -> {ok, integer()} | again), 0..3) -> ok.
retried(F, N) ->
    case retry(F, N, 3) of
        {ok, 99} -> error(late);
        _ -> ok
    end.

retry(_, _, 0) -> failed;
retry(F, N, Left) ->
    case F(N) of
        {ok, Value} when Left =:= 1 -> {ok, Value};
        {ok, _} -> early;
        again -> retry(F, N + 1, Left - 1)
    end.

%% Two funs, or one.
%% finds: error agree
-spec same(fun((integer()) -> integer()), fun((integer()) -> integer())) -> ok.
same(F, G) ->
    case {F(1), F(2), G(1), G(2)} of
        {A, B, A, B} when A > B + 3 -> error(agree);
        _ -> ok
    end.

%% finds: error sum
-spec sum(fun((integer()) -> integer()), integer(), integer()) -> ok.
sum(F, A, B) ->
    case F(A) + F(B) of
        15 when A =/= B, A + B =:= 4 -> error(sum);
        _ -> ok
    end.

%% finds: error twice
-spec twice(fun((integer()) -> integer()), integer()) -> ok.
twice(F, N) ->
    case F(F(N)) of
        9 when N > 3 ->
            case F(N) of
                4 -> error(twice);
                _ -> ok
            end;
        _ ->
            ok
    end.
