%%% Tests of finding the project of a file and its compiler options. Most
%%% compile a function f/0 and check the constant that it returns.
-module(erlconcolic_project_tests).

-include_lib("eunit/include/eunit.hrl").

-import(erlconcolic_fixture, [in_folder/2, configure/1, configure/2]).

finds_headers_of_a_plain_file_test() ->
    Files = [{"a.erl", source("a", ["here.hrl"], "?HERE")},
             {"here.hrl", "-define(HERE, here)."}],
    in_folder(Files, fun(Folder) ->
        File = filename:join(Folder, "a.erl"),
        ?assertEqual(here, value(File, configure([File]))),
        ?assertEqual(here, value(File, erlconcolic_project:new()))
    end).

finds_headers_of_an_application_without_rebar_config_test() ->
    Files = [{"app/src/deep/a.erl",
              "-include_lib(\"app/include/lib.hrl\").\n"
              ++ source("a", ["public.hrl", "private.hrl", "include/root.hrl"],
                        "{?PUBLIC, ?PRIVATE, ?ROOT, ?LIB}")},
             {"app/src/app.app.src", ""},
             {"app/src/private.hrl", "-define(PRIVATE, private)."},
             {"app/include/public.hrl", "-define(PUBLIC, public)."},
             {"app/include/root.hrl", "-define(ROOT, root)."},
             {"app/include/lib.hrl", "-define(LIB, lib)."}],
    in_folder(Files, fun(Folder) ->
        File = filename:join(Folder, "app/src/deep/a.erl"),
        ?assertEqual({public, private, root, lib},
                     value(File, configure([File])))
    end).

finds_headers_beside_src_test() ->
    Files = [{"src/a.erl", source("a", ["public.hrl"], "?PUBLIC")},
             {"include/public.hrl", "-define(PUBLIC, public)."}],
    in_folder(Files, fun(Folder) ->
        File = filename:join(Folder, "src/a.erl"),
        ?assertEqual(public, value(File, configure([File])))
    end).

uses_includes_and_defines_of_the_user_test() ->
    Files = [{"a.erl", source("a", ["x.hrl"], "{?X, ?Y, ?Z, ?W, ?V}")},
             {"other/x.hrl", "-define(X, x)."}],
    in_folder(Files, fun(Folder) ->
        File = filename:join(Folder, "a.erl"),
        Other = unicode:characters_to_binary(filename:join(Folder, "other")),
        More = #{includes => [Other],
                 defines => [{<<"Y">>, <<"{1, \"λ\"}"/utf8>>}, {<<"Z">>, true},
                             {<<"W">>, <<"1">>}, {<<"W">>, <<"2">>},
                             {<<"V">>, <<"'é'"/utf8>>}]},
        {ok, Context, []} = configure([File], More),
        ?assertEqual({x, {1, "λ"}, true, 2, 'é'}, value(File, Context))
    end).

refuses_a_define_that_is_not_a_term_test_() ->
    [?_test(begin
                {error, [{error, <<>>, 0, 0, Text}]} =
                    configure([], #{defines => [{<<"A">>, Value}]}),
                ?assertMatch({0, _}, binary:match(Text, Words))
            end)
     || {Value, Words} <-
            [{<<"{1">>, <<"cannot define A as {1: syntax error before">>},
             {<<"f(1)">>, <<"cannot define A as f(1): bad term">>},
             {<<"'x">>, <<"cannot define A as 'x: unterminated atom">>}]].

warns_of_missing_folders_test() ->
    {ok, _, Warnings} = configure([], #{includes => [<<"/no/such/i">>],
                                        code_paths => [<<"/no/such/c">>]}),
    ?assertEqual([{warning, <<"/no/such/i">>, 0, 0, <<"no such folder">>},
                  {warning, <<"/no/such/c">>, 0, 0, <<"no such folder">>}],
                 Warnings).

uses_erl_opts_and_prefers_the_user_test() ->
    Files = [{"src/a.erl", source("a", ["x.hrl"], "{?X, ?Y, ?Z}")},
             {"headers/x.hrl", "-define(X, x)."},
             {"rebar.config",
              "{erl_opts, [{i, \"headers\"}, {d, 'Y', config}, "
              "{d, 'Z', config}]}."}],
    in_folder(Files, fun(Folder) ->
        File = filename:join(Folder, "src/a.erl"),
        {ok, Context, []} =
            configure([File], #{defines => [{<<"Z">>, <<"user">>}]}),
        ?assertEqual({x, config, user}, value(File, Context))
    end).

drops_unsuitable_options_test() ->
    Files = [{"src/a.erl", source("a", [], "ok") ++ "g(X) -> ok."},
             {"rebar.config",
              "{erl_opts, [warnings_as_errors, debug_info, report, 'P', dexp, "
              "{debug_info_key, \"key\"}, {outdir, \"ebin\"}, "
              "{src_dirs, [\"src\"]}, deterministic, "
              "{error_location, line}, {d, 'KEPT'}]}."}],
    in_folder(Files, fun(Folder) ->
        File = filename:join(Folder, "src/a.erl"),
        ?assertEqual(ok, value(File, configure([File]))),
        {Options, []} = erlconcolic_project:options(File, configure([File])),
        ?assertEqual([{d, 'KEPT'}],
                     [Option || Option <- Options, element(1, Option) =/= i])
    end).

uses_defines_for_the_platform_test() ->
    Release = erlang:system_info(otp_release),
    Files = [{"src/a.erl", source("a", [], "{?RELEASE, ?UNIX, ?BITS}")},
             {"rebar.config",
              ["{erl_opts, [{platform_define, \"^", Release, "\", 'RELEASE'}, "
               "{platform_define, \"^nothing\", 'UNIX', wrong}, "
               "{platform_define, \"(unix|win32)$\", 'UNIX', right}, "
               "{platform_define, \"-(32|64)-\", 'BITS', 1}]}."]}],
    in_folder(Files, fun(Folder) ->
        File = filename:join(Folder, "src/a.erl"),
        ?assertEqual({true, right, 1}, value(File, configure([File])))
    end).

uses_options_of_an_umbrella_and_of_its_application_test() ->
    Files = [{"rebar.config",
              "{erl_opts, [{d, 'X', root}, {d, 'Y', root}, "
              "{i, \"headers\"}]}."},
             {"headers/z.hrl", "-define(Z, z)."},
             {"apps/one/rebar.config", "{erl_opts, [{d, 'X', one}]}."},
             {"apps/one/src/one.erl",
              ["-include_lib(\"two/include/two.hrl\").\n",
               source("one", ["z.hrl"], "{?X, ?Y, ?Z, ?TWO}")]},
             {"apps/two/src/two.app.src", ""},
             {"apps/two/src/two.erl", source("two", ["z.hrl"], "{?X, ?Y, ?Z}")},
             {"apps/two/test/t.erl", source("t", ["two.hrl"], "?TWO")},
             {"apps/two/include/two.hrl", "-define(TWO, two)."}],
    in_folder(Files, fun(Folder) ->
        Sources = [One, Two, Test] =
            [filename:join([Folder, "apps", Path])
             || Path <- ["one/src/one.erl", "two/src/two.erl",
                         "two/test/t.erl"]],
        Context = configure(Sources),
        ?assertEqual({one, root, z, two}, value(One, Context)),
        ?assertEqual({root, root, z}, value(Two, Context)),
        ?assertEqual(two, value(Test, Context))
    end).

ignores_the_project_around_a_project_test() ->
    Files = [{"rebar.config", "{erl_opts, [{d, 'X', outer}]}."},
             {"samples/inner/rebar.config", "{erl_opts, [{d, 'Y', inner}]}."},
             {"samples/inner/src/a.erl",
              "-ifdef(X).\n-define(Z, x).\n-else.\n-define(Z, no_x).\n-endif.\n"
              ++ source("a", [], "{?Y, ?Z}")}],
    in_folder(Files, fun(Folder) ->
        File = filename:join(Folder, "samples/inner/src/a.erl"),
        ?assertEqual({inner, no_x}, value(File, configure([File])))
    end).

understands_dots_in_paths_test() ->
    Files = [{"rebar.config", "{erl_opts, [{d, 'X', x}]}."},
             {"src/a.erl", source("a", [], "?X")},
             {"other/src/b.erl", ""}],
    in_folder(Files, fun(Folder) ->
        File = filename:join(Folder, "other/src/../../src/./a.erl"),
        ?assertEqual(x, value(File, configure([File])))
    end).

allows_any_character_in_a_path_test() ->
    Files = [{"a [b] {c} *é λ/rebar.config", "{erl_opts, [{i, \"h ü\"}]}."},
             {"a [b] {c} *é λ/src/a.app.src", ""},
             {"a [b] {c} *é λ/src/a.erl", source("a", ["x.hrl"], "?X")},
             {"a [b] {c} *é λ/h ü/x.hrl", "-define(X, x)."}],
    in_folder(Files, fun(Folder) ->
        File = filename:join(Folder, "a [b] {c} *é λ/src/a.erl"),
        ?assertEqual(x, value(File, configure([File])))
    end).

evaluates_a_script_test() ->
    Files = [{"rebar.config", "{erl_opts, [{d, 'X', x}]}."},
             {"rebar.config.script",
              "[{erl_opts, Options}] = CONFIG,\n"
              "Name = filename:basename(SCRIPT),\n"
              "[{erl_opts, [{d, 'Y', Name} | Options]}]."},
             {"src/a.erl", source("a", [], "{?X, ?Y}")}],
    in_folder(Files, fun(Folder) ->
        File = filename:join(Folder, "src/a.erl"),
        ?assertEqual({x, "rebar.config.script"},
                     value(File, configure([File])))
    end).

evaluates_a_script_without_a_config_test() ->
    Files = [{"rebar.config.script", "[{erl_opts, [{d, 'X', CONFIG}]}]."},
             {"src/a.erl", source("a", [], "?X")}],
    in_folder(Files, fun(Folder) ->
        File = filename:join(Folder, "src/a.erl"),
        ?assertEqual([], value(File, configure([File])))
    end).

warns_of_unreadable_configs_and_continues_test_() ->
    Cases =
        [{"rebar.config", "{erl_opts, []}.\n{a, \n", 2, "syntax error before"},
         {"rebar.config", "{erl_opts, debug_info}.", 0, "not a list"},
         {"rebar.config", "{erl_opts, [debug_info | more]}.", 0, "not a list"},
         {"rebar.config", <<"\xff\xfe">>, 0, "not text in UTF-8"},
         {"rebar.config.script", <<"\"\xff\".">>, 0, "not text in UTF-8"},
         {"rebar.config", "{erl_opts, [{platform_define, \"(\", 'X'}]}.", 0,
          "\"(\" is not a regular expression"},
         {"rebar.config.script", "CONFIG.\n[\n", 2, "syntax error before"},
         {"rebar.config.script", "CONFIG,\n1 = 2.", 2,
          "it raised {badmatch,2} of class error"},
         {"rebar.config.script", "no_list.", 0, "not a list"}],
    [?_test(check_warning(Name, Text, Line, Warning))
     || {Name, Text, Line, Warning} <- Cases].

check_warning(Name, Text, Line, Warning) ->
    Files = [{Name, Text},
             {"src/a.erl", source("a", [], "a")},
             {"src/deep/b.erl", source("b", [], "b")},
             {"src/other/c.erl", source("c", [], "c")}],
    in_folder(Files, fun(Folder) ->
        [A, B, C] = [filename:join(Folder, Path)
                     || Path <- ["src/a.erl", "src/deep/b.erl",
                                 "src/other/c.erl"]],
        {ok, Context, [Message]} = configure([A, B], #{}),
        Path = unicode:characters_to_binary(filename:join(Folder, Name)),
        {warning, Path, Line, _, Words} = Message,
        ?assertNotEqual(nomatch, string:find(Words, Warning)),
        ?assertMatch({_, []}, erlconcolic_project:options(A, Context)),
        ?assertMatch({_, [Message]}, erlconcolic_project:options(C, Context)),
        ?assertEqual([a, b, c], [value(File, Context) || File <- [A, B, C]])
    end).

finds_dependencies_test_() ->
    [?_test(check_dependency(Place))
     || Place <- ["_build/default/lib", "_checkouts", "deps"]].

check_dependency(Place) ->
    Name = erlconcolic_fixture:unique_name("erlconcolic_dep"),
    Files = [{filename:join([Place, Name, "include/x.hrl"]),
              "-define(X, x)."},
             {filename:join([Place, Name, "ebin/x.txt"]), ""},
             {"rebar.config", ""},
             {"src/a.erl",
              ["-include_lib(\"", Name, "/include/x.hrl\").\n",
               source("a", [], "?X")]}],
    in_folder(Files, fun(Folder) ->
        File = filename:join(Folder, "src/a.erl"),
        ?assertEqual(x, value(File, configure([File]))),
        ?assertEqual(filename:join([Folder, Place, Name]),
                     code:lib_dir(list_to_atom(Name)))
    end).

finds_the_source_of_a_module_test() ->
    Files = [{"rebar.config", ""},
             {"apps/one/src/one.erl", ""},
             {"apps/one/src/sibling.erl", ""},
             {"apps/one/src/deep/deep.erl", ""},
             {"apps/one/src/one.app.src", ""},
             {"apps/two/src/two.erl", ""},
             {"_build/default/lib/dep/src/dep.erl", ""},
             {"elsewhere/known.erl", ""}],
    in_folder(Files, fun(Folder) ->
        File = filename:join(Folder, "apps/one/src/one.erl"),
        Known = filename:join(Folder, "elsewhere/known.erl"),
        Context = configure([File, Known]),
        [?assertEqual({ok, filename:join(Folder, Path)},
                      erlconcolic_project:find_source(Module, File, Context))
         || {Module, Path} <-
                [{sibling, "apps/one/src/sibling.erl"},
                 {deep, "apps/one/src/deep/deep.erl"},
                 {two, "apps/two/src/two.erl"},
                 {dep, "_build/default/lib/dep/src/dep.erl"},
                 {known, "elsewhere/known.erl"}]],
        ?assertEqual(error,
                     erlconcolic_project:find_source(none, File, Context))
    end).

%% A module with f/0 and these headers.
-spec source(string(), [string()], string()) -> string().
source(Module, Headers, Value) ->
    lists:flatten(["-module(", Module, ").\n-export([f/0]).\n",
                   [["-include(\"", Header, "\").\n"] || Header <- Headers],
                   "f() -> ", Value, ".\n"]).

%% What f/0 returns.
-spec value(string(), erlconcolic_project:context()) -> term().
value(File, Context) ->
    {Options, _} = erlconcolic_project:options(File, Context),
    {ok, _, Core, _} =
        compile:noenv_file(File, [to_core, binary, return | Options]),
    [Fun] = [Fun || {Name, Fun} <- cerl:module_defs(Core),
                    cerl:var_name(Name) =:= {f, 0}],
    cerl:concrete(cerl:fun_body(Fun)).
