-module(rebar3_erlconcolic_run_tests).

-include_lib("eunit/include/eunit.hrl").

%% A program in place of the binary: a shell script, run with some arguments.
explore(Script, Arguments, Output) ->
    Folder = string:trim(os:cmd("mktemp -d")),
    Program = filename:join(Folder, "erl concolic"),
    ok = file:write_file(Program, ["#!/bin/sh\n", Script, "\n"]),
    ok = file:change_mode(Program, 8#755),
    try
        rebar3_erlconcolic_run:explore(Program, Arguments, Output(Folder))
    after
        ok = file:del_dir_r(Folder)
    end.

none(_Folder) -> none.

the_exit_status_is_the_result_test_() ->
    [?_assertEqual(Result, explore("exit " ++ Status, [], fun none/1))
     || {Status, Result} <- [{"0", ok},
                             {"1", {error, {findings, printed}}},
                             {"2", {error, failed}},
                             {"130", {error, interrupted}},
                             {"77", {error, {ended, 77}}}]].

words_reach_the_program_as_they_are_test() ->
    Check = "[ \"$1\" = '[\"a b\", $x]' ] && [ -z \"$2\" ] || exit 2",
    ?assertEqual(ok, explore(Check, ["[\"a b\", $x]", ""], fun none/1)).

the_report_is_written_to_a_file_test() ->
    Folder = string:trim(os:cmd("mktemp -d")),
    Output = filename:join([Folder, "new", "report.txt"]),
    ?assertEqual({error, {findings, {written, Output}}},
                 explore("echo report; exit 1", [],
                         fun(_) -> Output end)),
    ?assertEqual({ok, <<"report\n">>}, file:read_file(Output)),
    ok = file:del_dir_r(Folder).

a_report_that_cannot_be_written_is_an_error_test() ->
    ?assertMatch({error, {no_output, _, _}},
                 explore("echo report", [], fun(Folder) -> Folder end)).

a_program_that_does_not_start_is_an_error_test() ->
    {error, Reason} = rebar3_erlconcolic_run:explore("/no/such", [], none),
    ?assertMatch("Cannot start /no/such: no such file or directory. " ++ _,
                 lists:flatten(rebar3_erlconcolic_message:text(Reason))).

the_program_is_found_where_the_user_says_test() ->
    ?assertMatch({ok, "/" ++ _}, rebar3_erlconcolic_binary:find("sh")),
    ?assertEqual({error, {no_binary, "/no/such", option}},
                 rebar3_erlconcolic_binary:find("/no/such")).
