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
             {"{x, fun(_) -> fun() -> 1 end end}",
              {x, {?TAG, 'fun', 1, [], {?TAG, 'fun', 0, [], 1}}}},
             {"{'$erlconcolic', 1}", {?TAG, tuple, {?TAG, 1}}}]].

%% Nothing else can be told apart from what it is given.
refuses_other_funs_test_() ->
    [?_assertMatch({error, _}, read(Text))
     || Text <- ["fun(X) -> X end",
                 "fun(3) -> 42 end",
                 "fun(X, X) -> 42 end",
                 "fun(#{}) -> 1; (_) -> 0 end",
                 "fun(X) when X =:= fun lists:map/2 -> 1; (_) -> 0 end",
                 "fun(_, 2) -> 1; (_, _) -> 0 end",
                 "fun(X) when X > 3 -> 1; (_) -> 0 end",
                 "fun(X) when X =:= 3; X =:= 4 -> 1; (_) -> 0 end",
                 "fun(_) -> a, b end",
                 "fun F(_) -> a end",
                 "{X}",
                 "f()"]].

read(Text) ->
    {ok, Tokens, _} = erl_scan:string(Text ++ "."),
    {ok, [Form]} = erl_parse:parse_exprs(Tokens),
    erlconcolic_term_reader:read(Form).
