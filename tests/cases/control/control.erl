%% Loops, funs, comprehensions and messages.
-module(control).
-export([
    accumulator/1, adder/2, after_zero/1, collatz/1, comprehension/1,
    countdown/1, composed/1, filtered/2, fold_closure/2, generators/2,
    long_loop/1, mutual/1, named_fun/1, nested_funs/2, returned_fun/1,
    selective/1, state_machine/1, timeout_value/1, until/2
]).

%% An accumulator that must have one value at the end.
%% finds: error balance
-spec accumulator([integer()]) -> ok.
accumulator(List) when length(List) =:= 4 -> accumulate(List, 0);
accumulator(_) -> ok.

accumulate([], 1989) -> error(balance);
accumulate([], _) -> ok;
accumulate([N | Rest], Sum) when N > Sum -> accumulate(Rest, Sum + N);
accumulate(_, _) -> ok.

%% A fun with a variable of its environment.
%% finds: error sum
-spec adder(integer(), integer()) -> ok.
adder(A, B) ->
    Add = fun(C) -> A + C end,
    case Add(B * 2) of
        7001 -> error(sum);
        _ -> ok
    end.

%% There is no message, so the timeout decides.
%% finds: error nobody
-spec after_zero(integer()) -> ok.
after_zero(N) ->
    receive
        never -> ok
    after 0 ->
        case N of
            2718 -> error(nobody);
            _ -> ok
        end
    end.

%% The number of steps depends on every bit of the input.
%% finds: error nine_steps
-spec collatz(1..200) -> ok.
collatz(N) -> collatz(N, 0).

collatz(1, 9) -> error(nine_steps);
collatz(1, _) -> ok;
collatz(_, 20) -> ok;
collatz(N, Steps) when N rem 2 =:= 0 -> collatz(N div 2, Steps + 1);
collatz(N, Steps) -> collatz(3 * N + 1, Steps + 1).

%% A comprehension with a filter.
%% finds: error two_large
-spec comprehension([integer()]) -> ok.
comprehension(List) ->
    case [N * 2 || N <- List, N > 300] of
        [A, B] when A =:= B + 2 -> error(two_large);
        _ -> ok
    end.

%% A counter input that must be larger than 100.
%% finds: error reached
-spec countdown(non_neg_integer()) -> ok.
countdown(N) -> countdown(N, 0).

countdown(0, Rounds) when Rounds > 100 -> error(reached);
countdown(0, _) -> ok;
countdown(N, Rounds) -> countdown(N - 1, Rounds + 1).

%% Funs that get funs.
%% finds: error twice
-spec composed(integer()) -> ok.
composed(N) ->
    Twice = fun(F) -> fun(X) -> F(F(X)) end end,
    Triple = fun(X) -> 3 * X end,
    case (Twice(Twice(Triple)))(N) of
        8181 -> error(twice);
        _ -> ok
    end.

%% Library code calls a fun with a guard.
%% finds: error {kept,_}
-spec filtered(integer(), [integer()]) -> ok.
filtered(Limit, List) when Limit > 60 ->
    case lists:filter(fun(N) -> N > Limit end, List) of
        [61, 62] = Kept when Limit < 61 -> error({kept, Kept});
        [N, M] when N - Limit =:= 5, M - Limit =:= 7 -> error({kept, [N, M]});
        _ -> ok
    end;
filtered(_, _) ->
    ok.

%% A closure in a fold.
%% finds: error weighted
-spec fold_closure(integer(), [integer()]) -> ok.
fold_closure(Weight, List) when Weight > 1 ->
    case lists:foldl(fun(N, Sum) -> Sum * Weight + N end, 0, List) of
        1000 when length(List) =:= 3 -> error(weighted);
        _ -> ok
    end;
fold_closure(_, _) ->
    ok.

%% Two generators.
%% finds: error {pair,_}
-spec generators([integer()], [integer()]) -> ok.
generators(Xs, Ys) ->
    case [{X, Y} || X <- Xs, Y <- Ys, X + Y =:= 444, X > Y] of
        [Pair | _] -> error({pair, Pair});
        [] -> ok
    end.

%% The bug comes after more than a hundred rounds, with a test in each.
%% finds: error found
-spec long_loop(pos_integer()) -> ok.
long_loop(Limit) -> long_loop(1, Limit).

long_loop(Round, Limit) when Round < Limit -> long_loop(Round + 1, Limit);
long_loop(Round, _) when Round > 120 -> error(found);
long_loop(_, _) -> ok.

%% Functions that call each other.
%% finds: error odd_end
-spec mutual([a | b]) -> ok.
mutual(List) -> want_a(List, 0).

want_a([a | Rest], N) -> want_b(Rest, N + 1);
want_a(_, _) -> ok.

want_b([b | Rest], N) -> want_a(Rest, N + 1);
want_b([], 3) -> error(odd_end);
want_b(_, _) -> ok.

%% A fun that calls itself by its name.
%% finds: error {digits,_}
-spec named_fun(non_neg_integer()) -> ok.
named_fun(N) ->
    Sum = fun
        Digits(0) -> 0;
        Digits(M) -> M rem 10 + Digits(M div 10)
    end,
    case Sum(N) of
        35 when N < 10000 -> error({digits, N});
        _ -> ok
    end.

%% A fun inside of a fun inside of a comprehension.
%% finds: error inner
-spec nested_funs(integer(), [integer()]) -> ok.
nested_funs(A, List) ->
    Funs = [fun(X) -> X * N + A end || N <- List],
    case [F(10) || F <- Funs] of
        [111, 121 | _] -> error(inner);
        _ -> ok
    end.

%% A function returns a fun with state.
%% finds: error remembered
-spec returned_fun([integer()]) -> ok.
returned_fun([A, B]) ->
    Check = checker(A),
    Check(B);
returned_fun(_) ->
    ok.

checker(A) when A > 0 ->
    fun
        (B) when B =:= A * 100 + 1 -> error(remembered);
        (_) -> ok
    end;
checker(_) ->
    fun(_) -> ok end.

%% Receives the second message first.
%% finds: error second_first
-spec selective(integer()) -> ok.
selective(N) ->
    self() ! first,
    self() ! second,
    Order = [receive second -> 2 end, receive first -> 1 end],
    case [N | Order] of
        [773, 2, 1] -> error(second_first);
        _ -> ok
    end.

%% A state machine with four states.
%% finds: error opened
-spec state_machine([push | pull | turn]) -> ok.
state_machine(Moves) -> state(closed, Moves).

state(closed, [turn | Moves]) -> state(unlocked, Moves);
state(unlocked, [pull | Moves]) -> state(ajar, Moves);
state(ajar, [push | Moves]) -> state(unlocked, Moves);
state(ajar, [turn, pull | _]) -> error(opened);
state(_, [_ | Moves]) -> state(closed, Moves);
state(_, []) -> ok.

%% The time to wait for a message is computed.
%% finds: error {waited,_}
-spec timeout_value(0..2) -> ok.
timeout_value(N) ->
    receive
        never -> ok
    after N div 2 ->
        case N of
            2 -> error({waited, N});
            _ -> ok
        end
    end.

%% A loop until a condition holds that both arguments decide.
%% finds: error {met,_}
-spec until(0..1000, 0..1000) -> ok.
until(Low, High) when Low < High -> until(Low + 3, High - 4);
until(Same, Same) when Same > 40 -> error({met, Same});
until(_, _) -> ok.
