%%% What instrumented code calls. It writes the log of its process, a stream of
%%% bytes:
%%%
%%% number   big-endian in base 128; all bytes but the last have the high bit
%%% payload  a number of bytes, then a term in external format
%%% item     a number, then a payload if the number is one that has one
%%% raised   1, the number of the module, that of the site, and a payload
%%% enter    0, the number of the module, that of the callable, and 0, or 1 and
%%%          a payload: the list of arguments
%%%
%%% The state is in the process dictionary, since instrumented code has no
%%% other place for it that survives exceptions and calls of foreign code:
%%%
%%% '$erlconcolic'          the last 0 to 7 bytes behind a leading 1, an integer
%%%                         that needs no memory; `busy' while these keys
%%%                         change together; `off' if nothing is logged
%%% '$erlconcolic_log'      the bytes before those, which are not flushed yet
%%% '$erlconcolic_outside'  false in instrumented code; true in foreign code
%%%                         that it called; `bottom' in foreign code that is
%%%                         the bottom of the stack
%%% '$erlconcolic_run'      {Collector, Allow, EarlyFlushes, Flushes}
%%%
%%% The program does not see these keys. The collector reads them while the
%%% process runs.
%%%
%%% A process that has no log begins one where foreign code calls instrumented
%%% code in it, if its group leader is a collector, see erlconcolic_collector.
-module(erlconcolic_out).

-compile({no_auto_import, [apply/3]}).

-export([out/2, out2/2, out3/2, value/2, raised/4]).
-export([opaque/4, apply/3, apply/4]).
-export([enter/3, enter_fun/3, bracket/1]).
-export([start/1, finish/0, rest/1]).

-define(PACKED, '$erlconcolic').
-define(LOG, '$erlconcolic_log').
-define(OUTSIDE, '$erlconcolic_outside').
-define(RUN, '$erlconcolic_run').

%% A packed integer below this has room for so many bytes more. Atoms are
%% greater than all integers, so one comparison also finds that there is no log.
-define(ROOM(Bytes), (1 bsl (8 * (8 - (Bytes))))).

-define(FLUSH_SIZE, 65536).

%% A process that was spawned may end at any time and nobody tells it, so it
%% does not wait for its first bytes to become many.
-define(EARLY_FLUSHES, 16).

%% So often it waits for the collector, which then is never far behind.
-define(FLUSHES_UNTIL_SYNC, 16).

%% Appends one byte: a number up to 127.
-spec out(0..127, Value) -> Value.
out(Byte, Value) ->
    case get(?PACKED) of
        Packed when Packed < ?ROOM(1) ->
            put(?PACKED, Packed * 256 + Byte),
            Value;
        Packed ->
            spill(Packed, 16#100 + Byte),
            Value
    end.

%% Appends a number that is encoded in two bytes.
-spec out2(16#8100..16#ff7f, Value) -> Value.
out2(Bytes, Value) ->
    case get(?PACKED) of
        Packed when Packed < ?ROOM(2) ->
            put(?PACKED, Packed * 16#10000 + Bytes),
            Value;
        Packed ->
            spill(Packed, 16#10000 + Bytes),
            Value
    end.

%% Appends a number that is encoded in three bytes.
-spec out3(16#818000..16#ffff7f, Value) -> Value.
out3(Bytes, Value) ->
    case get(?PACKED) of
        Packed when Packed < ?ROOM(3) ->
            put(?PACKED, Packed * 16#1000000 + Bytes),
            Value;
        Packed ->
            spill(Packed, 16#1000000 + Bytes),
            Value
    end.

%% A number with a value.
-spec value(non_neg_integer(), Value) -> Value.
value(Number, Value) ->
    item(Number, Value),
    Value.

%% The built-in at a site raised.
-spec raised(non_neg_integer(), non_neg_integer(), atom(), term()) -> ok.
raised(ModuleNumber, Site, Class, Reason) ->
    Head = [1, encode(ModuleNumber), encode(Site)],
    append(get(?PACKED), [Head | payload({Class, Reason})]).

%% Calls foreign code. Its value is item Number, its exception item Number + 1.
-spec opaque(non_neg_integer(), module(), atom(), [term()]) -> term().
opaque(Number, Module, Function, Args) ->
    check(Module, Function, Args),
    Outside = put(?OUTSIDE, true),
    try call(Module, Function, Args) of
        Value ->
            put(?OUTSIDE, Outside),
            item(Number, Value),
            Value
    catch
        Class:Reason:Stack ->
            put(?OUTSIDE, Outside),
            item(Number + 1, {Class, Reason}),
            erlang:raise(Class, Reason, Stack)
    end.

%% Calls a computed fun. A fun of a followed module logs its own enter item.
-spec apply(non_neg_integer(), term(), term()) -> term().
apply(Number, Fun, Args) when is_function(Fun, length(Args)) ->
    {module, Module} = erlang:fun_info(Fun, module),
    case erlconcolic_follow:is_followed(Module) of
        true ->
            erlang:apply(Fun, Args);
        false ->
            case erlang:fun_info(Fun, type) of
                {type, external} ->
                    {name, Name} = erlang:fun_info(Fun, name),
                    apply(Number, Module, Name, Args);
                {type, local} ->
                    opaque(Number, erlang, apply, [Fun, Args])
            end
    end;
apply(Number, Fun, Args) ->
    opaque(Number, erlang, apply, [Fun, Args]).

%% Calls a function by a computed name.
-spec apply(non_neg_integer(), term(), term(), term()) -> term().
apply(Number, Module, Function, Args) when length(Args) >= 0 ->
    case erlconcolic_follow:function(Module, Function, length(Args)) of
        none ->
            opaque(Number, Module, Function, Args);
        {LoadedAs, Mangled, ModuleNumber, Callable} ->
            entered(ModuleNumber, Callable),
            erlang:apply(LoadedAs, Mangled, Args)
    end;
apply(Number, Module, Function, Args) ->
    opaque(Number, erlang, apply, [Module, Function, Args]).

%% A function that foreign code may call has been called: its body runs as it
%% is, or in bracket/1.
-spec enter(non_neg_integer(), non_neg_integer(), [term()]) -> inside | bracket.
enter(ModuleNumber, Callable, Args) ->
    case get(?PACKED) of
        undefined ->
            start_in_spawned(),
            enter(ModuleNumber, Callable, Args);
        off ->
            inside;
        Packed ->
            Head = [0, encode(ModuleNumber), encode(Callable), 1],
            append(Packed, [Head | payload(Args)]),
            case get(?OUTSIDE) of
                false -> inside;
                _ -> bracket
            end
    end.

%% The same for a fun. Where instrumented code calls it, the reader of the log
%% knows the arguments.
-spec enter_fun(non_neg_integer(), non_neg_integer(), [term()]) ->
    inside | bracket.
enter_fun(ModuleNumber, Callable, Args) ->
    case get(?OUTSIDE) of
        false ->
            entered(ModuleNumber, Callable),
            inside;
        _ ->
            enter(ModuleNumber, Callable, Args)
    end.

%% Runs instrumented code that foreign code has called.
-spec bracket(fun(() -> Value)) -> Value.
bracket(Body) ->
    Outside = put(?OUTSIDE, false),
    try
        Body()
    after
        put(?OUTSIDE, Outside),
        Outside =:= bottom andalso finish()
    end.

%% Begins the log of this process, with instrumented code or its caller at the
%% bottom of the stack.
-spec start(pid()) -> ok.
start(Collector) ->
    case erlconcolic_collector:settings(Collector) of
        {ok, Settings} -> start(Collector, Settings, 0, false);
        error -> start(Collector, #{}, 0, false)
    end.

-spec start_in_spawned() -> ok.
start_in_spawned() ->
    Collector = group_leader(),
    case erlconcolic_collector:settings(Collector) of
        {ok, #{max_heap := MaxHeap} = Settings} ->
            _ = process_flag(max_heap_size, MaxHeap),
            start(Collector, Settings, ?EARLY_FLUSHES, bottom);
        error ->
            put(?OUTSIDE, false),
            put(?PACKED, off),
            ok
    end.

-spec start(pid(), Settings, non_neg_integer(), false | bottom) -> ok
    when Settings :: erlconcolic_collector:settings() | #{}.
start(Collector, Settings, EarlyFlushes, Outside) ->
    put(?RUN, {Collector, maps:get(allow, Settings, []), EarlyFlushes, 0}),
    put(?OUTSIDE, Outside),
    put(?LOG, <<>>),
    case maps:get(record, Settings, true) of
        true ->
            Collector ! {erlconcolic_start, self()},
            put(?PACKED, 1),
            ok;
        false ->
            put(?PACKED, off),
            ok
    end.

%% Sends all that has been logged.
-spec finish() -> ok.
finish() ->
    case get(?PACKED) of
        Packed when is_integer(Packed) ->
            Log = get(?LOG),
            flush(<<Log/binary, Packed:(bits(Packed))>>, 1);
        _ ->
            ok
    end.

%% What a process with this dictionary has logged and not flushed.
-spec rest(Dictionary :: [{term(), term()}]) -> {ok, binary()} | busy.
rest(Dictionary) ->
    case {lists:keyfind(?PACKED, 1, Dictionary),
          lists:keyfind(?LOG, 1, Dictionary)} of
        {{_, Packed}, {_, Log}} when is_integer(Packed) ->
            {ok, <<Log/binary, Packed:(bits(Packed))>>};
        {{_, busy}, _} ->
            busy;
        _ ->
            {ok, <<>>}
    end.

%% An enter item without arguments. Most take four bytes.
-spec entered(non_neg_integer(), non_neg_integer()) -> ok.
entered(ModuleNumber, Callable) ->
    case get(?PACKED) of
        Packed when ModuleNumber < 128, Callable < 128 ->
            Bytes = (ModuleNumber bsl 16) bor (Callable bsl 8),
            case Packed < ?ROOM(4) of
                true ->
                    put(?PACKED, (Packed bsl 32) bor Bytes),
                    ok;
                false ->
                    spill(Packed, (1 bsl 32) bor Bytes)
            end;
        Packed ->
            append(Packed, [0, encode(ModuleNumber), encode(Callable), 0])
    end.

-spec item(non_neg_integer(), term()) -> ok.
item(Number, Term) ->
    case get(?PACKED) of
        Packed when is_integer(Packed), Number < 128 ->
            Log = get(?LOG),
            Bytes = term_to_binary(Term, [{minor_version, 2}]),
            case byte_size(Bytes) of
                Size when Size < 128 ->
                    keep(<<Log/binary, Packed:(bits(Packed)), Number, Size,
                           Bytes/binary>>, 1);
                _ ->
                    append(Packed, [Number, encode(byte_size(Bytes)), Bytes])
            end;
        Packed when is_integer(Packed) ->
            append(Packed, [encode(Number) | payload(Term)]);
        _ ->
            ok
    end.

-spec payload(term()) -> iolist().
payload(Term) ->
    Bytes = term_to_binary(Term, [{minor_version, 2}]),
    [encode(byte_size(Bytes)), Bytes].

-spec encode(non_neg_integer()) -> byte() | iolist().
encode(Number) when Number < 128 -> Number;
encode(Number) -> encode(Number bsr 7, [Number band 127]).

-spec encode(non_neg_integer(), [byte()]) -> [byte()].
encode(0, Bytes) -> Bytes;
encode(Number, Bytes) ->
    encode(Number bsr 7, [128 bor (Number band 127) | Bytes]).

%% Moves the packed bytes to the log. Segments of a constant size are faster.
-spec spill(term(), pos_integer()) -> ok.
spill(Packed, NewPacked) when is_integer(Packed) ->
    Log = get(?LOG),
    case bits(Packed) of
        56 -> keep(<<Log/binary, Packed:56>>, NewPacked);
        48 -> keep(<<Log/binary, Packed:48>>, NewPacked);
        40 -> keep(<<Log/binary, Packed:40>>, NewPacked);
        32 -> keep(<<Log/binary, Packed:32>>, NewPacked);
        Bits -> keep(<<Log/binary, Packed:Bits>>, NewPacked)
    end;
spill(_NoLog, _NewPacked) ->
    ok.

-spec append(term(), iolist()) -> ok.
append(Packed, Bytes) when is_integer(Packed) ->
    Log = get(?LOG),
    Item = iolist_to_binary(Bytes),
    keep(<<Log/binary, Packed:(bits(Packed)), Item/binary>>, 1);
append(_NoLog, _Bytes) ->
    ok.

-spec keep(binary(), pos_integer()) -> ok.
keep(Log, NewPacked) when byte_size(Log) < ?FLUSH_SIZE ->
    case get(?RUN) of
        {_, _, 0, _} ->
            put(?PACKED, busy),
            put(?LOG, Log),
            put(?PACKED, NewPacked),
            ok;
        {Collector, Allow, Early, Flushes} ->
            put(?RUN, {Collector, Allow, Early - 1, Flushes}),
            flush(Log, NewPacked)
    end;
keep(Log, NewPacked) ->
    flush(Log, NewPacked).

-spec flush(binary(), pos_integer()) -> ok.
flush(<<>>, _NewPacked) ->
    ok;
flush(Log, NewPacked) ->
    {Collector, Allow, Early, Flushes} = get(?RUN),
    put(?RUN, {Collector, Allow, Early, Flushes + 1}),
    put(?PACKED, busy),
    put(?LOG, <<>>),
    Collector ! {erlconcolic_log, self(), Log},
    put(?PACKED, NewPacked),
    case Flushes rem ?FLUSHES_UNTIL_SYNC of
        ?FLUSHES_UNTIL_SYNC - 1 -> sync(Collector);
        _ -> ok
    end.

%% Waits until the collector has taken all that it was sent.
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

-spec bits(pos_integer()) -> 0..56.
bits(Packed) when Packed >= 1 bsl 56 -> 56;
bits(Packed) when Packed >= 1 bsl 48 -> 48;
bits(Packed) when Packed >= 1 bsl 40 -> 40;
bits(Packed) when Packed >= 1 bsl 32 -> 32;
bits(Packed) when Packed >= 1 bsl 24 -> 24;
bits(Packed) when Packed >= 1 bsl 16 -> 16;
bits(Packed) when Packed >= 1 bsl 8 -> 8;
bits(_) -> 0.

-spec check(term(), term(), term()) -> ok.
check(Module, Function, Args) ->
    case erlconcolic_sandbox:check_call(Module, Function, Args, allow()) of
        ok -> ok;
        {blocked, Mfa} -> refuse(Mfa)
    end.

-spec allow() -> erlconcolic_sandbox:allow().
allow() ->
    case get(?RUN) of
        {_, Allow, _, _} -> Allow;
        undefined -> []
    end.

%% A call that is refused ends the run: an exception could be caught.
-spec refuse(mfa()) -> no_return().
refuse(Mfa) ->
    finish(),
    _ = case get(?RUN) of
            {Collector, _, _, _} ->
                Collector ! {erlconcolic_blocked, self(), Mfa};
            undefined ->
                ok
        end,
    exit(self(), kill),
    receive after infinity -> ok end.

%% Calls the function, or gives what it would give if our keys were not there.
-spec call(module(), atom(), [term()]) -> term().
call(erlang, get, []) ->
    visible(get());
call(erlang, get_keys, []) ->
    [Key || Key <- get_keys(), not is_ours(Key)];
call(erlang, get_keys, [Value]) ->
    [Key || Key <- get_keys(Value), not is_ours(Key)];
call(erlang, erase, []) ->
    [{Key, erase(Key)} || {Key, _} <- visible(get())];
call(erlang, process_info, Args) ->
    visible_info(erlang:apply(erlang, process_info, Args));
call(erlang, apply, [Fun, Args]) ->
    erlang:apply(Fun, Args);
call(erlang, apply, [Module, Function, Args]) ->
    erlang:apply(Module, Function, Args);
call(Module, Function, Args) ->
    erlang:apply(Module, Function, Args).

-spec visible_info(term()) -> term().
visible_info({dictionary, Dictionary}) -> {dictionary, visible(Dictionary)};
visible_info(Infos) when is_list(Infos) -> lists:map(fun visible_info/1, Infos);
visible_info(Info) -> Info.

-spec visible([{term(), term()}]) -> [{term(), term()}].
visible(Dictionary) ->
    [Pair || {Key, _} = Pair <- Dictionary, not is_ours(Key)].

-spec is_ours(term()) -> boolean().
is_ours(?PACKED) -> true;
is_ours(?LOG) -> true;
is_ours(?OUTSIDE) -> true;
is_ours(?RUN) -> true;
is_ours(_) -> false.
