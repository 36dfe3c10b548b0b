%%% Tests of the types of arguments. Most are about the one argument of a
%%% function f in a module a; its type is then number 0.
-module(erlconcolic_types_tests).

-include_lib("eunit/include/eunit.hrl").

-import(erlconcolic_fixture, [in_folder/2, write_beam/3]).

-define(ALL, {integer, neg_inf, pos_inf}).
-define(CHAR, {integer, 0, 16#10ffff}).

simple_types_test_() ->
    check([{"any()", [[any]]},
           {"term()", [[any]]},
           {"none()", [[]]},
           {"no_return()", [[]]},
           {"a", [[{atom, a}]]},
           {"atom()", [[atom]]},
           {"module()", [[atom]]},
           {"node()", [[atom]]},
           {"boolean()", [[{atom, true}, {atom, false}]]},
           {"float()", [[float]]},
           {"number()", [[?ALL, float]]},
           {"timeout()", [[{atom, infinity}, {integer, 0, pos_inf}]]},
           {"identifier()", [[pid, port, reference]]},
           {"pid()", [[pid]]},
           {"port()", [[port]]},
           {"reference()", [[reference]]},
           {"X :: atom()", [[atom]]},
           {"(atom())", [[atom]]},
           {"_", [[any]]},
           {"_X", [[any]]}]).

integers_test_() ->
    check([{"integer()", [[?ALL]]},
           {"pos_integer()", [[{integer, 1, pos_inf}]]},
           {"non_neg_integer()", [[{integer, 0, pos_inf}]]},
           {"neg_integer()", [[{integer, neg_inf, -1}]]},
           {"byte()", [[{integer, 0, 255}]]},
           {"arity()", [[{integer, 0, 255}]]},
           {"char()", [[?CHAR]]},
           {"7", [[{integer, 7, 7}]]},
           {"-7", [[{integer, -7, -7}]]},
           {"$a", [[{integer, 97, 97}]]},
           {"1..3", [[{integer, 1, 3}]]},
           {"-3..-1", [[{integer, -3, -1}]]},
           {"$a..$z", [[{integer, 97, 122}]]},
           {"0..(1 bsl 3) - 1", [[{integer, 0, 7}]]},
           {"(2 + 3) * 2", [[{integer, 10, 10}]]}]).

unions_test_() ->
    check([{"a | 1 | a", [[{atom, a}, {integer, 1, 1}]]},
           {"a | any()", [[any]]},
           {"a | none()", [[{atom, a}]]},
           {"a | boolean() | 1.. 2",
            [[{atom, a}, {atom, true}, {atom, false}, {integer, 1, 2}]]}]).

lists_test_() ->
    check([{"[]", [[nil]]},
           {"nil()", [[nil]]},
           {"list()", [[nil, {cons, 1, 0}], [any]]},
           {"[a]", [[nil, {cons, 1, 0}], [{atom, a}]]},
           {"list(a)", [[nil, {cons, 1, 0}], [{atom, a}]]},
           {"[a, ...]", [[{cons, 1, 2}], [{atom, a}], [nil, {cons, 1, 2}]]},
           {"nonempty_list(a)",
            [[{cons, 1, 2}], [{atom, a}], [nil, {cons, 1, 2}]]},
           {"nonempty_list()", [[{cons, 1, 2}], [any], [nil, {cons, 1, 2}]]},
           {"maybe_improper_list()", [[nil, {cons, 1, 1}], [any]]},
           {"maybe_improper_list(a, b)",
            [[nil, {cons, 1, 2}], [{atom, a}], [{atom, b}, {cons, 1, 2}]]},
           {"nonempty_improper_list(a, b)",
            [[{cons, 1, 2}], [{atom, a}], [{atom, b}, {cons, 1, 2}]]},
           {"nonempty_maybe_improper_list()", [[{cons, 1, 1}], [any]]},
           {"nonempty_maybe_improper_list(a, b | [])",
            [[{cons, 1, 2}], [{atom, a}],
             [{atom, b}, nil, {cons, 1, 2}]]},
           {"[a] | [b]",
            [[nil, {cons, 1, 2}, {cons, 3, 4}], [{atom, a}],
             [nil, {cons, 1, 2}], [{atom, b}], [nil, {cons, 3, 4}]]},
           {"string()", [[nil, {cons, 1, 0}], [?CHAR]]},
           {"nonempty_string()", [[{cons, 1, 2}], [?CHAR],
                                  [nil, {cons, 1, 2}]]},
           {"iolist()",
            [[nil, {cons, 1, 2}],
             [{integer, 0, 255}, {bitstring, 0, 8}, nil, {cons, 1, 2}],
             [{bitstring, 0, 8}, nil, {cons, 1, 2}]]},
           {"iodata()",
            [[nil, {cons, 1, 2}, {bitstring, 0, 8}],
             [{integer, 0, 255}, {bitstring, 0, 8}, nil, {cons, 1, 2}],
             [{bitstring, 0, 8}, nil, {cons, 1, 2}]]}]).

tuples_and_maps_test_() ->
    check([{"tuple()", [[tuple]]},
           {"{}", [[{tuple, []}]]},
           {"{a, b, a}", [[{tuple, [1, 2, 1]}], [{atom, a}], [{atom, b}]]},
           {"mfa()", [[{tuple, [1, 1, 2]}], [atom], [{integer, 0, 255}]]},
           {"map()", [[map]]},
           {"#{}", [[{map, []}]]},
           {"#{a := 1, b => _}",
            [[{map, [{required, 1, 2}, {optional, 3, 4}]}],
             [{atom, a}], [{integer, 1, 1}], [{atom, b}], [any]]}]).

bitstrings_test_() ->
    check([{"<<>>", [[{bitstring, 0, 0}]]},
           {"<<_:16>>", [[{bitstring, 16, 0}]]},
           {"<<_:_*4>>", [[{bitstring, 0, 4}]]},
           {"<<_:3, _:_*5>>", [[{bitstring, 3, 5}]]},
           {"binary()", [[{bitstring, 0, 8}]]},
           {"bitstring()", [[{bitstring, 0, 1}]]},
           {"nonempty_binary()", [[{bitstring, 8, 8}]]},
           {"nonempty_bitstring()", [[{bitstring, 1, 1}]]}]).

functions_test_() ->
    check([{"fun()", [[function]]},
           {"function()", [[function]]},
           {"fun((...) -> a)", [[{function, any, 1}], [{atom, a}]]},
           {"fun(() -> a)", [[{function, [], 1}], [{atom, a}]]},
           {"fun((a, b) -> no_return())",
            [[{function, [1, 2], 3}], [{atom, a}], [{atom, b}], []]}]).

records_test_() ->
    Records = "-record(p, {x :: 1 | 2, y = 3, z}).\n"
              "-record(l, {next :: #l{} | nil, v = a :: b}).\n",
    check(Records,
          [{"#p{}",
            [[{tuple, [1, 2, 3, 3]}], [{atom, p}],
             [{integer, 1, 1}, {integer, 2, 2}], [any]]},
           {"#p{x :: 1, z :: 1}",
            [[{tuple, [1, 2, 3, 2]}], [{atom, p}], [{integer, 1, 1}],
             [any]]},
           {"#l{}",
            [[{tuple, [1, 2, 3]}], [{atom, l}],
             [{tuple, [1, 2, 3]}, {atom, nil}], [{atom, b}]]}]).

named_types_test_() ->
    check("-type flag() :: on | off.\n"
          "-type pair(X, Y) :: {X, Y}.\n"
          "-opaque hidden(X) :: {hidden, X}.\n"
          "-export_type([hidden/1]).\n"
          "-type phantom(_X) :: atom().\n"
          "-type tree(X) :: leaf | {tree(X), X, tree(X)}.\n"
          "-type even() :: [] | [a | odd()].\n"
          "-type odd() :: {even()}.\n",
          [{"flag()", [[{atom, on}, {atom, off}]]},
           {"flag() | 1", [[{atom, on}, {atom, off}, {integer, 1, 1}]]},
           {"pair(a, b)", [[{tuple, [1, 2]}], [{atom, a}], [{atom, b}]]},
           {"hidden(a)", [[{tuple, [1, 2]}], [{atom, hidden}], [{atom, a}]]},
           {"phantom(a)", [[atom]]},
           {"tree(a)", [[{atom, leaf}, {tuple, [0, 1, 0]}], [{atom, a}]]},
           {"even()", [[nil, {cons, 1, 0}], [{atom, a}, {tuple, [0]}]]}]).

types_without_values_test_() ->
    check("-type t() :: t() | a.\n"
          "-type u() :: v().\n"
          "-type v() :: u().\n"
          "-type w() :: {w()}.\n"
          "-type same(X) :: X.\n"
          "-type chain(X) :: nil | {X, chain(same(X))}.\n",
          [{"t()", [[{atom, a}]]},
           {"u()", [[]]},
           {"w()", [[]]},
           {"a | w()", [[{atom, a}]]},
           {"{a, none()} | b", [[{atom, b}]]},
           {"[none()]", [[nil]]},
           {"#{a := none()} | b", [[{atom, b}]]},
           {"#{none() => a}", [[{map, []}]]},
           {"#{a => none()}", [[{map, [{optional, 1, 2}]}], [{atom, a}], []]},
           {"chain(a)", [[{atom, nil}, {tuple, [1, 0]}], [{atom, a}]]}]).

types_with_infinitely_many_instances_test() ->
    #{types := Types, warnings := Warnings} =
        declared("-type t(X) :: nil | {X, t([X])}.\n", "t(a)"),
    ?assert(length(Types) < 1000),
    ?assertEqual([<<"the type a:t/1 has too many instances; using any() "
                    "for the others">>], Warnings).

records_with_infinitely_many_instances_test() ->
    #{warnings := Warnings} =
        declared("-record(r, {x}).\n"
                 "-type t(X) :: nil | {t(#r{x :: #r{x :: X}})}.\n", "t(a)"),
    ?assertMatch([<<"the type a:#r{} has ", _/binary>>], Warnings).

%% The compiler accepts this since OTP 26.
own_types_come_before_built_in_ones_test() ->
    ?assertMatch(#{types := [[{bitstring, 0, 8}]], warnings := []},
                 of_forms([{attribute, 1, type, {string, type(binary), []}}
                           | spec([type(string)])])).

%% `[]' and `nil()' are equal in the forms.
some_own_types_cannot_be_told_from_built_in_ones_test() ->
    ?assertMatch(#{types := [[nil]]},
                 of_forms([{attribute, 1, type, {nil, type(atom), []}}
                           | spec([type(nil)])])).

%% Types that the compiler of this release does not accept.
types_of_other_releases_test_() ->
    Nominal = {attribute, 1, nominal, {t, type(atom), []}},
    [?_assertEqual(#{clauses => [[0]], types => [Alternatives],
                     warnings => []},
                   of_forms([Nominal | spec([Type])]))
     || {Type, Alternatives} <- [{type(dynamic), [any]},
                                 {type(bool), [{atom, true}, {atom, false}]},
                                 {{user_type, 1, t, []}, [atom]},
                                 {{paren_type, 1, [type(atom)]}, [atom]}]].

constraints_test_() ->
    [?_assertEqual(#{clauses => Clauses, types => Types, warnings => []},
                   declared_spec("", Spec))
     || {Spec, Clauses, Types} <-
            [{"(X, X) -> ok when X :: a", [[0, 0]], [[{atom, a}]]},
             {"(X, Y) -> ok when X :: [Y], Y :: a", [[0, 1]],
              [[nil, {cons, 1, 0}], [{atom, a}]]},
             {"(X, _Y) -> ok when is_subtype(X, a)", [[0, 1]],
              [[{atom, a}], [any]]},
             {"(X, Y) -> ok when X :: {Y} | a, Y :: {X} | b", [[0, 1]],
              [[{tuple, [1]}, {atom, a}], [{tuple, [2]}, {atom, b}], [any]]},
             {"(X, Y) -> Y when X :: X, Y :: any()", [[0, 0]], [[any]]}]].

overloaded_specs_test() ->
    ?assertEqual(#{clauses => [[0, 1], [1, 0]],
                   types => [[{atom, a}], [{atom, b}]],
                   warnings => []},
                 declared_spec("", "(a, X) -> ok when X :: b;\n"
                                   "(X, a) -> ok when X :: b")).

several_constraints_on_one_variable_test() ->
    ?assertEqual(#{clauses => [[0, 1]], types => [[{atom, a}], [any]],
                   warnings => [<<"the variable X has several constraints; "
                                  "using the first">>]},
                 declared_spec("", "(X, _) -> ok when X :: a, X :: b")).

spec_with_a_module_test() ->
    ?assertMatch(#{types := [[{atom, a}]]},
                 of_source("-spec a:f(a) -> ok.\nf(a) -> ok.\n", {f, 1})).

without_a_spec_test() ->
    ?assertEqual(none, of_source("f(a) -> ok.\n", {f, 1})).

core_files_have_no_specs_test() ->
    ?assertEqual(none, types("a.core", ["a.core"], {f, 1})).

callbacks_test_() ->
    Behaviour = "-module(b).\n-type t() :: {b}.\n-callback f(t()) -> ok.\n"
                "-callback f(a, b) -> ok.\n",
    [{Name, ?_test(in_folder(
         [{"b.erl", Behaviour},
          {"a.erl", module(["-", Name, "(none_such).\n-", Name, "(b).\n",
                            Spec, "f(_) -> ok.\n"])}],
         fun(Folder) ->
                 Files = in(Folder, ["a.erl", "b.erl"]),
                 ?assertEqual(#{clauses => [[0]], types => Types,
                                warnings => []},
                              types(hd(Files), Files, {f, 1}))
         end))}
     || Name <- ["behaviour", "behavior"],
        {Spec, Types} <- [{"", [[{tuple, [1]}], [{atom, b}]]},
                          {"-spec f(c) -> ok.\n", [[{atom, c}]]}]].

callbacks_of_otp_test() ->
    Source = "-behaviour(supervisor).\n-behaviour(gen_server).\n"
             "handle_call(_, _, State) -> {noreply, State}.\n",
    ?assertMatch(#{clauses := [[0, 1, 0]],
                   types := [[any], [{tuple, [2, 3]}], [pid], _ | _]},
                 of_source(Source, {handle_call, 3})),
    ?assertEqual(none, of_source(Source, {handle_some, 3})).

remote_types_test_() ->
    Files = [{"b.erl", "-module(b).\n-export_type([t/1, u/0]).\n"
                       "-record(r, {x :: b}).\n"
                       "-type t(X) :: {X, local(), #r{}}.\n"
                       "-type local() :: a:u().\n"
                       "-opaque u() :: 1.\n"},
             {"a.erl", module("-type u() :: local.\n-export_type([u/0]).\n"
                              "-spec f(b:t(b:u())) -> ok.\nf(_) -> ok.\n")}],
    [?_test(in_folder(Files, fun(Folder) ->
         _ = [write_beam(Folder, Name, [debug_info])
              || Name <- ["a.erl", "b.erl"]],
         [File | _] = Paths = in(Folder, Names),
         ?assertEqual(#{clauses => [[0]],
                        types => [[{tuple, [1, 2, 3]}], [{integer, 1, 1}],
                                  [{atom, local}], [{tuple, [4, 5]}],
                                  [{atom, r}], [{atom, b}]],
                        warnings => []},
                      types(File, Paths, {f, 1}))
     end))
     || Names <- [["a.erl", "b.erl"], ["a.beam", "b.beam"],
                  ["a.erl", "b.core", "b.beam"],
                  %% It is in the same project.
                  ["a.erl"]]].

%% The module erlang is preloaded, and declares the built-in types again.
remote_types_of_otp_test_() ->
    check([{"erlang:timestamp()", [[{tuple, [1, 1, 1]}],
                                   [{integer, 0, pos_inf}]]},
           {"queue:queue(a)", [[{tuple, [1, 1]}], [nil, {cons, 2, 1}],
                               [{atom, a}]]},
           {"unicode:charlist()",
            [[nil, {cons, 1, 2}],
             [?CHAR, {bitstring, 0, 8}, nil, {cons, 1, 2}],
             [{bitstring, 0, 8}, nil, {cons, 1, 2}]]}]).

parse_transforms_are_applied_test() ->
    Transform = "-module(pt).\n-export([parse_transform/2]).\n"
                "parse_transform(Forms, _) ->\n"
                "    [case Form of\n"
                "         {attribute, L, spec, {F, [Fun]}} ->\n"
                "             {attribute, L, spec, {F, [change(Fun)]}};\n"
                "         _ -> Form\n"
                "     end || Form <- Forms].\n"
                "change({type, L, 'fun', [_, R]}) ->\n"
                "    {type, L, 'fun',\n"
                "     [{type, L, product, [{atom, L, changed}]}, R]}.\n",
    Source = module("-compile({parse_transform, pt}).\n"
                    "-spec f(?TYPE) -> ok.\nf(_) -> ok.\n"),
    in_folder([{"pt.erl", Transform}, {"a.erl", Source}], fun(Folder) ->
        [File] = in(Folder, ["a.erl"]),
        ok = erlconcolic_fixture:start_transforms(),
        {ok, Context, []} = erlconcolic_fixture:configure(
            [File], #{defines => [{<<"TYPE">>, <<"a">>}]}),
        ?assertMatch([#{types := [[{atom, changed}]]}],
                     erlconcolic_types:types(request(File, [], {f, 1}),
                                             Context))
    end).

several_functions_have_types_of_their_own_test() ->
    Source = module("-type t() :: a | b.\n"
                    "-spec f(t()) -> ok.\nf(_) -> ok.\n"
                    "-spec g(t(), none_such:t()) -> ok.\ng(_, _) -> ok.\n"
                    "-spec h(c) -> ok.\nh(_) -> ok.\n"),
    in_folder([{"a.erl", Source}], fun(Folder) ->
        [File] = in(Folder, ["a.erl"]),
        Request = request(File, [File], {f, 1}),
        ok = erlconcolic_fixture:start_transforms(),
        ?assertMatch([#{types := [[{atom, c}]], warnings := []}, none,
                      #{clauses := [[0, 1]], warnings := [_]},
                      #{types := [[{atom, a}, {atom, b}]], warnings := []}],
                     erlconcolic_types:types(
                         Request#{functions := [{h, 1}, {h, 2}, {g, 2},
                                                {f, 1}]},
                         erlconcolic_project:new()))
    end).

unknown_types_are_named_test_() ->
    [?_assertEqual(#{clauses => [[0]], types => [[any]],
                     warnings => [Warning]}, of_forms(spec([Type])))
     || {Type, Warning} <-
            [{remote(none_such, t, []),
              <<"the type none_such:t/0 is unknown; using any()">>},
             {remote(lists, 'T', [type(any)]),
              <<"the type lists:'T'/1 is unknown; using any()">>},
             {{user_type, 1, t, []},
              <<"the type a:t/0 is unknown; using any()">>},
             {{type, 1, record, [{atom, 1, r}]},
              <<"the record #r of the module a is unknown; using any()">>},
             {type(later),
              <<"the built-in type later/0 is unknown; using any()">>},
             {type(list, [type(any), type(any)]),
              <<"the built-in type list/2 is unknown; using any()">>},
             {type(range, [{integer, 1, 1}, type(any)]),
              <<"the built-in type range/2 is unknown; "
                "using any()">>},
             {type(range, [{integer, 1, 1},
                           {op, 1, 'div', {integer, 1, 1},
                            {integer, 1, 0}}]),
              <<"the built-in type range/2 is unknown; "
                "using any()">>},
             {type(list, any),
              <<"the type {type,1,list,any} in the module a is not "
                "supported; using any()">>},
             {{remote_type, 1, [{var, 1, 'M'}, {atom, 1, t}, []]},
              <<"the type {remote_type,1,[{var,1,'M'},{atom,1,t},[]]} in the "
                "module a is not supported; using any()">>},
             {no_form,
              <<"the type no_form in the module a is not supported; "
                "using any()">>}]].

unsupported_parts_of_types_test_() ->
    Record = {attribute, 1, record, {r, [{record_field, 1, {atom, 1, x}},
                                         no_field]}},
    [?_assertEqual({Types, 1},
                   begin
                       #{types := Found, warnings := Warnings} =
                           of_forms([Record | spec([Type])]),
                       {Found, length(Warnings)}
                   end)
     || {Type, Types} <-
            [{type('fun', [no_arguments, type(any)]), [[function]]},
             {type(map, [no_pair]), [[{map, []}]]},
             {type(record, [{atom, 1, r}, no_field]),
              [[{tuple, [1, 2]}], [{atom, r}], [any]]}]].

specs_that_cannot_be_read_test_() ->
    Warning = <<"the spec of a:f/1 cannot be read; using any()">>,
    [?_assertEqual(#{clauses => [[0]], types => [[any]],
                     warnings => [Warning]},
                   of_forms([{attribute, 1, spec, {{f, 1}, [Clause]}}]))
     || Clause <- [no_clause,
                   type('fun', [type(product, []), type(any)]),
                   type(bounded_fun, [no_clause, []])]].

constraints_that_cannot_be_read_test() ->
    Clause = type('fun', [type(product, [{var, 1, 'X'}]), type(any)]),
    Spec = {{f, 1}, [type(bounded_fun, [Clause, [nothing]])]},
    ?assertEqual(#{clauses => [[0]], types => [[any]],
                   warnings => [<<"the constraint nothing is not supported; "
                                  "it is ignored">>]},
                 of_forms([{attribute, 1, spec, Spec}])).

files_that_cannot_be_read_test_() ->
    [?_test(in_folder([{"a.erl", "-module(a).\nf(\n"}, {"a.beam", ""}],
                      fun(Folder) ->
         [File] = in(Folder, [Name]),
         Text = <<"the spec of ", Of/binary, " cannot be read: ", Why/binary,
                  "; using any()">>,
         ?assertEqual(#{clauses => [[0, 0]], types => [[any]],
                        warnings => [Text]}, types(File, [], {f, 2}))
     end))
     || {Name, Of, Why} <-
            [{"a.erl", <<"a:f/2">>, <<"syntax error before: ">>},
             {"a.beam", <<"a:f/2">>, <<"not a BEAM file">>},
             {"no.beam", <<"no:f/2">>, <<"no such file or directory">>}]].

%% Nothing is known about a file that does not compile.
types_in_files_that_cannot_be_read_test() ->
    Files = [{"b.erl", "-module(b).\nf(\n"},
             {"a.erl", module("-spec f(b:t()) -> ok.\nf(_) -> ok.\n")}],
    in_folder(Files, fun(Folder) ->
        [File | _] = Paths = in(Folder, ["a.erl", "b.erl"]),
        ?assertEqual(#{clauses => [[0]], types => [[any]],
                       warnings => [<<"the type b:t/0 is unknown; using "
                                      "any()">>]},
                     types(File, Paths, {f, 1}))
    end).

%% Tests `f(Type)' for pairs of a type and all types of the answer.
check(Tests) ->
    check("", Tests).

check(Declarations, Tests) ->
    [{Type, ?_assertEqual(#{clauses => [[0]], types => Types, warnings => []},
                          declared(Declarations, Type))}
     || {Type, Types} <- Tests].

declared(Declarations, Type) ->
    of_source([Declarations, "-spec f(", Type, ") -> ok.\nf(_) -> ok.\n"],
              {f, 1}).

declared_spec(Declarations, Spec) ->
    of_source([Declarations, "-spec f", Spec, ".\nf(_, _) -> ok.\n"], {f, 2}).

of_source(Text, Function) ->
    in_folder([{"a.erl", module(Text)}], fun(Folder) ->
        [File] = in(Folder, ["a.erl"]),
        types(File, [File], Function)
    end).

%% The types of f/1 in a beam with these forms as its debug information.
of_forms(Forms) ->
    in_folder([{"a.erl", "-module(a).\n"}], fun(Folder) ->
        Beam = write_beam(Folder, "a.erl", []),
        {ok, a, Chunks} = beam_lib:all_chunks(Beam),
        All = [{attribute, 1, module, a} | Forms],
        Info = {debug_info_v1, erl_abstract_code, {All, []}},
        {ok, Bytes} = beam_lib:build_module(
            [{"Dbgi", term_to_binary(Info)}
             | lists:keydelete("Dbgi", 1, Chunks)]),
        ok = file:write_file(Beam, Bytes),
        types(Beam, [], {f, 1})
    end).

types(File, Sources, Function) ->
    ok = erlconcolic_fixture:start_transforms(),
    [Types] = erlconcolic_types:types(request(File, Sources, Function),
                                      erlconcolic_project:new()),
    case Types of
        none ->
            none;
        #{excluded := [], unmade := []} ->
            maps:without([excluded, unmade], Types)
    end.

request(File, Sources, Function) ->
    #{path => unicode:characters_to_binary(File),
      functions => [Function],
      opaque => open,
      sources => lists:map(fun unicode:characters_to_binary/1, Sources)}.

module(Text) ->
    ["-module(a).\n-compile([export_all, nowarn_export_all]).\n", Text].

in(Folder, Names) ->
    [filename:join(Folder, Name) || Name <- Names].

spec(Arguments) ->
    [{attribute, 1, spec,
      {{f, 1}, [type('fun', [type(product, Arguments), type(any)])]}}].

remote(Module, Name, Arguments) ->
    {remote_type, 1, [{atom, 1, Module}, {atom, 1, Name}, Arguments]}.

type(Name) ->
    type(Name, []).

type(Name, Arguments) ->
    {type, 1, Name, Arguments}.
