%% The behaviour of unicode for characters, binaries and lists of them. The real
%% functions are called for what cannot be converted inside of lists, and for
%% encodings with an order that only the text tells.
-module(unicode).
-export([characters_to_list/1, characters_to_list/2]).
-export([characters_to_binary/1, characters_to_binary/2]).
-export([characters_to_binary/3]).

-define(IS_CODE(C), is_integer(C), C >= 0, C < 16#110000).
-define(IS_SURROGATE(C), (C >= 16#D800 andalso C < 16#E000)).
-define(IS_UTF8(E), (E =:= unicode orelse E =:= utf8)).
-define(IS_CONTINUED(B), (B >= 16#80 andalso B < 16#C0)).

characters_to_list(Text) ->
    case converted(Text, unicode, list) of
        unknown -> unicode:characters_to_list(Text);
        Converted -> Converted
    end.

characters_to_list(Text, In) ->
    case converted(Text, In, list) of
        unknown -> unicode:characters_to_list(Text, In);
        Converted -> Converted
    end.

characters_to_binary(Text) ->
    case converted(Text, unicode, utf8) of
        unknown -> unicode:characters_to_binary(Text);
        Converted -> Converted
    end.

characters_to_binary(Text, In) ->
    case converted(Text, In, utf8) of
        unknown -> unicode:characters_to_binary(Text, In);
        Converted -> Converted
    end.

characters_to_binary(Text, In, Out) ->
    case is_encoding(Out) andalso converted(Text, In, Out) of
        Converted when Converted =/= false, Converted =/= unknown -> Converted;
        _ -> unicode:characters_to_binary(Text, In, Out)
    end.

is_encoding(Encoding) ->
    case Encoding of
        unicode -> true;
        utf8 -> true;
        latin1 -> true;
        utf16 -> true;
        {utf16, big} -> true;
        {utf16, little} -> true;
        utf32 -> true;
        {utf32, big} -> true;
        {utf32, little} -> true;
        _ -> false
    end.

%% What a function returns for a text in one encoding, as a list or in another
%% encoding.
converted(Text, In, Out) when is_binary(Text) ->
    case is_encoding(In) of
        true -> converted_binary(Text, In, Out);
        false -> unknown
    end;
converted(Text, In, Out) when is_list(Text) ->
    case is_encoding(In) andalso from_list(Text, In, Out, none(Out)) of
        {ok, Done} -> finished(Done, Out);
        {error, Done, Rest} when
            In =:= latin1 orelse ?IS_UTF8(In), Out =:= list orelse ?IS_UTF8(Out)
        ->
            case is_data(Rest) of
                true -> {error, finished(Done, Out), Rest};
                false -> unknown
            end;
        _ -> unknown
    end;
converted(_, _, _) ->
    unknown.

converted_binary(Text, In, Out) ->
    case from_binary(Text, In, Out, none(Out)) of
        {ok, _} when ?IS_UTF8(In), ?IS_UTF8(Out) ->
            Text;
        {ok, Done} ->
            finished(Done, Out);
        {Problem, Done, Rest} when Out =:= list; ?IS_UTF8(Out) ->
            {Problem, finished(Done, Out), Rest};
        _ ->
            unknown
    end.

none(list) -> [];
none(_) -> <<>>.

finished(Done, list) -> lists:reverse(Done);
finished(Done, _) -> Done.

%% Characters, and binaries and lists of them. A list may end in a binary.
from_list([], _, _, Done) ->
    {ok, Done};
from_list([Part | Rest], In, Out, Done) ->
    case from_part(Part, In, Out, Done) of
        {ok, More} -> from_list(Rest, In, Out, More);
        {error, More, Left} -> {error, More, [Left | Rest]};
        unknown -> unknown
    end;
from_list(Text, In, Out, Done) ->
    from_inner(Text, In, Out, Done).

from_part(C, In, Out, Done) when ?IS_CODE(C), not ?IS_SURROGATE(C) ->
    case add(C, In, Out, Done) of
        unknown -> {error, Done, C};
        More -> {ok, More}
    end;
from_part(C, _, _, Done) when is_integer(C), abs(C) < 1 bsl 50 ->
    {error, Done, C};
from_part([_ | _] = Text, In, Out, Done) ->
    from_list(Text, In, Out, Done);
from_part([], _, _, Done) ->
    {ok, Done};
from_part(Text, In, Out, Done) ->
    from_inner(Text, In, Out, Done).

%% A binary that ends within a character may go on in the next one.
from_inner(Text, In, Out, Done) when is_binary(Text) ->
    case from_binary(Text, In, Out, Done) of
        {ok, More} -> {ok, More};
        _ -> unknown
    end;
from_inner(_, _, _, _) ->
    unknown.

from_binary(Text, In, Out, Done) ->
    case next(Text, In) of
        {C, Rest} ->
            case add(C, In, Out, Done) of
                unknown -> unknown;
                More -> from_binary(Rest, In, Out, More)
            end;
        done ->
            {ok, Done};
        problem when ?IS_UTF8(In) ->
            case is_incomplete(Text) of
                true -> {incomplete, Done, Text};
                false -> {error, Done, Text}
            end;
        problem ->
            unknown
    end.

next(<<>>, _) -> done;
next(<<C, Rest/binary>>, latin1) -> {C, Rest};
next(Text, utf8) -> next_of_utf8(Text);
next(Text, unicode) -> next_of_utf8(Text);
next(<<C/utf16, Rest/binary>>, utf16) -> {C, Rest};
next(<<C/utf16, Rest/binary>>, {utf16, big}) -> {C, Rest};
next(<<C/utf16-little, Rest/binary>>, {utf16, little}) -> {C, Rest};
next(<<C/utf32, Rest/binary>>, utf32) -> {C, Rest};
next(<<C/utf32, Rest/binary>>, {utf32, big}) -> {C, Rest};
next(<<C/utf32-little, Rest/binary>>, {utf32, little}) -> {C, Rest};
next(_, _) -> problem.

next_of_utf8(Text) ->
    case Text of
        <<C, Rest/binary>> when C < 128 -> {C, Rest};
        <<C/utf8, Rest/binary>> -> {C, Rest};
        _ -> problem
    end.

%% Whether more bytes could make a character of these.
is_incomplete(<<First, Rest/binary>>) when First >= 16#C0, First < 16#F8 ->
    case Rest of
        <<>> -> true;
        <<A>> when ?IS_CONTINUED(A) -> First >= 16#E0;
        <<A, B>> when ?IS_CONTINUED(A), ?IS_CONTINUED(B) -> First >= 16#F0;
        _ -> false
    end;
is_incomplete(_) ->
    false.

%% What is done with one more character.
add(C, latin1, _, _) when C > 255 -> unknown;
add(C, _, list, Done) -> [C | Done];
add(C, _, latin1, Done) when C < 256 -> <<Done/binary, C>>;
add(C, _, Out, Done) ->
    case Out of
        utf8 -> <<Done/binary, C/utf8>>;
        unicode -> <<Done/binary, C/utf8>>;
        utf16 -> <<Done/binary, C/utf16>>;
        {utf16, big} -> <<Done/binary, C/utf16>>;
        {utf16, little} -> <<Done/binary, C/utf16-little>>;
        utf32 -> <<Done/binary, C/utf32>>;
        {utf32, big} -> <<Done/binary, C/utf32>>;
        {utf32, little} -> <<Done/binary, C/utf32-little>>;
        _ -> unknown
    end.

%% Whether nothing else than integers, binaries and lists is left.
is_data([]) -> true;
is_data([Part | Rest]) ->
    (is_integer(Part) orelse is_data(Part)) andalso is_data(Rest);
is_data(Text) -> is_binary(Text).
