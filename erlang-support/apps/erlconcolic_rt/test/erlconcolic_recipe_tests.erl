-module(erlconcolic_recipe_tests).

-include_lib("eunit/include/eunit.hrl").

%% Constructors.
-export([open/1]).

open(Value) ->
    case Value of
        bad -> {error, bad};
        _ -> {ok, {opened, Value}}
    end.

makes_values_test_() ->
    [?_assertEqual(Expected, erlconcolic_recipe:build(read(Text)))
     || {Text, Expected} <-
            [{"queue:in(1, queue:from_list([2]))",
              queue:in(1, queue:from_list([2]))},
             {"[{a, queue:new()}, #{k => queue:new()}]",
              [{a, queue:new()}, #{k => queue:new()}]},
             {"element(2, erlconcolic_recipe_tests:open(queue:new()))",
              {opened, queue:new()}},
             {"{'$erlconcolic', 1}", {'$erlconcolic', 1}},
             {"{'$erlconcolic_value', 1}", {'$erlconcolic_value', 1}}]].

makes_values_by_their_effects_test_() ->
    [?_assertEqual([1, 2],
                   begin
                       [Table] = erlconcolic_recipe:build(read(Text)),
                       lists:sort([Key || {Key} <- ets:tab2list(Table)])
                   end)
     || Text <- ["[(fun(X) -> ets:insert(X, {1}), ets:insert(X, {2}), X end)"
                 "(ets:new(a, []))]",
                 "[begin T = ets:new(a, []), ets:insert(T, {1}), "
                 "ets:insert(T, {2}), T end]"]].

makes_results_of_funs_test() ->
    Fun = erlconcolic_recipe:build(read("fun(1) -> queue:new(); (_) -> 0 end")),
    ?assertEqual(queue:new(), Fun(1)).

rejects_what_cannot_be_made_test_() ->
    [?_assertExit(erlconcolic_rejected, erlconcolic_recipe:build(read(Text)))
     || Text <- ["queue:head(queue:new())",
                 "element(2, erlconcolic_recipe_tests:open(bad))",
                 "no_such_module:new()"]].

names_of_all_kinds_test_() ->
    [?_assertMatch({ok, _}, erlconcolic_recipe:tag(value, 'It\'s', new)),
     ?_assertEqual(none, erlconcolic_recipe:tag(value, 'a\x{1f}b', new)),
     ?_assertEqual(none, erlconcolic_recipe:tag(
                             value, list_to_atom(lists:duplicate(250, $a)),
                             new))].

read(Text) ->
    {ok, Tokens, _} = erl_scan:string(Text ++ "."),
    {ok, [Form]} = erl_parse:parse_exprs(Tokens),
    {ok, Wire} = erlconcolic_term_reader:read(Form),
    Wire.
