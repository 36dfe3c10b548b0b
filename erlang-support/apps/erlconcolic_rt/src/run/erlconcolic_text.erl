%%% Terms as Erlang source on one line, in UTF-8: the text that `~0tp' of
%%% io_lib:format/2 makes. Every run needs it, so lists, tuples, atoms and
%%% integers are written here, which is at least twice as fast. Funs of the
%%% input are written as their tables.
-module(erlconcolic_text).

-export([text/1]).

-spec text(term()) -> binary().
text(Term) ->
    iolist_to_binary(write(Term)).

-spec write(term()) -> iodata().
write(Atom) when is_atom(Atom) ->
    Text = atom_to_binary(Atom),
    case is_plain(Text) andalso not erl_scan:reserved_word(Atom) of
        true -> Text;
        false -> pretty(Atom)
    end;
write(Integer) when is_integer(Integer) ->
    integer_to_binary(Integer);
write([]) ->
    "[]";
write([First | _] = List) when not is_integer(First) ->
    [$[ | elements(List)];
write([_ | _] = List) ->
    case io_lib:printable_list(List) of
        true -> pretty(List);
        false -> [$[ | elements(List)]
    end;
write({}) ->
    "{}";
write(Tuple) when is_tuple(Tuple) ->
    [First | Rest] = tuple_to_list(Tuple),
    [${, write(First), [[$, | write(Element)] || Element <- Rest], $}];
write(Fun) when is_function(Fun) ->
    case erlconcolic_table_fun:source(Fun) of
        none -> named_fun(Fun);
        {Arity, Entries, Default} -> table(Arity, Entries, Default)
    end;
write(Other) ->
    pretty(Other).

%% A fun that names a function shows its module as the user knows it.
-spec named_fun(fun()) -> binary().
named_fun(Fun) ->
    {module, Module} = erlang:fun_info(Fun, module),
    case {erlang:fun_info(Fun, type), erlconcolic_alias:original(Module)} of
        {{type, external}, Original} when Original =/= none ->
            {name, Name} = erlang:fun_info(Fun, name),
            {arity, Arity} = erlang:fun_info(Fun, arity),
            pretty(fun Original:Name/Arity);
        _ ->
            pretty(Fun)
    end.

%% A fun of the input.
-spec table(arity(), [{[term()], term()}], term()) -> iodata().
table(Arity, Entries, Default) ->
    Clauses = [[$(, separated([write(Arg) || Arg <- Args]), ") -> ",
                write(Result), "; "] || {Args, Result} <- Entries],
    Others = separated(lists:duplicate(Arity, "_")),
    ["fun", Clauses, $(, Others, ") -> ", write(Default), " end"].

-spec separated([iodata()]) -> iodata().
separated(Texts) ->
    lists:join(", ", Texts).

%% Letters and digits of ASCII need no quotes.
-spec is_plain(binary()) -> boolean().
is_plain(<<First, Rest/binary>>) when First >= $a, First =< $z ->
    is_plain_rest(Rest);
is_plain(_) ->
    false.

-spec is_plain_rest(binary()) -> boolean().
is_plain_rest(<<Char, Rest/binary>>)
  when Char >= $a, Char =< $z; Char >= $A, Char =< $Z;
       Char >= $0, Char =< $9; Char =:= $_; Char =:= $@ ->
    is_plain_rest(Rest);
is_plain_rest(Rest) ->
    Rest =:= <<>>.

-spec pretty(term()) -> binary().
pretty(Term) ->
    unicode:characters_to_binary(io_lib:format("~0tp", [Term])).

-spec elements(nonempty_maybe_improper_list()) -> iodata().
elements([Last]) ->
    [write(Last), $]];
elements([Element | [_ | _] = Rest]) ->
    [write(Element), $, | elements(Rest)];
elements([Element | Tail]) ->
    [write(Element), $|, write(Tail), $]].
