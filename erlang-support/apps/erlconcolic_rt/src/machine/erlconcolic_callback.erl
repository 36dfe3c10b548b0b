%%% Calls the callbacks of a machine, which may raise.
-module(erlconcolic_callback).

-export([init/2, tried/3, terminate/2]).

-export_type([tried/0]).

%% What a callback did.
-type tried() :: {returned, term()}
               | {raised, error | exit, Reason :: term(),
                  erlconcolic_play:stack()}.

%% What init/1 returns. One that ends by an exit that is no failure refuses to
%% start.
-spec init(module(), Argument :: term()) -> term().
init(Module, Argument) ->
    ok = erlconcolic_machine_mark:calls(),
    try
        Module:init(Argument)
    catch
        throw:Result -> Result;
        exit:normal -> {stop, normal};
        exit:shutdown -> {stop, shutdown};
        exit:{shutdown, Reason} -> {stop, {shutdown, Reason}}
    end.

%% Calls a callback. What it throws is its result. The call is over when this
%% returns: what follows is no part of a `try', so functions can be forgotten at
%% their tail calls, and a state does not depend on the events before it.
-spec tried(module(), Callback :: atom(), Args :: [term()]) -> tried().
tried(Module, Callback, Args) ->
    ok = erlconcolic_machine_mark:calls(),
    try apply(Module, Callback, Args) of
        Result -> {returned, Result}
    catch
        throw:Result -> {returned, Result};
        Class:Reason:Stack -> {raised, Class, Reason, Stack}
    end.

%% Calls the callback terminate, if there is one. Returns its exception: the
%% machine ends for that.
-spec terminate(module(), Args :: [term()]) ->
          ok | {error | exit, Reason :: term(), erlconcolic_play:stack()}.
terminate(Module, Args) ->
    case erlang:function_exported(Module, terminate, length(Args)) of
        true ->
            try apply(Module, terminate, Args) of
                _ -> ok
            catch
                throw:_ -> ok;
                Class:Reason:Stack -> {Class, Reason, Stack}
            end;
        false ->
            ok
    end.
