%% Bugs inside conditions on floats and integers together.
-module(mixed_numbers).
-export([
    average/1, beyond_exact/1, body_mass/2, clamped/1, discriminant/3,
    exactly/1, fahrenheit/1, float_key/1, float_of/1, interest/2,
    mean_of_two/2, mixed_list/1, mutual/2, not_exact/1, percent/2, ratio/2,
    rounded_price/2, same_not_equal/2, sum_of_tenths/2, tenth/1
]).

%% The average of a list.
%% finds: error {average,_}
-spec average([1..100]) -> ok.
average([]) ->
    ok;
average(List) ->
    case lists:sum(List) / length(List) of
        41.25 -> error({average, List});
        _ -> ok
    end.

%% Integers are not floats.
%% finds: error {exact,_}
-spec beyond_exact(integer()) -> ok.
beyond_exact(N) when N > 9007199254740992.0, N < 9007199254740994.0 ->
    error({exact, N});
beyond_exact(_) ->
    ok.

%% Weight by the square of the height.
%% finds: error obese
-spec body_mass(40..200, float()) -> ok.
body_mass(Weight, Height) when Height > 1.0, Height < 2.5 ->
    case Weight / (Height * Height) of
        Index when Index > 39.5, Index < 40.0, Height > 2.0 -> error(obese);
        _ -> ok
    end;
body_mass(_, _) ->
    ok.

%% Bounds that are a float and an integer.
%% finds: error {inside,_}
-spec clamped(number()) -> ok.
clamped(X) ->
    case max(0.5, min(X, 10)) of
        Y when Y > 9.5, Y < 10 -> error({inside, X});
        _ -> ok
    end.

%% A quadratic equation with one solution.
%% finds: error single
-spec discriminant(-100..100, -100..100, -100..100) -> ok.
discriminant(A, B, C) when A > 3, C > 5 ->
    case B * B - 4.0 * A * C of
        0.0 -> error(single);
        _ -> ok
    end;
discriminant(_, _, _) ->
    ok.

%% Integers are not equal to floats.
%% finds: error {exactly,_}
-spec exactly(number()) -> ok.
exactly(X) when X == 17, X =/= 17 -> error({exactly, X});
exactly(_) -> ok.

%% The point at which both scales are equal.
%% finds: error {cold,_}
-spec fahrenheit(-100..100) -> ok.
fahrenheit(Celsius) ->
    case Celsius * 9 / 5 + 32 of
        Same when Same == Celsius -> error({cold, Celsius});
        _ -> ok
    end.

%% A float that must occur.
%% finds: error {price,_}
-spec float_key(number()) -> ok.
float_key(Key) ->
    case lists:keyfind(Key, 1, [{1.0, one}, {2.5, price}, {3, three}]) of
        {_, price} -> error({price, Key});
        _ -> ok
    end.

%% An integer as a float.
%% finds: error {seven,_}
-spec float_of(integer()) -> ok.
float_of(N) when float(N) =:= 7.0 -> error({seven, N});
float_of(_) -> ok.

%% Interest for some years.
%% finds: error {rich,_}
-spec interest(1..10000, 0..30) -> ok.
interest(Capital, Years) ->
    case Capital * (1 + 0.05 * Years) of
        Sum when Sum > 11900.5, Years < 5 -> error({rich, Sum});
        _ -> ok
    end.

%% Two integers whose mean is not an integer.
%% finds: error {mean,_}
-spec mean_of_two(0..500, 0..500) -> ok.
mean_of_two(A, B) when A > B ->
    case (A + B) / 2 of
        73.5 -> error({mean, A});
        _ -> ok
    end;
mean_of_two(_, _) ->
    ok.

%% Integers and floats in one list.
%% finds: error {order,_}
-spec mixed_list([number()]) -> ok.
mixed_list([A, B, C]) when A < B, B < C, C - A < 1 -> error({order, B});
mixed_list(_) -> ok.

%% A ratio and its inverse.
%% finds: error inverse
-spec mutual(1..50, 1..50) -> ok.
mutual(A, B) ->
    case {A / B, B / A} of
        {2.5, 0.4} when A > 20 -> error(inverse);
        _ -> ok
    end.

%% The same value, another type.
%% finds: error {integer_only,_}
-spec not_exact(number()) -> ok.
not_exact(X) ->
    case X == 2.0 andalso X =:= 2.0 of
        false when X == 2 -> error({integer_only, X});
        _ -> ok
    end.

%% A part in percent.
%% finds: error {percent,_}
-spec percent(0..1000, 1..1000) -> ok.
percent(Part, Whole) when Part =< Whole ->
    case Part * 100 / Whole of
        37.5 -> error({percent, Part});
        _ -> ok
    end;
percent(_, _) ->
    ok.

%% Ten times as much.
%% finds: error {ratio,_}
-spec ratio(1..1000, 1..1000) -> ok.
ratio(A, B) when A / B > 10.5, A / B < 10.6 -> error({ratio, A});
ratio(_, _) -> ok.

%% With taxes, rounded.
%% finds: error {price,_}
-spec rounded_price(1..10000, 1..9) -> ok.
rounded_price(Net, Count) ->
    case round(Net * Count * 1.19) of
        4321 -> error({price, Net});
        _ -> ok
    end.

%% Confuses `==` and `=:=`.
%% finds: error confused
-spec same_not_equal(number(), number()) -> ok.
same_not_equal(A, B) when A == B, A =/= B, A > 5 -> error(confused);
same_not_equal(_, _) -> ok.

%% The sum of 0.1 and 0.2.
%% finds: error {tenths,_}
-spec sum_of_tenths(0..9, 0..9) -> ok.
sum_of_tenths(A, B) ->
    case A / 10 + B / 10 of
        0.30000000000000004 -> error({tenths, A});
        _ -> ok
    end.

%% No float is exactly one tenth, but a quotient is close.
%% finds: error {tenth,_}
-spec tenth(0..1000) -> ok.
tenth(N) ->
    case N / 10 of
        67.3 -> error({tenth, N});
        _ -> ok
    end.
