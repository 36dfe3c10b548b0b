%%% Terms as Erlang source on one line, in UTF-8, as the folder `erlang-term'
%%% writes them. Every run needs it, so common terms are written here, which is
%%% at least twice as fast as io_lib:format/2. Funs of the input are written as
%%% their tables.
-module(erlconcolic_text).

-export([text/1]).

-spec text(term()) -> binary().
text(Term) ->
    iolist_to_binary(write(Term)).

-spec write(term()) -> iodata().
write(Atom) when is_atom(Atom) ->
    Text = atom_to_binary(Atom),
    case erlconcolic_readable:is_plain_atom(Atom) of
        true -> Text;
        false -> erlconcolic_readable:quoted(Text, $')
    end;
write(Integer) when is_integer(Integer) ->
    erlconcolic_integer_text:text(Integer);
write([]) ->
    "[]";
write([First | _] = List) when not is_integer(First) ->
    [$[ | elements(List)];
write([_ | _] = List) ->
    case erlconcolic_readable:is_text(List) of
        true -> string(unicode:characters_to_binary(List));
        false -> [$[ | elements(List)]
    end;
write({}) ->
    "{}";
write(Tuple) when is_tuple(Tuple) ->
    [First | Rest] = tuple_to_list(Tuple),
    [${, write(First), [[$, | write(Element)] || Element <- Rest], $}];
write(Map) when is_map(Map) ->
    Pairs = [[write(Key), " => ", write(Value)]
             || {Key, Value} <- lists:sort(maps:to_list(Map))],
    ["#{", lists:join($,, Pairs), $}];
write(Bits) when is_bitstring(Bits) ->
    case erlconcolic_readable:is_text_binary(Bits) of
        ascii -> ["<<", string(Bits), ">>"];
        utf8 -> ["<<", string(Bits), "/utf8>>"];
        false -> ["<<", lists:join($,, bytes(Bits)), ">>"]
    end;
write(Fun) when is_function(Fun) ->
    case erlconcolic_table_fun:source(Fun) of
        none -> named_fun(Fun);
        {Arity, Entries, Default} -> table(Arity, Entries, Default)
    end;
write(Other) ->
    pretty(Other).

-spec string(binary()) -> iodata().
string(Text) ->
    erlconcolic_readable:quoted(Text, $").

-spec bytes(bitstring()) -> [iodata()].
bytes(<<Byte, Rest/bitstring>>) ->
    [integer_to_binary(Byte) | bytes(Rest)];
bytes(<<>>) ->
    [];
bytes(Bits) ->
    Size = bit_size(Bits),
    <<Value:Size>> = Bits,
    [[integer_to_binary(Value), $:, integer_to_binary(Size)]].

%% A fun that names a function shows its module as the user knows it.
-spec named_fun(fun()) -> iodata().
named_fun(Fun) ->
    {module, Module} = erlang:fun_info(Fun, module),
    case {erlang:fun_info(Fun, type), erlconcolic_alias:original(Module)} of
        {{type, local}, _} -> pretty(Fun);
        {{type, external}, none} -> external_fun(Module, Fun);
        {{type, external}, Original} -> external_fun(Original, Fun)
    end.

-spec external_fun(module(), fun()) -> iodata().
external_fun(Module, Fun) ->
    {name, Name} = erlang:fun_info(Fun, name),
    {arity, Arity} = erlang:fun_info(Fun, arity),
    ["fun ", write(Module), $:, write(Name), $/, integer_to_binary(Arity)].
%% A fun of the input.
-spec table(arity(), [{[term()], term()}], term()) -> iodata().
table(Arity, Entries, Default) ->
    Clauses = [[head(Args), " -> ", write(Result), "; "]
               || {Args, Result} <- Entries],
    Others = separated(lists:duplicate(Arity, "_")),
    ["fun", Clauses, $(, Others, ") -> ", write(Default), " end"].

%% The pattern of a map would match larger maps, and there are none for funs.
-spec head([term()]) -> iodata().
head(Args) ->
    case {lists:any(fun has_fun/1, Args), lists:any(fun has_map/1, Args)} of
        {true, _} ->
            {Patterns, Tests} = patterns(Args, []),
            guarded(Patterns, lists:reverse(Tests));
        {false, false} ->
            [$(, separated(lists:map(fun write/1, Args)), $)];
        {false, true} ->
            Names = [[$X, integer_to_binary(Number)]
                     || Number <- lists:seq(1, length(Args))],
            Tests = [[Name, " =:= ", write(Arg)]
                     || {Name, Arg} <- lists:zip(Names, Args)],
            guarded(Names, Tests)
    end.

-spec guarded([iodata()], [iodata()]) -> iodata().
guarded(Patterns, Tests) ->
    [$(, separated(Patterns), ") when ", separated(Tests)].

%% Patterns in which funs and maps are variables, and the tests of these, the
%% last one first.
-spec patterns([term()], [iodata()]) -> {[iodata()], [iodata()]}.
patterns(Terms, Tests) ->
    lists:mapfoldl(fun pattern/2, Tests, Terms).

-spec pattern(term(), [iodata()]) -> {iodata(), [iodata()]}.
pattern(Fun, Tests) when is_function(Fun) ->
    Name = [$F, integer_to_binary(length(Tests) + 1)],
    {arity, Arity} = erlang:fun_info(Fun, arity),
    Test = ["is_function(", Name, ", ", integer_to_binary(Arity), ")"],
    {Name, [Test | Tests]};
pattern(Map, Tests) when is_map(Map) ->
    Name = [$X, integer_to_binary(length(Tests) + 1)],
    {Name, [[Name, " =:= ", write(Map)] | Tests]};
pattern(Term, Tests) ->
    case has_fun(Term) orelse has_map(Term) of
        true -> composed(Term, Tests);
        false -> {write(Term), Tests}
    end.

-spec composed(tuple() | nonempty_maybe_improper_list(), [iodata()]) ->
          {iodata(), [iodata()]}.
composed(Tuple, Tests) when is_tuple(Tuple) ->
    {Elements, After} = patterns(tuple_to_list(Tuple), Tests),
    {[${, lists:join($,, Elements), $}], After};
composed([Head | Tail], Tests) ->
    {First, After} = pattern(Head, Tests),
    {Rest, Last} = tail(Tail, After),
    {[$[, First | Rest], Last}.

-spec tail(term(), [iodata()]) -> {iodata(), [iodata()]}.
tail([], Tests) ->
    {"]", Tests};
tail([Head | Tail], Tests) ->
    {First, After} = pattern(Head, Tests),
    {Rest, Last} = tail(Tail, After),
    {[$,, First | Rest], Last};
tail(End, Tests) ->
    {Last, After} = pattern(End, Tests),
    {[$|, Last, $]], After}.

-spec has_fun(term()) -> boolean().
has_fun([Head | Tail]) -> has_fun(Head) orelse has_fun(Tail);
has_fun(Tuple) when is_tuple(Tuple) -> has_fun(tuple_to_list(Tuple));
has_fun(Other) -> is_function(Other).

-spec has_map(term()) -> boolean().
has_map(Map) when is_map(Map) -> true;
has_map([Head | Tail]) -> has_map(Head) orelse has_map(Tail);
has_map(Tuple) when is_tuple(Tuple) -> has_map(tuple_to_list(Tuple));
has_map(_) -> false.

-spec separated([iodata()]) -> iodata().
separated(Texts) ->
    lists:join(", ", Texts).

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
