%% options: --contracts
%% Funs of the input, and what they are given.
-module(checked_funs).
-export([
    curried/2, in_a_map/2, in_a_record/1, mapped/2, of_pairs/2, outside/2,
    tail_called/2, two_types/2, clean_any/2, clean_chosen/2, clean_guarded/2,
    clean_library/2
]).

-record(rule, {name :: atom(), check :: fun((1..9) -> boolean())}).

%% A fun that a fun returns.
%% finds: error {fun_contract,_}
-spec curried(fun((atom()) -> fun((0..100) -> atom())), integer()) -> atom().
curried(F, N) when N > 90 ->
    Inner = F(N rem 2 =:= 0),
    {found, Name} = {found, Inner(N)},
    Name;
curried(_, _) ->
    none.

%% finds: error {fun_contract,_}
-spec in_a_map(#{atom() => fun((pos_integer()) -> atom())}, 0..20) -> [atom()].
in_a_map(Handlers, N) ->
    [Handler(N - 12) || {_, Handler} <- maps:to_list(Handlers), N > 11].

%% finds: error {fun_contract,_}
-spec in_a_record(#rule{}) -> [boolean()].
in_a_record(#rule{name = digits, check = Check}) ->
    [Check(N) || N <- [1, 9, 10]];
in_a_record(_) ->
    [].

%% A function of OTP calls the fun.
%% finds: error {fun_contract,_}
-spec mapped(fun((0..9) -> integer()), [integer()]) -> [integer()].
mapped(F, List) -> lists:map(F, [X || X <- List, X >= 0]).

%% finds: error {fun_contract,_}
-spec of_pairs(F, [{atom(), integer()}]) -> ok when
    F :: fun(({a | b, 0..3}, [1..9]) -> ok | again).
of_pairs(F, [{Name, N}]) when is_integer(N), N >= 0, N < 4 ->
    again = case F({Name, N}, [N + 1]) of ok -> again; Other -> Other end,
    ok;
of_pairs(_, _) ->
    ok.

%% finds: error {fun_contract,_}
-spec outside(fun((pos_integer()) -> integer()), integer()) -> integer().
outside(F, N) when N >= 0 -> 1 + F(N);
outside(_, N) -> N.

%% finds: error {fun_contract,_}
-spec tail_called(fun((atom(), string()) -> integer()), [byte()]) -> integer().
tail_called(F, Text) when length(Text) =:= 3 -> F(text, {Text});
tail_called(_, _) -> 0.

%% One of two types of funs.
%% finds: error {fun_contract,_}
-spec two_types(F, integer() | string()) -> a when
    F :: fun((integer()) -> a) | fun((atom()) -> a).
two_types(F, X) when is_list(X), length(X) =:= 2 -> id(F(X));
two_types(F, X) when is_integer(X) -> id(F(X));
two_types(_, _) -> a.

id(X) -> X.

%% Nothing is said about arguments.
%% clean
-spec clean_any(fun(), fun((term()) -> 1..3)) -> 1..3.
clean_any(_, F) -> F(F).

%% clean: complete
-spec clean_chosen(fun((integer() | a) -> 1..3), integer()) -> 1..3.
clean_chosen(F, N) when N > 3 -> F(a);
clean_chosen(F, N) -> F(N).

%% clean: complete
-spec clean_guarded(fun((10..20) -> 1..3), integer()) -> 1..3.
clean_guarded(F, N) when N >= 10, N =< 20 -> F(N);
clean_guarded(_, _) -> 1.

%% clean
-spec clean_library(F, [integer()]) -> ok when
    F :: fun((integer(), [integer()]) -> [integer()]).
clean_library(F, List) ->
    _ = lists:foldl(F, [], List),
    ok.
