%% Funs of the input that are given funs. Their tables know how many parameters
%% these have.
-module(given_funs).
-export([
    anywhere/1, both/2, called_back/1, itself/1, kinds_of_funs/2,
    only_arities_are_told/2, other_arguments/1, same_result/1, sorted/2,
    two_arities/1
]).

%% The other arguments tell calls apart.
%% finds: error bug
-spec other_arguments(fun((fun(), integer()) -> boolean())) -> ok.
other_arguments(Compare) ->
    Same = fun(X) -> X end,
    case {Compare(Same, 3), Compare(Same, 4)} of
        {true, false} -> error(bug);
        _ -> ok
    end.

%% The number of parameters tells funs apart.
%% finds: error bug
-spec two_arities(fun((fun()) -> integer())) -> ok.
two_arities(Weight) ->
    One = Weight(fun(X) -> X end),
    Two = Weight(fun(X, Y) -> {X, Y} end),
    case Two - One of
        17 -> error(bug);
        _ -> ok
    end.

%% Funs in lists and tuples.
%% finds: error bug
-spec anywhere(fun(([{atom(), fun()}]) -> atom())) -> ok.
anywhere(Choose) ->
    Table = [{add, fun erlang:'+'/2}, {negate, fun erlang:'-'/1}],
    case {Choose(Table), Choose(lists:reverse(Table)), Choose([])} of
        {add, negate, none} -> error(bug);
        _ -> ok
    end.

%% Both are funs of the input.
%% finds: error bug
-spec both(fun((fun((integer()) -> integer()), integer()) -> integer()),
           fun((integer()) -> integer())) -> ok.
both(Apply, F) ->
    case {Apply(F, 1), Apply(F, F(1))} of
        {A, B} when B =:= A + 5, A > 3 -> error(bug);
        _ -> ok
    end.

%% A fun that is given itself.
%% finds: error bug
-spec itself(fun((fun() | integer()) -> integer())) -> ok.
itself(F) ->
    case F(F) + F(F(F)) of
        20 -> error(bug);
        _ -> ok
    end.

%% A table in which some keys are funs and others are not.
%% finds: error bug
-spec kinds_of_funs(fun((term()) -> atom()), [term()]) -> ok.
kinds_of_funs(Name, [A, B, C]) when is_function(A), is_function(B, 2) ->
    case [Name(A), Name(B), Name(C)] of
        [one, two, three] -> error(bug);
        _ -> ok
    end;
kinds_of_funs(_, _) ->
    ok.

%% Two funs with as many parameters have one result, whatever else they are.
%% clean
-spec same_result(fun((fun()) -> integer())) -> ok.
same_result(Weight) ->
    One = Weight(fun(X) -> X end),
    case Weight(fun(X) -> [X] end) of
        One -> ok
    end.

%% The funs that are given are of the input too.
%% clean: complete
-spec only_arities_are_told(fun((fun(() -> a)) -> 1..5), fun(() -> a)) -> ok.
only_arities_are_told(Weight, F) ->
    N = Weight(F),
    true = N > 0,
    F(),
    ok.

%% A fun that is called by another function.
%% finds: error unsorted
-spec sorted(fun((fun(), fun()) -> boolean()), [fun()]) -> ok.
sorted(Before, [A, B]) when is_function(A, 1), is_function(B, 2) ->
    case lists:all(fun({X, Y}) -> Before(X, Y) end, [{A, A}, {A, B}]) of
        true -> not Before(B, A) andalso error(unsorted);
        false -> ok
    end,
    ok;
sorted(_, _) ->
    ok.

%% Whether a fun that is given is called is not known.
%% clean
-spec called_back(fun((fun(() -> ok)) -> ok)) -> ok.
called_back(Transaction) ->
    Transaction(fun() -> ok end).
