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

modules_of_the_runtime_are_needed_test() ->
    Names = [lists, erlang, gen_server, compile, eunit, ?MODULE, no_such_module,
             group],
    ?assertEqual([lists, erlang, gen_server, compile, group],
                 erlconcolic_code_place:needed(Names)).

%% A project may come with its own module, which would be found first.
the_code_path_does_not_matter_test() ->
    erlconcolic_fixture:in_folder(
      [{"edlin.beam", ""}],
      fun(Folder) ->
              true = code:add_patha(Folder),
              Needed = erlconcolic_code_place:needed([edlin]),
              true = code:del_path(Folder),
              ?assertEqual([edlin], Needed)
      end).
