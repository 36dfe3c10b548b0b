%%% Tests of how a group leader answers requests.
-module(erlconcolic_output_tests).

-include_lib("eunit/include/eunit.hrl").

-import(erlconcolic_output, [new/0, calls/1, without_calls/1, text/1]).

accepts_all_output_requests_test() ->
    Requests = [{put_chars, unicode, "λ"},
                {put_chars, unicode, <<"λ"/utf8>>},
                {put_chars, latin1, <<"ä">>},
                {put_chars, latin1, "ä"},
                {put_chars, unicode, io_lib, format, ["~w", [1]]},
                {put_chars, "b"},
                {put_chars, io_lib, format, ["~w", [2]]},
                {requests, [{put_chars, unicode, "c"},
                            {put_chars, unicode, "d"}]}],
    Output = lists:foldl(fun(Request, Before) ->
                                 {ok, After} = request(Request, Before),
                                 After
                         end, new(), Requests),
    ?assertEqual(<<"λλää1b2cd"/utf8>>, text(Output)).

has_nothing_to_read_test() ->
    [?assertMatch({eof, _}, request(Request, new()))
     || Request <- [{get_line, unicode, "> "}, {get_chars, unicode, "> ", 3},
                    {get_until, unicode, "> ", io_lib, fread, ["~d"]},
                    {get_line, "> "}, {get_password, unicode},
                    {requests, [{setopts, []}, {get_line, unicode, ">"}]}]].

answers_unsupported_requests_with_errors_test() ->
    [?assertMatch({{error, _}, _}, request(Request, new()))
     || Request <- [{put_chars, unicode, [a]},
                    {put_chars, unicode, <<255>>},
                    {put_chars, unicode, io_lib, format, ["~w", []]},
                    {get_geometry, columns}, {}, nonsense, 1]].

has_options_test() ->
    {Options, Output} = request(getopts, new()),
    ?assertEqual(unicode, proplists:get_value(encoding, Options)),
    ?assertMatch({ok, _}, request({setopts, [binary]}, Output)).

drops_output_after_the_limit_test() ->
    [begin
         Long = binary:copy(<<"λ"/utf8>>, 400000),
         {ok, One} = request({put_chars, unicode, Start}, new()),
         {ok, Two} = request({put_chars, unicode, Long}, One),
         ?assertEqual(byte_size(Start) + byte_size(Long),
                      byte_size(text(Two))),
         {ok, Three} = request({put_chars, unicode, Long}, Two),
         {ok, Four} = request({put_chars, unicode, "more"}, Three),
         ?assertEqual(text(Three), text(Four)),
         Text = unicode:characters_to_list(text(Four)),
         ?assert(is_list(Text)),
         ?assertNotEqual(nomatch, string:find(Text, "is dropped")),
         ?assert(byte_size(text(Four)) > 1048570),
         ?assert(byte_size(text(Four)) < 1048700)
     end || Start <- [<<>>, <<"x">>]].

lists_the_calls_of_a_request_test() ->
    Call = {io_lib, format, ["~w", [1]]},
    [?assertEqual(Expected, calls(Request))
     || {Expected, Request} <-
            [{[Call], {put_chars, unicode, io_lib, format, ["~w", [1]]}},
             {[Call], {put_chars, io_lib, format, ["~w", [1]]}},
             {[Call, {m, f, x}],
              {requests, [{put_chars, unicode, io_lib, format, ["~w", [1]]},
                          {requests, [{put_chars, unicode, m, f, x}]}]}},
             {[], {put_chars, unicode, "text"}},
             {[], {requests, [getopts | improper]}},
             {[], nonsense}]].

%% Like the collector.
request(Request, Output) ->
    erlconcolic_output:request(without_calls(Request), Output).
