%% Calls that are explored by themselves: what of them and of their callers
%% must not be forgotten.
-module(kept_calls).
-export([
    asked_first/2, both_branches/1, caught_above/1, clean_pairs/1,
    compared_results/2, depth_of_other/2, equal_elsewhere/2,
    exit_of_outermost/1, fun_around/2, kept_whole/1, key_put_inside/2
]).
-export_type([tree/0]).

-type tree() :: leaf | {tree(), tree()}.

%% What the caller knows of an element that it hands on.
%% finds all at depth 4: error small_and_odd
-spec asked_first(0..9, [0..9]) -> ok.
asked_first(N, List) when N < 3 ->
    case odd(N, List) of
        odd -> error(small_and_odd);
        even -> ok
    end;
asked_first(N, List) ->
    _ = odd(N, List),
    ok.

odd(N, []) when N rem 2 =:= 1 -> odd;
odd(N, [N | Rest]) -> odd(N, Rest);
odd(_, _) -> even.

%% Both branches of a tree return the same, in a tree of the least depth.
%% finds all at depth 3: error twins; error badarith
-spec both_branches(tree()) -> ok.
both_branches(Tree) ->
    case height(Tree) of
        twins -> error(twins);
        _ -> ok
    end.

height(leaf) -> 0;
height({Left, Right}) ->
    case {height(Left), height(Right)} of
        {1, 1} -> twins;
        {N, M} when N > M -> N + 1;
        {_, M} when is_integer(M) -> M + 1;
        {_, Other} -> Other
    end.

%% An exception passes calls that have no handler, and one that has.
%% finds all at depth 4: error deeper; throw up; throw {deep,_}; throw {deep,_}
-spec caught_above([a | b | c]) -> ok.
caught_above([c | Rest]) ->
    _ = thrower(Rest),
    ok;
caught_above(List) ->
    try thrower(List) of
        _ -> ok
    catch
        throw:up -> ok;
        throw:{deep, 2} -> error(deeper);
        throw:_ -> ok
    end.

thrower([a | Rest]) ->
    try
        1 + thrower(Rest)
    catch
        throw:{deep, N} -> throw({deep, N + 1})
    end;
thrower([b | _]) ->
    throw({deep, 0});
thrower([c | Rest]) ->
    _ = thrower(Rest),
    throw(up);
thrower([]) ->
    0.

%% No caller has the exit that would be wrong for it.
%% clean at depth 4: complete
-spec clean_pairs([a | b]) -> ok.
clean_pairs([a | Rest]) ->
    case first(Rest) of
        none -> ok;
        {first, _} -> ok
    end;
clean_pairs([b | Rest]) ->
    case first(Rest) of
        third -> error(third);
        _ -> ok
    end;
clean_pairs([]) ->
    ok.

first([]) -> none;
first([X | Rest]) ->
    case first(Rest) of
        none -> {first, X};
        {first, Y} -> {first, Y}
    end.

%% The results of two calls with equal entries are compared.
%% finds all at depth 3: error less; error same
-spec compared_results([a | b], [a | b]) -> ok.
compared_results(One, Other) ->
    case {count(One), count(Other)} of
        {N, M} when N + 1 < M -> error(less);
        {2, 2} -> error(same);
        _ -> ok
    end.

count([]) -> 0;
count([a | Rest]) -> 1 + count(Rest);
count([b | Rest]) -> count(Rest).

%% An argument that nobody needs any more was looked at deeply on the way to
%% one result, and hardly on the way to the same result elsewhere.
%% finds all at depth 4: error behind_short
-spec depth_of_other([a | b], [a | b]) -> ok.
depth_of_other([a | Rest], List) ->
    case read(List, Rest) of
        found when List =/= [] -> ok;
        _ -> ok
    end;
depth_of_other([b, b, a | Rest], List) ->
    case read(Rest, List) of
        found -> error(behind_short);
        _ -> ok
    end;
depth_of_other(_, _) ->
    ok.

read([a, a, a | _], [b | _]) -> found;
read([], [b | _]) -> found;
read(_, _) -> not_found.

%% What the call decides concerns a value that its caller keeps.
%% finds all at depth 3: error both
-spec equal_elsewhere(0..9, [0..9]) -> ok.
equal_elsewhere(N, [N | Rest]) ->
    case large(N, Rest) of
        true when N > 8 -> error(both);
        _ -> ok
    end;
equal_elsewhere(_, _) ->
    ok.

large(N, [M | Rest]) when M =:= N -> large(N, Rest);
large(N, _) -> N > 5.

%% The first call has the entry of those in it, and its exits count for them.
%% finds all at depth 4: error three
-spec exit_of_outermost([a | b]) -> 0..3.
exit_of_outermost([]) -> 0;
exit_of_outermost([b | Rest]) -> exit_of_outermost(Rest);
exit_of_outermost([a | Rest]) ->
    case exit_of_outermost(Rest) of
        2 -> error(three);
        N -> N + 1
    end.

%% A fun has a variable of its surroundings.
%% finds all at depth 3: error first; error second
-spec fun_around(boolean(), [a | b]) -> ok.
fun_around(Choice, List) ->
    Test = fun(X) -> (X =:= a) =:= Choice end,
    case {Choice, matching(Test, List)} of
        {true, 2} -> error(first);
        {false, 2} -> error(second);
        _ -> ok
    end.

matching(_, []) -> 0;
matching(Test, [X | Rest]) ->
    case Test(X) of
        true -> 1 + matching(Test, Rest);
        false -> matching(Test, Rest)
    end.

%% The caller still has the list that the call looked at.
%% finds all at depth 4: error ends_with_b
-spec kept_whole([a | b]) -> ok.
kept_whole(List) ->
    N = count(List),
    case {N, List} of
        {2, [a, a, b]} -> error(ends_with_b);
        _ -> ok
    end.

%% A call leaves something in the dictionary.
%% finds all at depth 3: error put
-spec key_put_inside(a | b, [a | b]) -> ok.
key_put_inside(Kind, List) ->
    _ = erase(seen),
    ok = putting(List),
    case {Kind, get(seen)} of
        {b, true} -> error(put);
        _ -> ok
    end.

putting([]) -> ok;
putting([a | Rest]) -> putting(Rest);
putting([b | Rest]) ->
    ok = putting(Rest),
    put(seen, true),
    ok.
