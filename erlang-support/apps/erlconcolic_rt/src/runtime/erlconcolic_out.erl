%%% What instrumented code calls. It writes the log of its process, see
%%% erlconcolic_log, a stream of bytes:
%%%
%%% number   big-endian in base 128; all bytes but the last have the high bit
%%% payload  a number of bytes, then a term in external format
%%% item     a number, then a payload if the number is one that has one
%%% raised   1, the number of the module, the number of the site, a payload
%%% enter    0, the number of the module, the number of the callable, and
%%%          either 0, or 1 and a payload: the list of arguments
%%%
%%% The process dictionary has under '$erlconcolic_outside': false in
%%% instrumented code; the function in foreign code that it called; `bottom' in
%%% foreign code at the bottom of the stack.
%%%
%%% A process without a log begins one when foreign code calls instrumented code
%%% in it, if the process belongs to a run, see erlconcolic_collector.
-module(erlconcolic_out).

-compile({no_auto_import, [apply/3]}).

-include("erlconcolic_keys.hrl").

-export([value/2, stack/2, caught/1, raised/4]).
-export([opaque/4, step/5, apply/3, apply/4]).
-export([enter/3, enter_fun/3, enter_body/5, bracket/1]).
-export([start/1, finish/0]).
-export([check/3, unlogged/1]).

%% A process that was spawned may end at any time without notice, so it sends
%% its first bytes at once.
-define(EARLY_FLUSHES, 16).

%% A number with a value.
-spec value(non_neg_integer(), Value) -> Value.
value(Number, Value) ->
    item(Number, Value),
    Value.

%% A number with a stack trace as the program would get it without
%% instrumentation.
-spec stack(non_neg_integer(), term()) -> term().
stack(Number, Stack) ->
    value(Number, erlconcolic_stack:of_program(Stack)).

%% The value of a `catch' expression.
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
    is_silent(Module, Function)
        orelse erlconcolic_lease:leave(Module, Function, Args),
    ok = erlconcolic_watch:before_call(Module, Function, Args),
    Outside = put(?OUTSIDE, {Module, Function, length(Args)}),
    try erlconcolic_hibernation:call(Module, Function, Args) of
        Value ->
            put(?OUTSIDE, Outside),
            erlconcolic_lease:back(),
            item(Number, Value),
            Value
    catch
        Class:Reason:Stack ->
            put(?OUTSIDE, Outside),
            erlconcolic_lease:back(),
            item(Number + 1, {Class, Reason}),
            erlang:raise(Class, Reason, Stack)
    end.

%% Whether functions of a module that are no steps send no messages to
%% processes of a run.
-spec is_silent(module(), atom()) -> boolean().
is_silent(erlang, Function) -> Function =/= apply;
is_silent(lists, _) -> true;
is_silent(maps, _) -> true;
is_silent(binary, _) -> true;
is_silent(math, _) -> true;
is_silent(ets, _) -> true;
is_silent(io, _) -> true;
is_silent(io_lib, _) -> true;
is_silent(string, _) -> true;
is_silent(unicode, _) -> true;
is_silent(re, _) -> true;
is_silent(erlconcolic_regex, _) -> true;
is_silent(rand, _) -> true;
is_silent(os, _) -> true;
is_silent(crypto, _) -> true;
is_silent(erts_internal, _) -> true;
is_silent(_, _) -> false.

%% The same for a call that is a step.
-spec step(non_neg_integer(), erlconcolic_steps:kind(), module(), atom(),
           [term()]) -> term().
step(Number, Kind, Module, Function, Args) ->
    %% A process of OTP may answer to a message, in its own time.
    case checked(Module, Function, Args) of
        spoils when Kind =:= send ->
            ok = erlconcolic_lease:reach_out(Module, Function, Args);
        _ -> ok
    end,
    ok = watch(Kind, Module, Function, Args),
    Outside = put(?OUTSIDE, {Module, Function, length(Args)}),
    try erlconcolic_lease:step(Kind, Module, Function, Args) of
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

%% The gate knows of what a step starts that it controls.
-spec watch(erlconcolic_steps:kind(), module(), atom(), [term()]) -> ok.
watch(spawn, _Module, _Function, _Args) -> ok;
watch(sleep, _Module, _Function, _Args) -> ok;
watch(_Kind, Module, Function, Args) ->
    erlconcolic_watch:before_call(Module, Function, Args).

%% Calls a computed fun. Funs of followed modules log their enter items
%% themselves.
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
            not_followed(Number, Module, Function, Args);
        {LoadedAs, Mangled, ModuleNumber, Callable} ->
            entered(ModuleNumber, Callable),
            erlang:apply(LoadedAs, Mangled, Args)
    end;
apply(Number, Module, Function, Args) ->
    opaque(Number, erlang, apply, [Module, Function, Args]).

-spec not_followed(non_neg_integer(), module(), atom(), [term()]) -> term().
not_followed(Number, Module, Function, Args) ->
    case erlconcolic_steps:kind(Module, Function, length(Args)) of
        none -> opaque(Number, Module, Function, Args);
        Kind -> step(Number, Kind, Module, Function, Args)
    end.

%% Called at the start of a function that foreign code may call. The body of the
%% function runs as it is (`inside') or in bracket/1.
-spec enter(non_neg_integer(), non_neg_integer(), [term()]) -> inside | bracket.
enter(ModuleNumber, Callable, Args) ->
    case get(?PACKED) of
        undefined ->
            start_in_spawned(),
            enter(ModuleNumber, Callable, Args);
        off ->
            inside;
        Packed ->
            append(Packed, enter_item(ModuleNumber, Callable,
                                      erlconcolic_marks:bytes(Args))),
            case get(?OUTSIDE) of
                false -> inside;
                _ -> bracket
            end
    end.

%% The same for a fun. If instrumented code calls it, the reader of the log
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

%% The same for an exported function, which then goes on in its body.
-spec enter_body(non_neg_integer(), non_neg_integer(), module(), atom(),
                 [term()]) -> term().
enter_body(ModuleNumber, Callable, Module, Body, Args) ->
    case enter_fun(ModuleNumber, Callable, Args) of
        inside -> erlang:apply(Module, Body, Args);
        bracket -> bracket(fun() -> erlang:apply(Module, Body, Args) end)
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
    case erlconcolic_settings:of_collector(Collector) of
        {ok, #{lease := Lease} = Settings} when is_integer(Lease) ->
            ok = erlconcolic_lease:start(Settings, Lease),
            start(Collector, Settings, 0, false);
        {ok, Settings} -> start(Collector, Settings, 0, false);
        error -> start(Collector, #{}, 0, false)
    end.

-spec start_in_spawned() -> ok.
start_in_spawned() ->
    case find_collector() of
        {Collector, #{max_heap := MaxHeap} = Settings} ->
            _ = process_flag(max_heap_size, MaxHeap),
            start(Collector, Settings, ?EARLY_FLUSHES, bottom);
        none ->
            put(?OUTSIDE, false),
            put(?PACKED, off),
            ok
    end.

%% The collector of the run that this process belongs to. Usually it is the
%% group leader. EUnit tests have another group leader, but their collector
%% still traces them.
-spec find_collector() -> {pid(), map()} | none.
find_collector() ->
    Leader = group_leader(),
    case erlconcolic_settings:of_collector(Leader) of
        {ok, Settings} -> {Leader, Settings};
        error -> tracing_collector(erlang:trace_info(self(), tracer))
    end.

-spec tracing_collector(term()) -> {pid(), map()} | none.
tracing_collector({tracer, Tracer}) when is_pid(Tracer) ->
    case erlconcolic_settings:of_collector(Tracer) of
        {ok, Settings} -> {Tracer, Settings};
        error -> none
    end;
tracing_collector(_) ->
    none.

-spec start(pid(), Settings, non_neg_integer(), false | bottom) -> ok
    when Settings :: erlconcolic_settings:settings() | #{}.
start(Collector, Settings, EarlyFlushes, Outside) ->
    put(?OUTSIDE, Outside),
    Records = maps:get(record, Settings, true),
    _ = Records andalso (Collector ! {erlconcolic_start, self()}),
    erlconcolic_log:start(Collector, maps:get(allow, Settings, []), Records,
                          EarlyFlushes).

%% Runs code that may be instrumented, without its events, and not controlled.
-spec unlogged(fun(() -> Value)) -> Value.
unlogged(Body) ->
    State = put(?PACKED, off),
    Lease = erlconcolic_lease:pause(),
    try
        Body()
    after
        erlconcolic_lease:resume(Lease),
        put(?PACKED, State)
    end.

%% Sends all that has been logged.
-spec finish() -> ok.
finish() ->
    erlconcolic_log:finish().

%% Logs an enter item without arguments. Most take four bytes.
-spec entered(non_neg_integer(), non_neg_integer()) -> ok.
entered(ModuleNumber, Callable) when ModuleNumber < 128, Callable < 128 ->
    erlconcolic_emit:out4((ModuleNumber bsl 16) bor (Callable bsl 8), ok);
entered(ModuleNumber, Callable) ->
    append(get(?PACKED), [0, encode(ModuleNumber), encode(Callable), 0]).

-spec item(non_neg_integer(), term()) -> ok.
item(Number, Term) ->
    case get(?PACKED) of
        {_} = State ->
            append(State, value_item(Number, erlconcolic_marks:bytes(Term)));
        _ -> ok
    end.

%% Most items have small numbers.
-spec value_item(non_neg_integer(), binary()) -> iodata().
value_item(Number, Bytes) when Number < 128, byte_size(Bytes) < 128 ->
    <<Number, (byte_size(Bytes)), Bytes/binary>>;
value_item(Number, Bytes) ->
    [encode(Number), encode(byte_size(Bytes)), Bytes].

-spec enter_item(non_neg_integer(), non_neg_integer(), binary()) -> iodata().
enter_item(ModuleNumber, Callable, Bytes)
  when ModuleNumber < 128, Callable < 128, byte_size(Bytes) < 128 ->
    <<0, ModuleNumber, Callable, 1, (byte_size(Bytes)), Bytes/binary>>;
enter_item(ModuleNumber, Callable, Bytes) ->
    [0, encode(ModuleNumber), encode(Callable), 1, encode(byte_size(Bytes)),
     Bytes].

-spec payload(term()) -> iolist().
payload(Term) ->
    Bytes = erlconcolic_marks:bytes(Term),
    [encode(byte_size(Bytes)), Bytes].

-spec encode(non_neg_integer()) -> byte() | iolist().
encode(Number) when Number < 128 -> Number;
encode(Number) -> encode(Number bsr 7, [Number band 127]).

-spec encode(non_neg_integer(), [byte()]) -> [byte()].
encode(0, Bytes) -> Bytes;
encode(Number, Bytes) ->
    encode(Number bsr 7, [128 bor (Number band 127) | Bytes]).

-spec append(term(), iodata()) -> ok.
append(State, Bytes) ->
    erlconcolic_emit:place(erlconcolic_log:append(State, Bytes), ok).

%% Ends the run if it may not make this call.
-spec check(term(), term(), term()) -> ok.
check(Module, Function, Args) ->
    _ = checked(Module, Function, Args),
    ok.

%% The same. Tells whether the call may leave something in the node.
-spec checked(term(), term(), term()) -> ok | spoils.
checked(Module, Function, Args) ->
    Allow = erlconcolic_log:allow(),
    case erlconcolic_sandbox:is_open()
             orelse erlconcolic_sandbox:check_call(Module, Function, Args,
                                                   Allow) of
        true -> ok;
        ok -> ok;
        spoils ->
            tell({erlconcolic_spoils, self()}),
            spoils;
        %% The call ends the node or this process, so the collector needs the
        %% log before.
        ends -> erlconcolic_log:hand_over();
        {blocked, Mfa} -> refuse(Mfa)
    end.

%% A refused call ends the run, because the program could catch an exception.
-spec refuse(mfa()) -> no_return().
refuse(Mfa) ->
    finish(),
    tell({erlconcolic_blocked, self(), Mfa}),
    exit(self(), kill),
    receive after infinity -> ok end.

-spec tell(tuple()) -> ok.
tell(Message) ->
    _ = case erlconcolic_log:collector() of
            none -> ok;
            Collector -> Collector ! Message
        end,
    ok.
