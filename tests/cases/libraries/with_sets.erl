%% Conditions on results of `ordsets`, `sets` and `gb_sets`.
-module(with_sets).
-export([
    balanced_member/2, balanced_union/2, difference/2, folded/1, intersection/2,
    known_name/1, known_number/1, larger_part/1, member/1, removed/1,
    same_set/2, subset/1, unique_words/1
]).

%% finds: error {member,_}
-spec balanced_member(integer(), [integer()]) -> ok.
balanced_member(N, List) when N > 640 ->
    case gb_sets:is_member(N, gb_sets:from_list(List)) of
        true when length(List) > 1 -> error({member, N});
        _ -> ok
    end;
balanced_member(_, _) ->
    ok.

%% finds: error {union,_}
-spec balanced_union([integer()], [integer()]) -> ok.
balanced_union(Xs, Ys) ->
    Union = gb_sets:union(gb_sets:from_list(Xs), gb_sets:from_list(Ys)),
    case gb_sets:to_list(Union) of
        [1, 10, 100] when length(Xs) =:= 1 -> error({union, Xs});
        _ -> ok
    end.

%% finds: error {difference,_}
-spec difference([integer()], [integer()]) -> ok.
difference(Xs, [_ | _] = Ys) ->
    case ordsets:subtract(ordsets:from_list(Xs), ordsets:from_list(Ys)) of
        [15, 51] = Left when length(Xs) =:= 3 -> error({difference, Left});
        _ -> ok
    end;
difference(_, _) ->
    ok.

%% finds: error {sum,_}
-spec folded([integer()]) -> ok.
folded(List) ->
    Set = gb_sets:from_list(List),
    case gb_sets:fold(fun(N, Sum) -> N + Sum end, 0, Set) of
        606 when length(List) > 1 -> error({sum, List});
        _ -> ok
    end.

%% finds: error {common,_}
-spec intersection([integer()], [integer()]) -> ok.
intersection(Xs, Ys) ->
    Common = ordsets:intersection(
        ordsets:from_list(Xs), ordsets:from_list(Ys)
    ),
    case Common of
        [A, B] when A > 200, B > A + 1 -> error({common, Common});
        _ -> ok
    end.

%% Known elements, and one of a few names.
%% finds: error {known,_}
-spec known_name(anna | bob | carl | dora) -> ok.
known_name(Name) ->
    case sets:is_element(Name, sets:from_list([zoe, dora])) of
        true -> error({known, Name});
        false -> ok
    end.

%% The hash of an element decides its place: numbers in other places are tried
%% first.
%% finds: error {known,_}
-spec known_number(integer()) -> ok.
known_number(N) ->
    case sets:is_element(N, sets:from_list([4711, 8812])) of
        true -> error({known, N});
        false -> ok
    end.

%% finds: error {larger,_}
-spec larger_part([integer()]) -> ok.
larger_part([_, _, _] = List) ->
    Large = gb_sets:filter(fun(N) -> N > 55 end, gb_sets:from_list(List)),
    case gb_sets:size(Large) of
        2 -> error({larger, gb_sets:to_list(Large)});
        _ -> ok
    end;
larger_part(_) ->
    ok.

%% finds: error {member,_}
-spec member([integer()]) -> ok.
member([_, _ | _] = List) ->
    case ordsets:is_element(4096, ordsets:from_list(List)) of
        true -> error({member, 4096});
        false -> ok
    end;
member(_) ->
    ok.

%% finds: error {empty,_}
-spec removed([integer()]) -> ok.
removed([_, _ | _] = List) ->
    Set = ordsets:del_element(88, ordsets:from_list(List)),
    case ordsets:size(Set) of
        0 -> error({empty, List});
        _ -> ok
    end;
removed(_) ->
    ok.

%% The same elements in another order.
%% finds: error {same,_}
-spec same_set([integer()], [integer()]) -> ok.
same_set([A, B, C] = Xs, Ys) when A < B, B < C, Xs =/= Ys ->
    case ordsets:from_list(Ys) of
        Xs -> error({same, Ys});
        _ -> ok
    end;
same_set(_, _) ->
    ok.

%% finds: error {subset,_}
-spec subset([integer()]) -> ok.
subset([_, _] = List) ->
    Small = gb_sets:from_list(List),
    Large = gb_sets:from_list([10, 20, 30, 40]),
    case gb_sets:is_subset(Small, Large) of
        true -> error({subset, List});
        false -> ok
    end;
subset(_) ->
    ok.

%% How many different elements there are.
%% finds: error {unique,_}
-spec unique_words([yes | no | perhaps]) -> ok.
unique_words(Words) ->
    case sets:size(sets:from_list(Words)) of
        2 when length(Words) =:= 3 -> error({unique, Words});
        _ -> ok
    end.
