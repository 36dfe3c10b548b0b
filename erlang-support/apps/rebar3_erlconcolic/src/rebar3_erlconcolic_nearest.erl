%%% Finds the name that a user may have meant.
-module(rebar3_erlconcolic_nearest).

-export([nearest/2]).

%% The known name that is most like this one; the first, if several are.
-spec nearest(atom(), [atom(), ...]) -> atom().
nearest(Name, Known) ->
    Text = atom_to_list(Name),
    Rated = [{distance(Text, atom_to_list(Other)), Place, Other}
             || {Place, Other} <- lists:zip(lists:seq(1, length(Known)),
                                            Known)],
    {_, _, Nearest} = lists:min(Rated),
    Nearest.

%% How many characters have to be inserted, removed or changed. A row of the
%% table has the distances of a prefix of the first text to all prefixes of the
%% second.
-spec distance(string(), string()) -> non_neg_integer().
distance(Text, Other) ->
    lists:last(lists:foldl(fun(Character, Row) ->
                                   next_row(Character, Other, Row)
                           end,
                           lists:seq(0, length(Other)), Text)).

-spec next_row(char(), string(), [non_neg_integer(), ...]) ->
    [non_neg_integer(), ...].
next_row(Character, Other, [Corner | Above]) ->
    Step = fun({Beside, Up}, {Left, Diagonal}) ->
                   Change = case Beside of
                                Character -> Diagonal;
                                _ -> Diagonal + 1
                            end,
                   Cell = lists:min([Change, Left + 1, Up + 1]),
                   {Cell, {Cell, Up}}
           end,
    {Cells, _} = lists:mapfoldl(Step, {Corner + 1, Corner},
                                lists:zip(Other, Above)),
    [Corner + 1 | Cells].
