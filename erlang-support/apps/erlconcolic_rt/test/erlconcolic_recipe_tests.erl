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
    [?_assertEqual(Expected, build(Text))
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
                       [Table] = build(Text),
                       lists:sort([Key || {Key} <- ets:tab2list(Table)])
                   end)
     || Text <- ["[(fun(X) -> ets:insert(X, {1}), ets:insert(X, {2}), X end)"
                 "(ets:new(a, []))]",
                 "[begin T = ets:new(a, []), ets:insert(T, {1}), "
                 "ets:insert(T, {2}), T end]"]].

makes_results_of_funs_test() ->
    Fun = build("fun(1) -> queue:new(); (_) -> 0 end"),
    ?assertEqual(queue:new(), Fun(1)).

rejects_what_cannot_be_made_test_() ->
    [?_assertExit(erlconcolic_rejected, build(Text))
     || Text <- ["queue:head(queue:new())",
                 "element(2, erlconcolic_recipe_tests:open(bad))",
                 "no_such_module:new()"]].

rejects_what_is_no_value_test_() ->
    {ok, Tag} = erlconcolic_recipe:tag(value, ?MODULE, open),
    Text = "erlconcolic_recipe_tests:open(bad)",
    [?_assertExit(erlconcolic_rejected,
                  erlconcolic_recipe:build(read(Text), [{Tag, [Form]}]))
     || Form <- [{tagged, error, 2}]]
    ++ [?_assertEqual({error, bad},
                      erlconcolic_recipe:build(read(Text), [{Tag, [Form]}]))
        || Form <- [atom, nil, {atom, bad}, {tagged, error, 3}]].

names_of_all_kinds_test_() ->
    [?_assertMatch({ok, _}, erlconcolic_recipe:tag(value, 'It\'s', new)),
     ?_assertEqual(none, erlconcolic_recipe:tag(value, 'a\x{1f}b', new)),
     ?_assertEqual(none, erlconcolic_recipe:tag(
                             value, list_to_atom(lists:duplicate(250, $a)),
                             new))].

build(Text) ->
    erlconcolic_recipe:build(read(Text), []).

read(Text) ->
    {ok, Tokens, _} = erl_scan:string(Text ++ "."),
    {ok, [Form]} = erl_parse:parse_exprs(Tokens),
    {ok, Wire} = erlconcolic_term_reader:read(Form),
    Wire.
