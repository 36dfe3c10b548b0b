%%% The emitters of events. They are called so often that they have a module of
%%% their own: erlconcolic_emit_fast may replace it by one that does the same
%%% without a new tuple for each event. The state is described in
%%% erlconcolic_log.
-module(erlconcolic_emit).

-include("erlconcolic_keys.hrl").

-export([out/2, out2/2, out3/2, out4/2, place/2]).

%% A packed integer below this has room for this many more bytes.
-define(ROOM(Bytes), (4 bsl (8 * (7 - (Bytes))))).

%% Appends Width bytes and returns the value. A macro, because a call would cost
%% more than the work.
-define(OUT(Width, Bytes, Value),
        case get(?PACKED) of
            {Packed} when Packed < ?ROOM(Width) ->
                put(?PACKED, {Packed * (1 bsl (8 * (Width))) + Bytes}),
                Value;
            State ->
                Spilled = erlconcolic_log:spill(State, Bytes, 8 * (Width)),
                place(Spilled, Value)
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

%% Replaces the packed bytes, unless they are in place already.
-spec place(erlconcolic_log:packed(), Value) -> Value.
place(Packed, Value) when is_integer(Packed) ->
    put(?PACKED, {Packed}),
    Value;
place(done, Value) ->
    Value.
