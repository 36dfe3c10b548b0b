%% Conditions on results of `lists:sort` and similar functions.
-module(with_sorting).
-export([
    by_name/1, by_second/1, merged_three/3, sorted_pairs/1, sorted_terms/1,
    third_smallest/1, unique_by_key/1, unique_merge/2
]).

-record(person, {name :: atom(), age :: 0..120}).

%% Records, sorted by a field.
%% finds: error {oldest,_}
-spec by_name([#person{}]) -> ok.
by_name([_, _ | _] = People) ->
    case lists:last(lists:keysort(#person.age, People)) of
        #person{name = Name, age = 101} -> error({oldest, Name});
        _ -> ok
    end;
by_name(_) ->
    ok.

%% A fun that compares the second elements.
%% finds: error swapped
-spec by_second([{atom(), integer()}]) -> ok.
by_second([_, _] = Pairs) ->
    Compare = fun({_, A}, {_, B}) -> A =< B end,
    case lists:sort(Compare, Pairs) of
        [{b, 19}, {a, 20}] when hd(Pairs) =:= {a, 20} -> error(swapped);
        _ -> ok
    end;
by_second(_) ->
    ok.

%% Three lists become one.
%% finds: error three
-spec merged_three([integer()], [integer()], [integer()]) -> ok.
merged_three([_] = As, [_] = Bs, [_] = Cs) ->
    case lists:merge3(As, Bs, Cs) of
        [8, 88, 888] when Cs =:= [8] -> error(three);
        _ -> ok
    end;
merged_three(_, _, _) ->
    ok.

%% Tuples are compared element by element.
%% finds: error {tied,_}
-spec sorted_pairs([{1..9, atom()}]) -> ok.
sorted_pairs([_, _] = Pairs) ->
    case lists:sort(Pairs) of
        [{N, a}, {N, b}] when N > 7 -> error({tied, N});
        _ -> ok
    end;
sorted_pairs(_) ->
    ok.

%% Numbers come before atoms, atoms before lists.
%% finds: error mixed
-spec sorted_terms([integer() | atom() | []]) -> ok.
sorted_terms([[], Second, Third]) ->
    case lists:sort([[], Second, Third]) of
        [3003, x, []] -> error(mixed);
        _ -> ok
    end;
sorted_terms(_) ->
    ok.

%% finds: error {third,_}
-spec third_smallest([integer()]) -> ok.
third_smallest(List) when length(List) =:= 4 ->
    case lists:nth(3, lists:sort(List)) of
        777 -> error({third, List});
        _ -> ok
    end;
third_smallest(_) ->
    ok.

%% Keeps only one of the elements with the same key.
%% finds: error {kept,_}
-spec unique_by_key([{atom(), integer()}]) -> ok.
unique_by_key([_, _, _] = List) ->
    case lists:ukeysort(1, List) of
        [{a, N}, {b, _}] when N > 444 -> error({kept, N});
        _ -> ok
    end;
unique_by_key(_) ->
    ok.

%% Elements of both lists come once.
%% finds: error {common,_}
-spec unique_merge([integer()], [integer()]) -> ok.
unique_merge([_, _] = Xs, [_, _] = Ys) ->
    case lists:umerge(lists:usort(Xs), lists:usort(Ys)) of
        [A, B, 90] when A < B, B < 90 -> error({common, A});
        _ -> ok
    end;
unique_merge(_, _) ->
    ok.
