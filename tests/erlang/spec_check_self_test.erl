%% Checks that `spec_check' accepts good argument lists and rejects bad ones.
-module(spec_check_self_test).

-export([run/0]).

-spec run() -> boolean().
run() ->
    ok = random_types:open(),
    Wrong = [Found || {Function, Wanted, Lists} <- cases(),
                      {_, Verdict, _} = Found
                          <- spec_check:check(Function, Lists),
                      Verdict =/= Wanted],
    ok = random_types:close(),
    [io:format("wrong verdict: ~tw~n", [Found]) || Found <- Wrong],
    Wrong =:= [].

-spec cases() -> [{mfa(), spec_check:verdict(), [[term()]]}].
cases() ->
    plain() ++ structured() ++ recursive().

-spec plain() -> [{mfa(), spec_check:verdict(), [[term()]]}].
plain() ->
    [{{lists, nth, 2}, inside, [[1, [a]], [3, [a]]]},
     {{lists, nth, 2}, outside, [[0, [a]], [1.5, [a]], [1, []], [1], []]},
     {{calendar, date_to_gregorian_days, 3}, inside, [[0, 1, 1]]},
     {{calendar, date_to_gregorian_days, 3}, outside,
      [[-1, 1, 1], [0, 1.5, 1], [0, 13, 1]]},
     %% Overloaded, with literals of characters.
     {{lists, flatten, 1}, inside, [[[]], [[[a], b]]]},
     {{base64, decode, 1}, inside, [["aA=="], [<<1>>]]},
     {{base64, decode, 1}, outside, [[<<1:3>>], [a]]},
     {{string, pad, 4}, inside, [["a", 1, both, $c], [<<"a">>, -1, both, "c"]]},
     {{string, pad, 4}, outside, [["a", 1, left, $c], [a, 1, both, $c]]},
     {{timer, no_such_function, 1}, unchecked, [[1]]},
     {{no_such_module, f, 1}, unchecked, [[1]]}].

-spec structured() -> [{mfa(), spec_check:verdict(), [[term()]]}].
structured() ->
    [{{lists, keyfind, 3}, inside, [[a, 1, [{a}, {}]]]},
     {{lists, keyfind, 3}, outside,
      [[a, 0, []], [a, 1, [x]], [a, 1, [{a} | b]]]},
     {{lists, map, 2}, inside, [[fun lists:reverse/1, []]]},
     {{lists, map, 2}, outside, [[fun lists:reverse/2, []], [a, []]]},
     {{maps, map, 2}, inside, [[fun erlang:max/2, #{a => 1}]]},
     {{maps, map, 2}, outside, [[fun erlang:hd/1, #{}], [fun max/2, []]]},
     {{timer, now_diff, 2}, inside, [[{1, 2, 3}, {0, 0, 0}]]},
     {{timer, now_diff, 2}, outside, [[{1, 2}, {0, 0, 0}]]},
     %% Opaque.
     {{queue, in, 2}, inside, [[a, {[], [b]}]]},
     {{queue, in, 2}, outside, [[a, {[], b}], [a, []]]},
     {{uri_string, recompose, 1}, inside,
      [[#{path => "a"}], [#{path => <<"a">>, port => 5}]]},
     {{uri_string, recompose, 1}, outside,
      [["x"], [#{path => a}], [#{path => "a", port => a}], [#{x => y}]]}].

%% Only PropEr sees a mistake far down.
-spec recursive() -> [{mfa(), spec_check:verdict(), [[term()]]}].
recursive() ->
    Tree = fun(End) ->
                   lists:foldl(fun(Key, Tree) -> {Key, v, Tree, nil} end,
                               End, lists:seq(1, 9))
           end,
    Deep = case code:ensure_loaded(proper_typeserver) of
               {module, _} -> outside;
               {error, _} -> inside
           end,
    [{{gb_trees, lookup, 2}, inside, [[a, {9, Tree(nil)}]]},
     {{gb_trees, lookup, 2}, outside, [[a, {a, nil}], [a, {0, none}]]},
     {{gb_trees, lookup, 2}, Deep, [[a, {9, Tree(none)}]]},
     {{erlang, iolist_to_binary, 1}, inside,
      [[<<>>], [[1, [[[[2]]]] | <<3>>]]]},
     {{erlang, iolist_to_binary, 1}, outside, [[[256]], [a], [[a]]]}].
