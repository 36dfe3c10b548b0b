%%% Tests of Core Erlang text.
-module(erlconcolic_core_text_tests).

-include_lib("eunit/include/eunit.hrl").

-import(erlconcolic_fixture, [in_folder/2, unique_name/1, run_core/2]).

%% This module is a printer without format_all/1.
-export([format/1]).

format(Core) ->
    core_pp:format(Core).

%% Read again, it is the tree that core_pp prints.
equals_the_tree_of_core_pp_test_() ->
    {timeout, 60,
     fun() ->
             File = filename:join([code:lib_dir(stdlib), "src",
                                   "filename.erl"]),
             Core = to_core(File),
             Expected = iolist_to_binary(core_pp:format_all(Core)),
             ?assertEqual(tree(Expected),
                          tree(erlconcolic_core_text:print(Core)))
     end}.

knows_all_kinds_of_code_test() ->
    Module = unique_name("erlconcolic_m"),
    Text = ["-module(", Module, ").\n-export([f/0]).\n",
            "f() -> self() ! {b, 2},\n"
            "  A = receive {b, X} when X > 1; X < 0 -> X after 9 -> 0 end,\n"
            "  B = try g(A) of {Y, _} -> Y catch throw:T -> T\n"
            "      after put(k, 1) end,\n"
            "  C = (catch error(B)),\n"
            "  #{m := D} = maps:put(z, 1, #{m => [A | B]}),\n"
            "  <<E:3, F/bits>> = <<A:16, \"xyz\", 1:1>>,\n"
            "  {A, B, element(1, element(2, C)), D, E, F, fun lists:map/2,\n"
            "   [Z * 2 || Z <- [1, 2, A], Z > 1], #{1 => -0.5, a => #{}},\n"
            "   <<5:3>>, \"q\\\"\\\\\", 'it''s', [1 | 2], {}, '', -17}.\n"
            "g(2) -> throw({'T', \"\\n\"});\n"
            "g(X) -> {X, X}.\n"],
    Escaped = string:replace(lists:flatten(Text), "it''s", "it\\'s"),
    in_folder([{Module ++ ".erl", Escaped}], fun(Folder) ->
        Core = to_core(filename:join(Folder, Module ++ ".erl")),
        Printed = erlconcolic_core_printer:format(Core, fun(_) -> <<"1">> end),
        Expected = iolist_to_binary(core_pp:format(Core)),
        ?assertEqual(run_core(Expected, f),
                     run_core(iolist_to_binary(Printed), f))
    end).

%% core_pp nests the text of a list in itself, so that its indentation grows.
the_text_grows_with_the_literal_test() ->
    Size = fun(Count) ->
                   List = cerl:abstract(lists:seq(1000, 1000 + Count)),
                   Module = cerl:c_module(cerl:c_atom(m), [], [],
                                          [{cerl:c_fname(f, 0),
                                            cerl:c_fun([], List)}]),
                   byte_size(erlconcolic_core_text:print(Module))
           end,
    ?assert(Size(4000) < 5 * Size(1000)).

does_not_need_format_all_test() ->
    in_folder([{"a.erl", "-module(a).\n"}], fun(Folder) ->
        Core = to_core(filename:join(Folder, "a.erl")),
        ?assertEqual(unicode:characters_to_binary(core_pp:format(Core)),
                     erlconcolic_core_text:print(Core, ?MODULE))
    end).

keeps_file_names_that_are_not_latin1_test() ->
    Path = "ordner ö λ \"日\"/" ++ lists:duplicate(60, $本) ++ "/",
    Module = unique_name("erlconcolic_m"),
    Text = ["-module(", Module, ").\n-export([f/0]).\n"
            "-include(\"../b λ.hrl\").\n-include(\"../b.hrl\").\n"
            "f() -> {file, \"λ\", g()}.\n"],
    Files = [{Path ++ Module ++ ".erl", Text},
             {Path ++ "../b.hrl", "h() -> b.\n"},
             {Path ++ "../b λ.hrl", "-export([h/0]).\ng() -> h().\n"}],
    in_folder(Files, fun(Folder) ->
        Core = to_core(filename:join(Folder, Path ++ Module ++ ".erl")),
        Printed = erlconcolic_core_text:print(Core),
        [?assertNotEqual(nomatch,
                         binary:match(Printed,
                                      file_annotation(
                                          filename:join(Folder, Path ++ Name))))
         || Name <- [Module ++ ".erl", "../b.hrl", "../b λ.hrl"]],
        ?assertEqual({file, "λ", b}, run_core(Printed, f))
    end).

keeps_unicode_test() ->
    Module = unique_name("erlconcolic_größe"),
    Text = ["-module('", Module, "').\n-export(['größe'/0]).\n"
            "'größe'() -> {'λ', 'é', \"πa\", <<\"ü\"/utf8>>, '日本', $Ж}.\n"],
    in_folder([{Module ++ ".erl", Text}], fun(Folder) ->
        Core = to_core(filename:join(Folder, Module ++ ".erl")),
        Printed = erlconcolic_core_text:print(Core),
        ?assertNotEqual(nomatch, binary:match(Printed, <<"'größe'/0"/utf8>>)),
        ?assertEqual({'λ', 'é', "πa", <<"ü"/utf8>>, '日本', $Ж},
                     run_core(Printed, 'größe'))
    end).

%% If one of these fails, the note in the module under test can be shorter.
otp_cannot_read_some_names_test_() ->
    [?_test(in_folder([{"a.erl", ["-module(a).\n-export([f/1]).\n", Text]}],
                      fun(Folder) ->
         Core = to_core(filename:join(Folder, "a.erl")),
         Printed = erlconcolic_core_text:print(Core),
         ?assertNotEqual(nomatch, binary:match(Printed, Name)),
         ?assertMatch({error, _}, erlconcolic_compile:from_core(Printed, usual))
     end))
     || {Text, Name} <- [{"f(_) -> '\\x{80}'.", <<"'\\200'">>},
                         {"f({Ü, Ö}) -> [Ü, Ö].", <<"_Ü"/utf8>>}]].

%% core_pp would break the string if it were not alone on its line.
long_path_stays_in_one_string_test() ->
    Long = lists:append(lists:duplicate(30, "long name/")),
    in_folder([{Long ++ "a.erl", "-module(a).\n"}], fun(Folder) ->
        File = filename:join(Folder, Long ++ "a.erl"),
        Printed = erlconcolic_core_text:print(to_core(File)),
        ?assertNotEqual(nomatch, binary:match(Printed, file_annotation(File)))
    end).

-spec to_core(string()) -> cerl:c_module().
to_core(File) ->
    {ok, _, Core} = compile:noenv_file(File, [to_core, binary]),
    Core.

-spec file_annotation(string()) -> binary().
file_annotation(File) ->
    Written = case lists:max(File) < 128 of
                  true -> io_lib:write_string(File);
                  false -> io_lib:write(File)
              end,
    iolist_to_binary(["{'file',", Written, "}"]).

-spec tree(binary()) -> cerl:c_module().
tree(Text) ->
    {ok, Tokens, _} = core_scan:string(binary_to_list(Text)),
    {ok, Tree} = core_parse:parse(Tokens),
    Tree.
