-module(erlconcolic_table_fun_tests).

-include_lib("eunit/include/eunit.hrl").

-define(TAG, '$erlconcolic').

looks_arguments_up_exactly_test() ->
    Fun = table(1, [{[3], 42}, {[#{}], map}], 0),
    ?assertEqual([42, 0, map, 0],
                 [Fun(Arg) || Arg <- [3, 3.0, #{}, #{a => 1}]]).

knows_how_many_parameters_funs_have_test() ->
    Any = fun(Arity) -> {?TAG, 'fun', Arity, [], []} end,
    Fun = table(2, [{[Any(1), 3], one}, {[Any(2), 3], two},
                    {[[{Any(30)}], 3], many}], none),
    Many = erlang:make_fun(lists, map, 30),
    Args = [fun(X) -> X end, fun lists:reverse/1, fun lists:reverse/2,
            fun() -> a end, [{Many}], Many, #{a => fun(X) -> X end}],
    ?assertEqual([one, one, two, none, many, none, none],
                 [Fun(Arg, 3) || Arg <- Args]),
    ?assertEqual(none, Fun(fun(X) -> X end, 4)).

has_any_arity_up_to_20_test_() ->
    [?_assertEqual(Arity, apply(table(Arity, [{Args, Arity}], none), Args))
     || Arity <- lists:seq(0, 20),
        Args <- [lists:seq(1, Arity)]].

funs_with_equal_tables_are_equal_test() ->
    ?assertEqual(table(1, [{[1], a}], b), table(1, [{[1], a}], b)),
    ?assertNotEqual(table(1, [{[1], a}], b), table(1, [{[1], b}], a)),
    ?assertNotEqual(table(1, [], b), table(2, [], b)).

funs_are_found_everywhere_in_a_term_test() ->
    Wire = {?TAG, 'fun', 0, [], 5},
    Term = {[Wire | Wire], #{Wire => {?TAG, tuple, {?TAG, 'fun', Wire}}}},
    {[One | Two], Map} = erlconcolic_table_fun:from_wire(Term),
    [{Three, {?TAG, 'fun', Four}}] = maps:to_list(Map),
    ?assertEqual([5, 5, 5, 5], [Fun() || Fun <- [One, Two, Three, Four]]).

wraps_tuples_that_look_like_funs_test() ->
    Elements = [?TAG, 'fun', 0, [], 5],
    Wire = erlconcolic_table_fun:tuple_to_wire(Elements),
    ?assertEqual(list_to_tuple(Elements),
                 erlconcolic_table_fun:from_wire(Wire)).

is_shown_as_source_test_() ->
    [?_assertEqual(Text, erlconcolic_text:text(Fun))
     || {Text, Fun} <-
            [{<<"fun(3) -> 42; (_) -> 0 end">>, table(1, [{[3], 42}], 0)},
             {<<"fun() -> {\"ab\"} end">>, table(0, [], {"ab"})},
             {<<"fun(1, 2) -> x; (_, _) -> y end">>,
              table(2, [{[1, 2], x}], y)},
             {<<"fun({F1,a}, [X2,1|F3]) when is_function(F1, 1), "
                "X2 =:= #{}, is_function(F3, 0) -> x; (_, _) -> y end">>,
              table(2, [{[{{?TAG, 'fun', 1, [], []}, a},
                          [#{}, 1 | {?TAG, 'fun', 0, [], []}]], x}], y)}]].

table(Arity, Entries, Default) ->
    erlconcolic_table_fun:from_wire({?TAG, 'fun', Arity, Entries, Default}).
