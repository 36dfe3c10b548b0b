%% The behaviour of io_lib_format for directives without field width and plain
%% arguments. The real module keeps directives in maps.
-module(io_lib_format).
-export([fwrite/2]).

-define(IS_BELOW(C, Limit), is_integer(C), 0 =< C, C < Limit).

fwrite(Format, Arguments) ->
    try
        build(Format, Arguments)
    catch
        throw:not_plain -> io_lib_format:fwrite(Format, Arguments)
    end.

build([], []) ->
    [];
build([$~, $t, Directive | Format], Arguments) ->
    directive(Directive, 16#D800, Format, Arguments);
build([$~, Directive | Format], Arguments) ->
    directive(Directive, 256, Format, Arguments);
build([C | Format], Arguments) when ?IS_BELOW(C, 256), C =/= $~ ->
    [C | build(Format, Arguments)];
build(_, _) ->
    throw(not_plain).

%% Some results are parts of the text, others are lists in it.
directive($n, 256, Format, Arguments) ->
    [$\n | build(Format, Arguments)];
directive($~, 256, Format, Arguments) ->
    [$~ | build(Format, Arguments)];
directive(D, _, Format, [N | Arguments]) when D =:= $w; D =:= $p ->
    [number(N) | build(Format, Arguments)];
directive($b, 256, Format, [N | Arguments]) ->
    number(N) ++ build(Format, Arguments);
directive($c, 256, Format, [C | Arguments]) when ?IS_BELOW(C, 256) ->
    [C | build(Format, Arguments)];
directive($s, Limit, Format, [Atom | Arguments]) when is_atom(Atom) ->
    text(atom_to_list(Atom), Limit) ++ build(Format, Arguments);
directive($s, Limit, Format, [Text | Arguments]) ->
    [text(Text, Limit) | build(Format, Arguments)];
directive(_, _, _, _) ->
    throw(not_plain).

number(N) when is_integer(N) -> integer_to_list(N);
number(_) -> throw(not_plain).

text([], _) -> [];
text([C | Rest], Limit) when ?IS_BELOW(C, Limit) -> [C | text(Rest, Limit)];
text(_, _) -> throw(not_plain).
