%%% The functions that make values of an opaque type: exported functions of its
%%% module whose spec returns the type, alone or in `{ok, Value}'.
-module(erlconcolic_constructors).

-export([find/3]).

-export_type([constructor/0, excluded/0]).

-type declarations() :: erlconcolic_declarations:declarations().
-type form() :: erlconcolic_declarations:form().
-type name() :: {Name :: atom(), arity()}.

%% A clause of a spec. The parameters are those of the type in its result.
-type constructor() ::
    #{function := name(),
      clause := pos_integer(),
      kind := erlconcolic_recipe:kind(),
      arguments := [form()],
      parameters := [form()],
      constraints := #{atom() => form()},
      excluded := [excluded()]}.

%% What the function may return besides the type.
-type excluded() :: erlconcolic_recipe:form().

%% More would make so many values of the same size that a search gets nowhere.
-define(MOST_MAKERS, 4).
-define(MOST_CHANGERS, 6).
-define(MOST_LEVELS, 5).

%% The type, and what forms mean.
-record(scope,
        {type :: name(),
         declarations :: declarations(),
         constraints = #{} :: #{atom() => form()}}).

%% First those that make a value, then those that take one and make another, or
%% change it if the type has a state. Functions with funs are left out if others
%% do.
-spec find(name(), declarations(), HasState :: boolean()) -> [constructor()].
find(Type, #{interface := Interface, specs := Specs} = Declarations,
     HasState) ->
    #{changing := Changing} = Declarations,
    Scope = #scope{type = Type, declarations = Declarations},
    Found = [{Constructor, Own, has_fun(Constructor, Scope)}
             || Function <- Interface,
                {Number, Form} <- numbered(maps:get(Function, Specs)),
                IsChanging <- [HasState andalso
                                   lists:member(Function, Changing)],
                Constructor <- of_clause(Function, Number, Form, Scope,
                                         IsChanging),
                Own <- [own_arguments(Constructor, Scope)]],
    {Makers, Changers} = lists:partition(fun({_, Own, _}) -> Own =:= 0 end,
                                         Found),
    best(Makers, ?MOST_MAKERS) ++ best(Changers, ?MOST_CHANGERS).

-spec numbered([form()]) -> [{pos_integer(), form()}].
numbered(Clauses) ->
    lists:zip(lists:seq(1, length(Clauses)), Clauses).

-spec best([{constructor(), Own :: non_neg_integer(), HasFun :: boolean()}],
           pos_integer()) -> [constructor()].
best(Found, Most) ->
    Chosen = case [Plain || {_, _, false} = Plain <- Found] of
                 [] -> Found;
                 Plain -> Plain
             end,
    Sorted = lists:keysort(2, Chosen),
    [Constructor || {Constructor, _, _} <- lists:sublist(Sorted, Most)].

-spec of_clause(name(), pos_integer(), form(), #scope{}, boolean()) ->
    [constructor()].
of_clause({_, Arity} = Function, Number, Form, Scope, IsChanging) ->
    case without_constraints(Form) of
        {{type, _, 'fun', [{type, _, product, Arguments}, Result]}, Constraints}
          when length(Arguments) =:= Arity ->
            Known = constraints(Constraints),
            Constructor = #{function => Function, clause => Number,
                            arguments => Arguments, constraints => Known},
            Within = Scope#scope{constraints = Known},
            made(meanings(Result, Within), Constructor, Within, IsChanging);
        _ ->
            []
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

-spec made([form()], map(), #scope{}, boolean()) -> [constructor()].
made(Results, Constructor, Scope, IsChanging) ->
    Direct = lists:append([own(Result, Scope) || Result <- Results]),
    InOk = lists:append([in_ok(Result, Scope) || Result <- Results]),
    case {Direct, InOk} of
        {[Parameters | _], _} ->
            Others = [Result || Result <- Results, own(Result, Scope) =:= []],
            [Constructor#{kind => value, parameters => Parameters,
                          excluded => lists:append(Excluded)}
             || Excluded <- [lists:map(fun excluded/1, Others)],
                not lists:member([], Excluded)];
        {[], [Parameters | _]} ->
            [Constructor#{kind => ok, parameters => Parameters,
                          excluded => []}];
        {[], []} when IsChanging ->
            changing(Constructor, Scope);
        {[], []} ->
            []
    end.

%% A call that changes a value needs another argument to change it by: without
%% one it most likely ends the life of the value.
-spec changing(map(), #scope{}) -> [constructor()].
changing(#{arguments := Arguments} = Constructor, Scope) ->
    Own = [{Number, Parameters}
           || {Number, Argument} <- numbered(Arguments),
              Parameters <- own_of(Argument, Scope)],
    case Own of
        [{Number, Parameters}] when length(Arguments) > 1 ->
            [Constructor#{kind => {effect, Number}, parameters => Parameters,
                          excluded => []}];
        _ ->
            []
    end.

-spec own_of(form(), #scope{}) -> [[form()]].
own_of(Argument, Scope) ->
    Meanings = meanings(Argument, Scope),
    lists:sublist(lists:append([own(It, Scope) || It <- Meanings]), 1).

-spec in_ok(form(), #scope{}) -> [[form()]].
in_ok({type, _, tuple, [{atom, _, ok}, Value]}, Scope) ->
    case [own(Meaning, Scope) || Meaning <- meanings(Value, Scope)] of
        [[Parameters]] -> [Parameters];
        _ -> []
    end;
in_ok(_Other, _Scope) ->
    [].

%% The parameters of the type, if the form denotes it.
-spec own(form(), #scope{}) -> [[form()]].
own(Form, #scope{type = Type}) ->
    case local(Form) of
        {Name, Arguments} when {Name, length(Arguments)} =:= Type ->
            [Arguments];
        _ ->
            []
    end.

-spec local(form()) -> {atom(), [form()]} | none.
local({user_type, _, Name, Arguments}) when is_list(Arguments) ->
    {Name, Arguments};
local(_Other) ->
    none.

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

%% How many values of the type a constructor takes. A list counts as two.
-spec own_arguments(constructor(), #scope{}) -> non_neg_integer().
own_arguments(#{arguments := Arguments, constraints := Constraints}, Scope) ->
    Within = Scope#scope{constraints = Constraints},
    lists:sum([own_count(Argument, Within) || Argument <- Arguments]).

-spec own_count(form(), #scope{}) -> 0..2.
own_count(Argument, Scope) ->
    case own_of(Argument, Scope) of
        [_] -> 1;
        [] ->
            IsOwn = fun(Form) -> own(Form, Scope) =/= [] end,
            case mentions(IsOwn, Argument, Scope) of
                true -> 2;
                false -> 0
            end
    end.

-spec has_fun(constructor(), #scope{}) -> boolean().
has_fun(#{arguments := Arguments, constraints := Constraints}, Scope) ->
    IsFun = fun({type, _, Name, _}) -> Name =:= 'fun' orelse Name =:= function;
               (_) -> false
            end,
    Within = Scope#scope{constraints = Constraints},
    lists:any(fun(Form) -> mentions(IsFun, Form, Within) end, Arguments).

%% Whether a type, or one that it names, has a part with some property. Looks
%% only a few levels deep, because types may be recursive.
-spec mentions(fun((form()) -> boolean()), form(), #scope{}) -> boolean().
mentions(Is, Form, Scope) ->
    mentions(Is, Form, Scope, ?MOST_LEVELS).

-spec mentions(fun((form()) -> boolean()), form(), #scope{},
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
-spec meanings(form(), #scope{}) -> [form()].
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
-spec named(form(), atom(), [form()], #scope{}) -> [form()].
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
