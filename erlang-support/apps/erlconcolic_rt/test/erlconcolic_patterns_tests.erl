%%% Tests for what is remembered of compiled patterns, and that programs do not
%%% see it.
-module(erlconcolic_patterns_tests).

-include_lib("eunit/include/eunit.hrl").

a_compiled_pattern_is_found_again_test() ->
    Compiled = binary:compile_pattern([<<"a">>, <<"b">>]),
    ok = erlconcolic_patterns:remember(Compiled, [<<"a">>, <<"b">>]),
    Other = binary:compile_pattern(<<"c">>),
    ok = erlconcolic_patterns:remember(Other, <<"c">>),
    ?assertEqual({ok, [<<"a">>, <<"b">>]},
                 erlconcolic_patterns:find(Compiled)),
    ?assertEqual({ok, <<"c">>}, erlconcolic_patterns:find(Other)).

a_pattern_of_another_process_is_unknown_test() ->
    Compiled = binary:compile_pattern(<<"a">>),
    ?assertEqual(unknown, erlconcolic_patterns:find(Compiled)).

programs_do_not_see_it_test() ->
    Before = erlconcolic_disguise:call(erlang, get, []),
    Compiled = binary:compile_pattern(<<"a">>),
    ok = erlconcolic_patterns:remember(Compiled, <<"a">>),
    ?assertEqual(Before, erlconcolic_disguise:call(erlang, get, [])).
