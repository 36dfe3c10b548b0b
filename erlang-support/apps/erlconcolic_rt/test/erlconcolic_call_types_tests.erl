%%% Tests of the functions of a module a for sequences of calls. They show a
%%% function as its name, which references it takes, and the patterns of what it
%%% makes.
-module(erlconcolic_call_types_tests).

-include_lib("eunit/include/eunit.hrl").

-import(erlconcolic_fixture, [in_folder/2]).

finds_values_in_results_test_() ->
    [{Result, ?_assertEqual(Expected, patterns(Result))}
     || {Result, Expected} <-
            [{"t()", [{made, 1}]},
             {"a:t()", [{made, 1}]},
             {"t() | error", [{made, 1}]},
             {"t() | integer()", []},
             {"{ok, t()} | {error, term()}",
              [{tuple, [{atom, ok}, {made, 1}]}]},
             {"{{value, x}, t()} | {empty, t()}", [{tuple, [any, {made, 1}]}]},
             {"{value, {t(), t()}}",
              [{tuple, [{atom, value}, {tuple, [{made, 1}, {made, 2}]}]}]},
             {"{a, t()} | {b, x, t()} | none",
              [{tuple, [{atom, a}, {made, 1}]},
               {tuple, [{atom, b}, {atom, x}, {made, 2}]}]},
             {"{a, t()} | {x, y} | {b, x}", [{tuple, [{atom, a}, {made, 1}]}]},
             {"{a, t()} | {integer(), y}", []},
             {"{a, t()} | term()", []},
             {"[t()]", []},
             {"integer()", []}]].

aliases_and_equal_records_are_the_type_test() ->
    Types = "-record(t, {a}).\n-type t() :: #t{}.\n-type s() :: t().\n",
    Functions = "-spec new() -> {ok, s()}.\nnew() -> x.\n"
                "-spec change(#t{}) -> #t{}.\nchange(X) -> X.\n",
    ?assertEqual([{new, [], [{tuple, [{atom, ok}, {made, 1}]}], [[1]]},
                  {change, [1], [{made, 1}], [[1]]}],
                 calls([Types, Functions])).

types_that_are_not_opaque_count_if_they_are_data_test_() ->
    New = "-spec new() -> t().\nnew() -> x.\n",
    Change = "-spec change(t()) -> t().\nchange(X) -> X.\n",
    Read = "-spec read(t()) -> ok.\nread(_) -> ok.\n",
    [?_assertEqual(Expected, [Taken || {_, Taken, _, _}
                                           <- calls([Type | Functions])])
     || {Type, Functions, Expected} <-
            [{"-type t() :: [a].\n", [New, Change], [[], [1]]},
             {"-type t() :: a | {b, t()}.\n", [New, Change], [[], [1]]},
             %% No structure.
             {"-type t() :: atom().\n", [New, Change], [[], [none]]},
             %% No function makes one of another one.
             {"-type t() :: [a].\n", [New, Read], [[], [none]]},
             %% No function makes one without.
             {"-type t() :: [a].\n", [Change, Read], [[none], [none]]}]].

parameters_tell_types_apart_test() ->
    Text = "-opaque t(X) :: [X].\n"
           "-spec new() -> t(_).\nnew() -> x.\n"
           "-spec add(X, t(X)) -> t(X).\nadd(_, _) -> x.\n"
           "-spec sum(t(integer())) -> integer().\nsum(_) -> 0.\n",
    %% An empty one is good for all, and `add' makes both.
    ?assertEqual([{add, [none, 1], [{made, 1}], [[1]]},
                  {add, [none, 2], [{made, 1}], [[1, 2]]},
                  {new, [], [{made, 1}], [[1, 2]]},
                  {sum, [2], [], []}], lists:sort(calls(Text))).

files_without_specs_have_no_calls_test() ->
    ?assertEqual([], calls("-opaque t() :: x.\n-export_type([t/0]).\n")),
    Core = #{path => <<"a.core">>, sources => [], opaque => recipes},
    ?assertEqual(none, erlconcolic_call_types:types(
                           Core, erlconcolic_project:new())).

patterns(Result) ->
    Text = ["-opaque t() :: x.\n-spec f() -> ", Result, ".\nf() -> x.\n"
            "-spec g(t()) -> t().\ng(X) -> X.\n"],
    [{f, [], Patterns, _} | _] = calls(Text),
    Patterns.

%% Functions in the order of their specs. An argument that is no reference is
%% `none'.
calls(Text) ->
    #{calls := Calls, clauses := Clauses, types := Types} = answer(Text),
    [{Function, [reference(Id, Types) || Id <- Clause], Patterns, Values}
     || {#{function := Function, patterns := Patterns, values := Values},
         Clause} <- lists:zip(Calls, Clauses)].

reference(Id, Types) ->
    case lists:nth(Id + 1, Types) of
        [{tuple, [TagId]}] ->
            [{atom, Tag}] = lists:nth(TagId + 1, Types),
            ["$erlconcolic_made", Number] =
                string:split(atom_to_list(Tag), "\x{1f}"),
            list_to_integer(Number);
        _ ->
            none
    end.

answer(Text) ->
    Lines = ["-module(a).\n-compile([export_all, nowarn_export_all]).\n", Text],
    ok = erlconcolic_fixture:start_transforms(),
    in_folder([{"a.erl", Lines}], fun(Folder) ->
        File = unicode:characters_to_binary(filename:join(Folder, "a.erl")),
        Request = #{path => File, sources => [File], opaque => recipes},
        erlconcolic_call_types:types(Request, erlconcolic_project:new())
    end).
