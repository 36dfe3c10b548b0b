-module(erlconcolic_log_tests).

-include_lib("eunit/include/eunit.hrl").

-import(erlconcolic_log_reader, [logged/1]).

rest_is_what_is_not_flushed_test() ->
    Parent = self(),
    {_, Log} =
        logged(fun() ->
                       [erlconcolic_emit:out(N, ok) || N <- lists:seq(1, 20)],
                       {dictionary, Dictionary} =
                           process_info(self(), dictionary),
                       Parent ! {rest, erlconcolic_log:rest(Dictionary)}
               end),
    ?assertEqual({ok, Log}, receive {rest, Rest} -> Rest end).

rest_of_a_process_without_a_log_is_empty_test() ->
    [?assertEqual({ok, <<>>}, erlconcolic_log:rest(Dictionary))
     || Dictionary <- [[], [{k, v}], [{'$erlconcolic', off}]]].

rest_is_not_known_while_it_changes_test() ->
    ?assertEqual(busy, erlconcolic_log:rest([{'$erlconcolic', busy},
                                  {'$erlconcolic_log', <<1>>}])).
