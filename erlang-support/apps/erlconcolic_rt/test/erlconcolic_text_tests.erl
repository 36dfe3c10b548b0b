%%% Tests of the text of terms, which equals that of OTP.
-module(erlconcolic_text_tests).

-include_lib("eunit/include/eunit.hrl").

equals_the_text_of_io_lib_test_() ->
    Values = [a, 'It\'s', 'ä λ', 'end', 'maybe', a@B_1, 'aä', '',
              0, -17, 1 bsl 80, 2.5, [], "ab",
              "a\n\"", [], [0], "ä", [955], [97, 955], [a | b], [1, 2 | 3],
              [97, 98 | c], {}, {a}, {"ab", [x, {y}]}, #{a => [1, "b"]},
              <<"bin">>, <<1:3>>, <<0, 255>>, fun lists:map/2, self(),
              make_ref(), lists:seq(1, 200), lists:duplicate(100, {a, [b]}),
              [[], [[]], [["text"]]], [97, b], [a, 97]],
    [?_assertEqual(by_otp(Value), erlconcolic_text:text(Value))
     || Value <- Values ++ [Values, list_to_tuple(Values)]].

by_otp(Term) ->
    unicode:characters_to_binary(io_lib:format("~0tp", [Term])).
