-module(erlconcolic_alias_tests).

%% What `catch` gives is tested here.
-compile(nowarn_deprecated_catch).

-include_lib("eunit/include/eunit.hrl").

%% Called under the name `lists'.
-export([hit/1]).

-define(ALIASES, [{lists, ?MODULE}]).

aliases_test_() ->
    {foreach,
     fun() -> ok = erlconcolic_alias:keep(?ALIASES) end,
     fun(_) -> true = persistent_term:erase(erlconcolic_alias) end,
     [fun calls_of_all_kinds_reach_the_alias/0,
      fun functions_that_the_alias_lacks_are_those_of_otp/0,
      fun names_of_the_user_are_shown/0,
      fun names_that_are_data_stay/0]}.

calls_of_all_kinds_reach_the_alias() ->
    Call = fun erlconcolic_alias:call/3,
    ?assertEqual({hit, 1}, Call(lists, hit, [1])),
    ?assertEqual({hit, 1}, Call(erlang, apply, [lists, hit, [1]])),
    ?assertEqual(fun ?MODULE:hit/1, Call(erlang, make_fun, [lists, hit, 1])),
    ?assert(Call(erlang, function_exported, [lists, hit, 1])),
    {_, Monitor} = Call(erlang, spawn_monitor, [lists, hit, [1]]),
    receive
        {'DOWN', Monitor, process, _, Reason} -> ?assertEqual(normal, Reason)
    end,
    ?assertMatch({_, {hit, 1}}, Call(timer, tc, [lists, hit, [1]])).

functions_that_the_alias_lacks_are_those_of_otp() ->
    ?assertEqual([2, 1], erlconcolic_alias:call(lists, reverse, [[1, 2]])).

names_of_the_user_are_shown() ->
    Info = erlconcolic_alias:call(erlang, get_module_info, [lists]),
    ?assertEqual(lists, proplists:get_value(module, Info)),
    Stack = try hit(crash) catch error:crash:Raised -> Raised end,
    ?assertMatch([{lists, hit, 1, _} | _], erlconcolic_alias:stack(Stack)),
    ?assertMatch({'EXIT', {crash, [{lists, hit, 1, _} | _]}},
                 erlconcolic_alias:caught((catch hit(crash)))),
    ?assertEqual(<<"fun lists:hit/1">>,
                 erlconcolic_text:text(fun ?MODULE:hit/1)).

names_that_are_data_stay() ->
    ?assertEqual([a, lists], erlconcolic_alias:call(ordsets, from_list,
                                                    [[lists, a]])).

hit(crash) -> error(crash);
hit(X) -> {hit, X}.
