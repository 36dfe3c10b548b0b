%%% What a process is there for, in words that a user knows: the callback module
%%% of a server, not the functions of OTP that start it.
-module(erlconcolic_initial_call).

-export([of_call/3, of_fun/1, function/1]).

-export_type([initial_call/0]).

%% A function, or a fun in a function.
-type initial_call() :: mfa() | {in, mfa()}.

%% Of a process that starts with this call.
-spec of_call(module(), atom(), [term()]) -> initial_call().
of_call(erlang, apply, [Fun, []]) when is_function(Fun) ->
    of_fun(Fun);
of_call(proc_lib, init_p, [_Parent, _Ancestors, Fun]) when is_function(Fun) ->
    of_fun(Fun);
of_call(proc_lib, init_p, [_Parent, _Ancestors, Module, Function, Args]) ->
    of_call(Module, Function, Args);
of_call(gen, init_it, [Behaviour | Args]) ->
    of_behaviour(Behaviour, Args);
of_call(Module, Function, Args) ->
    {Module, Function, length(Args)}.

%% Behaviours get who starts them, their parent, perhaps their name, and their
%% callback module.
-spec of_behaviour(module(), [term()]) -> initial_call().
of_behaviour(Behaviour, [_Starter, _Parent, Module, Arg, _Options] = Args) ->
    of_callbacks(Behaviour, Module, Arg, Args);
of_behaviour(Behaviour, [_Starter, _Parent, _Name, Module, Arg, _] = Args) ->
    of_callbacks(Behaviour, Module, Arg, Args);
of_behaviour(Behaviour, Args) ->
    {Behaviour, init_it, length(Args)}.

-spec of_callbacks(module(), term(), term(), [term()]) -> initial_call().
of_callbacks(gen_server, supervisor, {_Name, Module, _Arg}, _Args)
  when is_atom(Module) ->
    {Module, init, 1};
of_callbacks(gen_event, _NoModule, _Arg, Args) ->
    {gen_event, init_it, length(Args)};
of_callbacks(_Behaviour, Module, _Arg, _Args) when is_atom(Module) ->
    {Module, init, 1};
of_callbacks(Behaviour, _Module, _Arg, Args) ->
    {Behaviour, init_it, length(Args)}.

-spec of_fun(fun()) -> initial_call().
of_fun(Fun) ->
    {module, Module} = erlang:fun_info(Fun, module),
    {name, Name} = erlang:fun_info(Fun, name),
    {arity, Arity} = erlang:fun_info(Fun, arity),
    case erlang:fun_info(Fun, type) of
        {type, external} -> {Module, Name, Arity};
        {type, local} -> {in, {Module, Name, Arity}}
    end.

%% The function in it.
-spec function(initial_call()) -> mfa().
function({in, Mfa}) -> Mfa;
function(Mfa) -> Mfa.
