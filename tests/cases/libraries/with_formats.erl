%% Conditions on results of `io_lib` and `calendar`.
-module(with_formats).
-export([
    clock/1, format_atom/1, format_month/1, leap_day/3, seconds/1, written/1
]).

%% Seconds of a day as a time.
%% finds: error {clock,_}
-spec clock(0..86399) -> ok.
clock(Seconds) ->
    case calendar:seconds_to_time(Seconds) of
        {13, 37, Rest} when Rest > 57 -> error({clock, Seconds});
        _ -> ok
    end.

%% Atoms of a finite type, as text.
%% finds: error {text,"stop!"}
-spec format_atom(go | wait | stop) -> ok.
format_atom(Command) ->
    case lists:flatten(io_lib:format("~s!", [Command])) of
        "stop!" = Text -> error({text, Text});
        _ -> ok
    end.

%% A month with two digits.
%% finds: error {text,"/09"}
-spec format_month(1..12) -> ok.
format_month(Month) ->
    case lists:flatten(io_lib:format("/~2..0b", [Month])) of
        "/09" = Text -> error({text, Text});
        _ -> ok
    end.

%% Only some years have a 29th of February.
%% finds: error {leap_day,_}
-spec leap_day(1900..2100, 1..12, 1..31) -> ok.
leap_day(Year, Month, Day) when Year > 1999, Year rem 100 =:= 0 ->
    case calendar:valid_date(Year, Month, Day) of
        true when Month =:= 2, Day > 28 -> error({leap_day, Year});
        _ -> ok
    end;
leap_day(_, _, _) ->
    ok.

%% finds: error {seconds,_}
-spec seconds({0..23, 0..59, 0..59}) -> ok.
seconds(Time) ->
    case calendar:time_to_seconds(Time) of
        54321 -> error({seconds, Time});
        _ -> ok
    end.

%% A term as text.
%% finds: error {text,_}
-spec written({integer(), a | b}) -> ok.
written(Pair) ->
    case lists:flatten(io_lib:write(Pair)) of
        "{-37,b}" = Text -> error({text, Text});
        _ -> ok
    end.
