%% Bugs inside conditions on floats.
-module(floats).
-export([
    area/1, between/1, ceil_of_negative/1, change/1, divided_by/2,
    floor_of_negative/1, half_up/1, hypotenuse/2, midpoint/2, money/1,
    truncated/1, weight/1, whole_float/1
]).

%% A circle that is too large.
%% finds: error large
-spec area(number()) -> ok.
area(R) when R >= 0, R < 1000 ->
    case math:pi() * R * R of
        Area when Area > 12345.0, Area < 12346.0 -> error(large);
        _ -> ok
    end;
area(_) ->
    ok.

%% Between them there is no integer and no half.
%% finds: error {between,_}
-spec between(number()) -> ok.
between(X) when X > 3.25, X < 3.5 -> error({between, X});
between(_) -> ok.

%% For negative numbers, rounding up goes towards zero.
%% finds: error {up,_}
-spec ceil_of_negative(float()) -> ok.
ceil_of_negative(X) ->
    case ceil(X) of
        -7 when X < -7.5 -> error({up, X});
        _ -> ok
    end.

%% The remaining cents.
%% finds: error {cents,_}
-spec change(float()) -> ok.
change(Amount) when Amount > 0, Amount < 1000 ->
    Cents = round(Amount * 100),
    case Cents rem 100 of
        99 when Cents > 4200 -> error({cents, Cents});
        _ -> ok
    end;
change(_) ->
    ok.

%% Zero is a float as well.
%% finds: error badarith
-spec divided_by(1..10, float()) -> ok.
divided_by(N, By) when By > -1.0e9, By < 1.0e9, By - 2.5 > -100 ->
    case By < 1.0e-9 andalso By > -1.0e-9 of
        true -> N / (By * 0);
        false -> ok
    end;
divided_by(_, _) ->
    ok.

%% For negative numbers, rounding down goes away from zero.
%% finds: error {down,_}
-spec floor_of_negative(float()) -> ok.
floor_of_negative(X) when floor(X) =:= -8, X > -7.25 -> error({down, X});
floor_of_negative(_) -> ok.

%% The limit at which numbers are rounded up.
%% finds: error {half,_}
-spec half_up(float()) -> ok.
half_up(X) ->
    case round(X) of
        13 when X < 12.75, trunc(X) =:= 12 -> error({half, X});
        _ -> ok
    end.

%% Squares of floats.
%% finds: error right_angle
-spec hypotenuse(float(), float()) -> ok.
hypotenuse(A, B) when A > 0.0, B > A, B < 100.0 ->
    case A * A + B * B of
        156.25 -> error(right_angle);
        _ -> ok
    end;
hypotenuse(_, _) ->
    ok.

%% Between two floats.
%% finds: error middle
-spec midpoint(float(), float()) -> ok.
midpoint(A, B) when A > -1.0e6, A < 0.0, B > 0.0, B < 1.0e6 ->
    case A + (B - A) / 2 of
        0.375 -> error(middle);
        _ -> ok
    end;
midpoint(_, _) ->
    ok.

%% A price that is not a whole number of cents.
%% finds: error {fraction,_}
-spec money(float()) -> ok.
money(Price) when Price > 1.0, Price < 50.0 ->
    case trunc(Price * 100) / 100 == Price of
        false when Price > 49.5 -> error({fraction, Price});
        _ -> ok
    end;
money(_) ->
    ok.

%% Rounded in a guard.
%% finds: error {truncated,_}
-spec truncated(number()) -> ok.
truncated(X) when trunc(X) =:= 42, X > 42.5 -> error({truncated, X});
truncated(_) -> ok.

%% Pounds.
%% finds: error {heavy,_}
-spec weight(float()) -> ok.
weight(Kilograms) when Kilograms > 0.0, Kilograms < 500.0 ->
    case Kilograms * 2.2046 of
        Pounds when Pounds > 250.0, Pounds < 250.1 -> error({heavy, Pounds});
        _ -> ok
    end;
weight(_) ->
    ok.

%% A float without a fraction.
%% finds: error {whole,_}
-spec whole_float(float()) -> ok.
whole_float(X) when X > 99.5 ->
    case X == trunc(X) of
        true -> error({whole, X});
        false -> ok
    end;
whole_float(_) ->
    ok.
