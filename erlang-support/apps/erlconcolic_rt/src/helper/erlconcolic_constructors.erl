%%% The functions that make values of an opaque type: exported functions of its
%%% module whose spec returns the type, alone or in `{ok, Value}'.
-module(erlconcolic_constructors).

-export([find/3]).

-export_type([constructor/0, excluded/0]).

-type declarations() :: erlconcolic_declarations:declarations().
-type form() :: erlconcolic_declarations:form().
-type name() :: erlconcolic_type_forms:name().
-type scope() :: erlconcolic_type_forms:scope().

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

%% First those that make a value, then those that take one and make another, or
%% change it if the type has a state. Functions with funs are left out if others
%% do.
-spec find(name(), declarations(), HasState :: boolean()) -> [constructor()].
find(Type, #{interface := Interface, specs := Specs} = Declarations,
     HasState) ->
    #{changing := Changing} = Declarations,
    Scope = erlconcolic_type_forms:scope([Type], Declarations),
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

-spec of_clause(name(), pos_integer(), form(), scope(), boolean()) ->
    [constructor()].
of_clause({_, Arity} = Function, Number, Form, Scope, IsChanging) ->
    case erlconcolic_type_forms:clause(Form, Arity) of
        {ok, Arguments, Result, Constraints} ->
            Constructor = #{function => Function, clause => Number,
                            arguments => Arguments,
                            constraints => Constraints},
            Within = erlconcolic_type_forms:within(Constraints, Scope),
            Results = erlconcolic_type_forms:meanings(Result, Within),
            made(Results, Constructor, Within, IsChanging);
        error ->
            []
    end.

-spec made([form()], map(), scope(), boolean()) -> [constructor()].
made(Results, Constructor, Scope, IsChanging) ->
    Direct = lists:append([own(Result, Scope) || Result <- Results]),
    InOk = lists:append([in_ok(Result, Scope) || Result <- Results]),
    case {Direct, InOk} of
        {[Parameters | _], _} ->
            Others = [Result || Result <- Results, own(Result, Scope) =:= []],
            [Constructor#{kind => value, parameters => Parameters,
                          excluded => lists:append(Excluded)}
             || Excluded <- [lists:map(fun erlconcolic_type_forms:excluded/1,
                                     Others)],
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
-spec changing(map(), scope()) -> [constructor()].
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

%% The parameters of the type, if the form denotes it.
-spec own(form(), scope()) -> [[form()]].
own(Form, Scope) ->
    [Parameters || {_, Parameters} <- erlconcolic_type_forms:own(Form, Scope)].

-spec own_of(form(), scope()) -> [[form()]].
own_of(Argument, Scope) ->
    Meanings = erlconcolic_type_forms:meanings(Argument, Scope),
    lists:sublist(lists:append([own(It, Scope) || It <- Meanings]), 1).

-spec in_ok(form(), scope()) -> [[form()]].
in_ok({type, _, tuple, [{atom, _, ok}, Value]}, Scope) ->
    Meanings = erlconcolic_type_forms:meanings(Value, Scope),
    case [own(Meaning, Scope) || Meaning <- Meanings] of
        [[Parameters]] -> [Parameters];
        _ -> []
    end;
in_ok(_Other, _Scope) ->
    [].

%% How many values of the type a constructor takes. A list counts as two.
-spec own_arguments(constructor(), scope()) -> non_neg_integer().
own_arguments(#{arguments := Arguments, constraints := Constraints}, Scope) ->
    Within = erlconcolic_type_forms:within(Constraints, Scope),
    lists:sum([own_count(Argument, Within) || Argument <- Arguments]).

-spec own_count(form(), scope()) -> 0..2.
own_count(Argument, Scope) ->
    case own_of(Argument, Scope) of
        [_] -> 1;
        [] ->
            IsOwn = fun(Form) -> own(Form, Scope) =/= [] end,
            case erlconcolic_type_forms:mentions(IsOwn, Argument, Scope) of
                true -> 2;
                false -> 0
            end
    end.

-spec has_fun(constructor(), scope()) -> boolean().
has_fun(#{arguments := Arguments, constraints := Constraints}, Scope) ->
    IsFun = fun({type, _, Name, _}) -> Name =:= 'fun' orelse Name =:= function;
               (_) -> false
            end,
    Within = erlconcolic_type_forms:within(Constraints, Scope),
    lists:any(fun(Form) ->
                      erlconcolic_type_forms:mentions(IsFun, Form, Within)
              end, Arguments).
