-module(erlconcolic_elixir_forms_tests).

-include_lib("eunit/include/eunit.hrl").

%% Reads arguments in Elixir, where it is on the code path.
reads_terms_of_elixir_test_() ->
    case code:ensure_loaded('Elixir.Code') of
        {module, _} -> lists:map(fun reads/1, terms());
        {error, _} -> []
    end.

reads({Text, Terms}) ->
    ?_assertEqual({ok, Terms}, erlconcolic_entry:elixir_arguments(Text)).

terms() ->
    [{<<"[]">>, []},
     {<<"[:a, nil, -1, 2.5, \"x\"]">>, [a, nil, -1, 2.5, <<"x">>]},
     {<<"[%{\"b\" => {1, 2, 3}, a: 1}]">>,
      [#{a => 1, <<"b">> => {1, 2, 3}}]},
     {<<"[[a: 1], [1 | 2], ~c\"ab\"]">>, [[{a, 1}], [1 | 2], "ab"]},
     {<<"[A.B, 1..3, <<1, 5::3>>]">>,
      ['Elixir.A.B',
       #{'__struct__' => 'Elixir.Range', first => 1, last => 3, step => 1},
       <<1, 5:3>>]},
     {<<"[%Nosuch{a: 1}, 2 ** 70 - 1, -(3 * 2 ** 4)]">>,
      [#{'__struct__' => 'Elixir.Nosuch', a => 1}, (1 bsl 70) - 1, -48]},
     {<<"[&:lists.map/2]">>, [fun lists:map/2]},
     {<<"[fn 3 -> 42; _ -> 0 end]">>,
      [{'$erlconcolic', 'fun', 1, [{[3], 42}], 0}]},
     {<<"[fn x when x === %{} -> 1; _ -> 0 end]">>,
      [{'$erlconcolic', 'fun', 1, [{[#{}], 1}], 0}]}].

says_what_is_wrong_test_() ->
    [?_assertMatch({error, [{error, <<>>, 0, 0, _}]},
                   erlconcolic_entry:elixir_arguments(Text))
     || Text <- [<<"[x]">>, <<"[%{">>, <<":a">>, <<"">>]].
