-module(erlconcolic_code_place_tests).

-include_lib("eunit/include/eunit.hrl").

finds_the_file_of_a_module_test() ->
    {ok, Path} = erlconcolic_code_place:which(lists),
    ?assertEqual(<<"lists.beam">>, filename:basename(Path)),
    ?assertEqual(none, erlconcolic_code_place:which(no_such_module)).

tells_modules_of_erlang_from_others_test_() ->
    [?_assertEqual(Expected, erlconcolic_code_place:is_of_system(Module))
     || {Module, Expected} <- [{erlang, true},
                               {lists, true},
                               {?MODULE, false},
                               {no_such_module, false}]].
