%% Dialyzer's types, for `spec_check'.
-module(spec_check_dialyzer).

-export([type/2, verdict/2]).

-type type() :: {type, erl_types:erl_type()} | unchecked.

%% Opaque types are treated like others here.
-spec type(random_types:type(), module()) -> type().
type(Form, Module) ->
    Exported = ets:new(exported, []),
    Modules = ets:new(modules, []),
    ok = declare(Module, Exported, Modules),
    try
        read(Form, Module, Exported, Modules)
    catch
        _:_ -> unchecked
    after
        ets:delete(Exported),
        ets:delete(Modules)
    end.

%% Types of undeclared modules come as messages; then it starts again.
-spec read(random_types:type(), module(), ets:tid(), ets:tid()) -> type().
read(Form, Module, Exported, Modules) ->
    Site = {spec, {Module, f, 0}, "nofile"},
    {Type, _} = erl_types:t_from_form(Form, Exported, Site, Modules,
                                      erl_types:var_table__new(),
                                      erl_types:cache__new()),
    case lists:usort(missing()) of
        [] ->
            {type, Type};
        Missing ->
            case [Other || Other <- Missing, not ets:member(Modules, Other)] of
                [] ->
                    unchecked;
                New ->
                    [ok = declare(Other, Exported, Modules) || Other <- New],
                    read(Form, Module, Exported, Modules)
            end
    end.

-spec missing() -> [module()].
missing() ->
    receive
        {Self, ext_types, {{Module, _, _}, _}} when Self =:= self() ->
            [Module | missing()]
    after 0 ->
        []
    end.

-spec declare(module(), ets:tid(), ets:tid()) -> ok.
declare(Module, Exported, Modules) ->
    Types = [{{type, Name, Arity},
              {{Module, {"nofile", 0}, Form, Parameters}, erl_types:t_any()}}
             || {{Name, Arity}, {Parameters, Form}}
                    <- random_types:types(Module)],
    Records = [{{record, Name},
                {{"nofile", 0},
                 [{length(Fields), [{Field, Form, erl_types:t_any()}
                                    || {Field, Form} <- Fields]}]}}
               || {Name, Fields} <- random_types:records(Module)],
    true = ets:insert(Modules, {Module, maps:from_list(Types ++ Records)}),
    true = ets:insert(Exported, [{{Module, Name, Arity}}
                                 || {{type, Name, Arity}, _} <- Types]),
    ok.

%% Parameters and results of a fun cannot be seen. It is enough that there are
%% values of both types, so only its arity counts.
-spec verdict(term(), type()) -> spec_check:verdict().
verdict(_Term, unchecked) ->
    unchecked;
verdict(Term, {type, Wanted}) ->
    Type = erl_types:t_from_term(Term),
    Fits = case has_fun(Term) of
               true -> not erl_types:t_is_none(erl_types:t_inf(Type, Wanted));
               false -> erl_types:t_is_subtype(Type, Wanted)
           end,
    case Fits of
        true -> inside;
        false -> outside
    end.

-spec has_fun(term()) -> boolean().
has_fun(Fun) when is_function(Fun) -> true;
has_fun([Head | Tail]) -> has_fun(Head) orelse has_fun(Tail);
has_fun(Tuple) when is_tuple(Tuple) -> has_fun(tuple_to_list(Tuple));
has_fun(Map) when is_map(Map) -> has_fun(maps:to_list(Map));
has_fun(_Other) -> false.
