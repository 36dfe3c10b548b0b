%% options: --term-depth 8
%% Several arguments are parsed before they are compared.
-module(compared_texts).
-export([
    dates/2, intervals/3, newer/2, paths/2, points/2, ranges/2, same_key/2,
    clean_order/2
]).

%% Dates with a month and a day.
%% finds: error {next,31}
-spec dates(binary(), binary()) -> ok.
dates(From, To) ->
    try {date(From), date(To)} of
        {{A, 31}, {B, 1}} when B =:= A + 1 -> error({next, 31});
        _ -> ok
    catch
        error:_ -> ok
    end.

date(<<M1, M2, $-, D1, D2>>) ->
    Month = number(M1, M2),
    Day = number(D1, D2),
    true = Month >= 1 andalso Month =< 12,
    true = Day >= 1 andalso Day =< 31,
    {Month, Day}.

number(A, B) when A >= $0, A =< $9, B >= $0, B =< $9 ->
    (A - $0) * 10 + B - $0.

%% Three arguments of one type.
%% finds: error inside
-spec intervals(string(), string(), string()) -> ok.
intervals(Low, High, Text) ->
    try [list_to_integer(It) || It <- [Low, High, Text]] of
        [A, B, X] when A > 20, A < X, X < B, X rem 10 =:= 7 -> error(inside);
        _ -> ok
    catch
        error:badarg -> ok
    end.

%% finds: error {patch,3}
-spec newer(string(), string()) -> older | same | newer | none.
newer(One, Other) ->
    try {version(One), version(Other)} of
        {Same, Same} -> same;
        {{Major, Minor, A}, {Major, Minor, B}} when A - B =:= 3 ->
            error({patch, A - B});
        {A, B} when A < B -> older;
        _ -> newer
    catch
        error:_ -> none
    end.

version(Text) ->
    [Major, Minor, Patch] = string:split(Text, ".", all),
    {list_to_integer(Major), list_to_integer(Minor), list_to_integer(Patch)}.

%% finds: error sibling
-spec paths(string(), string()) -> ok.
paths(One, Other) ->
    case {string:lexemes(One, "/"), string:lexemes(Other, "/")} of
        {[Parent, A], [Parent, B]} when A =/= B, Parent =/= A -> error(sibling);
        _ -> ok
    end.

%% Values that are taken out of any terms.
%% finds: error above
-spec points(term(), term()) -> ok.
points(One, Other) ->
    case {point(One), point(Other)} of
        {{X, A}, {X, B}} when A - B =:= 10, X > 3 -> error(above);
        _ -> ok
    end.

point([{x, X}, {y, Y} | _]) when is_integer(X), is_integer(Y) -> {X, Y};
point(_) -> none.

%% finds: error overlap
-spec ranges(binary(), binary()) -> ok.
ranges(One, Other) ->
    try {range(One), range(Other)} of
        {{A, B}, {C, D}} when C > A, C < B, D > B -> error(overlap);
        _ -> ok
    catch
        error:_ -> ok
    end.

range(Text) ->
    [From, To] = binary:split(Text, <<"..">>),
    {A, B} = {binary_to_integer(From), binary_to_integer(To)},
    true = A < B,
    {A, B}.

%% finds: error other_value
-spec same_key(binary(), binary()) -> ok.
same_key(One, Other) ->
    try {pair(One), pair(Other)} of
        {{Key, A}, {Key, B}} when A =/= B -> error(other_value);
        _ -> ok
    catch
        error:_ -> ok
    end.

pair(Text) ->
    [<<_, _/binary>> = Key, Value] = binary:split(Text, <<"=">>),
    {Key, binary_to_integer(Value)}.

%% clean
-spec clean_order(string(), string()) -> boolean().
clean_order(One, Other) ->
    try {version(One), version(Other)} of
        {A, B} -> true = (A < B) orelse (A >= B)
    catch
        error:_ -> false
    end.
