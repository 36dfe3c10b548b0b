%%% The emitters of events. They are called so often that they stand apart:
%%% erlconcolic_emit_fast may replace this module by one that does the same
%%% without making a new tuple for each event. The state is described in
%%% erlconcolic_out.
-module(erlconcolic_emit).

-export([out/2, out2/2, out3/2, out4/2, reset/2]).

-define(PACKED, '$erlconcolic').

%% A packed integer below this has room for so many bytes more.
-define(ROOM(Bytes), (4 bsl (8 * (7 - (Bytes))))).

%% Appends so many bytes and gives the value. A macro, because a function of its
%% own would cost more than the work.
-define(OUT(Width, Bytes, Value),
        case get(?PACKED) of
            {Packed} when Packed < ?ROOM(Width) ->
                put(?PACKED, {Packed * (1 bsl (8 * (Width))) + Bytes}),
                Value;
            State ->
                erlconcolic_out:spill(State, Bytes, 8 * (Width)),
                Value
        end).

%% A number up to 127.
-spec out(byte(), Value) -> Value.
out(Byte, Value) ->
    ?OUT(1, Byte, Value).

%% A number from 128 on, or several numbers at once.
-spec out2(0..16#ffff, Value) -> Value.
out2(Bytes, Value) ->
    ?OUT(2, Bytes, Value).

-spec out3(0..16#ffffff, Value) -> Value.
out3(Bytes, Value) ->
    ?OUT(3, Bytes, Value).

-spec out4(0..16#ffffffff, Value) -> Value.
out4(Bytes, Value) ->
    ?OUT(4, Bytes, Value).

%% Puts other packed bytes in place of those that are there. There must be some.
-spec reset(pos_integer(), Value) -> Value.
reset(Packed, Value) ->
    put(?PACKED, {Packed}),
    Value.
