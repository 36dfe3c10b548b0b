%% options: --term-depth 7
%% Strings that are parsed, compared and converted.
-module(read_strings).
-export([
    atom_name/1, balanced/1, command/1, csv/1, date/1, email/1,
    hexadecimal/1, key_value/1, path/1, phone/1, prefix/2, quoted/1,
    roman/1, time/1, words/1
]).

%% finds: error {name,_}
-spec atom_name([$!..$z]) -> ok.
atom_name(Text) when length(Text) =:= 3 ->
    case list_to_atom(Text) of
        'ok!' = Name -> error({name, Name});
        _ -> ok
    end;
atom_name(_) ->
    ok.

%% finds: error balanced
-spec balanced([$( | $) | $x]) -> ok.
balanced(Text) -> balanced(Text, 0, 0).

balanced([], 0, Deepest) when Deepest > 2 -> error(balanced);
balanced([$( | Rest], N, Most) -> balanced(Rest, N + 1, max(Most, N + 1));
balanced([$) | Rest], N, Most) when N > 0 -> balanced(Rest, N - 1, Most);
balanced(_, _, _) -> ok.

%% finds: error {moved,-7}
-spec command(string()) -> ok.
command("go " ++ Number) ->
    case string:to_integer(Number) of
        {-7, ""} -> error({moved, -7});
        _ -> ok
    end;
command(_) ->
    ok.

%% finds: error row
-spec csv(string()) -> ok.
csv(Line) ->
    case string:split(Line, ",", all) of
        ["id", Field, ""] when length(Field) > 1 -> error(row);
        _ -> ok
    end.

%% missed: error leap
-spec date(string()) -> ok.
date(Text) ->
    case [catch list_to_integer(Part) || Part <- string:tokens(Text, "-")] of
        [Year, 2, 29] when is_integer(Year), Year rem 4 =:= 0, Year > 0 ->
            error(leap);
        _ ->
            ok
    end.

%% finds: error address
-spec email(string()) -> ok.
email(Text) ->
    case lists:splitwith(fun(C) -> C =/= $@ end, Text) of
        {[_ | _], "@b." ++ [_, _]} -> error(address);
        _ -> ok
    end.

%% finds: error beef
-spec hexadecimal(string()) -> ok.
hexadecimal("0x" ++ Digits) ->
    try list_to_integer(Digits, 16) of
        16#BEEF -> error(beef);
        _ -> ok
    catch
        error:badarg -> ok
    end;
hexadecimal(_) ->
    ok.

%% finds: error {port,80}
-spec key_value(string()) -> ok.
key_value(Text) ->
    case string:lexemes(Text, " =") of
        ["port", Value] ->
            case string:to_integer(Value) of
                {80, []} -> error({port, 80});
                _ -> ok
            end;
        _ ->
            ok
    end.

%% finds: error parent
-spec path(string()) -> ok.
path(Path) ->
    case lists:member("..", string:split(Path, "/", all)) of
        true when hd(Path) =/= $. -> error(parent);
        _ -> ok
    end.

%% finds: error phone
-spec phone(string()) -> ok.
phone([$+ | Text]) ->
    Digits = [C || C <- Text, C >= $0, C =< $9],
    Others = Text -- Digits,
    case {length(Digits), Others} of
        {4, "-"} -> error(phone);
        _ -> ok
    end;
phone(_) ->
    ok.

%% finds: error {rest,"x"}
-spec prefix([$\s..$~], [$\s..$~]) -> ok.
prefix(Text, Prefix) when length(Prefix) > 1 ->
    case string:prefix(Text, Prefix) of
        "x" -> error({rest, "x"});
        _ -> ok
    end;
prefix(_, _) ->
    ok.

%% finds: error escaped
-spec quoted(string()) -> ok.
quoted([$" | Text]) -> in_quotes(Text, []);
quoted(_) -> ok.

in_quotes([$\\, C | Text], Done) -> in_quotes(Text, [C | Done]);
in_quotes([$"], "\"a") -> error(escaped);
in_quotes([$" | _], _) -> ok;
in_quotes([C | Text], Done) -> in_quotes(Text, [C | Done]);
in_quotes([], _) -> ok.

%% finds: error {year,14}
-spec roman([$I | $V | $X]) -> ok.
roman(Text) ->
    case value(Text) of
        14 -> error({year, 14});
        _ -> ok
    end.

value("IV" ++ Rest) -> 4 + value(Rest);
value("IX" ++ Rest) -> 9 + value(Rest);
value([$I | Rest]) -> 1 + value(Rest);
value([$V | Rest]) -> 5 + value(Rest);
value([$X | Rest]) -> 10 + value(Rest);
value([]) -> 0.

%% finds: error midnight
-spec time(string()) -> ok.
time([A, B, $:, C, D]) ->
    try {list_to_integer([A, B]), list_to_integer([C, D])} of
        {24, 0} -> error(midnight);
        _ -> ok
    catch
        error:badarg -> ok
    end;
time(_) ->
    ok.

%% finds: error words
-spec words(string()) -> ok.
words(Text) ->
    case [hd(Word) || Word <- string:tokens(Text, " ")] of
        "nato" -> error(words);
        _ -> ok
    end.
