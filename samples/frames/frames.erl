%% A protocol of frames: a type, the length of the body in two bytes, the body
%% and a checksum. The body of a message is a sequence of entries. Each has a
%% tag and a length, and may be a group of entries.
%%
%% The bug is in entry/3: a padded text begins with the length of the padding at
%% its end. The code compares it with a length that includes this first byte.
-module(frames).
-export([decode/1]).

-record(hello, {version :: {byte(), byte()}, name :: binary()}).
-record(message, {id :: non_neg_integer(), entries :: [entry()]}).
-record(goodbye, {}).

-type frame() :: #hello{} | #message{} | #goodbye{}.
-type entry() :: {text, binary()} | {number, integer()} | {group, [entry()]}.
-type reason() :: cut | checksum | {frame_type, byte()} | {body, byte()} |
                  cut_entry | padding | too_deep | {tag, byte()}.

-define(HELLO, 1).
-define(MESSAGE, 2).
-define(GOODBYE, 3).

-define(TEXT, 1).
-define(NUMBER, 2).
-define(PADDED_TEXT, 3).
-define(GROUP, 4).

-define(MAX_DEPTH, 3).

%% All frames of a complete stream.
-spec decode(binary()) -> {ok, [frame()]} | {error, reason()}.
decode(Bytes) ->
    decode(Bytes, []).

decode(<<>>, Frames) ->
    {ok, lists:reverse(Frames)};
decode(<<Type, Length:16, Body:Length/binary, Check, Rest/binary>>, Frames) ->
    case checksum(<<Type, Length:16, Body/binary>>) of
        Check ->
            case frame(Type, Body) of
                {ok, Frame} -> decode(Rest, [Frame | Frames]);
                {error, Reason} -> {error, Reason}
            end;
        _ ->
            {error, checksum}
    end;
decode(_, _) ->
    {error, cut}.

%% The sum of all bytes and the checksum is a multiple of 256.
checksum(Bytes) ->
    Sum = lists:sum(binary_to_list(Bytes)),
    (256 - Sum rem 256) rem 256.

frame(?HELLO, <<Major, Minor, Name/binary>>) ->
    {ok, #hello{version = {Major, Minor}, name = Name}};
frame(?MESSAGE, <<Id, Body/binary>>) ->
    case entries(Body, 0) of
        {ok, Entries} -> {ok, #message{id = Id, entries = Entries}};
        {error, Reason} -> {error, Reason}
    end;
frame(?GOODBYE, <<>>) ->
    {ok, #goodbye{}};
frame(Type, _) when Type >= ?HELLO, Type =< ?GOODBYE ->
    {error, {body, Type}};
frame(Type, _) ->
    {error, {frame_type, Type}}.

%% The entries of a body or a group.
entries(_, Depth) when Depth > ?MAX_DEPTH ->
    {error, too_deep};
entries(<<>>, _) ->
    {ok, []};
entries(<<Tag, Length, Value:Length/binary, Rest/binary>>, Depth) ->
    case entry(Tag, Value, Depth) of
        {ok, Entry} -> add(Entry, entries(Rest, Depth));
        {error, Reason} -> {error, Reason}
    end;
entries(_, _) ->
    {error, cut_entry}.

add(Entry, {ok, Entries}) -> {ok, [Entry | Entries]};
add(_, {error, Reason}) -> {error, Reason}.

entry(?TEXT, Value, _) ->
    {ok, {text, Value}};
entry(?NUMBER, Value, _) ->
    {ok, {number, binary:decode_unsigned(Value)}};
entry(?PADDED_TEXT, <<Padding, Padded/binary>> = Value, _)
  when Padding =< byte_size(Value) ->
    {ok, {text, binary:part(Padded, 0, byte_size(Padded) - Padding)}};
entry(?PADDED_TEXT, _, _) ->
    {error, padding};
entry(?GROUP, Value, Depth) ->
    case entries(Value, Depth + 1) of
        {ok, Entries} -> {ok, {group, Entries}};
        {error, Reason} -> {error, Reason}
    end;
entry(Tag, _, _) ->
    {error, {tag, Tag}}.
