%%% Tests of the names of functions in instrumented code.
-module(erlconcolic_names_tests).

-include_lib("eunit/include/eunit.hrl").

original_names_test_() ->
    [?_assertEqual(Expected, erlconcolic_names:original(Name, Args))
     || {Name, Args, Expected} <-
            [{'@f', 1, {f, 1}},
             {'@f', [a, b], {f, [a, b]}},
             {'@f/2@17', 4, {f, 2}},
             {'@f/2@17', [a], {f, [a]}},
             {'@f_test@', 0, {f_test, 0}},
             {'@f_test_@/0@3', 2, {f_test_, 0}},
             {'@größe/1@2', 1, {'größe', 1}},
             {'-@f/1-@fun7/0-0-', 1, {'-f/1-fun7/0-0-', 1}},
             {'-@f/2@17/4-fun-0-', 1, {'-f/2-fun-0-', 1}},
             {'-@f_test@/0-fun-1-', 0, {'-f_test/0-fun-1-', 0}},
             {'-inlined-f/2-', [a, b], {f, [a, b]}},
             {'-inlined-', 0, {'-inlined-', 0}},
             {f, 1, {f, 1}}]].

bodies_test_() ->
    [?_assertEqual(Expected, erlconcolic_names:body_of(Name))
     || {Name, Expected} <- [{'@f', {ok, f}}, {'@f_test@', {ok, f_test}},
                             {'@f/1@7', no_body}, {'@!erlang:+', no_body},
                             {f, no_body}]].

shared_functions_test() ->
    ?assert(erlconcolic_names:is_shared('@!erlang:+')),
    ?assertNot(erlconcolic_names:is_shared('@f')).

receives_are_parts_of_their_functions_test_() ->
    [?_assertEqual(Expected, erlconcolic_names:receive_in(Name))
     || {Name, Expected} <-
            [{'-@f/2-@again7/0-1-', {inner, f, 2}},
             {'-@f/2-@tail_again12/3-0-', {last, f, 2}},
             {'-@f/2@4/5-@again7/0-1-', {inner, f, 2}},
             {'-@f_test@/0-@again1/0-1-', {inner, f_test, 0}},
             {'-@f/2-@fun7/0-0-', no},
             {'-f/2-again1/0-0-', no},
             {f, no}]].
