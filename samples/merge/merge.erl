%% Finds an element of two sorted lists by its index in the merged list.
%%
%% Indexes start at 0, but nth/3 compares them with the number of elements as if
%% they started at 1: the bug is the =< in its guard. It accepts the index after
%% the last one, for which pick/2 has no clause.
-module(merge).
-export([nth/3]).

nth(Place, Left, Right) when is_integer(Place), Place >= 0 ->
    case is_sorted(Left) andalso is_sorted(Right) of
        true ->
            Merged = merge(Left, Right),
            case count(Merged, 0) of
                Count when Place =< Count -> {ok, pick(Place, Merged)};
                _ -> {error, out_of_range}
            end;
        false ->
            {error, not_sorted}
    end;
nth(_, _, _) ->
    {error, not_a_place}.

is_sorted([]) -> true;
is_sorted([Last]) -> is_integer(Last);
is_sorted([A, B | Rest]) when is_integer(A), A =< B -> is_sorted([B | Rest]);
is_sorted(_) -> false.

merge([], Right) -> Right;
merge(Left, []) -> Left;
merge([A | Left], [B | Right]) when A =< B -> [A | merge(Left, [B | Right])];
merge(Left, [B | Right]) -> [B | merge(Left, Right)].

count([], Count) -> Count;
count([_ | Rest], Count) -> count(Rest, Count + 1).

pick(0, [Element | _]) -> Element;
pick(Place, [_ | Rest]) -> pick(Place - 1, Rest).
