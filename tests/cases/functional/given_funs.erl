%% Funs as arguments, in data and as results, of one and of several parameters.
-module(given_funs).
-export([
    chosen/2, composed/3, counted/2, curried/2, folded/2, guarded/2,
    in_a_map/2, in_a_record/1, made/3, mapped/2, merged/3, of_texts/1,
    partial/2, predicate/2, returned/2, sorted/2, until/2, zipped/3
]).

-record(rule, {
    name :: atom(),
    check :: fun((integer()) -> boolean()),
    weight = 1 :: 1..10
}).

%% The first of two funs that says yes.
%% finds: error second
-spec chosen([fun((atom()) -> yes | no)], atom()) -> ok.
chosen([F, G], Name) when Name =/= none ->
    case {F(Name), G(Name)} of
        {no, yes} -> error(second);
        _ -> ok
    end;
chosen(_, _) ->
    ok.

%% finds: error {composed,99}
-spec composed(F, F, 10..20) -> ok when F :: fun((integer()) -> integer()).
composed(F, G, X) ->
    Y = F(X),
    case G(Y) of
        99 when Y > X -> error({composed, 99});
        _ -> ok
    end.

%% As many elements as a number says.
%% finds: error two_of_three
-spec counted(fun((integer()) -> boolean()), [integer()]) -> ok.
counted(Is, [_, _, _] = List) ->
    case length([X || X <- List, Is(X)]) of
        2 -> error(two_of_three);
        _ -> ok
    end;
counted(_, _) ->
    ok.

%% A fun that returns a fun.
%% finds: error curried
-spec curried(fun((integer()) -> fun((integer()) -> atom())), integer()) -> ok.
curried(F, X) ->
    case (F(X))(X + 1) of
        found -> error(curried);
        _ -> ok
    end.

%% finds: error {left,12}
-spec folded(fun((integer(), integer()) -> integer()), [integer()]) -> ok.
folded(F, [_, _ | _] = List) ->
    case lists:foldl(F, 0, List) of
        12 -> error({left, 12});
        _ -> ok
    end;
folded(_, _) ->
    ok.

%% A call of a fun of the input cannot be in a guard, but its result can.
%% finds: error function_clause
-spec guarded(fun((integer()) -> 1..9), integer()) -> small.
guarded(F, X) -> small(F(X)).

small(Y) when Y < 8 -> small.

%% finds: error handler
-spec in_a_map(#{atom() => fun((atom()) -> atom())}, atom()) -> ok.
in_a_map(Handlers, Event) ->
    case Handlers of
        #{Event := Handler} ->
            case Handler(Event) of
                stop -> error(handler);
                _ -> ok
            end;
        _ ->
            ok
    end.

%% finds: error heavy
-spec in_a_record(#rule{}) -> ok.
in_a_record(#rule{name = limit, check = Check, weight = Weight}) ->
    case Check(Weight * 100) of
        true when Weight > 7 -> error(heavy);
        _ -> ok
    end;
in_a_record(_) ->
    ok.

%% A fun of the program that remembers its environment.
%% finds: error made
-spec made(integer(), integer(), integer()) -> ok.
made(A, B, X) ->
    Line = fun(Y) -> A * Y + B end,
    case [Line(1), Line(2), X] of
        [7, 9, 13] -> error(made);
        _ -> ok
    end.

%% finds: error doubled
-spec mapped(fun((atom()) -> integer()), [a | b | c]) -> ok.
mapped(F, List) ->
    case lists:map(F, List) of
        [X, Y] when Y =:= X * 2, X > 30 -> error(doubled);
        _ -> ok
    end.

%% finds: error {sum,1000}
-spec merged(F, M, M) -> ok when
    F :: fun((integer(), integer()) -> integer()),
    M :: #{atom() => integer()}.
merged(F, Left, Right) ->
    Both = maps:fold(fun(Key, Value, Map) ->
                             Join = fun(Old) -> F(Old, Value) end,
                             maps:update_with(Key, Join, Value, Map)
                     end, Left, Right),
    case Both of
        #{total := 1000} when Left =/= #{}, Right =/= #{} ->
            error({sum, 1000});
        _ ->
            ok
    end.

%% finds: error hello
-spec of_texts(fun((string()) -> string())) -> ok.
of_texts(F) ->
    case F("name") ++ F("") of
        "hello" -> error(hello);
        _ -> ok
    end.

%% finds: error badarith
-spec partial(fun((integer()) -> integer()), integer()) -> integer().
partial(F, N) when N > 0 ->
    Divide = fun(A, B) -> A div B end,
    By = fun(B) -> Divide(100, B) end,
    By(F(N) - 5);
partial(_, _) ->
    0.

%% finds: error partition
-spec predicate(fun((integer()) -> boolean()), [integer()]) -> ok.
predicate(Is, List) ->
    case lists:partition(Is, List) of
        {[A, B], [C]} when A > B, B > C -> error(partition);
        _ -> ok
    end.

%% One of several funs of the program.
%% finds: error {operation,_}
-spec returned(add | subtract | multiply, integer()) -> ok.
returned(Name, X) ->
    Operation = operation(Name),
    case Operation(X, 3) of
        -8 -> error({operation, X});
        _ -> ok
    end.

operation(add) -> fun(A, B) -> A + B * 100 end;
operation(subtract) -> fun(A, B) -> A - B * 100 end;
operation(multiply) -> fun(A, B) -> 2 - A * (B - 1) end.

%% finds: error swapped
-spec sorted(fun((integer(), integer()) -> boolean()), [integer()]) -> ok.
sorted(Before, [A, B] = List) when A < B ->
    case lists:sort(Before, List) of
        [B, A] -> error(swapped);
        _ -> ok
    end;
sorted(_, _) ->
    ok.

%% A loop until a fun says that it is enough.
%% finds: error third
-spec until(fun((0..9) -> go | stop), integer()) -> ok.
until(F, Goal) ->
    case rounds(F, 0) of
        3 when Goal =:= 77 -> error(third);
        _ -> ok
    end.

rounds(_, 9) -> 9;
rounds(F, N) ->
    case F(N) of
        stop -> N;
        go -> rounds(F, N + 1)
    end.

%% finds: error zipped
-spec zipped(F, [integer()], [integer()]) -> ok when
    F :: fun((integer(), integer()) -> integer()).
zipped(F, [_ | _] = As, Bs) when length(As) =:= length(Bs) ->
    case lists:zipwith(F, As, Bs) of
        [5, 6] -> error(zipped);
        _ -> ok
    end;
zipped(_, _, _) ->
    ok.
