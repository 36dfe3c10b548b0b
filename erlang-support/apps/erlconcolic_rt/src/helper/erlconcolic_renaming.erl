%%% Gives modules of the user other names, where a node cannot load them under
%%% their own: in their code, and where the code of the user's modules refers to
%%% them. Names that are data stay as they are.
%%%
%%% What is only known at run time goes through erlconcolic_alias.
-module(erlconcolic_renaming).

-export([rename/2]).

-export_type([renaming/0]).

-type renaming() ::
    {Name :: module(), Alias :: module(), Exports :: [{atom(), arity()}]}.

-type renamings() ::
    #{Name :: module() => {Alias :: module(), #{{atom(), arity()} => []}}}.

-define(ALIAS, erlconcolic_alias).

-spec rename(cerl:c_module(), [renaming()]) -> cerl:c_module().
rename(Module, Renamings) ->
    Table = maps:from_list([{Name, {Alias, maps:from_keys(Exports, [])}}
                            || {Name, Alias, Exports} <- Renamings]),
    Name = cerl:concrete(cerl:module_name(Module)),
    Definitions = [{Function, definition(Function, Fun, Name, Table)}
                   || {Function, Fun} <- cerl:module_defs(Module)],
    cerl:update_c_module(Module, cerl:abstract(alias(Name, Table)),
                         cerl:module_exports(Module),
                         cerl:module_attrs(Module), Definitions).

%% The Erlang code of a function that is built into the BEAM is a stub. The
%% built-in belongs to the module of the node.
-spec definition(cerl:cerl(), cerl:cerl(), module(), renamings()) ->
    cerl:cerl().
definition(Function, Fun, Module, Table) ->
    case is_map_key(Module, Table) andalso is_stub(cerl:fun_body(Fun)) of
        true ->
            Parameters = cerl:fun_vars(Fun),
            Name = cerl:abstract(cerl:fname_id(Function)),
            Call = cerl:c_call(cerl:abstract(Module), Name, Parameters),
            cerl:update_c_fun(Fun, Parameters, Call);
        false ->
            cerl_trees:map(fun(Node) -> node(cerl:type(Node), Node, Table) end,
                           Fun)
    end.

-spec is_stub(cerl:cerl()) -> boolean().
is_stub(Body) ->
    cerl:is_c_call(Body)
        andalso name(cerl:call_module(Body)) =:= {ok, erlang}
        andalso name(cerl:call_name(Body)) =:= {ok, nif_error}.

-spec node(atom(), cerl:cerl(), renamings()) -> cerl:cerl().
node(call, Call, Table) ->
    call(name(cerl:call_module(Call)), name(cerl:call_name(Call)), Call, Table);
node(literal, Literal, Table) ->
    case term(cerl:concrete(Literal), Table) of
        {changed, Term} -> cerl:ann_abstract(cerl:get_ann(Literal), Term);
        same -> Literal
    end;
node(primop, Primop, _Table) ->
    case name(cerl:primop_name(Primop)) of
        {ok, build_stacktrace} -> at_run_time(stack, [Primop], Primop);
        _ -> Primop
    end;
node('catch', Catch, _Table) ->
    at_run_time(caught, [Catch], Catch);
node(_Type, Node, _Table) ->
    Node.

-spec call(Name, Name, cerl:c_call(), renamings()) -> cerl:cerl()
    when Name :: {ok, term()} | error.
call({ok, Module}, {ok, Function}, Call, Table) ->
    Exported = alias(Module, Function, cerl:call_arity(Call), Table),
    case ?ALIAS:names_a_module(Module, Function) of
        true ->
            computed(Call);
        false when Exported =:= Module ->
            Call;
        false ->
            cerl:update_c_call(Call, cerl:abstract(Exported),
                               cerl:call_name(Call), cerl:call_args(Call))
    end;
call(_, _, Call, _Table) ->
    computed(Call).

-spec computed(cerl:c_call()) -> cerl:cerl().
computed(Call) ->
    Args = cerl:make_list(cerl:call_args(Call)),
    at_run_time(call, [cerl:call_module(Call), cerl:call_name(Call), Args],
                Call).

-spec at_run_time(atom(), [cerl:cerl()], cerl:cerl()) -> cerl:cerl().
at_run_time(Function, Args, Node) ->
    cerl:ann_c_call(cerl:get_ann(Node), cerl:abstract(?ALIAS),
                    cerl:abstract(Function), Args).

-spec name(cerl:cerl()) -> {ok, term()} | error.
name(Node) ->
    case cerl:is_literal(Node) of
        true -> {ok, cerl:concrete(Node)};
        false -> error
    end.

-spec alias(module(), renamings()) -> module().
alias(Name, Table) ->
    case Table of
        #{Name := {Alias, _}} -> Alias;
        #{} -> Name
    end.

-spec alias(term(), term(), arity(), renamings()) -> term().
alias(Name, Function, Arity, Table) ->
    case Table of
        #{Name := {Alias, #{{Function, Arity} := _}}} -> Alias;
        #{} -> Name
    end.

%% Changes the funs in a constant that name a function: `fun m:f/1'.
-spec term(term(), renamings()) -> {changed, term()} | same.
term(Fun, Table) when is_function(Fun) ->
    {module, Module} = erlang:fun_info(Fun, module),
    {name, Name} = erlang:fun_info(Fun, name),
    {arity, Arity} = erlang:fun_info(Fun, arity),
    case alias(Module, Name, Arity, Table) of
        Module -> same;
        Alias -> {changed, fun Alias:Name/Arity}
    end;
term([Head | Tail], Table) ->
    case {term(Head, Table), term(Tail, Table)} of
        {same, same} -> same;
        {First, Rest} -> {changed, [either(First, Head) | either(Rest, Tail)]}
    end;
term(Tuple, Table) when is_tuple(Tuple) ->
    case term(tuple_to_list(Tuple), Table) of
        same -> same;
        {changed, List} -> {changed, list_to_tuple(List)}
    end;
term(Map, Table) when is_map(Map) ->
    case term(maps:to_list(Map), Table) of
        same -> same;
        {changed, List} -> {changed, maps:from_list(List)}
    end;
term(_Term, _Table) ->
    same.

-spec either({changed, term()} | same, term()) -> term().
either({changed, New}, _Old) -> New;
either(same, Old) -> Old.
