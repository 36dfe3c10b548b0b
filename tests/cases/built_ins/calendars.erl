%% Products with bounds, and chains of `div` and `rem` by constants.
-module(calendars).
-export([
    boxes/3, civil/1, digits/1, easter/1, leap/1, of_calendar/1, ratio/2,
    time/1, triangle/3, weekday/3, week_number/1, clean_root/2, clean_time/1,
    clean_weekday/1
]).

%% finds: error box
-spec boxes(1..99, 1..99, 1..99) -> ok.
boxes(A, B, C) when A =< B, B =< C ->
    case {A * B * C, A + B + C} of
        {1020, 34} -> error(box);
        _ -> ok
    end;
boxes(_, _, _) ->
    ok.

%% The date of a day since 1970.
%% finds: error {date,2024}
-spec civil(0..100000) -> ok.
civil(Days) ->
    Z = Days + 719468,
    Era = Z div 146097,
    DayOfEra = Z - Era * 146097,
    YearOfEra = (DayOfEra - DayOfEra div 1460 + DayOfEra div 36524
                 - DayOfEra div 146096) div 365,
    DayOfYear = DayOfEra - (365 * YearOfEra + YearOfEra div 4
                            - YearOfEra div 100),
    M = (5 * DayOfYear + 2) div 153,
    Day = DayOfYear - (153 * M + 2) div 5 + 1,
    Month = case M < 10 of true -> M + 3; false -> M - 9 end,
    Year = YearOfEra + Era * 400 + case Month =< 2 of true -> 1; false -> 0 end,
    case {Year, Month, Day} of
        {2024, 2, 29} -> error({date, Year});
        _ -> ok
    end.

%% A number that ends in its own square.
%% finds: error {digits,_}
-spec digits(10..9999) -> ok.
digits(N) when N * N rem 10000 =:= N -> error({digits, N});
digits(_) -> ok.

%% finds: error late
-spec easter(1900..2100) -> ok.
easter(Year) ->
    A = Year rem 19,
    B = Year div 100,
    C = Year rem 100,
    D = B div 4,
    E = B rem 4,
    G = (8 * B + 13) div 25,
    H = (19 * A + B - D - G + 15) rem 30,
    M = (A + 11 * H) div 319,
    R = (2 * E + 2 * (C div 4) - C rem 4 - H + M + 32) rem 7,
    N = (H - M + R + 90) div 25,
    P = (H - M + R + N + 19) rem 32,
    case {N, P} of
        {4, 25} -> error(late);
        _ -> ok
    end.

%% finds: error century
-spec leap(non_neg_integer()) -> ok.
leap(Year) when Year rem 4 =:= 0, Year rem 100 =/= 0; Year rem 400 =:= 0 ->
    case Year rem 100 of
        0 when Year > 2000 -> error(century);
        _ -> ok
    end;
leap(_) ->
    ok.

%% finds: error {leap,_}
-spec of_calendar(700000..800000) -> ok.
of_calendar(Days) ->
    case calendar:gregorian_days_to_date(Days) of
        {Year, 2, 29} -> error({leap, Year});
        _ -> ok
    end.

%% finds: error ratio
-spec ratio(1..1000, 1..1000) -> ok.
ratio(A, B) when A * 355 =:= B * 113, A > 200 -> error(ratio);
ratio(_, _) -> ok.

%% finds: error {time,86398}
-spec time(0..1000000) -> ok.
time(Seconds) ->
    case {Seconds div 3600, Seconds rem 3600 div 60, Seconds rem 60} of
        {23, 59, 58} -> error({time, Seconds});
        _ -> ok
    end.

%% finds: error triangle
-spec triangle(1..29, 1..29, 1..29) -> ok.
triangle(A, B, C) when A < B, A > 7, A * A + B * B =:= C * C -> error(triangle);
triangle(_, _, _) -> ok.

%% A Friday the 13th.
%% finds: error friday
-spec weekday(1..31, 1..12, 2000..2099) -> ok.
weekday(Day, Month, Year) when Month > 2 ->
    K = Year rem 100,
    J = Year div 100,
    Sum = Day + 13 * (Month + 1) div 5 + K + K div 4 + J div 4 + 5 * J,
    case {Day, Sum rem 7} of
        {13, 6} -> error(friday);
        _ -> ok
    end;
weekday(_, _, _) ->
    ok.

%% finds: error week_53
-spec week_number(738000..738400) -> ok.
week_number(Days) ->
    Date = calendar:gregorian_days_to_date(Days),
    case calendar:iso_week_number(Date) of
        {_, 53} -> error(week_53);
        _ -> ok
    end.

%% clean: complete
-spec clean_root(1..60, 1..60) -> ok.
clean_root(A, B) ->
    false = A * A =:= 2 * B * B,
    ok.

%% clean
-spec clean_time(0..1000000) -> ok.
clean_time(Seconds) ->
    {H, M, S} = {Seconds div 3600, Seconds rem 3600 div 60, Seconds rem 60},
    Seconds = H * 3600 + M * 60 + S,
    ok.

%% clean: complete
-spec clean_weekday(0..1000000) -> 1..7.
clean_weekday(Days) ->
    Weekday = (Days + 5) rem 7 + 1,
    true = Weekday >= 1 andalso Weekday =< 7,
    Weekday.
