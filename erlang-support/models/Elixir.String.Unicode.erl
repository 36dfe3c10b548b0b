%% The behaviour of Elixir's String.Unicode for plain characters, in the mode
%% that is not about a language. The real module has a clause for each letter
%% that has another case; it is called for all other characters.
-module('Elixir.String.Unicode').
-export([upcase/3, downcase/3, titlecase_once/2]).

upcase(Text, Done, Mode) ->
    case Text of
        <<>> when Mode =:= default ->
            iolist_to_binary(lists:reverse(Done));
        <<C, Rest/binary>> when Mode =:= default, C >= $a, C =< $z ->
            upcase(Rest, [C - 32 | Done], Mode);
        <<C, Rest/binary>> when Mode =:= default, C < 128 ->
            upcase(Rest, [C | Done], Mode);
        _ ->
            'Elixir.String.Unicode':upcase(Text, Done, Mode)
    end.

downcase(Text, Done, Mode) ->
    case Text of
        <<>> when Mode =:= default ->
            iolist_to_binary(lists:reverse(Done));
        <<C, Rest/binary>> when Mode =:= default, C >= $A, C =< $Z ->
            downcase(Rest, [C + 32 | Done], Mode);
        <<C, Rest/binary>> when Mode =:= default, C < 128 ->
            downcase(Rest, [C | Done], Mode);
        _ ->
            'Elixir.String.Unicode':downcase(Text, Done, Mode)
    end.

titlecase_once(Text, Mode) ->
    case Text of
        <<C, Rest/binary>> when Mode =:= default, C >= $a, C =< $z ->
            {<<(C - 32)>>, Rest};
        <<C, Rest/binary>> when Mode =:= default, C < 128 ->
            {<<C>>, Rest};
        _ ->
            'Elixir.String.Unicode':titlecase_once(Text, Mode)
    end.
