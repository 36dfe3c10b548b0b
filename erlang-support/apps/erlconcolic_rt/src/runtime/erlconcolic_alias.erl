%%% Modules of the user that have the name of a module which the node itself
%%% needs. They are loaded under other names, their aliases. Code that only
%%% knows the name at run time makes its calls here, and stack traces and funs
%%% show the names that the user knows.
-module(erlconcolic_alias).

-export([keep/1, are_used/0, has_alias/1, loaded_as/1, original/1, own_name/1]).
-export([call/3, stack/1, caught/1]).
-export([names_a_module/2]).

-export_type([alias/0]).

-type alias() :: {Name :: module(), Alias :: module()}.

-type aliases() ::
    {#{Name :: module() => Alias :: module()},
     #{Alias :: module() => Name :: module()}}.

-define(KEY, ?MODULE).

%% Replaces the aliases kept before.
-spec keep([alias()]) -> ok.
keep(Aliases) ->
    Names = [{Alias, Name} || {Name, Alias} <- Aliases],
    persistent_term:put(?KEY, {maps:from_list(Aliases),
                               maps:from_list(Names)}).

%% Whether any module has an alias.
-spec are_used() -> boolean().
are_used() ->
    persistent_term:get(?KEY, none) =/= none.

-spec has_alias(term()) -> boolean().
has_alias(Name) ->
    {Aliases, _} = aliases(),
    is_map_key(Name, Aliases).

%% The module that is loaded under this alias.
-spec original(term()) -> module() | none.
original(Alias) ->
    case aliases() of
        {_, #{Alias := Name}} -> Name;
        _ -> none
    end.

%% The name that the user knows, for any module.
-spec own_name(Module) -> Module when Module :: term().
own_name(Module) ->
    case original(Module) of
        none -> Module;
        Name -> Name
    end.

%% Calls a function whose module, or the module that it will call, may have an
%% alias. Functions that the user's module does not have are those of the
%% module of the node.
-spec call(term(), term(), [term()]) -> term().
call(erlang, get_module_info, [Module]) ->
    own_info(erlang:get_module_info(loaded_as(Module)));
call(erlang, get_module_info, [Module, Item]) ->
    own_value(Item, erlang:get_module_info(loaded_as(Module), Item));
call(erlang, module_loaded, [Module]) ->
    erlang:module_loaded(loaded_as(Module));
call(erlang, Function, [Module, Name, Arity])
  when Function =:= make_fun, is_integer(Arity);
       Function =:= function_exported, is_integer(Arity) ->
    Loaded = loaded_as(Module, Name, Arity),
    erlang:apply(erlang, Function, [Loaded, Name, Arity]);
call(erlang, Function, [Module, Name, Args | Rest] = All) ->
    case names_a_module(erlang, Function) andalso length(Args) >= 0 of
        true ->
            Loaded = loaded_as(Module, Name, length(Args)),
            erlang:apply(erlang, Function, [Loaded, Name, Args | Rest]);
        false ->
            erlang:apply(erlang, Function, All)
    end;
call(Module, Function, Args) ->
    case names_a_module(Module, Function) of
        true ->
            erlang:apply(Module, Function, with_alias(Args));
        false ->
            Loaded = loaded_as(Module, Function, length(Args)),
            erlang:apply(Loaded, Function, Args)
    end.

%% Whether a function of OTP takes the name of a module and calls it.
-spec names_a_module(term(), term()) -> boolean().
names_a_module(erlang, Function) ->
    lists:member(Function, [apply, spawn, spawn_link, spawn_monitor, spawn_opt,
                            spawn_request, hibernate, make_fun,
                            function_exported, get_module_info,
                            module_loaded]);
names_a_module(Module, Function) when is_atom(Function) ->
    lists:member(Module, [gen_server, gen_statem, gen_event, supervisor,
                          proc_lib, timer])
        andalso lists:any(fun(Start) ->
                                  lists:prefix(Start, atom_to_list(Function))
                          end, ["start", "spawn", "enter_loop", "apply_",
                                "hibernate", "tc", "add_"]);
names_a_module(_Module, _Function) ->
    false.

%% The first argument that is such a name is the module to call; a process that
%% is registered has its name in a tuple.
-spec with_alias([term()]) -> [term()].
with_alias([Name | Rest]) ->
    case is_atom(Name) andalso has_alias(Name) of
        true -> [loaded_as(Name) | Rest];
        false -> [Name | with_alias(Rest)]
    end;
with_alias([]) ->
    [].

%% The name under which a module of the user, or any other, is loaded.
-spec loaded_as(Module) -> Module when Module :: term().
loaded_as(Name) ->
    case aliases() of
        {#{Name := Alias}, _} -> Alias;
        _ -> Name
    end.

-spec loaded_as(Module, term(), arity()) -> Module when Module :: term().
loaded_as(Name, Function, Arity) when is_atom(Function) ->
    Alias = loaded_as(Name),
    case Alias =/= Name andalso
        erlang:function_exported(Alias, Function, Arity) of
        true -> Alias;
        false -> Name
    end;
loaded_as(Name, _NoFunction, _Arity) ->
    Name.

%% The stack of an exception that the program catches.
-spec stack(term()) -> term().
stack(Stack) when length(Stack) > 0 ->
    [frame(Frame) || Frame <- Stack];
stack(Stack) ->
    Stack.

%% The value of a `catch' expression.
-spec caught(term()) -> term().
caught({'EXIT', {Reason, [_ | _] = Stack}}) ->
    {'EXIT', {Reason, stack(Stack)}};
caught(Value) ->
    Value.

-spec frame(term()) -> term().
frame({Module, Function, Args, Location}) ->
    {own_name(Module), Function, Args, Location};
frame(Frame) ->
    Frame.

-spec own_info([{atom(), term()}]) -> [{atom(), term()}].
own_info(Items) ->
    [{Item, own_value(Item, Value)} || {Item, Value} <- Items].

-spec own_value(atom(), term()) -> term().
own_value(module, Module) -> own_name(Module);
own_value(_Item, Value) -> Value.

-spec aliases() -> aliases().
aliases() ->
    persistent_term:get(?KEY, {#{}, #{}}).
