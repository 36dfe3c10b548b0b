%% Run-length encoding as in BinHex: a byte that occurs N times in a row is
%% written as the byte itself, a marker and N. The marker is 16#90. A marker in
%% the data is written as the marker and 0.
%%
%% Decoding must return the original data, which round_trip/2 checks. The bug is
%% in encode_run/1: it does not add the 0 for a repeated marker.
-module(run_length).
-export([encode/1, decode/1, round_trip/2]).

-define(MARKER, 16#90).
%% A count is one byte.
-define(MAX_COUNT, 255).
%% Writing shorter runs as a run saves nothing.
-define(MIN_COUNT, 4).

-record(run, {byte :: byte(), count :: pos_integer()}).

-spec encode(binary()) -> binary().
encode(Data) ->
    iolist_to_binary([encode_run(Run) || Run <- runs(Data)]).

%% The data as runs, none of them longer than the maximum.
-spec runs(binary()) -> [#run{}].
runs(<<>>) ->
    [];
runs(<<Byte, Rest/binary>>) ->
    runs(Rest, #run{byte = Byte, count = 1}).

runs(<<Byte, Rest/binary>>, #run{byte = Byte, count = Count} = Run)
  when Count < ?MAX_COUNT ->
    runs(Rest, Run#run{count = Count + 1});
runs(Rest, Run) ->
    [Run | runs(Rest)].

-spec encode_run(#run{}) -> iodata().
encode_run(#run{byte = Byte, count = Count}) when Count >= ?MIN_COUNT ->
    [Byte, ?MARKER, Count];
encode_run(#run{byte = Byte, count = Count}) ->
    lists:duplicate(Count, literal(Byte)).

literal(?MARKER) -> [?MARKER, 0];
literal(Byte) -> [Byte].

-spec decode(binary()) -> {ok, binary()} | {error, Reason} when
      Reason :: count_missing | {nothing_to_repeat, byte()} | {count, byte()}.
decode(Encoded) ->
    decode(Encoded, none, []).

%% Previous is the byte that a count refers to. It has been written once.
decode(<<>>, _, Done) ->
    {ok, iolist_to_binary(lists:reverse(Done))};
decode(<<?MARKER, 0, Rest/binary>>, _, Done) ->
    decode(Rest, ?MARKER, [?MARKER | Done]);
decode(<<?MARKER, Count, Rest/binary>>, Previous, Done) ->
    case repeat(Previous, Count) of
        {ok, Bytes} -> decode(Rest, none, [Bytes | Done]);
        {error, Reason} -> {error, Reason}
    end;
decode(<<?MARKER>>, _, _) ->
    {error, count_missing};
decode(<<Byte, Rest/binary>>, _, Done) ->
    decode(Rest, Byte, [Byte | Done]).

%% The bytes of a run after its first one.
repeat(none, Count) -> {error, {nothing_to_repeat, Count}};
repeat(_, 1) -> {error, {count, 1}};
repeat(Byte, Count) -> {ok, binary:copy(<<Byte>>, Count - 1)}.

%% Whether decoding returns the encoded data.
-spec round_trip(binary(), binary()) -> boolean().
round_trip(Data, Encoded) ->
    decode(Encoded) =:= {ok, Data}.
