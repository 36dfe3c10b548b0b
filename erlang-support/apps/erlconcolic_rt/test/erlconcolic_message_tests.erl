%%% Tests of how compiler errors become messages.
-module(erlconcolic_message_tests).

-include_lib("eunit/include/eunit.hrl").

-export([format_error/1]).

format_error(fails) -> error(fails);
format_error(not_text) -> {not_text};
format_error(Text) -> Text.

keeps_order_and_positions_test() ->
    Errors = [{"a.hrl", [{{3, 7}, ?MODULE, "one"}, {4, ?MODULE, "two"}]},
              {"b.erl", [{none, ?MODULE, "three"}]}],
    ?assertEqual([{error, <<"a.hrl">>, 3, 7, <<"one">>},
                  {error, <<"a.hrl">>, 4, 0, <<"two">>},
                  {error, <<"b.erl">>, 0, 0, <<"three">>}],
                 erlconcolic_message:from_compiler(error, Errors)).

text_and_path_are_utf8_test() ->
    ?assertEqual([{warning, <<"π.erl"/utf8>>, 1, 0, <<"sí, λ"/utf8>>}],
                 erlconcolic_message:from_compiler(
                     warning, [{"π.erl", [{1, ?MODULE, ["sí", ", ", $λ]}]}])).

description_without_text_is_printed_as_a_term_test_() ->
    [?_assertEqual([{error, <<"a.erl">>, 1, 0, Text}],
                   erlconcolic_message:from_compiler(
                       error, [{"a.erl", [{1, Module, Description}]}]))
     || {Module, Description, Text} <-
            [{?MODULE, fails, <<"fails">>},
             {?MODULE, not_text, <<"not_text">>},
             {erlconcolic_no_such_module, {x, "y"}, <<"{x,\"y\"}">>},
             {?MODULE, <<200, 201>>, <<"<<\"ÈÉ\">>"/utf8>>}]].

strange_error_is_printed_as_a_term_test() ->
    ?assertEqual([{error, <<"a.erl">>, 0, 0, <<"oops">>}],
                 erlconcolic_message:from_compiler(
                     error, [{"a.erl", [oops]}])).

warnings_can_be_the_only_errors_test() ->
    Warnings = [{"a.erl", [{2, ?MODULE, "careful"}]}],
    ?assertEqual({error, [{error, <<"a.erl">>, 0, 0,
                           <<"warnings being treated as errors">>},
                          {warning, <<"a.erl">>, 2, 0, <<"careful">>}]},
                 erlconcolic_message:from_result("a.erl",
                                                 {error, [], Warnings})).

crash_of_the_compiler_is_an_error_test_() ->
    [?_assertEqual({error, [{error, <<"a.erl">>, 0, 0,
                             <<"the compiler crashed">>}]},
                   erlconcolic_message:from_result("a.erl", Crash))
     || Crash <- [error, killed]].
