%% The behaviour of unicode_util for characters before the first combining one,
%% and for letters of Latin-1. The real module looks characters up in tables of
%% thousands of clauses, each of which would be a path of its own; it is called
%% for all other characters.
-module(unicode_util).
-export([cp/1, gc/1, is_whitespace/1]).
-export([nfc/1, nfd/1, nfkc/1, nfkd/1]).
-export([uppercase/1, lowercase/1, titlecase/1, casefold/1]).

-define(IS_BELOW(C, Limit), is_integer(C), 0 =< C, C < Limit).
%% Characters below this one do not join the ones before them.
-define(COMBINING, 16#300).
-define(IS_IN(C, First, Last, Except),
        is_integer(C), First =< C, C =< Last, C =/= Except).
-define(IS_SMALL(C), ?IS_IN(C, 16#E0, 16#FE, 16#F7)).
-define(IS_LARGE(C), ?IS_IN(C, 16#C0, 16#DE, 16#D7)).

cp(Text) ->
    case Text of
        [] -> [];
        [C | _] when ?IS_BELOW(C, 16#110000) -> Text;
        <<>> -> [];
        <<C, Rest/binary>> when C < 128 -> [C | Rest];
        <<C/utf8, Rest/binary>> -> [C | Rest];
        <<_/binary>> -> {error, Text};
        _ -> unicode_util:cp(Text)
    end.

gc(Text) ->
    case first(Text) of
        unknown -> unicode_util:gc(Text);
        First -> First
    end.

%% The first character with those that join it, and the rest.
first(Text) ->
    case Text of
        [] ->
            [];
        [C] when ?IS_BELOW(C, 16#110000) ->
            Text;
        [C, D | _] when ?IS_BELOW(C, ?COMBINING), ?IS_BELOW(D, ?COMBINING) ->
            line_end(Text);
        [C | Rest] when ?IS_BELOW(C, ?COMBINING), is_binary(Rest) ->
            before_binary(C, Rest);
        _ when is_binary(Text) ->
            first_of(Text);
        _ ->
            unknown
    end.

line_end([$\r, $\n | Rest]) -> [[$\r, $\n] | Rest];
line_end(Text) -> Text.

first_of(Text) ->
    case Text of
        <<>> -> [];
        <<C>> when C < 128 -> [C | <<>>];
        <<"\r\n", Rest/binary>> -> ["\r\n" | Rest];
        <<C, D, Rest/binary>> when C < 128, D < 128 -> [C | <<D, Rest/binary>>];
        <<C/utf8, Rest/binary>> when C < ?COMBINING -> before_bytes(C, Rest);
        <<_/utf8, _/binary>> -> unknown;
        _ -> {error, Text}
    end.

%% The real function takes a character out of the binary behind a return.
before_binary($\r, Rest) ->
    case cp(Rest) of
        [$\n | Behind] -> [[$\r, $\n] | Behind];
        Next -> [$\r | Next]
    end;
before_binary(C, Rest) ->
    before_bytes(C, Rest).

before_bytes(C, Rest) ->
    case Rest of
        <<D, _/binary>> when D < 128 -> [C | Rest];
        <<D/utf8, _/binary>> when D >= ?COMBINING -> unknown;
        _ -> [C | Rest]
    end.

is_whitespace(C) ->
    lists:member(C, unicode_util:whitespace()).

nfc(Text) ->
    case gc(Text) of
        [C | _] = Parts when ?IS_BELOW(C, 256) -> Parts;
        [] -> [];
        _ -> unicode_util:nfc(Text)
    end.

nfd(Text) ->
    case gc(Text) of
        [C | _] = Parts when ?IS_BELOW(C, 128) -> Parts;
        [] -> [];
        _ -> unicode_util:nfd(Text)
    end.

nfkc(Text) ->
    case gc(Text) of
        [C | _] = Parts when ?IS_BELOW(C, 128) -> Parts;
        [] -> [];
        _ -> unicode_util:nfkc(Text)
    end.

nfkd(Text) ->
    case gc(Text) of
        [C | _] = Parts when ?IS_BELOW(C, 128) -> Parts;
        [] -> [];
        _ -> unicode_util:nfkd(Text)
    end.

uppercase(Text) ->
    case cp(Text) of
        [C | Rest] when ?IS_IN(C, $a, $z, none) -> [C - 32 | Rest];
        [C | _] = Parts when ?IS_BELOW(C, 128) -> Parts;
        [C | Rest] when ?IS_SMALL(C) -> [C - 32 | Rest];
        [C | _] = Parts when ?IS_LARGE(C) -> Parts;
        [] -> [];
        _ -> unicode_util:uppercase(Text)
    end.

lowercase(Text) ->
    case cp(Text) of
        [C | Rest] when ?IS_IN(C, $A, $Z, none) -> [C + 32 | Rest];
        [C | _] = Parts when ?IS_BELOW(C, 128) -> Parts;
        [C | Rest] when ?IS_LARGE(C) -> [C + 32 | Rest];
        [C | _] = Parts when ?IS_BELOW(C, 256) -> Parts;
        [] -> [];
        _ -> unicode_util:lowercase(Text)
    end.

titlecase(Text) ->
    case cp(Text) of
        [C | Rest] when ?IS_IN(C, $a, $z, none) -> [C - 32 | Rest];
        [C | _] = Parts when ?IS_BELOW(C, 128) -> Parts;
        [C | Rest] when ?IS_SMALL(C) -> [C - 32 | Rest];
        [C | _] = Parts when ?IS_LARGE(C) -> Parts;
        [] -> [];
        _ -> unicode_util:titlecase(Text)
    end.

casefold(Text) ->
    case cp(Text) of
        [C | Rest] when ?IS_IN(C, $A, $Z, none) -> [C + 32 | Rest];
        [C | _] = Parts when ?IS_BELOW(C, 128) -> Parts;
        [C | Rest] when ?IS_LARGE(C) -> [C + 32 | Rest];
        [C | _] = Parts when ?IS_SMALL(C) -> Parts;
        [] -> [];
        _ -> unicode_util:casefold(Text)
    end.
