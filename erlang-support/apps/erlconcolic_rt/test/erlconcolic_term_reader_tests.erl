-module(erlconcolic_term_reader_tests).

-include_lib("eunit/include/eunit.hrl").

-define(TAG, '$erlconcolic').

reads_tables_test_() ->
    [?_assertEqual({ok, Term}, read(Text))
     || {Text, Term} <-
            [{"fun(3) -> 42; (_) -> 0 end", {?TAG, 'fun', 1, [{[3], 42}], 0}},
             {"fun() -> [a] end", {?TAG, 'fun', 0, [], [a]}},
             {"fun(-1, {a, \"b\"}) -> 2.5; (X, _) -> <<1>> end",
              {?TAG, 'fun', 2, [{[-1, {a, "b"}], 2.5}], <<1>>}},
             {"fun(X, Y) when X =:= #{}, Y =:= 1 -> a; (_, _) -> b end",
              {?TAG, 'fun', 2, [{[#{}, 1], a}], b}},
             {"fun({F1, 2}, [X2 | F3]) when is_function(F1, 1), X2 =:= #{}, "
              "is_function(F3, 0) -> a; (_, _) -> b end",
              {?TAG, 'fun', 2,
               [{[{{?TAG, 'fun', 1, [], []}, 2},
                  [#{} | {?TAG, 'fun', 0, [], []}]], a}], b}},
             {"{x, fun(_) -> fun() -> 1 end end}",
              {x, {?TAG, 'fun', 1, [], {?TAG, 'fun', 0, [], 1}}}},
             {"{'$erlconcolic', 1}", {?TAG, tuple, {?TAG, 1}}}]].

%% Other funs cannot be written as tables.
refuses_other_funs_test_() ->
    [?_assertMatch({error, _}, read(Text))
     || Text <- ["fun(X) -> X end",
                 "fun(3) -> 42 end",
                 "fun(X, X) -> 42 end",
                 "fun(#{}) -> 1; (_) -> 0 end",
                 "fun(X) when X =:= fun lists:map/2 -> 1; (_) -> 0 end",
                 "fun(_, 2) -> 1; (_, _) -> 0 end",
                 "fun(F, F) when is_function(F, 1) -> 1; (_, _) -> 0 end",
                 "fun(F) when is_function(F) -> 1; (_) -> 0 end",
                 "fun(F) when is_function(F, 256) -> 1; (_) -> 0 end",
                 "fun(F) when is_function(G, 1) -> 1; (_) -> 0 end",
                 "fun(F) when is_function(F, 1), F =:= 1 -> 1; (_) -> 0 end",
                 "fun(X) when X > 3 -> 1; (_) -> 0 end",
                 "fun(X) when X =:= 3; X =:= 4 -> 1; (_) -> 0 end",
                 "fun(_) -> a, b end",
                 "fun F(_) -> a end",
                 "{X}",
                 "f()"]].

%% A few characters must not make gigabytes.
refuses_huge_bit_strings_test_() ->
    [?_assertEqual({error, "has a bit string of more than 65536 bytes"},
                   read(Text))
     || Text <- ["<<1:99999999999>>",
                 "[{a, <<1:524289>>}]",
                 "<<1:65536/unit:256>>",
                 "<<\"abc\":300000>>",
                 "<<1:300000, 2:300000>>",
                 "#{a => <<1:524289>>}",
                 "fun(<<1:524289>>) -> 1; (_) -> 2 end",
                 "fun(X) when X =:= <<1:524289>> -> 1; (_) -> 2 end",
                 "fun(_) -> <<1:524289>> end"]].

reads_integers_that_are_computed_test_() ->
    [?_assertEqual({ok, Term}, read(Text))
     || {Text, Term} <-
            [{"1 bsl 1023 - 1", 1 bsl 1023 - 1},
             {"[-(1 bsl 200) + 3]", [-(1 bsl 200) + 3]},
             {"fun(1 bsl 9) -> 2 bsl 9; (_) -> -1 end",
              {?TAG, 'fun', 1, [{[512], 1024}], -1}}]].

refuses_other_computations_test_() ->
    [?_assertMatch({error, _}, read(Text))
     || Text <- ["1 bsl 99999999999", "1 bsl -1", "2 * 3", "1 + a",
                 "1 bsl 524288 bsl 524288 bsl 524288"]].

reads_long_bit_strings_test() ->
    ?assertEqual({ok, <<1:524288>>}, read("<<1:524288>>")).

refuses_deep_terms_test() ->
    Nested = fun(Count) ->
                     lists:duplicate(Count, $[) ++ lists:duplicate(Count, $])
             end,
    ?assertMatch({ok, [_]}, read(Nested(299))),
    ?assertEqual({error, "is nested more than 300 levels deep"},
                 read(Nested(50000))),
    Long = "[" ++ lists:append(lists:duplicate(5000, "a,")) ++ "a]",
    ?assertMatch({ok, [a, a | _]}, read(Long)).

read(Text) ->
    {ok, Tokens, _} = erl_scan:string(Text ++ "."),
    {ok, [Form]} = erl_parse:parse_exprs(Tokens),
    erlconcolic_term_reader:read(Form).
