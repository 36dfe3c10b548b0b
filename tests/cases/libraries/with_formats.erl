%% Conditions on what `io_lib:format` and `calendar` return.
-module(with_formats).
-export([
    clock/1, format_atom/1, format_number/1, format_text/1, leap_day/3,
    seconds/1
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

%% A number, as text.
%% finds: error {text,_}
-spec format_number(integer()) -> ok.
format_number(N) ->
    case lists:flatten(io_lib:format("~b%", [N])) of
        "110%" = Text -> error({text, Text});
        _ -> ok
    end.

%% Text that is put in a text.
%% finds: error {text,_}
-spec format_text([$a..$z]) -> ok.
format_text(Name) ->
    case lists:flatten(io_lib:format("<~s>", [Name])) of
        "<br>" = Text -> error({text, Text});
        _ -> ok
    end.

%% The 29th of February is in some years only.
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
