%%% What the forms of types mean, as far as some types of their module are
%%% concerned.
-module(erlconcolic_type_forms).

-export([scope/2, within/2, clause/2, meanings/2, own/2, mentions/3,
         excluded/1]).

-export_type([name/0, scope/0, excluded/0]).

-type declarations() :: erlconcolic_declarations:declarations().
-type form() :: erlconcolic_declarations:form().
-type name() :: {Name :: atom(), arity()}.

%% Some results of a function.
-type excluded() :: erlconcolic_recipe:form().

-define(MOST_LEVELS, 5).

%% The types, and what forms mean.
-record(scope,
        {types :: [name()],
         declarations :: declarations(),
         constraints = #{} :: #{atom() => form()}}).

-opaque scope() :: #scope{}.

%% Nobody looks into these types of a module.
-spec scope([name()], declarations()) -> scope().
scope(Types, #{opaque := Opaque} = Declarations) ->
    Closed = maps:merge(Opaque, maps:from_keys(Types, [])),
    #scope{types = Types, declarations = Declarations#{opaque := Closed}}.

%% The same with the constraints of the variables in a spec.
-spec within(Constraints :: #{atom() => form()}, scope()) -> scope().
within(Constraints, Scope) ->
    Scope#scope{constraints = Constraints}.

%% The parts of a clause of a spec.
-spec clause(form(), arity()) ->
    {ok, Arguments :: [form()], Result :: form(),
     Constraints :: #{atom() => form()}} | error.
clause(Form, Arity) ->
    case without_constraints(Form) of
        {{type, _, 'fun', [{type, _, product, Arguments}, Result]}, Constraints}
          when length(Arguments) =:= Arity ->
            {ok, Arguments, Result, constraints(Constraints)};
        _ ->
            error
    end.

-spec without_constraints(form()) -> {form(), [form()]}.
without_constraints({type, _, bounded_fun, [Fun, Constraints]})
  when is_list(Constraints) ->
    {Fun, Constraints};
without_constraints(Fun) ->
    {Fun, []}.

-spec constraints([form()]) -> #{atom() => form()}.
constraints(Constraints) ->
    maps:from_list([{Name, Type}
                    || {type, _, constraint,
                        [{atom, _, is_subtype}, [{var, _, Name}, Type]]}
                           <- Constraints]).

%% The type that the form denotes, if it is one of these, and its parameters.
-spec own(form(), scope()) -> [{name(), Parameters :: [form()]}].
own(Form, #scope{types = Types}) ->
    case local(Form) of
        {Name, Arguments} ->
            Type = {Name, length(Arguments)},
            [{Type, Arguments} || lists:member(Type, Types)];
        none ->
            []
    end.

-spec local(form()) -> {atom(), [form()]} | none.
local({user_type, _, Name, Arguments}) when is_list(Arguments) ->
    {Name, Arguments};
local(_Other) ->
    none.

%% Terms that are of a type; none if they cannot be told from others.
-spec excluded(form()) -> [excluded()].
excluded({atom, _, Atom}) ->
    [{atom, Atom}];
excluded({type, _, boolean, []}) ->
    [{atom, true}, {atom, false}];
excluded({type, _, atom, []}) ->
    [atom];
excluded({type, _, nil, []}) ->
    [nil];
excluded({type, _, tuple, [{atom, _, Tag} | Elements]}) ->
    [{tagged, Tag, 1 + length(Elements)}];
excluded(_Other) ->
    [].

%% Whether a type, or one that it names, has a part with some property. Looks
%% only a few levels deep, because types may be recursive.
-spec mentions(fun((form()) -> boolean()), form(), scope()) -> boolean().
mentions(Is, Form, Scope) ->
    mentions(Is, Form, Scope, ?MOST_LEVELS).

-spec mentions(fun((form()) -> boolean()), form(), scope(),
               non_neg_integer()) -> boolean().
mentions(_Is, _Form, _Scope, 0) ->
    false;
mentions(Is, Form, Scope, Levels) ->
    InPart = fun(Part) -> mentions(Is, Part, Scope, Levels - 1) end,
    lists:any(fun(Meaning) ->
                      Is(Meaning) orelse lists:any(InPart, parts(Meaning))
              end, meanings(Form, Scope)).

-spec parts(form()) -> [form()].
parts({type, _, _, Parts}) when is_list(Parts) ->
    [Part || Part <- Parts, is_tuple(Part)];
parts(_Other) ->
    [].

%% The types of a union, of a variable, or of what a name stands for.
-spec meanings(form(), scope()) -> [form()].
meanings({ann_type, _, [_Variable, Type]}, Scope) ->
    meanings(Type, Scope);
meanings({paren_type, _, [Type]}, Scope) ->
    meanings(Type, Scope);
meanings({type, _, union, Types}, Scope) when is_list(Types) ->
    lists:flatmap(fun(Type) -> meanings(Type, Scope) end, Types);
meanings({type, _, Name, []}, _Scope) when Name =:= none; Name =:= no_return ->
    [];
meanings({var, _, Name} = Form, #scope{constraints = Constraints} = Scope) ->
    case Constraints of
        #{Name := Type} ->
            Others = maps:remove(Name, Constraints),
            meanings(Type, Scope#scope{constraints = Others});
        #{} ->
            [Form]
    end;
meanings({remote_type, At, [{atom, _, Module}, {atom, _, Name}, Arguments]}
             = Form,
         #scope{declarations = #{module := Own}} = Scope) ->
    case Module of
        Own -> meanings({user_type, At, Name, Arguments}, Scope);
        _ -> [Form]
    end;
meanings(Form, Scope) ->
    case local(Form) of
        {Name, Arguments} -> named(Form, Name, Arguments, Scope);
        none -> [Form]
    end.

%% A recursive type is not looked into a second time.
-spec named(form(), atom(), [form()], scope()) -> [form()].
named(Form, Name, Arguments, #scope{declarations = Declarations} = Scope) ->
    #{types := Types, opaque := Opaque} = Declarations,
    Type = {Name, length(Arguments)},
    case Types of
        #{Type := {Parameters, Meaning}} when not is_map_key(Type, Opaque) ->
            Others = Declarations#{types := maps:remove(Type, Types)},
            Values = maps:from_list(lists:zip(Parameters, Arguments)),
            meanings(substitute(Meaning, Values),
                     Scope#scope{declarations = Others});
        #{} ->
            [Form]
    end.

-spec substitute(form(), #{atom() => form()}) -> form().
substitute({var, _, Name}, Values) when is_map_key(Name, Values) ->
    map_get(Name, Values);
substitute(Tuple, Values) when is_tuple(Tuple) ->
    list_to_tuple(substitute(tuple_to_list(Tuple), Values));
substitute([Head | Tail], Values) ->
    [substitute(Head, Values) | substitute(Tail, Values)];
substitute(Other, _Values) ->
    Other.
