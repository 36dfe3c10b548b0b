%% Regular expressions that do what their users expect.
-module(clean_regular_expressions).
-export([
    digits_only/1, empty_pieces/1, joined_again/1, possessive/1, same_place/1,
    whole_line/1
]).

%% What was checked can be converted.
%% clean at depth 4: complete
-spec digits_only([byte()]) -> integer().
digits_only(Text) ->
    case re:run(Text, "\\A-?\\d+\\z", [{capture, none}]) of
        match -> list_to_integer(Text);
        nomatch -> 0
    end.

%% No piece is empty at the end of those that are trimmed.
%% clean at depth 4: complete
-spec empty_pieces([$, | $a]) -> ok.
empty_pieces([]) ->
    ok;
empty_pieces(Text) ->
    case lists:reverse(re:split(Text, ",", [trim])) of
        [] -> ok;
        [Last | _] -> true = Last =/= <<>>
    end,
    ok.

%% A text is its pieces with the separators between them.
%% clean at depth 4: complete
-spec joined_again([$, | $; | $a]) -> ok.
joined_again(Text) ->
    Text = lists:append(re:split(Text, "([,;]+)", [{return, list}])),
    ok.

%% A possessive repetition gives nothing back.
%% clean at depth 4: complete
-spec possessive([byte()]) -> ok.
possessive(Text) ->
    nomatch = re:run(Text, "^a*+a"),
    ok.

%% A compiled pattern is found where its text is.
%% clean at depth 4: complete
-spec same_place([byte()]) -> ok.
same_place(Text) ->
    {ok, Pattern} = re:compile("(b|ab)c?"),
    Found = re:run(Text, "(b|ab)c?"),
    Found = re:run(Text, Pattern),
    ok.

%% What matches a whole line has no newline, but at its end.
%% clean at depth 4: complete
-spec whole_line([$a | $\n]) -> ok.
whole_line(Text) ->
    case re:run(Text, "^.*$", [{capture, first, list}]) of
        {match, [Line]} -> false = lists:member($\n, Line);
        nomatch -> true = lists:member($\n, Text)
    end,
    ok.
