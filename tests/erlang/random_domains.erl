%% Values that types alone do not give: the contents of opaque types, and the
%% arguments of functions that need more than their spec says (text that
%% follows a grammar, data in a certain format).
%%
%% The constructors of its module make a value of an opaque type. If the value
%% may have a fun or a handle of its node inside, it is written as
%% `{'$call', Module, Function, Arguments}', which the evaluating node resolves.
-module(random_domains).

-export([value/3, arguments/3, structure/1]).

-import(random_terms, [pick/1, weighted/1, list_of/3, between/2, chance/1]).

-type maker() :: fun(() -> term()).

%% A value of a named type with the given arguments, if there is a better way
%% than its definition.
-spec value(module(), atom(), [maker()]) -> {ok, term()} | none.
value(gb_trees, tree, [Key, Value]) ->
    {ok, gb_trees:from_orddict(pairs(Key, Value))};
value(gb_trees, iter, [Key, Value]) ->
    {ok, gb_trees:iterator(gb_trees:from_orddict(pairs(Key, Value)))};
value(gb_sets, set, [Element]) ->
    {ok, gb_sets:from_list(elements(Element))};
value(gb_sets, iter, [Element]) ->
    {ok, gb_sets:iterator(gb_sets:from_list(elements(Element)))};
value(dict, dict, [Key, Value]) ->
    {ok, dict:from_list(pairs(Key, Value))};
value(orddict, orddict, [Key, Value]) ->
    {ok, orddict:from_list(pairs(Key, Value))};
value(ordsets, ordset, [Element]) ->
    {ok, ordsets:from_list(elements(Element))};
value(sets, set, [Element]) ->
    {ok, set(Element)};
value(queue, queue, [Item]) ->
    Front = list_of(0, 4, Item),
    Rear = list_of(0, 4, Item),
    {ok, pick([queue(Front, Rear), queue(Front, Rear), {[], Front}])};
value(array, array, [Element]) ->
    {ok, array(Element)};
value(maps, iterator, [Key, Value]) ->
    {ok, maps:iterator(maps:from_list(pairs(Key, Value)))};
value(unicode, chardata, []) ->
    {ok, chardata(2)};
value(unicode, unicode_binary, []) ->
    {ok, unicode:characters_to_binary(random_terms:string())};
value(proplists, proplist, []) ->
    {ok, list_of(0, 6, fun property/0)};
value(calendar, year, []) ->
    {ok, pick([0, 4, 10, 99, 400, 999, 1600, 1900, between(1970, 2100)])};
value(uri_string, uri_string, []) ->
    {ok, text(fun random_source:uri/0)};
value(erl_anno, anno, []) ->
    {ok, pick([1, 2, {1, 1}, {3, 8}, 0, [{location, 1}, {text, "a"}]])};
value(calendar, rfc3339_string, []) ->
    {ok, random_source:rfc3339()};
value(Module, Type, []) ->
    module_value(Module, Type);
value(_, _, _) ->
    none.

%% A value of one of the opaque types of the standard library.
-spec structure(maker()) -> term().
structure(Make) ->
    {Module, Type, Arity} = pick([{gb_trees, tree, 2}, {gb_sets, set, 1},
                                  {dict, dict, 2}, {sets, set, 1},
                                  {queue, queue, 1}, {array, array, 1}]),
    {ok, Value} = value(Module, Type, lists:duplicate(Arity, Make)),
    Value.

-spec module_value(module(), atom()) -> {ok, term()} | none.
module_value(binary, cp) ->
    Patterns = list_of(1, 3, fun() -> pick([<<"a">>, <<"b">>, <<"ab">>]) end),
    {ok, {'$call', binary, compile_pattern, [Patterns]}};
module_value(erl_scan, return_cont) ->
    {ok, scan_continuation()};
module_value(erl_scan, tokens) ->
    {ok, random_source:tokens()};
module_value(erl_scan, token) ->
    {ok, token()};
module_value(erl_parse, abstract_expr) ->
    sometimes(fun random_source:abstract_expression/0);
module_value(erl_parse, abstract_form) ->
    sometimes(fun random_source:abstract_form/0);
module_value(io_lib, format_spec) ->
    none;
module_value(sofs, Type) ->
    sofs(Type);
module_value(prettypr, document) ->
    {ok, document(3)};
module_value(erl_syntax, Type) when Type =:= syntaxTree; Type =:= tree ->
    {ok, weighted([{1, fun random_source:abstract_expression/0},
                   {1, fun random_source:abstract_form/0}])};
module_value(erl_syntax, forms) ->
    {ok, list_of(0, 3, fun random_source:abstract_form/0)};
module_value(_, _) ->
    none.

-spec sometimes(maker()) -> {ok, term()} | none.
sometimes(Make) ->
    case chance(60) of
        true -> {ok, Make()};
        false -> none
    end.

-spec pairs(maker(), maker()) -> [{term(), term()}].
pairs(Key, Value) ->
    orddict:from_list(
      [{Unique, Value()} || Unique <- elements(Key)]).

%% Rarely so many that hash tables grow and small sets meet large ones.
-spec elements(maker()) -> [term()].
elements(Element) ->
    Integer = fun() -> between(0, 200) end,
    weighted(
      [{30, fun() -> list_of(0, pick([2, 6, 10]), Element) end},
       {1, fun() -> list_of(60, 150, Integer) end}]).

%% Sets of version 2 stay small: the order of a large map depends on the numbers
%% of atoms in the node.
-spec set(maker()) -> sets:set().
set(Element) ->
    case chance(50) of
        true -> sets:from_list(elements(Element), [{version, 1}]);
        false -> sets:from_list(list_of(0, 6, Element), [{version, 2}])
    end.

-spec property() -> atom() | tuple().
property() ->
    Key = pick([a, b, c, d, 1, "a"]),
    pick([pick([a, b, c, d]), {Key, random_terms:leaf()}, {Key, [x]},
          {Key, pick([true, false])}, {Key}, {Key, 1, 2}]).

-spec queue([term()], [term()]) -> queue:queue().
queue(Front, Rear) ->
    lists:foldl(fun queue:in/2, queue:from_list(Front), Rear).

-spec array(maker()) -> array:array().
array(Element) ->
    Options = pick([[], [{default, Element()}], [{size, between(0, 12)}],
                    [{fixed, false}, {size, 5}], [fixed, {size, 11}]]),
    Filled = fun(Value, Array) ->
                     Index = between(0, max(0, array:size(Array) - 1)),
                     set_if_inside(Index, Value, Array)
             end,
    Initial = case chance(50) of
                  true -> array:from_list(elements(Element), Element());
                  false -> array:new(Options)
              end,
    lists:foldl(Filled, Initial, list_of(0, 5, Element)).

-spec set_if_inside(non_neg_integer(), term(), array:array()) ->
          array:array().
set_if_inside(Index, Value, Array) ->
    case array:is_fix(Array) andalso Index >= array:size(Array) of
        true -> Array;
        false -> array:set(Index, Value, Array)
    end.

-spec chardata(integer()) -> unicode:chardata().
chardata(Depth) ->
    weighted(
      [{5, fun random_terms:string/0},
       {4, fun() -> unicode:characters_to_binary(random_terms:string()) end},
       {1, fun random_terms:binary/0},
       {Depth, fun() ->
                       list_of(0, 3, fun() ->
                           pick([$a, chardata(max(1, Depth - 1))]) end)
               end}]).

-spec text(fun(() -> string())) -> unicode:chardata().
text(Make) ->
    Text = Make(),
    weighted(
      [{2, fun() -> Text end},
       {2, fun() -> unicode:characters_to_binary(Text) end},
       {1, fun() ->
                   {Front, Rear} = lists:split(length(Text) div 2, Text),
                   [unicode:characters_to_binary(Front), Rear]
           end}]).

%% A scan interrupted somewhere in a text: the continuation has a fun of the
%% scanner inside.
-spec scan_continuation() -> term().
scan_continuation() ->
    Text = random_source:text(),
    Front = lists:sublist(Text, between(0, length(Text))),
    First = {'$call', erl_scan, tokens, [[], Front -- ".", 1]},
    pick([[], {'$call', erlang, element, [2, First]}]).

-spec token() -> erl_scan:token().
token() ->
    case random_source:tokens() of
        [] -> {dot, 1};
        Tokens -> pick(Tokens)
    end.

-spec sofs(atom()) -> {ok, term()} | none.
sofs(Type) ->
    Leaf = fun() -> pick([a, b, c, 1, 2]) end,
    Pair = fun() -> {Leaf(), Leaf()} end,
    case Type of
        a_set -> {ok, sofs:set(list_of(0, 4, Leaf))};
        anyset -> {ok, sofs:set(list_of(0, 4, Leaf))};
        binary_relation -> {ok, sofs:relation(list_of(0, 4, Pair))};
        relation -> {ok, sofs:relation(list_of(0, 4, Pair))};
        a_function -> {ok, sofs:a_function([{a, 1}, {b, 2}])};
        family -> {ok, sofs:family([{a, [1, 2]}, {b, []}])};
        set_of_sets -> {ok, sofs:from_term([[a], [b, c]])};
        _ -> none
    end.

-spec document(integer()) -> term().
document(Depth) when Depth =< 0 ->
    pick([prettypr:text("ab"), prettypr:null_text("z"), prettypr:empty(),
          prettypr:break(prettypr:text("c"))]);
document(Depth) ->
    Left = document(Depth - 1),
    Right = document(Depth - 1),
    pick([prettypr:above(Left, Right), prettypr:beside(Left, Right),
          prettypr:nest(2, Left), prettypr:sep([Left, Right]),
          prettypr:par([Left, Right], 1), prettypr:floating(Left)]).

%% Arguments for a function that needs more than its spec says.
-spec arguments(module(), atom(), arity()) -> {ok, [term()]} | none.
arguments(Module, Name, Arity) ->
    case chance(80) of
        true -> wanted(Module, Name, Arity);
        false -> none
    end.

-spec wanted(module(), atom(), arity()) -> {ok, [term()]} | none.
wanted(base64, Name, 1)
  when Name =:= decode; Name =:= mime_decode;
       Name =:= decode_to_string; Name =:= mime_decode_to_string ->
    {ok, [text(fun base64_text/0)]};
wanted(binary, decode_hex, 1) ->
    {ok, [binary:encode_hex(random_terms:binary())]};
wanted(binary, Name, Arity)
  when Name =:= part; Name =:= bin_to_list; Name =:= at ->
    sliced(Name, Arity);
wanted(sets, Name, 1) when Name =:= union; Name =:= intersection ->
    {ok, [list_of(0, 4, fun() -> set(fun random_terms:leaf/0) end)]};
wanted(lists, Name, Arity) ->
    same_length(Name, Arity);
wanted(erl_scan, continuation_location, 1) ->
    {ok, [scan_continuation()]};
wanted(erl_scan, f_reserved_word, 1) ->
    {ok, [pick(['end', 'maybe', 'else', a])]};
wanted(erl_scan, reserved_word, 1) ->
    {ok, [pick(['after', 'begin', 'bnot', 'xor', 'when', a])]};
wanted(erl_scan, format_error, 1) ->
    {ok, [pick([{string, $', "a"}, {string, $", "\x{3b1}"}, {illegal, char},
                char, {base, 40}, a])]};
wanted(erl_scan, string, Arity) ->
    {ok, lists:sublist([random_source:text(), pick([1, {1, 1}]),
                        scan_options()], Arity)};
wanted(erl_scan, tokens, Arity) ->
    {ok, lists:sublist([scan_continuation(), pick([random_source:text(), eof]),
                        pick([1, {1, 1}]), scan_options()], Arity)};
wanted(erl_parse, normalise, 1) ->
    {ok, [erl_parse:abstract(plain_term(3))]};
wanted(erl_parse, parse, 1) ->
    {ok, [random_source:tokens()]};
wanted(erl_parse, parse_form, 1) ->
    {ok, [random_source:tokens(form)]};
wanted(erl_parse, Name, 1) when Name =:= parse_exprs; Name =:= parse_term ->
    {ok, [random_source:tokens(expression)]};
wanted(erl_parse, tokens, Arity) ->
    {ok, lists:sublist([random_source:abstract_expression(), []], Arity)};
wanted(erl_parse, first_anno, 1) ->
    {ok, [pick([random_source:abstract_expression(),
                random_source:abstract_form()])]};
wanted(erl_parse, Name, 1)
  when Name =:= inop_prec; Name =:= preop_prec;
       Name =:= type_inop_prec; Name =:= type_preop_prec ->
    {ok, [pick(['=', '!', 'orelse', 'andalso', '==', '++', '+', '*', '::', '|',
                '..', '#', ':', 'not', '-', 'catch', '.', '/', 'bnot'])]};
wanted(io_lib, Name, Arity) ->
    io_lib(Name, Arity);
wanted(xmerl_scan, string, Arity) ->
    {ok, lists:sublist([random_source:xml(), []], Arity)};
wanted(uri_string, dissect_query, 1) ->
    {ok, [text(fun random_source:query/0)]};
wanted(_, _, _) ->
    none.

-spec base64_text() -> string().
base64_text() ->
    Text = base64:encode_to_string(random_terms:binary()),
    {Front, Rear} = lists:split(between(0, length(Text)), Text),
    Scrap = pick([" ", "\n", "\0", "=", "-", "\n\t"]),
    pick([Text, Text, Front ++ Scrap ++ Rear,
          Front ++ "\r\n" ++ Rear ++ pick([" ", "", "="]), Text -- "="]).

-spec same_length(atom(), arity()) -> {ok, [term()]} | none.
same_length(Name, Arity) ->
    Length = between(0, 6),
    List = fun() -> list_of(Length, Length, fun random_terms:leaf/0) end,
    case {Name, Arity} of
        {zip, 2} -> {ok, [List(), List()]};
        {zip3, 3} -> {ok, [List(), List(), List()]};
        {zipwith, 3} -> {ok, [fun random_funs:int/2, List(), List()]};
        {zipwith3, 4} -> {ok, [fun random_funs:list/3, List(), List(), List()]};
        _ -> none
    end.

-spec sliced(atom(), arity()) -> {ok, [term()]} | none.
sliced(_, 1) ->
    none;
sliced(at, 2) ->
    Binary = random_terms:binary(),
    {ok, [Binary, between(0, max(0, byte_size(Binary) - 1))]};
sliced(_, Arity) ->
    Binary = random_terms:binary(),
    Start = between(0, byte_size(Binary)),
    Length = between(-Start, byte_size(Binary) - Start),
    case Arity of
        2 -> {ok, [Binary, {Start, Length}]};
        3 -> {ok, [Binary, Start, Length]}
    end.

-spec scan_options() -> [atom()].
scan_options() ->
    list_of(0, 2, fun() -> pick([return, return_white_spaces, text,
                                 return_comments]) end).

%% Values that can stand as a literal in source.
-spec plain_term(integer()) -> term().
plain_term(Depth) when Depth =< 0 ->
    pick([a, 1, -2, 1.5, "ab", <<"ab">>, [], 1 bsl 70]);
plain_term(Depth) ->
    Inner = fun() -> plain_term(Depth - 1) end,
    weighted([{2, fun() -> plain_term(0) end},
              {1, fun() -> list_of(0, 3, Inner) end},
              {1, fun() -> list_to_tuple(list_of(0, 3, Inner)) end},
              {1, fun() -> #{Inner() => Inner()} end}]).

-spec io_lib(atom(), arity()) -> {ok, [term()]} | none.
io_lib(Name, Arity)
  when Name =:= format, Arity > 1; Name =:= fwrite; Name =:= scan_format ->
    {Format, Data} = random_source:format(),
    Limit = pick([[], [{chars_limit, between(-1, 30)}]]),
    {ok, lists:sublist([text(fun() -> Format end), Data, Limit], Arity)};
io_lib(Name, Arity) when Name =:= build_text; Name =:= unscan_format ->
    {Format, Data} = random_source:format(),
    try io_lib:scan_format(Format, Data) of
        List -> {ok, lists:sublist([List, []], Arity)}
    catch
        error:badarg -> none
    end;
io_lib(fread, 2) ->
    {Format, Text} = random_source:fread(),
    {ok, [Format, Text]};
io_lib(fread, 3) ->
    {Format, Text} = random_source:fread(),
    {ok, [[], Text, Format]};
io_lib(write_binary, 3) ->
    {ok, [random_terms:binary(), between(-1, 5), between(-1, 20)]};
io_lib(collect_chars, Arity) when Arity > 2 ->
    {ok, collect(Arity, between(0, 6))};
io_lib(collect_line, Arity) when Arity > 2 ->
    {ok, collect(Arity, [])};
io_lib(get_until, Arity) when Arity > 2 ->
    {ok, collect(Arity, pick([{erl_scan, tokens, [1]}, {io_lib, fread, ["~d"]},
                              {io_lib, collect_line, [[]]}]))};
io_lib(Name, 1)
  when Name =:= write_unicode_string; Name =:= deep_unicode_char_list ->
    {ok, [random_terms:string()]};
io_lib(write_unicode_char, 1) ->
    {ok, [random_terms:char()]};
io_lib(_, _) ->
    none.

%% Arguments of the collectors of `io' servers; only four have an encoding.
-spec collect(3 | 4, term()) -> [term()].
collect(Arity, Last) ->
    Binary = unicode:characters_to_binary(random_terms:string()),
    Data = pick([random_terms:string(), Binary, eof]),
    State = pick([start, start, start, [], {binary, [<<"b">>], 3},
                  {list, "ba", 2}, {2, "a"}]),
    case Arity of
        3 -> [State, Data, Last];
        4 -> [State, Data, pick([unicode, latin1]), Last]
    end.
