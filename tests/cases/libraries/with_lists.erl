%% Conditions on results of `lists`.
-module(with_lists).
-export([
    deleted/2, duplicates/1, flat/1, key_replaced/2, key_sorted/1, last/1,
    maximum/1, merged/2, nth_tail/2, numbered/1, partitioned/1, prefix/1,
    sequence/2, sorted/1, sorted_down/1, sorted_unique/1, split/2, sum/1,
    while/1, zipped/2
]).

%% finds: error only_one_taken
-spec deleted(integer(), [integer()]) -> ok.
deleted(N, List) when N > 90 ->
    case lists:member(N, lists:delete(N, List)) of
        true -> error(only_one_taken);
        false -> ok
    end;
deleted(_, _) ->
    ok.

%% finds: error {copies,_}
-spec duplicates(0..50) -> ok.
duplicates(N) ->
    case lists:duplicate(N, x) of
        List when length(List) =:= 13 -> error({copies, N});
        _ -> ok
    end.

%% finds: error flat
-spec flat([integer() | [integer()]]) -> ok.
flat([_, _] = Deep) ->
    case lists:flatten(Deep) of
        [31, 41, 59] -> error(flat);
        _ -> ok
    end;
flat(_) ->
    ok.

%% finds: error replaced
-spec key_replaced(atom(), [{atom(), integer()}]) -> ok.
key_replaced(Key, List) ->
    case lists:keyreplace(Key, 1, List, {Key, 0}) of
        [{a, 17}, {b, 0} | _] -> error(replaced);
        _ -> ok
    end.

%% finds: error {moved,_}
-spec key_sorted([{integer(), atom()}]) -> ok.
key_sorted([{_, A} | _] = List) ->
    case lists:keysort(1, List) of
        [{-8, _}, {5, _}, {900, A} | _] when A =:= last -> error({moved, A});
        _ -> ok
    end;
key_sorted(_) ->
    ok.

%% finds: error last
-spec last([integer()]) -> ok.
last([_, _, _ | _] = List) ->
    case lists:last(List) of
        1066 -> error(last);
        _ -> ok
    end;
last(_) ->
    ok.

%% finds: error {maximum,_}
-spec maximum([integer()]) -> ok.
maximum([_, B, _ | _] = List) ->
    case lists:max(List) - lists:min(List) of
        400 when B > 0 -> error({maximum, B});
        _ -> ok
    end;
maximum(_) ->
    ok.

%% finds: error merged
-spec merged([integer()], [integer()]) -> ok.
merged([_, _] = Xs, [_] = Ys) ->
    case lists:merge(Xs, Ys) of
        [3, 33, 333] when Ys =:= [33] -> error(merged);
        _ -> ok
    end;
merged(_, _) ->
    ok.

%% `nthtail` fails for lists that are too short.
%% finds: error function_clause
-spec nth_tail(0..9, [integer()]) -> [integer()].
nth_tail(N, List) when N > length(List) + 3, length(List) > 1 ->
    lists:nthtail(N, List);
nth_tail(_, List) ->
    List.

%% finds: error {numbered,_}
-spec numbered([atom()]) -> ok.
numbered(Names) ->
    case lists:zip(lists:seq(1, length(Names)), Names) of
        [_, _, {3, third} = Found | _] -> error({numbered, Found});
        _ -> ok
    end.

%% finds: error halves
-spec partitioned([integer()]) -> ok.
partitioned(List) ->
    case lists:partition(fun(N) -> N > 250 end, List) of
        {[_, _], [_]} -> error(halves);
        _ -> ok
    end.

%% finds: error {after_prefix,_}
-spec prefix([integer()]) -> ok.
prefix(List) ->
    case lists:prefix([1, 2, 3], List) of
        true when length(List) > 3 -> error({after_prefix, List});
        _ -> ok
    end.

%% finds: error {sequence,_}
-spec sequence(integer(), 0..10) -> ok.
sequence(From, Length) ->
    case lists:seq(From, From + Length) of
        [_, _, 78] = List -> error({sequence, List});
        _ -> ok
    end.

%% finds: error sorted
-spec sorted([integer()]) -> ok.
sorted([A, B, C | _] = List) when A > B, C > A ->
    case lists:sort(List) of
        [5, 50, 500] -> error(sorted);
        _ -> ok
    end;
sorted(_) ->
    ok.

%% A fun decides the order.
%% finds: error descending
-spec sorted_down([integer()]) -> ok.
sorted_down([A, B, C]) when A < B, B < C ->
    case lists:sort(fun(X, Y) -> X >= Y end, [A, B, C]) of
        [700, 70, 7] -> error(descending);
        _ -> ok
    end;
sorted_down(_) ->
    ok.

%% finds: error {only,2}
-spec sorted_unique([integer()]) -> ok.
sorted_unique([_, _, _] = List) ->
    case lists:usort(List) of
        [A, B] when B - A =:= 640 -> error({only, 2});
        _ -> ok
    end;
sorted_unique(_) ->
    ok.

%% `split` fails for lists that are too short.
%% finds: error badarg
-spec split(0..20, [integer()]) -> {[integer()], [integer()]}.
split(N, [_, _ | _] = List) -> lists:split(N div 2, List);
split(_, List) -> {List, []}.

%% finds: error {total,_}
-spec sum([pos_integer()]) -> ok.
sum(List) when length(List) > 2 ->
    case lists:sum(List) of
        5077 -> error({total, List});
        _ -> ok
    end;
sum(_) ->
    ok.

%% finds: error {rest,_}
-spec while([integer()]) -> ok.
while(List) ->
    case lists:dropwhile(fun(N) -> N > 12 end, List) of
        [12 | _] = Rest when length(List) - length(Rest) =:= 2 ->
            error({rest, Rest});
        _ ->
            ok
    end.

%% `zip` fails for lists of different lengths.
%% finds: error function_clause
-spec zipped([integer()], [integer()]) -> [{integer(), integer()}].
zipped([41 | _] = Xs, [_, _ | _] = Ys) -> lists:zip(Xs, Ys);
zipped(_, _) -> [].
