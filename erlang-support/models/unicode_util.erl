%% The behaviour of unicode_util for plain characters. The real module looks
%% characters up in tables with thousands of clauses, each of which would be a
%% path of its own; it is called for all other characters.
-module(unicode_util).
-export([cp/1, gc/1, is_whitespace/1]).
-export([uppercase/1, lowercase/1, titlecase/1, casefold/1]).

-define(IS_BELOW(C, Limit), is_integer(C), 0 =< C, C < Limit).

cp(Text) ->
    case Text of
        [] -> [];
        [C | _] when ?IS_BELOW(C, 16#110000) -> Text;
        <<>> -> [];
        <<C/utf8, Rest/binary>> -> [C | Rest];
        _ -> unicode_util:cp(Text)
    end.

gc(Text) ->
    case Text of
        [] -> [];
        [C] when ?IS_BELOW(C, 256) -> Text;
        [$\r, $\n | Rest] -> [[$\r, $\n] | Rest];
        [C, D | _] when ?IS_BELOW(C, 256), ?IS_BELOW(D, 256) -> Text;
        <<>> -> [];
        <<C>> when C < 128 -> [C | <<>>];
        <<"\r\n", Rest/binary>> -> ["\r\n" | Rest];
        <<C, D, Rest/binary>> when C < 128, D < 128 -> [C | <<D, Rest/binary>>];
        _ -> unicode_util:gc(Text)
    end.

is_whitespace(C) ->
    case C of
        _ when ?IS_BELOW(C, 128) ->
            C =:= $\s orelse (C >= $\t andalso C =< $\r);
        _ ->
            unicode_util:is_whitespace(C)
    end.

uppercase(Text) ->
    case Text of
        [] -> [];
        [C | Rest] when C >= $a, C =< $z, is_integer(C) -> [C - 32 | Rest];
        [C | _] when ?IS_BELOW(C, 128) -> Text;
        _ -> unicode_util:uppercase(Text)
    end.

lowercase(Text) ->
    case Text of
        [] -> [];
        [C | Rest] when C >= $A, C =< $Z, is_integer(C) -> [C + 32 | Rest];
        [C | _] when ?IS_BELOW(C, 128) -> Text;
        _ -> unicode_util:lowercase(Text)
    end.

titlecase(Text) ->
    case Text of
        [] -> [];
        [C | Rest] when C >= $a, C =< $z, is_integer(C) -> [C - 32 | Rest];
        [C | _] when ?IS_BELOW(C, 128) -> Text;
        _ -> unicode_util:titlecase(Text)
    end.

casefold(Text) ->
    case Text of
        [] -> [];
        [C | Rest] when C >= $A, C =< $Z, is_integer(C) -> [C + 32 | Rest];
        [C | _] when ?IS_BELOW(C, 128) -> Text;
        _ -> unicode_util:casefold(Text)
    end.
