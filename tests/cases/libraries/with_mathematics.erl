%% Exact results of functions of math.
-module(with_mathematics).
-export([
    cube/1, distance/2, doubled/1, magnitude/1, near/2, pages/1, phase/2,
    roots_are_small/1, rounded_down/1, whole_part/1
]).

%% finds: error five
-spec distance(integer(), integer()) -> ok.
distance(X, Y) when X > Y, Y > 0 ->
    case math:sqrt(X * X + Y * Y) of
        5.0 -> error(five);
        _ -> ok
    end;
distance(_, _) ->
    ok.

%% Other roots are compared too.
%% finds: error near
-spec near(0..20, 0..20) -> ok.
near(X, Y) ->
    Distance = math:sqrt(X * X + Y * Y),
    (Distance > 13.4) andalso (Distance < 13.42) andalso error(near),
    ok.

%% finds: error page
-spec doubled(integer()) -> ok.
doubled(N) ->
    case math:pow(2, N) of
        4096.0 -> error(page);
        _ -> ok
    end.

%% finds: error cube
-spec cube(integer()) -> ok.
cube(N) ->
    case math:pow(N, 3) of
        -343.0 -> error(cube);
        _ -> ok
    end.

%% finds: error million
-spec magnitude(pos_integer()) -> ok.
magnitude(N) ->
    case math:log10(N) of
        6.0 -> error(million);
        _ -> ok
    end.

%% finds: error pages
-spec pages(0..10000) -> ok.
pages(Lines) ->
    case {math:ceil(Lines / 40), Lines rem 40} of
        {7.0, 13} -> error(pages);
        _ -> ok
    end.

%% finds: error down
-spec rounded_down(-10000..10000) -> ok.
rounded_down(N) ->
    case math:floor(N / 8) of
        -3.0 when N rem 8 =:= -1 -> error(down);
        _ -> ok
    end.

%% finds: error phase
-spec phase(integer(), 1..9) -> ok.
phase(Angle, Step) ->
    case math:fmod(Angle, 360) of
        270.0 when Angle > 1000, Step =:= 7 -> error(phase);
        _ -> ok
    end.

%% clean: complete
-spec roots_are_small(1..200) -> ok.
roots_are_small(N) ->
    true = math:sqrt(N) < 14.15,
    ok.

%% clean
-spec whole_part(1..1000) -> ok.
whole_part(N) ->
    Floor = math:floor(N / 4),
    true = Floor =< N / 4,
    ok.
