%%% What the model of `re' is told about patterns. That it matches as the real
%%% one does is tested with random patterns, see tests/erlang_tools.
-module(erlconcolic_regex_tests).

-include_lib("eunit/include/eunit.hrl").
-include("../src/runtime/erlconcolic_keys.hrl").

understood_patterns_test_() ->
    [?_assertMatch({plan, _, _, _, _, _, _},
                   erlconcolic_regex:plan(Pattern, Options))
     || {Pattern, Options} <-
            [{"^v?(\\d+)\\.(\\d+)$", []},
             {<<"(?<year>\\d{4})-(?P<month>\\d\\d)">>, [anchored]},
             {"(?i:a|b)*?c++(?=d)(?<!ee|f)", [dotall, multiline]},
             {"[[:alpha:]_][^]\\\\x]*\\Q.*\\E", [caseless]},
             {" a # comment\n b ", [extended]},
             {[16#3B1, $+], [unicode]},
             {"(a)\\1\\g{-1}", [ungreedy]}]].

patterns_that_are_not_understood_test_() ->
    [?_assertEqual(unknown, erlconcolic_regex:plan(Pattern, Options))
     || {Pattern, Options} <-
            [{"(a(?R)?b)", []}, {"(a)(?(1)b)", []}, {"\\R", []},
             {"a{0}", []}, {"(a?)*+", []}, {"a+(bc)?+a", []},
             {"a+(?>(bc)?)a", []}, {"(a)\\1", [caseless]}, {"a", [firstline]},
             {"a", [no_option]}, {atom, []}]].

invalid_patterns_test_() ->
    [?_assertEqual(invalid, erlconcolic_regex:plan(Pattern, []))
     || Pattern <- ["(", "[a", "*", "a{2,1}", "\\2"]].

names_and_numbers_of_groups_test() ->
    {plan, _, 3, Names, bytes, false, _} =
        erlconcolic_regex:plan("(?<b>x)(y)(?<a>z)", []),
    ?assertEqual([{<<"a">>, 3}, {<<"b">>, 1}], Names).

only_the_process_that_compiled_it_knows_a_pattern_test() ->
    {ok, Compiled} = erlconcolic_regex:compile("a+", []),
    Plan = erlconcolic_regex:plan("a+", []),
    ?assertEqual(Plan, erlconcolic_regex:plan(Compiled, [])),
    Self = self(),
    _ = spawn_link(fun() ->
                           Self ! {plan, erlconcolic_regex:plan(Compiled, [])}
                   end),
    receive {plan, Other} -> ?assertEqual(unknown, Other) end.

the_program_does_not_see_what_is_remembered_test() ->
    {ok, _} = erlconcolic_regex:compile("a+", []),
    ?assertNotEqual(undefined, get(?PATTERNS)),
    ?assertNot(lists:member(?PATTERNS,
                            erlconcolic_disguise:call(erlang, get_keys, []))).

%% Few comparisons: each may be a decision.
sets_are_looked_up_in_one_step_test_() ->
    [?_assertEqual({ok, Set}, erlconcolic_regex_set:new(Text, {bytes, false}))
     || {Text, Set} <- [{"\\d", {in, [{$0, $9}]}},
                        {"[^a]", {except, $a}},
                        {"[a]", {is, $a}},
                        {"[^0-9]", {not_in, [{$0, $9}]}},
                        {"[\\x00-\\xff]", any},
                        {"[a-fA-F]", {in, [{$A, $F, $a, $f}]}}]]
        ++ [fun() ->
                    {ok, {in, Chunks}} =
                        erlconcolic_regex_set:new("\\w", {bytes, false}),
                    ?assertMatch([_], Chunks)
            end].
