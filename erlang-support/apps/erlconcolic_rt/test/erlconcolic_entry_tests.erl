-module(erlconcolic_entry_tests).

-include_lib("eunit/include/eunit.hrl").

reads_lists_of_terms_test_() ->
    [?_assertEqual({ok, Terms}, erlconcolic_entry:arguments(Text))
     || {Text, Terms} <- [{<<"[]">>, []},
                          {<<"[[a], 3]">>, [[a], 3]},
                          {<<" [a] . ">>, [a]},
                          {<<"\"ab\"">>, "ab"},
                          {<<"[#{a => 1.5}, <<1, 2>>, {-1}]">>,
                           [#{a => 1.5}, <<1, 2>>, {-1}]},
                          {<<"[fun lists:map/2]">>, [fun lists:map/2]},
                          {<<"['\303\251']"/utf8>>, ['\303\251']}]].

says_what_is_wrong_test_() ->
    [?_assertMatch({error, [{error, <<>>, 0, 0, Words}]},
                   erlconcolic_entry:arguments(Text))
     || {Text, Words} <- [{<<"">>, <<"is empty">>},
                          {<<"a">>, <<"is not a list">>},
                          {<<"[a|b]">>, <<"is not a list">>},
                          {<<"[a], [b]">>, <<"is more than one term">>},
                          {<<255>>, <<"is not UTF-8 text">>}]].

names_the_place_of_a_syntax_error_test() ->
    {error, [Message]} = erlconcolic_entry:arguments(<<"[a">>),
    {error, <<>>, 0, 0, Words} = Message,
    ?assertMatch(<<"cannot be read at column 3", _/binary>>, Words).
