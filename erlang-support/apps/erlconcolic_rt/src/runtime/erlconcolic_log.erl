%%% The log of a process: bytes that it collects and sends to the collector of
%%% its run. The state is in the process dictionary:
%%%
%%% '$erlconcolic'      {Packed}: the last 0 to 7 bytes after two bits, as a
%%%                     small integer; `busy' while the log is flushed; `off'
%%%                     if the process logs nothing
%%% '$erlconcolic_log'  [Count | Chunks]: the bytes before those which are not
%%%                     flushed yet, the newest first: such integers, and
%%%                     binaries. Count grows with every change and roughly
%%%                     with the bytes
%%% '$erlconcolic_run'  {Collector, Allow, EarlyFlushes, Flushes}
%%%
%%% The collector reads them while the process runs, perhaps between a change of
%%% the log and a change of the packed bytes. So the packed bytes show which log
%%% they belong to: their first two bits are 2 if Count is even and 3 if it is
%%% odd.
%%%
%%% This module does not put packed bytes in place, because that differs between
%%% the emitters: spill/3 and append/2 return them, and erlconcolic_emit:place/2
%%% takes them.
-module(erlconcolic_log).

-include("erlconcolic_keys.hrl").

-export([start/4, collector/0, allow/0]).
-export([spill/3, append/2]).
-export([finish/0, finish_with/1, hand_over/0, rest/1]).

-export_type([packed/0]).

-type chunks() :: [pos_integer() | binary()].

%% New packed bytes, or `done' if there is nothing to put in place.
-type packed() :: pos_integer() | done.

%% No bytes, for an even count.
-define(NONE, 2).

%% A count of this is about 64 kB.
-define(FLUSH_COUNT, 9363).

%% So many chunks are few.
-define(FEW, 16).

%% Every so many flushes the process waits for the collector, so that the
%% collector never falls far behind.
-define(FLUSHES_UNTIL_SYNC, 16).

%% Begins the log of this process. Its first EarlyFlushes changes are sent at
%% once.
-spec start(pid(), erlconcolic_sandbox:allow(), Records :: boolean(),
            EarlyFlushes :: non_neg_integer()) -> ok.
start(Collector, Allow, Records, EarlyFlushes) ->
    put(?RUN, {Collector, Allow, EarlyFlushes, 0}),
    put(?LOG, [0]),
    case Records of
        true ->
            put(?PACKED, state(?NONE)),
            ok;
        false ->
            put(?PACKED, off),
            ok
    end.

-spec collector() -> pid() | none.
collector() ->
    case get(?RUN) of
        {Collector, _, _, _} -> Collector;
        undefined -> none
    end.

%% The calls that the sandbox lets pass in this run.
-spec allow() -> erlconcolic_sandbox:allow().
allow() ->
    case get(?RUN) of
        {_, Allow, _, _} -> Allow;
        undefined -> []
    end.

%% Moves the packed bytes to the log; new ones take their place. For emitters
%% that find no room.
-spec spill(term(), non_neg_integer(), pos_integer()) -> packed().
spill({Packed}, Bytes, Bits) ->
    [Count | Chunks] = get(?LOG),
    keep(Count + 1, [Packed | Chunks], Bytes, Bits);
spill(_NoLog, _Bytes, _Bits) ->
    done.

%% Moves the packed bytes to the log, and these bytes after them.
-spec append(term(), iodata()) -> packed().
append({Packed}, Bytes) ->
    [Count | Chunks] = get(?LOG),
    Item = case is_binary(Bytes) of
               true -> Bytes;
               false -> iolist_to_binary(Bytes)
           end,
    %% Odd, as for any other change.
    Growth = 2 * (byte_size(Item) div 14) + 1,
    keep(Count + Growth, [Item, Packed | Chunks], 0, 0);
append(_NoLog, _Bytes) ->
    done.

-spec keep(pos_integer(), chunks(), non_neg_integer(), non_neg_integer()) ->
    packed().
keep(Count, Chunks, Bytes, Bits) when Count < ?FLUSH_COUNT ->
    case get(?RUN) of
        {_, _, 0, _} ->
            put(?LOG, [Count | Chunks]),
            (first_bits_for(Count) bsl Bits) bor Bytes;
        {Collector, Allow, Early, Flushes} ->
            put(?RUN, {Collector, Allow, Early - 1, Flushes}),
            flush(Chunks, (?NONE bsl Bits) bor Bytes)
    end;
keep(_Count, Chunks, Bytes, Bits) ->
    flush(Chunks, (?NONE bsl Bits) bor Bytes).

-spec flush(chunks(), pos_integer()) -> done.
flush(Chunks, NewPacked) ->
    {Collector, Allow, Early, Flushes} = get(?RUN),
    put(?RUN, {Collector, Allow, Early, Flushes + 1}),
    Log = bytes(Chunks),
    put(?PACKED, busy),
    put(?LOG, [0]),
    _ = Log =:= <<>> orelse (Collector ! {erlconcolic_log, self(), Log}),
    put(?PACKED, state(NewPacked)),
    case Flushes rem ?FLUSHES_UNTIL_SYNC of
        ?FLUSHES_UNTIL_SYNC - 1 -> sync(Collector);
        _ -> ok
    end,
    done.

%% Never a literal: erlconcolic_emit_fast changes it in place.
-spec state(pos_integer()) -> {pos_integer()}.
state(Packed) ->
    erlang:make_tuple(1, Packed).

%% Waits until the collector has taken all messages sent so far.
-spec sync(pid()) -> ok.
sync(Collector) ->
    Monitor = monitor(process, Collector),
    Collector ! {erlconcolic_sync, self(), Monitor},
    receive
        {erlconcolic_synced, Monitor} ->
            true = demonitor(Monitor, [flush]),
            ok;
        {'DOWN', Monitor, process, _, _} ->
            ok
    end.

%% Sends all that has been logged.
-spec finish() -> ok.
finish() ->
    case get(?PACKED) of
        {Packed} ->
            [_ | Chunks] = get(?LOG),
            done = flush([Packed | Chunks], ?NONE),
            ok;
        _ ->
            ok
    end.

%% The same, with another message. There is one also if nothing was logged.
-spec finish_with(fun((binary()) -> term())) -> ok.
finish_with(Send) ->
    case get(?PACKED) of
        {Packed} ->
            [_ | Chunks] = get(?LOG),
            Log = bytes([Packed | Chunks]),
            put(?PACKED, busy),
            put(?LOG, [0]),
            _ = Send(Log),
            put(?PACKED, state(?NONE)),
            ok;
        _ ->
            _ = Send(<<>>),
            ok
    end.

%% Sends all that has been logged and waits until the collector has it.
-spec hand_over() -> ok.
hand_over() ->
    finish(),
    case collector() of
        none -> ok;
        Collector -> sync(Collector)
    end.

%% The bytes that a process with this dictionary has logged and not flushed.
-spec rest(Dictionary :: [{term(), term()}]) -> {ok, binary()} | busy.
rest(Dictionary) ->
    case {lists:keyfind(?PACKED, 1, Dictionary),
          lists:keyfind(?LOG, 1, Dictionary)} of
        {{_, {Packed}}, {_, [Count | Chunks]}} ->
            case first_bits(Packed) =:= first_bits_for(Count) of
                true -> {ok, bytes([Packed | Chunks])};
                false -> {ok, bytes(Chunks)}
            end;
        {{_, busy}, _} ->
            busy;
        _ ->
            {ok, <<>>}
    end.

-spec bytes(chunks()) -> binary().
bytes(Chunks) when length(Chunks) =< ?FEW ->
    iolist_to_binary(few(Chunks, []));
bytes(Chunks) ->
    bytes(lists:reverse(Chunks), <<>>).

%% The oldest first. A binary that grows is larger than most short logs.
-spec few(chunks(), [binary()]) -> [binary()].
few([Packed | Chunks], Binaries) when is_integer(Packed) ->
    Bits = bits(Packed),
    few(Chunks, [<<Packed:Bits>> | Binaries]);
few([Chunk | Chunks], Binaries) ->
    few(Chunks, [Chunk | Binaries]);
few([], Binaries) ->
    Binaries.

%% Segments of a constant size are faster, and most chunks are full.
-spec bytes(chunks(), binary()) -> binary().
bytes([Packed | Chunks], Bytes) when Packed < 1 bsl 59 ->
    case bits(Packed) of
        56 -> bytes(Chunks, <<Bytes/binary, Packed:56>>);
        48 -> bytes(Chunks, <<Bytes/binary, Packed:48>>);
        40 -> bytes(Chunks, <<Bytes/binary, Packed:40>>);
        32 -> bytes(Chunks, <<Bytes/binary, Packed:32>>);
        Bits -> bytes(Chunks, <<Bytes/binary, Packed:Bits>>)
    end;
bytes([Chunk | Chunks], Bytes) ->
    bytes(Chunks, <<Bytes/binary, Chunk/binary>>);
bytes([], Bytes) ->
    Bytes.

-spec first_bits_for(non_neg_integer()) -> 2..3.
first_bits_for(Count) ->
    2 + (Count band 1).

-spec first_bits(pos_integer()) -> 2..3.
first_bits(Packed) ->
    Packed bsr bits(Packed).

%% How many bits the bytes have.
-spec bits(pos_integer()) -> 0..56.
bits(Packed) when Packed >= 1 bsl 57 -> 56;
bits(Packed) when Packed >= 1 bsl 49 -> 48;
bits(Packed) when Packed >= 1 bsl 41 -> 40;
bits(Packed) when Packed >= 1 bsl 33 -> 32;
bits(Packed) when Packed >= 1 bsl 25 -> 24;
bits(Packed) when Packed >= 1 bsl 17 -> 16;
bits(Packed) when Packed >= 1 bsl 9 -> 8;
bits(_) -> 0.
