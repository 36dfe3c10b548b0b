%%% Tests of reading modules of Elixir that need no Elixir.
-module(erlconcolic_elixir_tests).

-include_lib("eunit/include/eunit.hrl").

-import(erlconcolic_fixture, [in_folder/2]).

beams_of_erlang_need_no_elixir_test() ->
    ?assertEqual([], erlconcolic_elixir_path:folders(["ebin/shop.beam",
                                                      "src/Elixir.A.erl"])).

a_build_of_mix_is_on_the_code_path_test() ->
    Files = [{"_build/dev/lib/shop/ebin/Elixir.Shop.beam", ""},
             {"_build/dev/lib/shop/consolidated/Elixir.Priced.beam", ""},
             {"_build/dev/lib/jason/ebin/Elixir.Jason.beam", ""}],
    in_folder(Files, fun(Folder) ->
        At = fun(Path) -> filename:join([Folder, "_build/dev/lib", Path]) end,
        Sources = [At("shop/ebin/Elixir.Shop.beam")],
        [Own, Other | _] = erlconcolic_elixir_path:folders(Sources),
        ?assertEqual({At("shop/ebin"), At("jason/ebin")}, {Own, Other}),
        ?assertEqual([At("shop/consolidated")],
                     erlconcolic_elixir_path:consolidated(Sources))
    end).

elixir_is_found_behind_links_test() ->
    Files = [{"opt/elixir/bin/elixir", "#!/bin/sh\n"},
             {"opt/elixir/lib/elixir/ebin/Elixir.Kernel.beam", ""},
             {"opt/elixir/lib/logger/ebin/logger.app", ""}],
    in_folder(Files, fun(Folder) ->
        Link = filename:join(Folder, "elixir"),
        ok = file:make_symlink("opt/../opt/elixir/bin/elixir", Link),
        Lib = filename:join(Folder, "opt/elixir/lib"),
        ?assertEqual([filename:join(Lib, "elixir/ebin"),
                      filename:join(Lib, "logger/ebin")],
                     erlconcolic_elixir_path:of_executable(Link))
    end).

a_script_of_a_version_manager_is_asked_test() ->
    Files = [{"shims/elixir",
              "#!/bin/sh\nprintf %s \"$ROOT/installs/lib/elixir\"\n"},
             {"installs/lib/elixir/ebin/Elixir.Kernel.beam", ""}],
    in_folder(Files, fun(Folder) ->
        Script = filename:join(Folder, "shims/elixir"),
        ok = file:change_mode(Script, 8#755),
        true = os:putenv("ROOT", Folder),
        try
            ?assertEqual([filename:join(Folder,
                                        "installs/lib/elixir/ebin")],
                         erlconcolic_elixir_path:of_executable(Script))
        after
            os:unsetenv("ROOT")
        end
    end).

code_is_readable_test() ->
    Is = {var, 2, '_ok?@1'},
    Error = {remote, 2, {atom, 2, erlang}, {atom, 2, error}},
    Made = [{generated, true}, {location, 2}],
    Clauses = [{clause, Made, [{atom, 2, true}], [], [Is]},
               {clause, Made, [{var, 2, '_'}], [],
                [{call, 2, Error, [{atom, 2, cond_clause}]}]}],
    Forms = [{attribute, 1, file, {"lib/shop.ex", 1}},
             {attribute, 1, module, 'Elixir.Shop'},
             {attribute, 1, spec, {{f, 1}, []}},
             {function, 2, f, 1,
              [{clause, 2, [Is], [], [{'case', 2, Is, Clauses}]}]}],
    [File, _Module, Function] =
        erlconcolic_elixir:executable(Forms, "/x/Elixir.Shop.beam",
                                      "/shop/lib/shop.ex"),
    ?assertEqual({attribute, 1, file, {"/shop/lib/shop.ex", 1}}, File),
    {function, _, f, 1, [{clause, 2, [Variable], [], [Case]}]} = Function,
    ?assertEqual({var, 2, '_ok@is@1'}, Variable),
    {'case', 2, Variable, [Written, Default]} = Case,
    ?assertMatch({clause, [{location, 2}], _, _, _}, Written),
    ?assertMatch({clause, Made, _, _, _}, Default).

a_project_that_was_moved_has_its_source_above_the_beam_test() ->
    Files = [{"shop/lib/shop.ex", ""},
             {"shop/_build/dev/lib/shop/ebin/Elixir.Shop.beam", ""}],
    in_folder(Files, fun(Folder) ->
        Path = "shop/_build/dev/lib/shop/ebin/Elixir.Shop.beam",
        Beam = filename:join(Folder, Path),
        [{attribute, 1, file, {Source, 1}}] =
            erlconcolic_elixir:executable(
              [{attribute, 1, file, {"lib/shop.ex", 1}}], Beam, Beam),
        ?assertEqual(filename:join(Folder, "shop/lib/shop.ex"), Source)
    end).

strings_are_utf8_test() ->
    ?assertEqual({alternatives, [utf8]},
                 erlconcolic_elixir_types:meaning('Elixir.String', {t, 0},
                                                  none)),
    ?assertEqual(declared,
                 erlconcolic_elixir_types:meaning('Elixir.Shop', {t, 0},
                                                  none)).

types_of_protocols_are_what_implements_them_test() ->
    Clause = {clause, 1, [{atom, 1, impls}], [],
              [{tuple, 1, [{atom, 1, consolidated},
                           {cons, 1, {atom, 1, 'Elixir.Integer'},
                            {cons, 1, {atom, 1, 'Elixir.List'}, {nil, 1}}}]}]},
    Forms = [{function, 1, '__protocol__', 1, [Clause]}],
    Types = erlconcolic_elixir_types:implemented("none.beam", Forms),
    ?assertEqual(['Elixir.Integer', 'Elixir.List'], Types),
    ?assertEqual({form, {type, 0, union, [{type, 0, integer, []},
                                          {type, 0, list, []}]}},
                 erlconcolic_elixir_types:meaning('Elixir.Cost', {t, 0},
                                                  Types)),
    ?assertEqual(none, erlconcolic_elixir_types:implemented("none.beam", [])).

sets_are_made_by_calls_test() ->
    Types = #{{t, 0} => {[], {user_type, 1, t, [{type, 1, term, []}]}},
              {t, 1} => {[value], {type, 1, map, []}},
              {value, 0} => {[], {type, 1, term, []}}},
    ?assertEqual([{t, 1}],
                 maps:keys(erlconcolic_elixir_types:opaque('Elixir.MapSet',
                                                           Types))),
    ?assertEqual(#{}, erlconcolic_elixir_types:opaque('Elixir.Shop', Types)).
