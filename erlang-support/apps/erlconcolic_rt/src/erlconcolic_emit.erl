%%% The emitters of events. They are called so often that they stand apart:
%%% erlconcolic_emit_fast may replace this module by one that does the same
%%% without making a new tuple for each event. The state is described in
%%% erlconcolic_out.
-module(erlconcolic_emit).

-export([out/2, out2/2, out3/2, out4/2, reset/2]).

-define(PACKED, '$erlconcolic').

%% A packed integer below this has room for so many bytes more.
-define(ROOM(Bytes), (4 bsl (8 * (7 - (Bytes))))).

%% Appends one byte: a number up to 127.
-spec out(byte(), Value) -> Value.
out(Byte, Value) ->
    case get(?PACKED) of
        {Packed} when Packed < ?ROOM(1) ->
            put(?PACKED, {Packed * 16#100 + Byte}),
            Value;
        State ->
            erlconcolic_out:spill(State, Byte, 8),
            Value
    end.

%% Appends two bytes: a number from 128 on, or two numbers at once.
-spec out2(0..16#ffff, Value) -> Value.
out2(Bytes, Value) ->
    case get(?PACKED) of
        {Packed} when Packed < ?ROOM(2) ->
            put(?PACKED, {Packed * 16#10000 + Bytes}),
            Value;
        State ->
            erlconcolic_out:spill(State, Bytes, 16),
            Value
    end.

%% Appends three bytes.
-spec out3(0..16#ffffff, Value) -> Value.
out3(Bytes, Value) ->
    case get(?PACKED) of
        {Packed} when Packed < ?ROOM(3) ->
            put(?PACKED, {Packed * 16#1000000 + Bytes}),
            Value;
        State ->
            erlconcolic_out:spill(State, Bytes, 24),
            Value
    end.

%% Appends four bytes.
-spec out4(0..16#ffffffff, Value) -> Value.
out4(Bytes, Value) ->
    case get(?PACKED) of
        {Packed} when Packed < ?ROOM(4) ->
            put(?PACKED, {Packed * 16#100000000 + Bytes}),
            Value;
        State ->
            erlconcolic_out:spill(State, Bytes, 32),
            Value
    end.

%% Puts other packed bytes in place of those that are there. There must be some.
-spec reset(pos_integer(), Value) -> Value.
reset(Packed, Value) ->
    put(?PACKED, {Packed}),
    Value.
