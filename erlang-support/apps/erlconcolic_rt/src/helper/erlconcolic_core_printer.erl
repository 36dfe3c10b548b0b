%%% Core Erlang as text on few lines, with all annotations, as
%%% core_pp:format_all/1 prints it but for the layout and for lists, which it
%%% nests: [1|[2]]. The time and the length of the text are linear in the size
%%% of the program; those of core_pp are not.
%%%
%%% Fails on nodes that it does not know.
-module(erlconcolic_core_printer).

-export([format/2]).

-type text() :: iodata().

%% Prints the name of a file in an annotation.
-type write_file() :: fun((file:filename()) -> binary()).

%% The text of a module, in UTF-8.
-spec format(cerl:c_module(), write_file()) -> text().
format(Module, WriteFile) ->
    _ = put(?MODULE, {WriteFile, #{}}),
    try
        tree(Module)
    after
        erase(?MODULE)
    end.

-spec tree(cerl:cerl()) -> text().
tree(Node) ->
    annotated(Node, bare(cerl:type(Node), Node)).

-spec trees([cerl:cerl()]) -> text().
trees(Nodes) ->
    lists:join($,, [tree(Node) || Node <- Nodes]).

-spec annotated(cerl:cerl(), text()) -> text().
annotated(Node, Text) ->
    case cerl:get_ann(Node) of
        [] -> Text;
        Annotations -> ["( ", Text, " -| ", annotation(Annotations), " )"]
    end.

-spec annotation(term()) -> text().
annotation({file, [_ | _] = Name}) -> file(Name);
annotation(Term) when is_atom(Term) -> atom(Term);
annotation(Term) when is_integer(Term) -> integer_to_binary(Term);
annotation([]) -> "[]";
annotation(Terms) when is_list(Terms) -> [$[, annotations(Terms), $]];
annotation(Term) when is_tuple(Term) ->
    [${, annotations(tuple_to_list(Term)), $}];
annotation(Term) -> literal(Term).

-spec annotations([term()]) -> text().
annotations(Terms) ->
    lists:join($,, [annotation(Term) || Term <- Terms]).

%% Every node names its file, so its text is made once.
-spec file(file:filename()) -> binary().
file(Name) ->
    case get(?MODULE) of
        {_, #{Name := Text}} ->
            Text;
        {WriteFile, Known} ->
            Text = WriteFile(Name),
            _ = put(?MODULE, {WriteFile, Known#{Name => Text}}),
            Text
    end.

-spec bare(atom(), cerl:cerl()) -> text().
bare(literal, Node) ->
    literal(cerl:concrete(Node));
bare(var, Node) ->
    variable(cerl:var_name(Node));
bare(cons, Node) ->
    [$[, tree(cerl:cons_hd(Node)) | tail(cerl:cons_tl(Node))];
bare(tuple, Node) ->
    [${, trees(cerl:tuple_es(Node)), $}];
bare(values, Node) ->
    values(cerl:values_es(Node));
bare(binary, Node) ->
    ["#{", trees(cerl:binary_segments(Node)), "}#"];
bare(bitstr, Node) ->
    ["#<", tree(cerl:bitstr_val(Node)), ">(",
     trees([cerl:bitstr_size(Node), cerl:bitstr_unit(Node),
            cerl:bitstr_type(Node), cerl:bitstr_flags(Node)]), $)];
bare(map, Node) ->
    ["~{", trees(cerl:map_es(Node)), base(cerl:map_arg(Node)), "}~"];
bare(map_pair, Node) ->
    [tree(cerl:map_pair_key(Node)), operator(cerl:map_pair_op(Node)),
     tree(cerl:map_pair_val(Node))];
bare(alias, Node) ->
    [tree(cerl:alias_var(Node)), " = ", tree(cerl:alias_pat(Node))];
bare(clause, Node) ->
    [values(cerl:clause_pats(Node)), " when ", tree(cerl:clause_guard(Node)),
     " ->\n", tree(cerl:clause_body(Node))];
bare(Type, Node) ->
    code(Type, Node).

-spec code(atom(), cerl:cerl()) -> text().
code('fun', Node) ->
    ["fun (", trees(cerl:fun_vars(Node)), ") ->\n", tree(cerl:fun_body(Node))];
code('let', Node) ->
    ["let ", values(cerl:let_vars(Node)), " = ", tree(cerl:let_arg(Node)),
     " in\n", tree(cerl:let_body(Node))];
code(letrec, Node) ->
    ["letrec\n", definitions(cerl:letrec_defs(Node)), "in ",
     tree(cerl:letrec_body(Node))];
code(seq, Node) ->
    ["do ", tree(cerl:seq_arg(Node)), $\n, tree(cerl:seq_body(Node))];
code('case', Node) ->
    ["case ", tree(cerl:case_arg(Node)), " of\n",
     clauses(cerl:case_clauses(Node)), "end"];
code('receive', Node) ->
    ["receive\n", clauses(cerl:receive_clauses(Node)), "after ",
     tree(cerl:receive_timeout(Node)), " ->\n",
     tree(cerl:receive_action(Node))];
code(apply, Node) ->
    ["apply ", tree(cerl:apply_op(Node)), $(, trees(cerl:apply_args(Node)), $)];
code(call, Node) ->
    ["call ", tree(cerl:call_module(Node)), $:, tree(cerl:call_name(Node)), $(,
     trees(cerl:call_args(Node)), $)];
code(primop, Node) ->
    ["primop ", tree(cerl:primop_name(Node)), $(,
     trees(cerl:primop_args(Node)), $)];
code('catch', Node) ->
    ["catch ", tree(cerl:catch_body(Node))];
code('try', Node) ->
    ["try\n", tree(cerl:try_arg(Node)), "\nof ", values(cerl:try_vars(Node)),
     " ->\n", tree(cerl:try_body(Node)), "\ncatch ",
     values(cerl:try_evars(Node)), " ->\n", tree(cerl:try_handler(Node))];
code(module, Node) ->
    Attributes = [[tree(Key), " = ", tree(Value)]
                  || {Key, Value} <- cerl:module_attrs(Node)],
    ["module ", tree(cerl:module_name(Node)), " [",
     trees(cerl:module_exports(Node)), "]\n    attributes [",
     lists:join(",\n", Attributes), "]\n",
     definitions(cerl:module_defs(Node)), "end"].

-spec definitions([{cerl:cerl(), cerl:cerl()}]) -> text().
definitions(Definitions) ->
    [[tree(Name), " =\n", tree(Fun), $\n] || {Name, Fun} <- Definitions].

-spec clauses([cerl:cerl()]) -> text().
clauses(Clauses) ->
    [[tree(Clause), $\n] || Clause <- Clauses].

-spec values([cerl:cerl()]) -> text().
values(Nodes) ->
    [$<, trees(Nodes), $>].

-spec tail(cerl:cerl()) -> text().
tail(Tail) ->
    case {cerl:get_ann(Tail), cerl:type(Tail)} of
        {[], cons} ->
            [$,, tree(cerl:cons_hd(Tail)) | tail(cerl:cons_tl(Tail))];
        {[], literal} ->
            literal_tail(cerl:concrete(Tail));
        _ ->
            [$|, tree(Tail), $]]
    end.

-spec base(cerl:cerl()) -> text().
base(Map) ->
    case cerl:is_literal(Map) andalso cerl:concrete(Map) =:= #{} of
        true -> [];
        false -> [$|, tree(Map)]
    end.

-spec operator(cerl:cerl()) -> text().
operator(Operator) ->
    case cerl:concrete(Operator) of
        assoc -> "=>";
        exact -> ":="
    end.

%% No two names have the same text.
-spec variable(cerl:var_name()) -> text().
variable({Name, Arity}) ->
    [atom(Name), $/, integer_to_binary(Arity)];
variable(Name) when is_integer(Name) ->
    [$_, integer_to_binary(Name)];
variable(Name) ->
    case atom_to_binary(Name) of
        <<First, _/bitstring>> = Text when First >= $A, First =< $Z -> Text;
        <<$_, _/bitstring>> = Text -> ["_X", Text];
        Text -> [$_, Text]
    end.

-spec literal(term()) -> text().
literal([]) ->
    "[]";
literal(Term) when is_atom(Term) ->
    atom(Term);
literal(Term) when is_integer(Term) ->
    integer_to_binary(Term);
literal(Term) when is_float(Term) ->
    float_to_binary(Term);
literal([Head | Tail]) ->
    [$[, literal(Head) | literal_tail(Tail)];
literal(Term) when is_tuple(Term) ->
    [${, literals(tuple_to_list(Term)), $}];
literal(Term) when is_bitstring(Term) ->
    ["#{", lists:join($,, segments(Term)), "}#"];
literal(Term) when is_map(Term) ->
    Pairs = [[literal(Key), "=>", literal(Value)]
             || {Key, Value} <- maps:to_list(Term)],
    ["~{", lists:join($,, Pairs), "}~"];
literal(Term) when is_function(Term) ->
    {module, Module} = erlang:fun_info(Term, module),
    {name, Name} = erlang:fun_info(Term, name),
    {arity, Arity} = erlang:fun_info(Term, arity),
    ["fun ", atom(Module), $:, atom(Name), $/, integer_to_binary(Arity)].

-spec literals([term()]) -> text().
literals(Terms) ->
    lists:join($,, [literal(Term) || Term <- Terms]).

-spec literal_tail(term()) -> text().
literal_tail([]) -> "]";
literal_tail([Head | Tail]) -> [$,, literal(Head) | literal_tail(Tail)];
literal_tail(Tail) -> [$|, literal(Tail), $]].

%% Whole bytes, and at most one shorter piece at the end.
-spec segments(bitstring()) -> [text()].
segments(<<Byte, Rest/bitstring>>) ->
    [segment(Byte, 8) | segments(Rest)];
segments(<<>>) ->
    [];
segments(Bits) ->
    Size = bit_size(Bits),
    <<Number:Size>> = Bits,
    [segment(Number, Size)].

-spec segment(non_neg_integer(), pos_integer()) -> text().
segment(Number, Size) ->
    ["#<", integer_to_binary(Number), ">(", integer_to_binary(Size),
     ",1,'integer',['unsigned','big'])"].

-spec atom(atom()) -> text().
atom(Atom) ->
    Text = atom_to_binary(Atom),
    case is_plain(Text) of
        true -> [$', Text, $'];
        false ->
            Written = io_lib:write_string(atom_to_list(Atom), $'),
            unicode:characters_to_binary(Written)
    end.

-spec is_plain(binary()) -> boolean().
is_plain(<<Char, Rest/bitstring>>)
  when Char >= $a, Char =< $z; Char >= $A, Char =< $Z; Char >= $0, Char =< $9;
       Char =:= $_; Char =:= $@; Char =:= $.; Char =:= $/; Char =:= $- ->
    is_plain(Rest);
is_plain(Rest) ->
    Rest =:= <<>>.
