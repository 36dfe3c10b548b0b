%% options: --opaque cut:weight/2 --opaque cut:each/2 --opaque lists:usort/1
%% Single functions that are not followed, beside others of their module.
-module(cut).
-export([
    behind/2, called_back/2, in_a_fun/2, of_a_library/2, raised/2,
    clean_followed/1, clean_weight/1
]).

%% What is not followed returns a constant.
%% finds: error {behind,_}
-spec behind([1..9], integer()) -> ok.
behind(List, N) ->
    case N - weight(List, 0) of
        4711 -> error({behind, N});
        _ -> ok
    end.

%% A fun of the program that is called from there is followed.
%% finds: error {both,_}
-spec called_back([1..9], integer()) -> ok.
called_back(List, N) ->
    each(fun(X) -> check(X, N) end, [7 | List]).

check(X, N) when X * N =:= 91 -> error({both, X});
check(_, _) -> ok.

each(Fun, [X | Rest]) -> Fun(X), each(Fun, Rest);
each(_, []) -> ok.

%% finds: error {fold,_}
-spec in_a_fun([[1..9]], integer()) -> ok.
in_a_fun(Lists, N) ->
    case lists:foldl(fun weight/2, 0, [[1, 2] | Lists]) + N of
        100 -> error({fold, N});
        _ -> ok
    end.

%% finds: error {sorted,_}
-spec of_a_library([integer()], integer()) -> ok.
of_a_library(List, N) ->
    case {lists:reverse(lists:usort([3, 1, 3 | List])), lists:sort([N, 5])} of
        {[3 | _], [5, 815]} -> error({sorted, N});
        _ -> ok
    end.

%% finds: error {badarith,_}
-spec raised([1..9], integer()) -> integer().
raised(List, N) when N > 17 ->
    try weight([a | List], 1)
    catch error:Reason -> error({Reason, N})
    end;
raised(_, N) ->
    N.

weight([X | Rest], Sum) -> weight(Rest, (Sum * 31 + sum(X)) rem 1009);
weight([], Sum) -> Sum.

sum([X | Rest]) -> X + sum(Rest);
sum([]) -> 0;
sum(X) -> X.

%% The same function is followed where others call it.
%% clean: complete
-spec clean_followed(1..9) -> 1..9.
clean_followed(X) -> sum(X).

%% clean
-spec clean_weight([1..9]) -> ok.
clean_weight(List) ->
    true = is_integer(weight(List, 0)),
    ok.
