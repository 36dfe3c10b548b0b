%%% Whether the collector hears of the processes that a controlled process
%%% starts. The gate knows of those that instrumented code starts, and each
%%% trace takes time. So a process is watched only from its first call of
%%% foreign code on that might start others.
%%%
%%% The process of the entry function is watched from its start to its first
%%% spawn. If it has made such a call before, it stays watched: the call may
%%% still go on.
%%%
%%% The process dictionary has under '$erlconcolic_watch' `on' if the process
%%% stays watched, and `off' if it is not.
-module(erlconcolic_watch).

-include("erlconcolic_keys.hrl").

-export([before_call/3, on/0, relax/0, inherit/1]).

-export_type([state/0]).

-type state() :: on | off.

%% Foreign code is about to be called.
-spec before_call(term(), term(), [term()]) -> ok.
before_call(Module, Function, Args) ->
    case get(?WATCH) =:= on orelse starts_nobody(Module, Function, Args) of
        true -> ok;
        false -> on()
    end.

%% Whether a call surely starts no process.
-spec starts_nobody(term(), term(), [term()]) -> boolean().
starts_nobody(Module, Function, Args) ->
    is_plain(Module, Function) andalso not has_fun(Args).

-spec has_fun([term()]) -> boolean().
has_fun([Arg | _]) when is_function(Arg) -> true;
has_fun([_ | Args]) -> has_fun(Args);
has_fun([]) -> false.

%% Functions that call no other code, unless they get it as an argument.
-spec is_plain(term(), term()) -> boolean().
is_plain(erlang, Function) ->
    not lists:member(Function, [apply, hibernate, spawn, spawn_link,
                                spawn_monitor, spawn_opt, spawn_request]);
is_plain(Module, _Function) ->
    lists:member(Module, [ets, lists, maps, binary, math, atomics, counters,
                          persistent_term]).

%% From now on this process is watched.
-spec on() -> ok.
on() ->
    case put(?WATCH, on) of
        off -> trace(erlang:trace_info(self(), tracer));
        _ -> ok
    end.

-spec trace({tracer, term()}) -> ok.
trace({tracer, Tracer}) when is_pid(Tracer) ->
    1 = erlang:trace(self(), true, [procs, {tracer, Tracer}]),
    ok;
trace(_NotTraced) ->
    ok.

%% From now on the gate knows of all that this process starts, if it has not
%% called foreign code.
-spec relax() -> state().
relax() ->
    case get(?WATCH) of
        undefined ->
            put(?WATCH, off),
            1 = erlang:trace(self(), false, [procs]),
            off;
        State ->
            State
    end.

%% A process is watched if the one that has spawned it was.
-spec inherit(state()) -> ok.
inherit(State) ->
    put(?WATCH, State),
    ok.
