%% Conditions on results of built-ins.
-module(built_ins).
-export([
    absolute/1, append/2, compare/2, digits/1, divide/2, element_at/2,
    factors/2, key/1, larger/3, lengths/1, made_tuple/1, member/1, minus/2,
    number/1, parts/1, remainder/2, replace/1, reversed/1, rest/1, sorts/1
]).

%% finds: error {distance,_}
-spec absolute(integer()) -> ok.
absolute(X) when abs(X) =:= 9973, X < 0 -> error({distance, X});
absolute(_) -> ok.

%% finds: error joined
-spec append([integer()], [integer()]) -> ok.
append(Xs, Ys) ->
    case Xs ++ Ys of
        [1, 2, 4, 8] when length(Xs) =:= 3 -> error(joined);
        _ -> ok
    end.

%% Terms of different types have an order as well.
%% finds: error between
-spec compare(term(), term()) -> ok.
compare(A, B) when A > z, B > A, is_tuple(B), element(1, B) =:= A ->
    error(between);
compare(_, _) ->
    ok.

%% finds: error {number,"-407"}
-spec digits(integer()) -> ok.
digits(N) ->
    case integer_to_list(N) of
        [$-, A, $0, B] = Text when A + B =:= $4 + $7, A =:= $4 ->
            error({number, Text});
        _ ->
            ok
    end.

%% finds: error quotient
-spec divide(integer(), integer()) -> ok.
divide(A, B) when B > 10, A div B =:= 37 -> error(quotient);
divide(_, _) -> ok.

%% The index is an input.
%% finds: error third
-spec element_at(1..3, {integer(), atom(), integer()}) -> ok.
element_at(Place, Tuple) ->
    case element(Place, Tuple) of
        808 when Place > 2 -> error(third);
        _ -> ok
    end.

%% finds: error factors
-spec factors(pos_integer(), pos_integer()) -> ok.
factors(A, B) when A * B =:= 8633, A > 1, B > 1 -> error(factors);
factors(_, _) -> ok.

%% finds: error {locked,_}
-spec key([{atom(), integer()}]) -> ok.
key(Table) ->
    case lists:keyfind(door, 1, Table) of
        {door, Code} when Code rem 1000 =:= 17 -> error({locked, Code});
        _ -> ok
    end.

%% finds: error median
-spec larger(integer(), integer(), integer()) -> ok.
larger(A, B, C) ->
    case max(min(A, B), min(max(A, B), C)) of
        5555 when A < B, B < C -> error(median);
        _ -> ok
    end.

%% finds: error lengths
-spec lengths([[integer()]]) -> ok.
lengths([A, B | _]) when length(A) =:= 1, length(B) > length(A) ->
    error(lengths);
lengths(_) ->
    ok.

%% finds: error {tuple,_}
-spec made_tuple([integer()]) -> ok.
made_tuple(List) ->
    case list_to_tuple(List) of
        {_, 12, _, 13} = Tuple -> error({tuple, Tuple});
        _ -> ok
    end.

%% finds: error member
-spec member([integer()]) -> ok.
member([First | Rest]) when First > 100 ->
    case lists:member(First * 2, Rest) of
        true -> error(member);
        false -> ok
    end;
member(_) ->
    ok.

%% finds: error {left,[7]}
-spec minus([integer()], [integer()]) -> ok.
minus([_, _ | _] = Xs, [_ | _] = Ys) ->
    case Xs -- Ys of
        [7] = Left -> error({left, Left});
        _ -> ok
    end;
minus(_, _) ->
    ok.

%% finds: error magic
-spec number([$0..$9]) -> ok.
number([]) ->
    ok;
number(Digits) ->
    case list_to_integer(Digits) of
        2048 -> error(magic);
        _ -> ok
    end.

%% finds: error {parts,_}
-spec parts({integer(), integer(), integer()}) -> ok.
parts(Tuple) ->
    case lists:reverse(tuple_to_list(Tuple)) of
        [A, B, C] when A < B, B < C, C < A + 3 -> error({parts, [A, B, C]});
        _ -> ok
    end.

%% finds: error remainder
-spec remainder(integer(), pos_integer()) -> ok.
remainder(A, B) when A > 100, B > 50, A rem B =:= 49 -> error(remainder);
remainder(_, _) -> ok.

%% finds: error replaced
-spec replace({atom(), integer()}) -> ok.
replace({_, N} = Tuple) ->
    case setelement(1, Tuple, N * 2) of
        {-2468, _} -> error(replaced);
        _ -> ok
    end.

%% finds: error palindrome
-spec reversed([integer()]) -> ok.
reversed(List) ->
    case lists:reverse(List) of
        List when length(List) =:= 3, hd(List) =/= hd(tl(List)) ->
            error(palindrome);
        _ ->
            ok
    end.

%% `hd` and `tl` raise for an empty list.
%% finds: error badarg
-spec rest([integer()]) -> integer().
rest(List) when length(List) < 5, List > [9, 8] -> hd(tl(tl(List)));
rest(_) -> 0.

%% Type tests decide by the input.
%% finds: error sort
-spec sorts(term()) -> ok.
sorts({A, B}) when is_boolean(A), is_number(B), not is_integer(B) ->
    error(sort);
sorts(_) ->
    ok.
