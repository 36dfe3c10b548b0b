%%% Tests for the units of floats.
-module(erlconcolic_decimals_tests).

-include_lib("eunit/include/eunit.hrl").

units_test_() ->
    [?_assertEqual(Units, erlconcolic_decimals:units(Float))
     || {Float, Units} <- [{1.0, 1024}, {-0.25, -256}, {30.75, 31488},
                           {1 / 1024, 1}, {1 / 2048, none}, {0.1, none},
                           {0.0, none}, {-0.0, none}, {1.0e10, none},
                           {9999999999.5, 10239999999488}, {1.0e300, none},
                           {7, none}, {text, none}]].
