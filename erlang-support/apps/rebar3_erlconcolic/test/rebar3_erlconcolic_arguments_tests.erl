-module(rebar3_erlconcolic_arguments_tests).

-include_lib("eunit/include/eunit.hrl").

project() ->
    #{applications => [#{name => "orders", ebin => "o",
                         sources => ["o/src", "o/test"],
                         modules => ["orders", "orders_db"]},
                       #{name => "stock", ebin => "s", sources => ["s/src"],
                         modules => ["stock"]},
                       #{name => "empty", ebin => "e", sources => [],
                         modules => []}],
      dependencies => [#{name => "money", ebin => "m", sources => ["m/src"],
                         modules => ["money"]}]}.

%% The arguments after the folders and the code path.
options(Options) ->
    {ok, Words} = rebar3_erlconcolic_arguments:make(Options, project()),
    {_, ["m" | Rest]} = lists:splitwith(fun(Word) -> Word =/= "m" end, Words),
    Rest.

everything_of_the_project_is_explored_and_dependencies_are_found_test() ->
    ?assertEqual({ok, ["explore", "o", "s", "--pa", "o", "--pa", "s",
                       "--pa", "e", "--pa", "m", "--all"]},
                 rebar3_erlconcolic_arguments:make(#{}, project())).

only_named_functions_and_modules_are_explored_test() ->
    ?assertEqual(["--entry", "a:b/1", "--entry", "c:d/2", "--module", "e"],
                 options(#{entry => ["a:b/1", "c:d/2"], module => ["e"]})),
    ?assertEqual(["--entry", "a:b/1", "--all"],
                 options(#{entry => ["a:b/1"], all => true})).

modules_are_excluded_test() ->
    ?assertEqual(["--all", "--exclude", "orders_db"],
                 options(#{exclude => ["orders_db"]})),
    {ok, Words} =
        rebar3_erlconcolic_arguments:make(#{deps => true,
                                            exclude => ["orders_db"]},
                                          project()),
    ?assertEqual(["--module", "orders", "--module", "stock"],
                 lists:nthtail(length(Words) - 4, Words)).

an_application_becomes_its_modules_test() ->
    ?assertEqual(["--module", "orders", "--module", "orders_db"],
                 options(#{app => ["orders"]})).

names_with_dashes_and_quotes_are_not_options_test() ->
    Application = #{name => "odd", ebin => "e", sources => [],
                    modules => ["-o", "'q'"]},
    Project = #{applications => [Application], dependencies => []},
    {ok, Words} =
        rebar3_erlconcolic_arguments:make(#{app => ["odd"], html => "-h",
                                            entry => ["-o:f/1"]}, Project),
    ?assertEqual(["explore", "e", "--pa", "e", "--entry=-o:f/1",
                  "--module", "'-o'", "--module", "'\\'q\\''",
                  "--html=-h"], Words).

tests_are_run_from_the_sources_test() ->
    ?assertEqual({ok, ["eunit", "o/src", "o/test", "s/src", "--pa", "o",
                       "--pa", "s", "--pa", "e", "--pa", "m",
                       "--timeout", "9"]},
                 rebar3_erlconcolic_arguments:make(#{eunit_tests => true,
                                                     timeout => "9"},
                                                   project())),
    {ok, Words} =
        rebar3_erlconcolic_arguments:make(#{eunit_tests => true,
                                            app => ["stock"],
                                            entry => ["a:b/1"]}, project()),
    ?assertMatch(["eunit", "s/src", "--pa" | _], Words),
    ?assertEqual(["--entry", "a:b/1"], lists:nthtail(length(Words) - 2, Words)).

an_unknown_application_is_refused_test() ->
    {error, Reason} =
        rebar3_erlconcolic_arguments:make(#{app => ["shop"]}, project()),
    ?assertEqual("--app shop: the project has no such application, only "
                 "orders, stock, empty.",
                 lists:flatten(rebar3_erlconcolic_message:text(Reason))).

modules_of_dependencies_are_followed_but_not_explored_test() ->
    {ok, Words} =
        rebar3_erlconcolic_arguments:make(#{deps => true}, project()),
    ?assertMatch(["explore", "o", "s", "m", "--pa" | _], Words),
    ?assertEqual(["--module", "orders", "--module", "orders_db",
                  "--module", "stock"],
                 lists:nthtail(length(Words) - 6, Words)).

other_options_are_passed_on_but_not_those_of_the_plugin_test() ->
    ?assertEqual(["--all", "--term-depth", "3", "--first",
                  "--allow", "a", "--allow", "b"],
                 options(#{term_depth => "3", first => true, output => "x",
                           binary => "y", allow => ["a", "b"]})).

a_project_without_modules_is_refused_test() ->
    Empty = #{applications => [], dependencies => []},
    ?assertEqual({error, no_modules},
                 rebar3_erlconcolic_arguments:make(#{}, Empty)).
