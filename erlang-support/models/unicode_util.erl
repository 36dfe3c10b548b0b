%% What unicode_util does with plain characters. The real module looks
%% characters up in tables with thousands of clauses, each of which would be a
%% path of its own; whatever is not plain goes there.
-module(unicode_util).
-export([cp/1, gc/1, is_whitespace/1]).
-export([uppercase/1, lowercase/1, titlecase/1, casefold/1]).

-define(IS_BELOW(C, Limit), is_integer(C), 0 =< C, C < Limit).

cp([]) -> [];
cp([C | _] = Text) when ?IS_BELOW(C, 16#110000) -> Text;
cp(Text) -> unicode_util:cp(Text).

gc([]) -> [];
gc([C] = Text) when ?IS_BELOW(C, 256) -> Text;
gc([$\r, $\n | Rest]) -> [[$\r, $\n] | Rest];
gc([C, D | _] = Text) when ?IS_BELOW(C, 256), ?IS_BELOW(D, 256) -> Text;
gc(Text) -> unicode_util:gc(Text).

is_whitespace(C) when ?IS_BELOW(C, 128) ->
    C =:= $\s orelse (C >= $\t andalso C =< $\r);
is_whitespace(C) ->
    unicode_util:is_whitespace(C).

uppercase([]) -> [];
uppercase([C | Rest]) when C >= $a, C =< $z, is_integer(C) -> [C - 32 | Rest];
uppercase([C | _] = Text) when ?IS_BELOW(C, 128) -> Text;
uppercase(Text) -> unicode_util:uppercase(Text).

lowercase([]) -> [];
lowercase([C | Rest]) when C >= $A, C =< $Z, is_integer(C) -> [C + 32 | Rest];
lowercase([C | _] = Text) when ?IS_BELOW(C, 128) -> Text;
lowercase(Text) -> unicode_util:lowercase(Text).

titlecase([]) -> [];
titlecase([C | Rest]) when C >= $a, C =< $z, is_integer(C) -> [C - 32 | Rest];
titlecase([C | _] = Text) when ?IS_BELOW(C, 128) -> Text;
titlecase(Text) -> unicode_util:titlecase(Text).

casefold([]) -> [];
casefold([C | Rest]) when C >= $A, C =< $Z, is_integer(C) -> [C + 32 | Rest];
casefold([C | _] = Text) when ?IS_BELOW(C, 128) -> Text;
casefold(Text) -> unicode_util:casefold(Text).
