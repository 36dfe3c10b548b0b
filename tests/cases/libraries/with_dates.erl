%% Dates and times: chains of quotients and remainders by constants.
-module(with_dates).
-export([clock/1, leap_day/1, new_year/1, noon/1, pause/1, weekday/1,
         same_day/1]).

%% The last second of a day.
%% finds: error midnight
-spec clock(0..1000000000) -> ok.
clock(Seconds) ->
    case calendar:seconds_to_time(Seconds rem 86400) of
        {23, 59, 59} -> error(midnight);
        _ -> ok
    end.

%% A day that three of four years do not have.
%% finds: error leap
-spec leap_day(0..100000) -> ok.
leap_day(Days) ->
    case calendar:gregorian_days_to_date(700000 + Days) of
        {_, 2, 29} -> error(leap);
        _ -> ok
    end.

%% The first day of one year.
%% finds: error party
-spec new_year(0..100000) -> ok.
new_year(Days) ->
    case calendar:gregorian_days_to_date(700000 + Days) of
        {2000, 1, 1} -> error(party);
        _ -> ok
    end.

%% Noon on any day.
%% finds: error noon
-spec noon(0..1000000000) -> ok.
noon(Seconds) ->
    {Hours, Rest} = {Seconds div 3600 rem 24, Seconds rem 3600},
    case {Hours, Rest div 60, Rest rem 60} of
        {12, 0, 0} when Seconds > 500000000 -> error(noon);
        _ -> ok
    end.

%% A time in milliseconds.
%% finds: error long
-spec pause(0..100) -> ok.
pause(Time) ->
    case timer:minutes(Time) - timer:seconds(Time) of
        1003000 -> error(long);
        _ -> ok
    end.

%% A weekday in a month.
%% finds: error friday
-spec weekday(1..28) -> ok.
weekday(Day) ->
    case calendar:day_of_the_week(2026, 11, Day) of
        5 when Day > 20 -> error(friday);
        _ -> ok
    end.

%% A time of day and back.
%% clean: complete
-spec same_day(0..86399) -> ok.
same_day(Seconds) ->
    {Hours, Minutes, Left} = calendar:seconds_to_time(Seconds),
    Seconds = Hours * 3600 + Minutes * 60 + Left,
    ok.
