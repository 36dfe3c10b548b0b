%%% Tests of Core Erlang from beams.
-module(erlconcolic_beam_tests).

-include_lib("eunit/include/eunit.hrl").

-import(erlconcolic_fixture, [in_folder/2, write_beam/3]).

-define(SOURCE, "-module(a).\n-export([f/1]).\nf(X) ->\n    {X, b}.\n").

core_from_debug_information_equals_core_from_source_test() ->
    in_a_folder(fun(Folder) ->
        Beam = write_beam(Folder, "a.erl", [debug_info]),
        Source = filename:join(Folder, "a.erl"),
        {ok, a, FromSource} = compile:noenv_file(Source, [to_core, binary]),
        ?assertEqual({ok, a, FromSource, Source, []},
                     erlconcolic_beam:to_core(Beam))
    end).

beam_is_the_source_if_the_source_file_is_gone_test() ->
    in_a_folder(fun(Folder) ->
        Beam = write_beam(Folder, "a.erl", [debug_info]),
        ok = file:delete(filename:join(Folder, "a.erl")),
        ?assertMatch({ok, a, _, Beam, []}, erlconcolic_beam:to_core(Beam))
    end).

warnings_as_errors_do_not_matter_test() ->
    Files = [{"a.erl", "-module(a).\nf() -> b.\n"}],
    in_folder(Files, fun(Folder) ->
        Source = filename:join(Folder, "a.erl"),
        {ok, Forms} = epp:parse_file(Source, []),
        Info = {debug_info_v1, erl_abstract_code,
                {Forms, [warnings_as_errors]}},
        Beam = with_debug_info(Folder, term_to_binary(Info)),
        ?assertMatch({ok, a, _, _, []}, erlconcolic_beam:to_core(Beam))
    end).

reads_abstract_code_of_old_beams_test() ->
    in_a_folder(fun(Folder) ->
        Source = filename:join(Folder, "a.erl"),
        {ok, Forms} = epp:parse_file(Source, [{location, {1, 1}}]),
        Chunk = term_to_binary({raw_abstract_v1, Forms}),
        Beam = with_chunk(Folder, "Abst", Chunk),
        {ok, a, FromSource} = compile:noenv_file(Source, [to_core, binary]),
        ?assertMatch({ok, a, FromSource, _, []},
                     erlconcolic_beam:to_core(Beam))
    end).

debug_information_that_does_not_compile_is_reported_test() ->
    in_a_folder(fun(Folder) ->
        Forms = [{attribute, 1, file, {"a.erl", 1}},
                 {attribute, 1, module, a},
                 {function, {2, 1}, f, 0,
                  [{clause, {2, 1}, [], [], [{var, {2, 8}, 'X'}]}]}],
        Info = {debug_info_v1, erl_abstract_code, {Forms, []}},
        Beam = with_debug_info(Folder, term_to_binary(Info)),
        ?assertMatch({error, [{error, <<"a.erl">>, 2, 8,
                               <<"variable 'X' is unbound">>} | _]},
                     erlconcolic_beam:to_core(Beam))
    end).

returns_the_forms_of_the_source_test() ->
    in_a_folder(fun(Folder) ->
        Source = filename:join(Folder, "a.erl"),
        {ok, Forms} = epp:parse_file(Source, [{location, {1, 1}}]),
        Beam = write_beam(Folder, "a.erl", [debug_info]),
        ?assertEqual({ok, Forms}, erlconcolic_beam:forms(Beam)),
        Chunk = term_to_binary({raw_abstract_v1, Forms}),
        Old = with_chunk(Folder, "Abst", Chunk),
        ?assertEqual({ok, Forms}, erlconcolic_beam:forms(Old))
    end).

says_what_to_do_without_debug_information_test_() ->
    [?_test(in_a_folder(fun(Folder) ->
         Beam = write_beam(Folder, "a.erl", []),
         {ok, _} = Strip(Beam),
         check_error(Beam,
                     "no debug information: compile it with +debug_info")
     end)) || Strip <- [fun(Beam) -> {ok, Beam} end, fun beam_lib:strip/1]].

%% The code path is long, and a busy disk is slow.
backend_that_cannot_be_loaded_is_named_test_() ->
    {timeout, 60, fun() -> in_a_folder(fun(Folder) ->
        Info = {debug_info_v1, erlconcolic_no_backend, data},
        Beam = with_debug_info(Folder, term_to_binary(Info)),
        check_error(Beam, "its debug information is for "
                          "erlconcolic_no_backend, which is not on the code "
                          "path")
    end) end}.

encrypted_debug_information_is_not_read_test() ->
    in_a_folder(fun(Folder) ->
        Beam = write_beam(Folder, "a.erl", [{debug_info_key, "secret"}]),
        check_error(Beam, "its debug information is encrypted and the key is "
                          "missing or wrong")
    end).

says_what_is_wrong_with_the_file_test_() ->
    [?_test(in_a_folder(fun(Folder) ->
         Beam = write_beam(Folder, "a.erl", [debug_info]),
         {ok, Bytes} = file:read_file(Beam),
         ok = file:write_file(Beam, Damage(Bytes)),
         check_error(Beam, Text)
     end))
     || {Damage, Text} <-
            [{fun(_) -> "" end, "not a BEAM file"},
             {fun(_) -> "text\n" end, "not a BEAM file"},
             {fun(Bytes) -> binary:part(Bytes, 0, 10) end, "not a BEAM file"},
             {fun(Bytes) -> binary:part(Bytes, 0, 300) end,
              "damaged or incomplete BEAM file"}]].

says_why_the_file_cannot_be_read_test() ->
    in_folder([{"d.beam/x", ""}], fun(Folder) ->
        check_error(filename:join(Folder, "none.beam"),
                    "no such file or directory"),
        check_error(filename:join(Folder, "d.beam"),
                    "illegal operation on a directory")
    end).

%% The superuser may read any file.
says_that_a_file_is_not_readable_test() ->
    in_folder([{"a.beam", "x"}], fun(Folder) ->
        Beam = filename:join(Folder, "a.beam"),
        ok = file:change_mode(Beam, 8#000),
        case file:read_file(Beam) of
            {error, eacces} -> check_error(Beam, "permission denied");
            {ok, _} -> ok
        end
    end).

in_a_folder(Test) ->
    in_folder([{"a.erl", ?SOURCE}], Test).

-spec check_error(string(), string()) -> ok.
check_error(Beam, Text) ->
    ?assertEqual({error, [{error, unicode:characters_to_binary(Beam), 0, 0,
                           unicode:characters_to_binary(Text)}]},
                 erlconcolic_beam:to_core(Beam)),
    ?assertEqual(erlconcolic_beam:to_core(Beam), erlconcolic_beam:forms(Beam)),
    ok.

-spec with_debug_info(string(), binary()) -> string().
with_debug_info(Folder, Info) ->
    with_chunk(Folder, "Dbgi", Info).

%% A beam of a.erl with this chunk in place of its debug information.
-spec with_chunk(string(), string(), binary()) -> string().
with_chunk(Folder, Name, Chunk) ->
    Beam = write_beam(Folder, "a.erl", []),
    {ok, a, Chunks} = beam_lib:all_chunks(Beam),
    Others = lists:keydelete("Dbgi", 1, Chunks),
    {ok, Bytes} = beam_lib:build_module([{Name, Chunk} | Others]),
    ok = file:write_file(Beam, Bytes),
    Beam.
