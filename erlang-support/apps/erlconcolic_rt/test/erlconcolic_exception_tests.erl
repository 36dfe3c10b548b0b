-module(erlconcolic_exception_tests).

-include_lib("eunit/include/eunit.hrl").

no_exception_has_no_banner_test() ->
    ?assertEqual(<<>>, erlconcolic_exception:banner(lists, max, [[1]])).

exceptions_are_described_where_elixir_is_there_test() ->
    Banner = fun() -> erlconcolic_exception:banner(erlang, hd, [[]]) end,
    case code:ensure_loaded('Elixir.Exception') of
        {module, _} ->
            ?assertMatch(<<"** (ArgumentError)", _/binary>>, Banner());
        {error, _} ->
            ?assertError(undef, Banner())
    end.
