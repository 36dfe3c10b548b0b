%%% Tests of the table of steps, and of spawning.
-module(erlconcolic_steps_tests).

-include_lib("eunit/include/eunit.hrl").

-export([f/0]).

kinds_are_found_by_name_and_arity_test() ->
    ok = erlconcolic_steps:keep([{erlang, send, 2, send, none},
                                 {erlang, monitor, 2, ask, 1},
                                 {ets, insert, 2, plain, none}]),
    ?assertEqual(send, erlconcolic_steps:kind(erlang, send, 2)),
    ?assertEqual(none, erlconcolic_steps:kind(erlang, send, 3)),
    ?assertEqual(plain, erlconcolic_steps:kind(ets, insert, 2)),
    ?assertEqual({ok, b}, erlconcolic_steps:reached(erlang, monitor, [a, b])),
    ?assertEqual(none, erlconcolic_steps:reached(ets, insert, [a, b])),
    ok = erlconcolic_steps:keep([]),
    ?assertEqual(none, erlconcolic_steps:kind(ets, insert, 2)).

receivers_are_pids_or_names_of_processes_test_() ->
    Self = self(),
    [?_assertEqual(Expected, erlconcolic_steps:receiver(To, Options))
     || {To, Options, Expected} <-
            [{Self, [], {ok, Self}},
             {Self, [[nosuspend, noconnect]], {ok, Self}},
             {Self, [[never]], unknown},
             {Self, [[nosuspend | noconnect]], unknown},
             {init, [], {ok, whereis(init)}},
             {nobody_has_this_name, [], unknown},
             {undefined, [], unknown},
             {{init, node()}, [], unknown},
             {make_ref(), [], unknown}]].

sending_returns_what_it_should_test_() ->
    [?_assertEqual(apply(erlang, Function, [self() | Args]),
                   erlconcolic_steps:sent(Function, [self() | Args]))
     || {Function, Args} <- [{'!', [a]}, {send, [a]}, {send, [a, []]},
                             {send_nosuspend, [a]},
                             {send_nosuspend, [a, [noconnect]]}]].

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
