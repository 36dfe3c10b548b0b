%%% Calls of foreign functions that are no steps. A controlled process that
%%% hibernates asks the gate until there is a message. One that forgets its
%%% stack, and with it what erlconcolic_lease does at its end, wakes up here.
-module(erlconcolic_hibernation).

-export([call/3, wake_up/1]).

-spec call(module(), atom(), [term()]) -> term().
call(erlang, hibernate, [Module, Name, Args] = All)
  when is_atom(Module), is_atom(Name), length(Args) >= 0 ->
    hibernate(erlang, {Module, Name, Args}, All);
call(proc_lib, hibernate, [Module, Name, Args] = All)
  when is_atom(Module), is_atom(Name), length(Args) >= 0 ->
    Loaded = erlconcolic_alias:loaded_as(Module),
    hibernate(proc_lib, {proc_lib, wake_up, [Loaded, Name, Args]}, All);
call(erlang, hibernate, []) ->
    ok = erlconcolic_lease:await_message(),
    erlconcolic_disguise:call(erlang, hibernate, []);
call(Module, Function, Args) ->
    erlconcolic_disguise:call(Module, Function, Args).

%% The process of the entry function goes on as it would without the gate.
-spec hibernate(module(), erlconcolic_spawn:body(), [term()]) -> term().
hibernate(Module, Body, Args) ->
    case erlconcolic_lease:is_spawned() of
        true ->
            ok = erlconcolic_lease:await_message(),
            erlang:hibernate(?MODULE, wake_up, [Body]);
        false ->
            erlconcolic_disguise:call(Module, hibernate, Args)
    end.

%% The rest of the life of a process that has hibernated.
-spec wake_up(erlconcolic_spawn:body()) -> term().
wake_up(Body) ->
    erlconcolic_lease:live_on(Body).
