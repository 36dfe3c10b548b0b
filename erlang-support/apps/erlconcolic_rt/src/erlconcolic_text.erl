%%% Terms as Erlang source on one line, in UTF-8: the text that `~0tp' of
%%% io_lib:format/2 gives. Every run is described with it, so lists, tuples,
%%% atoms and integers go a shorter way, which is several times as fast.
-module(erlconcolic_text).

-export([text/1]).

-spec text(term()) -> binary().
text(Term) ->
    unicode:characters_to_binary(write(Term)).

-spec write(term()) -> unicode:chardata().
write(Atom) when is_atom(Atom) ->
    io_lib:write_atom(Atom);
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
write(Other) ->
    pretty(Other).

-spec pretty(term()) -> unicode:chardata().
pretty(Term) ->
    io_lib:format("~0tp", [Term]).

-spec elements(nonempty_maybe_improper_list()) -> unicode:chardata().
elements([Last]) ->
    [write(Last), $]];
elements([Element | [_ | _] = Rest]) ->
    [write(Element), $, | elements(Rest)];
elements([Element | Tail]) ->
    [write(Element), $|, write(Tail), $]].
