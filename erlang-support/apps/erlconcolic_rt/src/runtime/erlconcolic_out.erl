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
%%% '$erlconcolic'          {Packed}, the last 0 to 7 bytes behind two bits, a
%%%                         small integer; `busy' while the log is flushed;
%%%                         `off' if nothing is logged
%%% '$erlconcolic_log'      [Count | Chunks], the bytes before those that are
%%%                         not flushed yet, the last first: such integers,
%%%                         and binaries. Count grows with every change and
%%%                         roughly with the bytes
%%% '$erlconcolic_outside'  false in instrumented code; true in foreign code
%%%                         that it called; `bottom' in foreign code that is
%%%                         the bottom of the stack
%%% '$erlconcolic_run'      {Collector, Allow, EarlyFlushes, Flushes}
%%%
%%% The program does not see these keys, and has others of its own where it uses
%%% their names. The collector reads them while the
%%% process runs, perhaps between a change of the log and one of the packed
%%% bytes, so these show what they belong to: their first two bits are 2 if
%%% Count is even and 3 if it is odd.
%%%
%%% A process that has no log begins one where foreign code calls instrumented
%%% code in it, if its group leader is a collector, see erlconcolic_collector.
-module(erlconcolic_out).

-compile({no_auto_import, [apply/3]}).

-export([value/2, stack/2, caught/1, raised/4]).
-export([opaque/4, apply/3, apply/4]).
-export([enter/3, enter_fun/3, bracket/1]).
-export([spill/3]).
-export([start/1, finish/0, rest/1]).

-define(PACKED, '$erlconcolic').
-define(LOG, '$erlconcolic_log').
-define(OUTSIDE, '$erlconcolic_outside').
-define(RUN, '$erlconcolic_run').
-define(PROGRAM, '$erlconcolic_program').

%% No bytes, for an even count.
-define(NONE, 2).

%% A count of this is about 64 kB.
-define(FLUSH_COUNT, 9363).

%% A process that was spawned may end at any time and nobody tells it, so it
%% does not wait for its first bytes to become many.
-define(EARLY_FLUSHES, 16).

%% So often it waits for the collector, which then is never far behind.
-define(FLUSHES_UNTIL_SYNC, 16).

-type chunks() :: [pos_integer() | binary()].

%% A number with a value.
-spec value(non_neg_integer(), Value) -> Value.
value(Number, Value) ->
    item(Number, Value),
    Value.

%% A number with a stack trace, which the program gets as its own code makes it.
-spec stack(non_neg_integer(), term()) -> term().
stack(Number, Stack) ->
    value(Number, erlconcolic_stack:of_program(Stack)).

%% What an old `catch' gives.
-spec caught(term()) -> term().
caught(Value) ->
    erlconcolic_stack:in_exit(Value).

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
    case collector() of
        {Collector, #{max_heap := MaxHeap} = Settings} ->
            _ = process_flag(max_heap_size, MaxHeap),
            start(Collector, Settings, ?EARLY_FLUSHES, bottom);
        none ->
            put(?OUTSIDE, false),
            put(?PACKED, off),
            ok
    end.

%% The collector of the run that this process belongs to. It usually is the
%% group leader; where the program has another one, as tests of EUnit have, it
%% still traces all processes of its run.
-spec collector() -> {pid(), map()} | none.
collector() ->
    Leader = group_leader(),
    case erlconcolic_collector:settings(Leader) of
        {ok, Settings} -> {Leader, Settings};
        error -> tracing_collector(erlang:trace_info(self(), tracer))
    end.

-spec tracing_collector(term()) -> {pid(), map()} | none.
tracing_collector({tracer, Tracer}) when is_pid(Tracer) ->
    case erlconcolic_collector:settings(Tracer) of
        {ok, Settings} -> {Tracer, Settings};
        error -> none
    end;
tracing_collector(_) ->
    none.

-spec start(pid(), Settings, non_neg_integer(), false | bottom) -> ok
    when Settings :: erlconcolic_collector:settings() | #{}.
start(Collector, Settings, EarlyFlushes, Outside) ->
    put(?RUN, {Collector, maps:get(allow, Settings, []), EarlyFlushes, 0}),
    put(?OUTSIDE, Outside),
    put(?LOG, [0]),
    case maps:get(record, Settings, true) of
        true ->
            Collector ! {erlconcolic_start, self()},
            put(?PACKED, state(?NONE)),
            ok;
        false ->
            put(?PACKED, off),
            ok
    end.

%% Sends all that has been logged.
-spec finish() -> ok.
finish() ->
    case get(?PACKED) of
        {Packed} ->
            [_ | Chunks] = get(?LOG),
            flush([Packed | Chunks], ?NONE);
        _ ->
            ok
    end.

%% What a process with this dictionary has logged and not flushed.
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

%% An enter item without arguments. Most take four bytes.
-spec entered(non_neg_integer(), non_neg_integer()) -> ok.
entered(ModuleNumber, Callable) when ModuleNumber < 128, Callable < 128 ->
    erlconcolic_emit:out4((ModuleNumber bsl 16) bor (Callable bsl 8), ok);
entered(ModuleNumber, Callable) ->
    append(get(?PACKED), [0, encode(ModuleNumber), encode(Callable), 0]).

-spec item(non_neg_integer(), term()) -> ok.
item(Number, Term) ->
    case get(?PACKED) of
        {_} = State -> append(State, [encode(Number) | payload(Term)]);
        _ -> ok
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

%% Moves the packed bytes to the log; new ones take their place. For emitters
%% that find no room.
-spec spill(term(), non_neg_integer(), pos_integer()) -> ok.
spill({Packed}, Bytes, Bits) ->
    [Count | Chunks] = get(?LOG),
    keep(Count + 1, [Packed | Chunks], Bytes, Bits);
spill(_NoLog, _Bytes, _Bits) ->
    ok.

-spec append(term(), iolist()) -> ok.
append({Packed}, Bytes) ->
    [Count | Chunks] = get(?LOG),
    Item = iolist_to_binary(Bytes),
    %% Odd, as for any other change.
    Growth = 2 * (byte_size(Item) div 14) + 1,
    keep(Count + Growth, [Item, Packed | Chunks], 0, 0);
append(_NoLog, _Bytes) ->
    ok.

-spec keep(pos_integer(), chunks(), non_neg_integer(), non_neg_integer()) -> ok.
keep(Count, Chunks, Bytes, Bits) when Count < ?FLUSH_COUNT ->
    case get(?RUN) of
        {_, _, 0, _} ->
            put(?LOG, [Count | Chunks]),
            Packed = (first_bits_for(Count) bsl Bits) bor Bytes,
            erlconcolic_emit:reset(Packed, ok);
        {Collector, Allow, Early, Flushes} ->
            put(?RUN, {Collector, Allow, Early - 1, Flushes}),
            flush(Chunks, (?NONE bsl Bits) bor Bytes)
    end;
keep(_Count, Chunks, Bytes, Bits) ->
    flush(Chunks, (?NONE bsl Bits) bor Bytes).

-spec flush(chunks(), pos_integer()) -> ok.
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
    end.

%% Not a literal, ever: erlconcolic_emit_fast changes it in place.
-spec state(pos_integer()) -> {pos_integer()}.
state(Packed) ->
    erlang:make_tuple(1, Packed).

-spec bytes(chunks()) -> binary().
bytes(Chunks) ->
    bytes(lists:reverse(Chunks), <<>>).

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

-spec check(term(), term(), term()) -> ok.
check(Module, Function, Args) ->
    case erlconcolic_sandbox:check_call(Module, Function, Args, allow()) of
        ok -> ok;
        spoils -> tell(erlconcolic_spoils);
        ends -> hand_over();
        {blocked, Mfa} -> refuse(Mfa)
    end.

%% What comes next ends the node. All that was logged before is passed on.
-spec hand_over() -> ok.
hand_over() ->
    finish(),
    case get(?RUN) of
        {Collector, _, _, _} -> sync(Collector);
        undefined -> ok
    end.

-spec tell(atom()) -> ok.
tell(Tag) ->
    _ = case get(?RUN) of
            {Collector, _, _, _} -> Collector ! {Tag, self()};
            undefined -> ok
        end,
    ok.

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

%% Calls the function, or gives what it would give if our keys and functions
%% were not there.
-spec call(module(), atom(), [term()]) -> term().
call(erlang, get, []) ->
    visible(get());
call(erlang, get, [Key]) ->
    get(kept_as(Key));
call(erlang, put, [Key, Value]) ->
    put(kept_as(Key), Value);
call(erlang, erase, [Key]) ->
    erase(kept_as(Key));
call(erlang, get_keys, []) ->
    [shown_as(Key) || Key <- get_keys(), not is_ours(Key)];
call(erlang, get_keys, [Value]) ->
    [shown_as(Key) || Key <- get_keys(Value), not is_ours(Key)];
call(erlang, erase, []) ->
    [{Key, erase(kept_as(Key))} || {Key, _} <- visible(get())];
call(erlang, process_info, Args) ->
    visible_info(erlang:apply(erlang, process_info, Args));
call(erlang, get_module_info, [Module]) ->
    [{Item, without_bodies(Module, Item, Value)}
     || {Item, Value} <- erlang:get_module_info(Module)];
call(erlang, get_module_info, [Module, Item]) ->
    Value = erlang:get_module_info(Module, Item),
    without_bodies(Module, Item, Value);
call(erlang, apply, [Fun, Args]) ->
    erlang:apply(Fun, Args);
call(erlang, apply, [Module, Function, Args]) ->
    erlang:apply(Module, Function, Args);
call(Module, Function, Args) ->
    erlang:apply(Module, Function, Args).

%% The functions of a module without the bodies of instrumented ones.
-spec without_bodies(module(), atom(), term()) -> term().
without_bodies(Module, Item, Functions)
  when Item =:= exports; Item =:= functions ->
    case erlconcolic_follow:is_followed(Module) of
        true ->
            [Function || {Name, _} = Function <- Functions, not is_body(Name)];
        false ->
            Functions
    end;
without_bodies(_Module, _Item, Value) ->
    Value.

-spec is_body(atom()) -> boolean().
is_body(Name) ->
    lists:prefix("@", atom_to_list(Name)).

-spec visible_info(term()) -> term().
visible_info({dictionary, Dictionary}) -> {dictionary, visible(Dictionary)};
visible_info(Infos) when is_list(Infos) -> lists:map(fun visible_info/1, Infos);
visible_info(Info) -> Info.

-spec visible([{term(), term()}]) -> [{term(), term()}].
visible(Dictionary) ->
    [{shown_as(Key), Value} || {Key, Value} <- Dictionary, not is_ours(Key)].

%% A program may use the names of our keys for its own.
-spec kept_as(term()) -> term().
kept_as(Key) ->
    case is_ours(Key) of
        true -> {?PROGRAM, Key};
        false -> Key
    end.

-spec shown_as(term()) -> term().
shown_as({?PROGRAM, Key}) -> Key;
shown_as(Key) -> Key.

-spec is_ours(term()) -> boolean().
is_ours(?PACKED) -> true;
is_ours(?LOG) -> true;
is_ours(?OUTSIDE) -> true;
is_ours(?RUN) -> true;
is_ours(_) -> false.
