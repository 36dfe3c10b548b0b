%%% Tests of compiling source files to Core Erlang and Core Erlang to beams, and
%%% of loading beams.
-module(erlconcolic_compile_tests).

%% Called in place of the compiler.
-export([noenv_forms/2]).

-include_lib("eunit/include/eunit.hrl").

-import(erlconcolic_fixture,
        [in_folder/2, configure/1, to_core/2, run_core/2, unique_name/1]).

returns_module_source_text_and_warnings_test() ->
    Text = "-module(a).\n-export([f/1]).\nf(X) ->\n    Y = 1,\n    {X, b}.\n",
    in_folder([{"a.erl", Text}], fun(Folder) ->
        File = filename:join(Folder, "a.erl"),
        Path = unicode:characters_to_binary(File),
        {ok, #{module := a, source := Path, core := Core,
               warnings := Warnings}} = to_core(File, configure([File])),
        ?assertEqual([{warning, Path, 4, 5, <<"variable 'Y' is unused">>}],
                     Warnings),
        Position = <<"[{5,9},{'file',\"", Path/binary, "\"}]">>,
        ?assertNotEqual(nomatch, binary:match(Core, Position))
    end).

reports_all_errors_in_order_test() ->
    Text = "-module(a).\n-export([f/0]).\nf() -> g(),\n   X.\nh( ->\n1.\n",
    in_folder([{"a.erl", Text}], fun(Folder) ->
        File = filename:join(Folder, "a.erl"),
        Path = unicode:characters_to_binary(File),
        ?assertMatch({error,
                      [{error, Path, 5, 4, <<"syntax error before: '->'">>},
                       {error, Path, 3, 8, <<"function g/0 undefined">>},
                       {error, Path, 4, 4, <<"variable 'X' is unbound">>}]},
                     to_core(File, configure([File])))
    end).

reports_an_error_in_a_header_where_it_is_test() ->
    Files = [{"src/a.erl", "-module(a).\n-include(\"b.hrl\").\n"},
             {"include/b.hrl", "\n  -record(r, {a, a}).\n"}],
    in_folder(Files, fun(Folder) ->
        File = filename:join(Folder, "src/a.erl"),
        Header = unicode:characters_to_binary(
                     filename:join(Folder, "include/b.hrl")),
        ?assertMatch({error, [{error, Header, 2, _,
                               <<"field a already defined in record r">>}
                              | _]},
                     to_core(File, configure([File])))
    end).

reports_warnings_that_the_file_makes_errors_test() ->
    Text = "-module(a).\n-compile(warnings_as_errors).\nf() -> ok.\n",
    in_folder([{"a.erl", Text}], fun(Folder) ->
        ?assertMatch({error, [{error, _, 0, 0,
                               <<"warnings being treated as errors">>},
                              {warning, _, 3, 1,
                               <<"function f/0 is unused">>}]},
                     to_core(filename:join(Folder, "a.erl"), configure([])))
    end).

adds_warnings_of_a_project_that_was_not_configured_test() ->
    Files = [{"rebar.config", "{"}, {"a.erl", "-module(a).\n"}],
    in_folder(Files, fun(Folder) ->
        Config = unicode:characters_to_binary(
                     filename:join(Folder, "rebar.config")),
        ?assertMatch({ok, #{warnings := [{warning, Config, 1, _, _}]}},
                     to_core(filename:join(Folder, "a.erl"), configure([])))
    end).

says_why_a_file_cannot_be_compiled_test() ->
    in_folder([{"a.txt", ""}, {"d.erl/x", ""}], fun(Folder) ->
        [?assertEqual({error, [{error, list_to_binary(File), 0, 0, Text}]},
                      to_core(File, configure([])))
         || {Name, Text} <-
                [{"none.erl", <<"no such file or directory">>},
                 {"d.erl", <<"illegal operation on a directory">>},
                 {"a.txt", <<"neither an .erl nor a .beam file">>}],
            File <- [filename:join(Folder, Name)]]
    end).

core_erlang_becomes_the_same_module_test() ->
    Module = unique_name("erlconcolic_m_"),
    Text = ["-module(", Module, ").\n-export([f/0]).\n"
            "f() -> lists:sum([X * X || X <- lists:seq(1, 4)]).\n"],
    in_folder([{Module ++ ".erl", Text}], fun(Folder) ->
        File = filename:join(Folder, Module ++ ".erl"),
        {ok, #{core := Core}} = to_core(File, configure([File])),
        ?assertEqual(30, run_core(Core, f))
    end).

compiles_the_kept_tree_of_a_text_test() ->
    in_folder([{"a.erl", "-module(a).\n"}], fun(Folder) ->
        File = filename:join(Folder, "a.erl"),
        ok = erlconcolic_trees:start(),
        {ok, #{core := Core}} = to_core(File, configure([File])),
        Code = fun() -> erlconcolic_compile:to_code(Core) end,
        ?assertEqual({ok, none}, erlconcolic_compile:to_code(<<"other">>)),
        {ok, #{module := a, beam := Expected}} =
            erlconcolic_compile:from_core(Core, usual),
        {ok, #{module := a, beam := Beam}} = Code(),
        ?assertEqual(beam_lib:md5(Expected), beam_lib:md5(Beam)),
        ?assertEqual({ok, none}, Code()),
        true = ets:delete(erlconcolic_trees)
    end).

%% Enough clauses to be compiled without all optimisations.
a_large_module_means_the_same_test_() ->
    {timeout, 120, fun a_large_module_means_the_same/0}.

a_large_module_means_the_same() ->
    Number = 7000,
    Clauses = [io_lib:format("f({a, ~b, X}) when X > ~b -> {X + ~b};~n",
                             [N, N, N]) || N <- lists:seq(1, Number)],
    Source = ["-module(large).\n-export([f/1]).\n", Clauses,
              "f(X) -> hd(X).\n"],
    in_folder([{"large.erl", Source}], fun(Folder) ->
        File = filename:join(Folder, "large.erl"),
        ok = erlconcolic_trees:start(),
        {ok, #{core := Core}} = to_core(File, configure([File])),
        ?assert(byte_size(Core) > 2_000_000),
        {ok, #{beam := Beam}} = erlconcolic_compile:to_code(Core),
        {ok, large} = erlconcolic_compile:load(large, <<"large.beam">>, Beam),
        ?assertEqual({2 * Number + 1}, large:f({a, Number, Number + 1})),
        ?assertError(badarg, large:f({a, Number, Number})),
        ?assertEqual(1, large:f([1])),
        true = code:delete(large),
        false = code:purge(large),
        true = ets:delete(erlconcolic_trees)
    end).

%% The compiler may fail without some of its passes, or make code that the
%% emulator rejects.
compiles_as_usual_if_fast_compilation_fails_test_() ->
    [?_test(begin
                _ = put(?MODULE, Result),
                {ok, #{module := m, beam := Beam}} =
                    erlconcolic_compile:from_core(core(), quick, core_scan,
                                                  ?MODULE),
                ?assertEqual({ok, #{module => m, beam => Beam}},
                             erlconcolic_compile:from_core(core(), usual)),
                ?assertEqual([quick, usual], erase({?MODULE, efforts}))
            end)
     || Result <- [{error, [{"", [{none, compile, bad}]}], []},
                   {ok, m, <<"no code">>, []}]].

compiles_once_if_fast_compilation_succeeds_test() ->
    _ = put(?MODULE, usual),
    ?assertMatch({ok, #{module := m}},
                 erlconcolic_compile:from_core(core(), quick, core_scan,
                                               ?MODULE)),
    ?assertEqual([quick], erase({?MODULE, efforts})).

core() ->
    <<"module 'm' ['f'/0]\n  attributes []\n'f'/0 = fun () -> 'x'\nend">>.

%% A compiler that returns what a test wants when it compiles fast.
noenv_forms(Forms, Options) ->
    Effort = case lists:member(no_ssa_opt, Options) of
                 true -> quick;
                 false -> usual
             end,
    Efforts = case get({?MODULE, efforts}) of
                  undefined -> [];
                  Some -> Some
              end,
    _ = put({?MODULE, efforts}, Efforts ++ [Effort]),
    case {Effort, get(?MODULE)} of
        {quick, Result} when is_tuple(Result) -> Result;
        {_, _} -> compile:noenv_forms(Forms, Options)
    end.

says_where_core_erlang_is_wrong_test_() ->
    [?_test(begin
                {error, [{error, <<>>, Line, 0, Message} | _]} =
                    erlconcolic_compile:from_core(Text, usual),
                ?assertMatch({0, _}, binary:match(Message, Words))
            end)
     || {Text, Line, Words} <-
            [{<<"module 'm' []\nattributes []\n'f'/0 = \"x">>, 3,
              <<"unterminated string">>},
             {<<"module 'm' []\nattributes []\n)">>, 3,
              <<"syntax error before: ')'">>},
             {<<"module 'm' ['f'/0]\nattributes []\nend">>, 0,
              <<"function f/0 undefined">>},
             {<<"module '", 255, "' []">>, 1, <<"illegal atom">>}]].

loads_also_a_sticky_module_test() ->
    Module = unique_name("erlconcolic_m_"),
    Name = list_to_atom(Module),
    Text = fun(Value) -> ["-module(", Module, ").\n-export([f/0]).\n"
                          "f() -> ", Value, ".\n"] end,
    in_folder([{Module ++ ".erl", Text("first")}], fun(Folder) ->
        _ = erlconcolic_fixture:write_beam(Folder, Module ++ ".erl", []),
        true = code:add_patha(Folder),
        ok = code:stick_dir(Folder),
        {module, Name} = code:load_file(Name),
        true = code:is_sticky(Name),
        File = filename:join(Folder, Module ++ ".erl"),
        ok = file:write_file(File, Text("second")),
        {ok, Name, Beam} = compile:noenv_file(File, [binary]),
        Path = list_to_binary(File),
        ?assertEqual({ok, Name}, erlconcolic_compile:load(Name, Path, Beam)),
        ?assertEqual(second, Name:f()),
        code:del_path(Folder)
    end).

%% The code server logs it as well.
says_why_a_beam_cannot_be_loaded_test() ->
    ok = logger:add_primary_filter(?MODULE, {fun(_, _) -> stop end, []}),
    Result = erlconcolic_compile:load(erlconcolic_x, <<"x.beam">>, <<"text">>),
    ok = logger:remove_primary_filter(?MODULE),
    ?assertEqual({error, [{error, <<"x.beam">>, 0, 0,
                           <<"cannot be loaded: badfile">>}]}, Result).

%% Text with an empty line before each function is read piece by piece.
text_is_read_in_pieces_test_() ->
    {timeout, 120, fun text_is_read_in_pieces/0}.

text_is_read_in_pieces() ->
    Module = unique_name("erlconcolic_m"),
    Function = fun(Number) ->
                       Name = integer_to_list(Number),
                       ["\n'f", Name, "'/0 = fun () -> ", Name, "\n"]
               end,
    Text = fun(Last) ->
                   iolist_to_binary(
                     ["module '", Module, "' ['f7'/0] attributes []\n",
                      lists:map(Function, lists:seq(1, 9000)), Last,
                      "\nend\n"])
           end,
    ?assertEqual(7, run_core(Text(""), f7)),
    %% Pieces that cannot be read by themselves are read together.
    ?assertEqual(7, run_core(Text("\n'g'/0 = fun ()\n\n -> 1\n"), f7)),
    ?assertMatch({error, [_ | _]},
                 erlconcolic_compile:from_core(Text("\n'g'/0 = 1 1"), usual)).

%% Each piece is a module, and the first one has the name.
tokens_give_the_same_code_as_text_test() ->
    Head = "module 'm' ['f'/0,'g'/1] attributes [] ",
    F = "'f'/0 = fun () -> apply 'g'/1('x') ",
    G = "'g'/1 = fun (X) -> {X,\"a\\n\",1.5} ",
    Pieces = [tokens(Head ++ F ++ "end"),
              tokens("module 'n' [] attributes [] " ++ G ++ "end")],
    Text = list_to_binary(Head ++ F ++ G ++ "end"),
    {ok, #{module := m, beam := Expected}} =
        erlconcolic_compile:from_core(Text, quick),
    {ok, #{module := m, beam := Beam}} =
        erlconcolic_compile:from_tokens(Pieces, byte_size(Text)),
    ?assertEqual(beam_lib:md5(Expected), beam_lib:md5(Beam)).

tokens_that_are_no_module_are_refused_test() ->
    [?assertEqual({ok, none}, erlconcolic_compile:from_tokens(Pieces, 0))
     || Pieces <- [[], [<<>>], [tokens("module 'm'")],
                   [tokens("module 'm' [] attributes [] "
                           "'f'/0 = fun () -> X end")]]].

tokens(Text) ->
    {ok, Tokens, _} = core_scan:string(Text),
    term_to_binary(Tokens).

%% The compiler may know no core transforms.
checked_code_is_compiled_as_it_is_test() ->
    {ok, Tokens, _} = core_scan:string(binary_to_list(core())),
    {ok, Tree} = core_parse:parse(Tokens),
    {ok, m, Beam, _} = erlconcolic_core_code:compile(Tree, []),
    {ok, m, Expected} = compile:noenv_forms(Tree, [from_core, binary]),
    ?assertEqual(beam_lib:md5(Expected), beam_lib:md5(Beam)),
    {ok, m, Other, _} = erlconcolic_core_code:compile(Tree, [no_copt]),
    ?assertEqual(beam_lib:md5(Expected), beam_lib:md5(Other)).
