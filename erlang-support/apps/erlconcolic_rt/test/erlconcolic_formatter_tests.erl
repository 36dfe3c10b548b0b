-module(erlconcolic_formatter_tests).

-include_lib("eunit/include/eunit.hrl").

source_is_formatted_where_elixir_is_there_test() ->
    Format = fun() -> erlconcolic_formatter:format(<<"f( 1,2 )">>, 80) end,
    case code:ensure_loaded('Elixir.Code') of
        {module, _} -> ?assertEqual(<<"f(1, 2)">>, Format());
        {error, _} -> ?assertError(undef, Format())
    end.
