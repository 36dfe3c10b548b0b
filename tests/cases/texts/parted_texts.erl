%% options: --term-depth 8
%% Texts that are cut into words, and patterns with several conditions.
-module(parted_texts).
-export([
    lexemes/1, same_word/1, extension/1, last_part/1, option/1, strong/1,
    clean_extension/1, clean_option/1, clean_strong/1
]).

%% One of two separators stands between words.
%% finds: error three
-spec lexemes(string()) -> ok.
lexemes(Text) ->
    case string:lexemes(Text, ",;") of
        ["a", "b", "c"] -> error(three);
        _ -> ok
    end.

%% finds: error same
-spec same_word([$\s..$~]) -> ok.
same_word(Text) ->
    case string:lexemes(Text, " \t") of
        ["set", Word, Word] -> error(same);
        _ -> ok
    end.

%% What is behind the last separator.
%% finds: error archive
-spec extension(string()) -> ok.
extension(Name) ->
    case string:split(Name, ".", trailing) of
        [[_, $. | _], "gz"] -> error(archive);
        _ -> ok
    end.

%% finds: error part
-spec last_part([$\s..$~]) -> ok.
last_part(Characters) ->
    Path = list_to_binary(Characters),
    case string:split(Path, "/", trailing) of
        [<<"a/b">>, <<"c">>] -> error(part);
        _ -> ok
    end.

%% Letters of both cases in named groups.
%% finds: error {limit,_}
-spec option([byte()]) -> ok.
option(Line) ->
    Pattern = "^(?<key>[a-z]+)\\s*=\\s*(?<value>\\d+)$",
    case re:run(Line, Pattern, [caseless, {capture, [key, value], list}]) of
        {match, ["Max", Value]} when length(Value) > 1 ->
            error({limit, Value});
        _ -> ok
    end.

%% Two conditions on what follows.
%% finds: error strong
-spec strong([byte()]) -> ok.
strong(Text) ->
    case re:run(Text, "^(?=.*[0-9])(?=.*[A-Z]).{4,}$", [{capture, none}]) of
        match -> error(strong);
        nomatch -> ok
    end.

%% Both parts and the separator make up the whole.
%% clean
-spec clean_extension([$\s..$~]) -> ok.
clean_extension(Name) ->
    case string:split(Name, ".", trailing) of
        [Base, Extension] ->
            false = lists:member($., Extension),
            Name = Base ++ "." ++ Extension,
            ok;
        [Name] ->
            false = lists:member($., Name),
            ok
    end.

%% clean
-spec clean_option([byte()]) -> ok.
clean_option(Line) ->
    Pattern = "^(?<key>[a-z]+)=(?<value>\\d+)$",
    case re:run(Line, Pattern, [caseless, {capture, [key, value], list}]) of
        {match, [[_ | _], Value]} ->
            true = list_to_integer(Value) >= 0,
            ok;
        nomatch -> ok
    end.

%% clean
-spec clean_strong([byte()]) -> ok.
clean_strong(Text) ->
    case re:run(Text, "^(?=.*[0-9])(?=.*[A-Z])", [{capture, none}]) of
        match ->
            true = length(Text) >= 2,
            ok;
        nomatch -> ok
    end.
