%%% Tests of the table of steps, and of spawning.
-module(erlconcolic_steps_tests).

-include_lib("eunit/include/eunit.hrl").

-export([f/0]).

kinds_are_found_by_name_and_arity_test() ->
    ok = erlconcolic_steps:keep([{erlang, send, 2, send},
                                 {ets, insert, 2, plain}]),
    ?assertEqual(send, erlconcolic_steps:kind(erlang, send, 2)),
    ?assertEqual(none, erlconcolic_steps:kind(erlang, send, 3)),
    ?assertEqual(plain, erlconcolic_steps:kind(ets, insert, 2)),
    ok = erlconcolic_steps:keep([]),
    ?assertEqual(none, erlconcolic_steps:kind(ets, insert, 2)).

spawns_have_one_form_test_() ->
    Fun = fun ?MODULE:f/0,
    Mfa = {?MODULE, f, []},
    [?_assertEqual(Expected, erlconcolic_spawn:request(Function, Args))
     || {Function, Args, Expected} <-
            [{spawn, [Fun], {ok, Fun, []}},
             {spawn, [?MODULE, f, []], {ok, Mfa, []}},
             {spawn_link, [Fun], {ok, Fun, [link]}},
             {spawn_monitor, [?MODULE, f, []], {ok, Mfa, [monitor]}},
             {spawn_opt, [Fun, [link]], {ok, Fun, [link]}},
             {spawn_opt, [?MODULE, f, [], [monitor]], {ok, Mfa, [monitor]}},
             {spawn, [no_fun], error},
             {spawn, [?MODULE, f, [a | b]], error},
             {spawn, [?MODULE, "f", []], error},
             {spawn_opt, [Fun, link], error}]].

entries_are_functions_or_what_funs_stand_in_test_() ->
    [?_assertEqual({?MODULE, f, 0}, erlconcolic_spawn:entry(Body))
     || Body <- [fun ?MODULE:f/0, {?MODULE, f, []}]]
    ++ [?_assertMatch({in, {?MODULE, _, 0}},
                      erlconcolic_spawn:entry(fun() -> ok end))].

f() ->
    ok.
