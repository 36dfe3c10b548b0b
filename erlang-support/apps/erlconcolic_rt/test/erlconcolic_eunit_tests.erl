-module(erlconcolic_eunit_tests).

-include_lib("eunit/include/eunit.hrl").

-define(SOURCE,
        ["-module(tested_here). -compile([export_all, nowarn_export_all]).\n",
         "double(X) -> X * 2.\n",
         "pass_test() -> 4 = double(2), 6 = double(3), 4 = double(2).\n",
         "pids_test() -> catch double(self()).\n",
         "many_test_() -> [fun() -> double(N) end || N <- [7, 8]].\n",
         "fail_test() -> error(oops).\n",
         "'@fail_test'() -> error(not_a_test).\n"]).

tests_are_run_and_inputs_collected_test_() ->
    {timeout, 60, fun tests_are_run_and_inputs_collected/0}.

tests_are_run_and_inputs_collected() ->
    ok = load(),
    Function = #{name => {tested, double}, arity => 1,
                 loaded_as => tested_here, functions => [double]},
    Owner = self(),
    Request = #{modules => [tested_here], functions => [Function]},
    {ok, Answer} =
        erlconcolic_eunit:run(Request, fun(Part) -> Owner ! {part, Part} end),
    ?assertMatch(#{passed := 4, skipped := 0,
                   failed := [#{test := <<"tested_here:fail_test/0">>}],
                   inputs := [{tested, double, _}]}, Answer),
    #{inputs := [{_, _, Inputs}], failed := [#{why := Why}]} = Answer,
    ?assertEqual([[2], [3], [7], [8]], lists:sort(Inputs)),
    ?assertMatch({match, _}, re:run(Why, "oops")),
    ?assertEqual(5, parts(0)).

load() ->
    Files = [{"tested_here.erl", ?SOURCE}],
    erlconcolic_fixture:in_folder(Files, fun(Folder) ->
        File = filename:join(Folder, "tested_here.erl"),
        {ok, Module, Code} = compile:file(File, [binary]),
        {module, Module} = code:load_binary(Module, File, Code),
        ok
    end).

parts(Count) ->
    receive
        {part, {test, _}} -> parts(Count + 1)
    after 0 ->
        Count
    end.
