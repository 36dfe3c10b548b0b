%%% Tests of the text of terms.
-module(erlconcolic_text_tests).

-include_lib("eunit/include/eunit.hrl").

-define(UTF8(Text), unicode:characters_to_binary(Text)).

equals_the_text_of_io_lib_test_() ->
    Values = [a, 'It\'s', 'end', a@B_1, '', 0, -17, 1 bsl 80, 2.5, [], "ab",
              "a\n\"", [], [0], [955], [a | b], [1, 2 | 3],
              [97, 98 | c], {}, {a}, {"ab", [x, {y}]}, #{a => [1, "b"]},
              <<"bin">>, <<1:3>>, <<0, 255>>, fun lists:map/2, self(),
              make_ref(), lists:seq(1, 200), lists:duplicate(100, {a, [b]}),
              [[], [[]], [["text"]]], [97, b], [a, 97]],
    [?_assertEqual(by_otp(Value), erlconcolic_text:text(Value))
     || Value <- Values ++ [Values, list_to_tuple(Values)]].

%% It does not depend on the version of OTP, nor on its options.
is_as_people_write_it_test_() ->
    [?_assertEqual(?UTF8(Text), erlconcolic_text:text(Value))
     || {Value, Text} <-
            [{<<"SAVE">>, "<<\"SAVE\">>"},
             {<<"Zoë"/utf8>>, "<<\"Zoë\"/utf8>>"},
             {<<233>>, "<<233>>"},
             {<<"AB", 1:1>>, "<<65,66,1:1>>"},
             {"Zoë", "\"Zoë\""},
             {"ë", "[235]"},
             {[50, 200], "[50,200]"},
             {[$a, 97.0], "[97,97.0]"},
             {'ä', "'ä'"},
             {'maybe', "'maybe'"},
             {'\e\n', "'\\033\\n'"},
             {1 bsl 1023, "1 bsl 1023"},
             {-(1 bsl 1023) + 1, "-(1 bsl 1023) + 1"},
             {{[3 bsl 200 - 5]}, "{[3 bsl 200 - 5]}"},
             {1 bsl 99, "633825300114114700748351602688"},
             {#{b => <<"x">>, a => #{}}, "#{a => #{},b => <<\"x\">>}"}]].

is_read_back_to_the_same_value_test_() ->
    Values = [<<"Zoë \"\\"/utf8>>, "Zoë", <<0, 200, 1:1>>, 'It\'s \x{1}',
              1 bsl 1023, -(1 bsl 1023) - 7, 1 bsl 100 - 1, 12345 bsl 300 + 9,
              {a, [1 bsl 2000 | <<"b">>], #{<<"k">> => 0.1}}],
    [?_assertEqual(Value, read_back(erlconcolic_text:text(Value)))
     || Value <- Values].

read_back(Text) ->
    {ok, Tokens, _} =
        erl_scan:string(unicode:characters_to_list(<<Text/binary, ".">>)),
    {ok, [Form]} = erl_parse:parse_exprs(Tokens),
    {value, Value, _} = erl_eval:expr(Form, []),
    {ok, Value} = erlconcolic_term_reader:read(Form),
    Value.

by_otp(Term) ->
    unicode:characters_to_binary(io_lib:format("~0tp", [Term])).
