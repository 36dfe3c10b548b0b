%% Loops and funs without a bug.
-module(clean_control).
-export([
    all_even/1, compose/1, count/1, parity/1, pairs/1, safe_head/1,
    steps/1, sum_to/1, toggle/1
]).

%% Elements that pass a filter have the property.
%% clean: complete
-spec all_even([integer()]) -> ok.
all_even(List) ->
    true = lists:all(
        fun(N) -> N rem 2 =:= 0 end,
        [N || N <- List, N rem 2 =:= 0]
    ),
    ok.

%% Two funs one after the other.
%% clean: complete
-spec compose(integer()) -> ok.
compose(N) ->
    Double = fun(X) -> 2 * X end,
    Half = fun(X) -> X div 2 end,
    N = Half(Double(N)),
    ok.

%% As many elements as before.
%% clean: complete
-spec count([integer()]) -> ok.
count(List) ->
    true = length(List) =:= lists:foldl(fun(_, N) -> N + 1 end, 0, List),
    ok.

%% Mutual recursion over a list.
%% clean: complete
-spec parity([integer()]) -> even | odd.
parity([]) -> even;
parity([_ | Rest]) -> other(Rest).

other([]) -> odd;
other([_ | Rest]) -> parity(Rest).

%% Every pair of a product has both parts.
%% clean: complete
-spec pairs([integer()]) -> ok.
pairs(List) ->
    Pairs = [{X, Y} || X <- List, Y <- List],
    true = length(Pairs) =:= length(List) * length(List),
    ok.

%% Only asks non-empty lists for their heads.
%% clean: complete
-spec safe_head([[integer()]]) -> [integer()].
safe_head(Lists) -> [hd(List) || List <- Lists, List =/= []].

%% A loop that always ends.
%% clean: complete
-spec steps(0..30) -> ok.
steps(0) -> ok;
steps(N) when N > 0 -> steps(N - 1).

%% A sum and its formula.
%% clean: complete
-spec sum_to(0..8) -> ok.
sum_to(N) ->
    true = lists:sum(lists:seq(1, N)) =:= N * (N + 1) div 2,
    ok.

%% Two states.
%% clean: complete
-spec toggle([press | wait]) -> on | off.
toggle(Events) ->
    lists:foldl(
        fun
            (press, on) -> off;
            (press, off) -> on;
            (wait, State) -> State
        end,
        off,
        Events
    ).
