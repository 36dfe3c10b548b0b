%% Built-ins that are called through funs and by names in variables.
-module(built_in_funs).
-export([absolute/1, by_name/2, caught/1, kinds/1, largest/1, lengths/1,
         operators/2, raises/1, sizes/1, sums/1, swapped/1, total/1]).

%% `lists:map` calls a built-in.
%% finds: error far
-spec absolute([integer()]) -> ok.
absolute(Numbers) ->
    case lists:map(fun erlang:abs/1, Numbers) of
        [17, 4] -> error(far);
        _ -> ok
    end.

%% A name in a variable.
%% finds: error found
-spec by_name(plus | minus, integer()) -> ok.
by_name(Which, Number) ->
    Name = case Which of
               plus -> '+';
               minus -> '-'
           end,
    case erlang:Name(Number, 7) of
        42 when Which =:= minus -> error(found);
        _ -> ok
    end.

%% The exception of a built-in is caught.
%% finds: error found
-spec caught([atom() | integer()]) -> ok.
caught(Values) ->
    try lists:map(fun erlang:atom_to_list/1, Values) of
        ["b", "a"] -> error(found);
        _ -> ok
    catch
        error:badarg -> ok
    end.

%% A test of a type as a fun.
%% finds: error mixed
-spec kinds([atom() | integer()]) -> ok.
kinds(Values) ->
    case lists:partition(fun erlang:is_atom/1, Values) of
        {[b], [3]} -> error(mixed);
        _ -> ok
    end.

%% A fold with a built-in of two arguments.
%% finds: error largest
-spec largest([integer()]) -> ok.
largest(Numbers) ->
    case lists:foldl(fun erlang:max/2, 0, Numbers) of
        99 when length(Numbers) =:= 2 -> error(largest);
        _ -> ok
    end.

%% A built-in that walks through its argument.
%% finds: error lengths
-spec lengths([[integer()]]) -> ok.
lengths(Lists) ->
    case [Length(List) || Length <- [fun erlang:length/1], List <- Lists] of
        [2, 1] -> error(lengths);
        _ -> ok
    end.

%% An operator from a list.
%% finds: error found
-spec operators(0..2, integer()) -> ok.
operators(Which, Number) ->
    Operator = element(Which + 1, {fun erlang:'+'/2, fun erlang:'*'/2,
                                   fun erlang:'-'/2}),
    case Operator(Number, 3) of
        39 when Which =:= 1 -> error(found);
        _ -> ok
    end.

%% A built-in raises.
%% finds: error badarg
-spec raises([integer() | red]) -> [string()].
raises(Values) ->
    lists:map(fun erlang:integer_to_list/1, Values).

%% Sizes of tuples.
%% finds: error sizes
-spec sizes([{} | {integer()} | {integer(), integer()}]) -> ok.
sizes(Tuples) ->
    case lists:map(fun erlang:tuple_size/1, Tuples) of
        [2, 0] -> error(sizes);
        _ -> ok
    end.

%% A sum with the operator as a fun.
%% finds: error sum
-spec sums([integer()]) -> ok.
sums(Numbers) ->
    case lists:foldl(fun erlang:'+'/2, 0, Numbers) of
        1000 when length(Numbers) =:= 3 -> error(sum);
        _ -> ok
    end.

%% `apply` with a list of arguments.
%% finds: error swapped
-spec swapped([integer()]) -> ok.
swapped([One, Other]) ->
    case apply(fun erlang:'-'/2, [Other, One]) of
        12 -> error(swapped);
        _ -> ok
    end;
swapped(_) ->
    ok.

%% Nothing is wrong.
%% clean at depth 4: complete
-spec total([integer()]) -> ok.
total(Numbers) ->
    Sum = lists:foldl(fun erlang:'+'/2, 0, Numbers),
    Sum = lists:sum(Numbers),
    ok.
