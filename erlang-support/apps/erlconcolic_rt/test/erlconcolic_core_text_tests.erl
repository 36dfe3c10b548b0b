%%% Tests of Core Erlang text.
-module(erlconcolic_core_text_tests).

-include_lib("eunit/include/eunit.hrl").

-import(erlconcolic_fixture, [in_folder/2, unique_name/1, run_core/2]).

%% This module is a printer without format_all/1.
-export([format/1]).

format(Core) ->
    core_pp:format(Core).

equals_the_text_of_core_pp_except_for_layout_test() ->
    File = filename:join([code:lib_dir(stdlib), "src", "filename.erl"]),
    Core = to_core(File),
    ?assertEqual(without_layout(core_pp:format_all(Core)),
                 without_layout(erlconcolic_core_text:print(Core))).

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

-spec without_layout(unicode:chardata()) -> binary().
without_layout(Text) ->
    << <<Byte>> || <<Byte>> <= unicode:characters_to_binary(Text),
                   Byte > $\s >>.
