%% Splits text into names, numbers, quoted text and operators: "x+20" becomes
%% {ok, [{name, "x"}, '+', {number, 20}]}.
%%
%% The bug is in quoted/1: a backslash escapes the next character, but a text
%% that ends with a backslash has no next character.
-module(tokenizer).
-export([tokens/1]).

-define(is_digit(C), C >= $0, C =< $9).
-define(is_letter(C), C >= $a, C =< $z).

tokens([]) ->
    {ok, []};
tokens([$\s | Text]) ->
    tokens(Text);
tokens([$+ | Text]) ->
    token('+', tokens(Text));
tokens([$" | Text]) ->
    case quoted(Text) of
        {ok, Quoted, Rest} -> token({text, Quoted}, tokens(Rest));
        error -> {error, no_closing_quote}
    end;
tokens([C | Text]) when ?is_digit(C) ->
    {Number, Rest} = number(Text, C - $0),
    token({number, Number}, tokens(Rest));
tokens([C | Text]) when ?is_letter(C) ->
    {Letters, Rest} = letters(Text),
    token({name, [C | Letters]}, tokens(Rest));
tokens(Text) ->
    {error, {unexpected, Text}}.

token(Token, {ok, Tokens}) -> {ok, [Token | Tokens]};
token(_, {error, Reason}) -> {error, Reason}.

number([C | Text], Number) when ?is_digit(C) -> number(Text, Number * 10 + C - $0);
number(Text, Number) -> {Number, Text}.

letters([C | Text]) when ?is_letter(C) ->
    {Letters, Rest} = letters(Text),
    {[C | Letters], Rest};
letters(Text) ->
    {[], Text}.

%% The text before the closing quotation mark, and the text after it.
quoted([$" | Rest]) ->
    {ok, [], Rest};
quoted([$\\ | Text]) ->
    [C | Rest] = Text,
    character(C, quoted(Rest));
quoted([C | Text]) ->
    character(C, quoted(Text));
quoted(_) ->
    error.

character(C, {ok, Quoted, Rest}) -> {ok, [C | Quoted], Rest};
character(_, error) -> error.
