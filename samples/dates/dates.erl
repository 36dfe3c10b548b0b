%% Dates as in ISO 8601, "2024-02-29" or, with the day of the year,
%% "2024-060": checks the text and returns a record.
%%
%% The bug is in days_in_year/1: it treats every fourth year as a leap year,
%% while days_in_month/2 is right. So it accepts day 366 of 1900, and the search
%% for its month continues after December.
-module(dates).
-export([parse/1, day_of_year/1, weekday/1]).

-record(date, {year :: year(), month :: 1..12, day :: 1..31}).

-type year() :: 0..9999.
-type weekday() :: monday | tuesday | wednesday | thursday | friday |
                   saturday | sunday.
-type reason() :: syntax | {month, integer()} | {day, integer()}.

-define(is_digit(C), C >= $0, C =< $9).

-spec parse(string()) -> {ok, #date{}} | {error, reason()}.
parse(Text) ->
    case fields(Text) of
        {calendar, Year, Month, Day} -> from_calendar(Year, Month, Day);
        {ordinal, Year, Day} -> from_ordinal(Year, Day);
        syntax -> {error, syntax}
    end.

%% The numbers in a text. So far only the format is checked.
fields([Y1, Y2, Y3, Y4, $-, M1, M2, $-, D1, D2]) ->
    case {number([Y1, Y2, Y3, Y4]), number([M1, M2]), number([D1, D2])} of
        {Year, Month, Day} when is_integer(Year), is_integer(Month),
                                is_integer(Day) ->
            {calendar, Year, Month, Day};
        _ ->
            syntax
    end;
fields([Y1, Y2, Y3, Y4, $-, D1, D2, D3]) ->
    case {number([Y1, Y2, Y3, Y4]), number([D1, D2, D3])} of
        {Year, Day} when is_integer(Year), is_integer(Day) ->
            {ordinal, Year, Day};
        _ ->
            syntax
    end;
fields(_) ->
    syntax.

number(Digits) -> number(Digits, 0).

number([], Number) -> Number;
number([C | Digits], Number) when ?is_digit(C) ->
    number(Digits, Number * 10 + C - $0);
number(_, _) -> error.

from_calendar(_, Month, _) when Month < 1; Month > 12 ->
    {error, {month, Month}};
from_calendar(Year, Month, Day) ->
    case Day >= 1 andalso Day =< days_in_month(Year, Month) of
        true -> {ok, #date{year = Year, month = Month, day = Day}};
        false -> {error, {day, Day}}
    end.

from_ordinal(Year, Day) ->
    case Day >= 1 andalso Day =< days_in_year(Year) of
        true -> {ok, month_of(Year, 1, Day)};
        false -> {error, {day, Day}}
    end.

%% The date that is this many days after the end of the previous month.
month_of(Year, Month, Day) ->
    case days_in_month(Year, Month) of
        Days when Day > Days -> month_of(Year, Month + 1, Day - Days);
        _ -> #date{year = Year, month = Month, day = Day}
    end.

-spec day_of_year(#date{}) -> 1..366.
day_of_year(#date{year = Year, month = Month, day = Day}) ->
    Before = [days_in_month(Year, M) || M <- lists:seq(1, Month - 1)],
    lists:sum(Before) + Day.

-spec weekday(#date{}) -> weekday().
weekday(#date{year = Year} = Date) ->
    %% January 1st of the year 0 was a Saturday, and that year a leap year.
    LeapDays = (Year + 3) div 4 - (Year + 99) div 100 + (Year + 399) div 400,
    Days = Year * 365 + LeapDays + day_of_year(Date) - 1,
    element(Days rem 7 + 1, {saturday, sunday, monday, tuesday, wednesday,
                             thursday, friday}).

days_in_year(Year) when Year rem 4 =:= 0 -> 366;
days_in_year(_) -> 365.

days_in_month(Year, 2) ->
    case is_leap_year(Year) of
        true -> 29;
        false -> 28
    end;
days_in_month(_, Month) when Month =:= 4; Month =:= 6; Month =:= 9;
                             Month =:= 11 ->
    30;
days_in_month(_, Month) when Month >= 1, Month =< 12 ->
    31.

is_leap_year(Year) ->
    Year rem 4 =:= 0 andalso Year rem 100 =/= 0 orelse Year rem 400 =:= 0.
