-module(rebar3_erlconcolic_options_tests).

-include_lib("eunit/include/eunit.hrl").

gather(Given, Configured) ->
    rebar3_erlconcolic_options:gather({Given, []}, Configured).

%% The message for invalid options.
complaint(Given, Configured) ->
    {error, Reason} = gather(Given, Configured),
    lists:flatten(rebar3_erlconcolic_message:text(Reason)).

values_become_texts_test() ->
    ?assertEqual({ok, #{entry => ["a:b/1", "c:d/2"], term_depth => "3",
                        first => true, strategy => "dfs"}},
                 gather([{entry, "a:b/1"}, {term_depth, 3}, first,
                         {entry, "c:d/2"}, {strategy, "dfs"}], [])).

config_accepts_erlang_terms_test() ->
    ?assertEqual({ok, #{entry => ["shop:total/1", "'a b':f/2"],
                        module => ["shop"], pre => "shop:ok/1",
                        allow => ["file", "ets:new/2"],
                        strategy => "bfs", state => "runs"}},
                 gather([], [{entry, ["shop:total/1", {'a b', f, 2}]},
                             {module, shop}, {pre, {shop, ok, 1}},
                             {allow, [file, {ets, new, 2}]},
                             {strategy, bfs}, {state, <<"runs">>}])).

flags_of_config_can_be_true_or_false_test() ->
    ?assertEqual({ok, #{first => true}},
                 gather([], [first, {no_spec, false}])),
    ?assertEqual({ok, #{}}, gather([], [first, {first, false}])).

command_line_wins_test() ->
    ?assertEqual({ok, #{timeout => "5", seed => "1"}},
                 gather([{timeout, "5"}], [{timeout, 60}, {seed, 1}])).

functions_on_the_command_line_replace_those_in_config_test() ->
    Configured = [{entry, "a:b/1"}, {args, "[1]"}, {pre, "a:ok/1"}, first],
    ?assertEqual({ok, #{module => ["c"], first => true}},
                 gather([{module, "c"}], Configured)),
    ?assertEqual({ok, #{verbose => true}}, gather([verbose], [quiet])).

bad_values_name_their_key_test_() ->
    Config = "{erlconcolic, [...]} in rebar.config: ",
    [?_assertEqual(Config ++ Text, complaint([], [Option]))
     || {Option, Text} <-
            [{{term_depth, [1, a]},
              "term_depth must be a number, 0 or more, not [1,a]."},
             {{timeout, -1}, "timeout must be a number, 0 or more, not -1."},
             {{first, 1}, "first must be true or false, not 1."},
             {{strategy, best},
              "strategy must be coverage, dfs, bfs, random or graph, not "
              "best."},
             {{format, "xml"},
              "format must be human, json, sarif, junit or github, not "
              "\"xml\"."},
             {{entry, [1, 2]},
              "entry must be a function such as \"shop:total/1\", or a list "
              "of them, not [1,2]."},
             {{entry, []},
              "entry must be a function such as \"shop:total/1\", or a list "
              "of them, not []."},
             {{pre, 7},
              "pre must be a function such as \"shop:total/1\", not 7."},
             {state, "state must be a text, not true."},
             {{pa, {a}}, "pa must be a text or a list of texts, not {a}."},
             {{term_dept, 3},
              "there is no option term_dept. Did you mean term_depth? "
              "`rebar3 help concolic' lists all options."},
             {{define, 'X'},
              "define is not an option here. rebar3 compiles the modules, so "
              "put it in erl_opts."},
             {{a, b, c}, "{a,b,c} is not an option. Options look like "
                         "{term_depth, 3} or first."}]].

options_that_are_not_a_list_are_refused_test_() ->
    [?_assertEqual("{erlconcolic, [...]} in rebar.config must be a list of "
                   "options, not " ++ Shown ++ ".", complaint([], Term))
     || {Term, Shown} <- [{first, "first"}, {[first | last], "last"}]].

bad_numbers_on_the_command_line_are_refused_test() ->
    ?assertEqual("The command line: workers must be a number, 0 or more, "
                 "not \"two\".", complaint([{workers, "two"}], [])).

unexpected_arguments_are_refused_with_advice_test() ->
    Text = "Unexpected argument shop. To name a function, use --entry, for "
           "example --entry shop:total/1.",
    ?assertEqual(Text, complaint([{task, "shop"}], [])),
    {error, Reason} = rebar3_erlconcolic_options:gather({[], ["shop"]}, []),
    ?assertEqual(Text, lists:flatten(rebar3_erlconcolic_message:text(Reason))).

every_option_has_help_test() ->
    [begin
         ?assertMatch([_ | _], Help),
         ?assertEqual(atom_to_list(Name),
                      lists:flatten(string:replace(Word, "-", "_", all)))
     end || {Name, undefined, Word, _, Help}
                <- rebar3_erlconcolic_options:for_command_line()].
