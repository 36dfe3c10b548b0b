-module(money_tests).
-include_lib("eunit/include/eunit.hrl").

parse_test_() ->
    [?_assertEqual(Expected, money:parse(Text))
     || {Text, Expected} <- [{"0", {ok, 0}}, {"1", {ok, 100}}, {"12.50", {ok, 1250}},
                             {"-3", {ok, -300}}, {"-0.01", {ok, -1}}, {"007", {ok, 700}},
                             {"", error}, {"-", error}, {".", error}, {".50", error},
                             {"1.5", error}, {"1.555", error}, {"1.5a", error},
                             {"a", error}, {"1-", error}, {"--1", error}, {"1.2.3", error},
                             {" 1", error}]].

round_trip_test_() ->
    [?_assertEqual({ok, Cents}, money:parse(money:format(Cents)))
     || Cents <- [0, 1, 9, 10, 99, 100, 101, 12345, -1, -99, -100, -12345]
                 ++ [N * 37 || N <- lists:seq(1, 30)]].

split_test_() ->
    [[?_assertEqual(Cents, lists:sum(money:split(Cents, Shares))),
      ?_assertEqual(Shares, length(money:split(Cents, Shares))),
      ?_assert(lists:max(money:split(Cents, Shares))
               - lists:min(money:split(Cents, Shares)) =< 1)]
     || Cents <- [0, 1, 7, 100, 101], Shares <- [1, 2, 3, 7]].

bad_split_test_() ->
    [?_assertError(function_clause, money:split(100, 0)),
     ?_assertError(function_clause, money:split(-1, 2)),
     ?_assertError(badarith, money:add(a, 1))].
