%%% Tests of the plugins in rebar.config.
-module(erlconcolic_rebar_plugins_tests).

-include_lib("eunit/include/eunit.hrl").

-import(erlconcolic_fixture, [in_folder/2]).

-define(PLUGIN, rebar3_erlconcolic).

no_project_test() ->
    in_folder([], fun(Folder) -> ?assertEqual(none, read(Folder)) end).

places_test_() ->
    [?_test(in_folder([{"rebar.config", Config} | Files], fun(Folder) ->
         ?assertMatch(#{place := Place, warnings := []}, read(Folder))
     end))
     || {Config, Files, Place} <-
            [{"", [], not_named},
             {"{project_plugins, [rebar3_hex]}.", [], not_named},
             {"{project_plugins, [rebar3_erlconcolic]}.", [], not_found},
             {"{plugins, [rebar3_erlconcolic]}.",
              [{"_checkouts/rebar3_erlconcolic/a", ""}], here},
             {"{project_plugins, [rebar3_erlconcolic]}.\n"
              "{project_plugin_dirs, [\"tools/*\"]}.",
              [{"tools/rebar3_erlconcolic/a", ""}], here},
             {"{project_plugins, [{rebar3_erlconcolic, {git, \"u\"}}]}.",
              [], elsewhere},
             {"{project_plugins, [{rebar3_erlconcolic, \"1.0\"}]}.",
              [], not_found}]].

entries_have_their_lines_test() ->
    Config = "%% A comment with {project_plugins, []}.\n"
             "{erl_opts, []}.\n"
             "{project_plugins, [a, {b, \"1\"}]}.\n\n"
             "{project_plugins,\n [rebar3_erlconcolic]}.\n",
    in_folder([{"rebar.config", Config}], fun(Folder) ->
        #{entries := Entries} = read(Folder),
        ?assertEqual([#{key => project_plugins, line => 3,
                        plugins => [<<"a">>, <<"{b,\"1\"}">>]},
                      #{key => project_plugins, line => 5,
                        plugins => [<<"rebar3_erlconcolic">>]}], Entries)
    end).

scripts_count_test() ->
    Script = "[{project_plugins, [rebar3_erlconcolic]} | CONFIG].",
    in_folder([{"rebar.config.script", Script}], fun(Folder) ->
        ?assertMatch(#{entries := [#{line := 0}]}, read(Folder))
    end).

unreadable_test() ->
    in_folder([{"rebar.config", "{project_plugins, ["}], fun(Folder) ->
        ?assertMatch(#{warnings := [_ | _]}, read(Folder))
    end).

read(Folder) ->
    erlconcolic_rebar_plugins:read(unicode:characters_to_binary(Folder),
                                   ?PLUGIN).
