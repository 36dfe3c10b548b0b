%%% The types of a module whose values its own functions make: opaque types, and
%%% those of data structures that are declared openly. So a sequence of calls
%%% gives what one of them made to another one.
-module(erlconcolic_own_types).

-export([find/1, unified/3]).

-type declarations() :: erlconcolic_declarations:declarations().
-type form() :: erlconcolic_declarations:form().
-type name() :: erlconcolic_type_forms:name().

%% How a clause of a spec uses a type: whether it takes a value of it, and
%% whether it makes one.
-type use() :: {Takes :: boolean(), Makes :: boolean()}.

%% A type that is not opaque counts if a function makes a value of another one,
%% and a function makes one without.
-spec find(declarations()) -> [name()].
find(#{types := Types, opaque := Opaque} = Declarations) ->
    Closed = lists:sort(maps:keys(Opaque)),
    Plain = [Type || {Type, {_, Meaning}} <- lists:sort(maps:to_list(Types)),
                     not is_map_key(Type, Opaque), is_structure(Meaning),
                     is_data(uses(Type, Declarations))],
    Closed ++ Plain.

-spec is_data([use()]) -> boolean().
is_data(Uses) ->
    lists:member({true, true}, Uses) andalso lists:member({false, true}, Uses).

%% Whether values of a type have parts.
-spec is_structure(form()) -> boolean().
is_structure({ann_type, _, [_, Type]}) -> is_structure(Type);
is_structure({paren_type, _, [Type]}) -> is_structure(Type);
is_structure({type, _, union, Types}) -> lists:any(fun is_structure/1, Types);
is_structure({type, _, tuple, [_ | _]}) -> true;
is_structure({type, _, Name, [_ | _]}) ->
    lists:member(Name, [record, map, list, nonempty_list, maybe_improper_list]);
is_structure({type, _, map, any}) -> true;
is_structure(_Other) -> false.

-spec uses(name(), declarations()) -> [use()].
uses(Type, #{interface := Interface, specs := Specs} = Declarations) ->
    Scope = erlconcolic_type_forms:scope([Type], Declarations),
    [use(Arguments, Result, erlconcolic_type_forms:within(Constraints, Scope))
     || {_, Arity} = Function <- Interface,
        Clause <- maps:get(Function, Specs),
        {ok, Arguments, Result, Constraints}
            <- [erlconcolic_type_forms:clause(
                    unified(Clause, [Type], Declarations), Arity)]].

-spec use([form()], form(), erlconcolic_type_forms:scope()) -> use().
use(Arguments, Result, Scope) ->
    IsOwn = fun(Form) -> erlconcolic_type_forms:own(Form, Scope) =/= [] end,
    Takes = fun(Form) ->
                    erlconcolic_type_forms:mentions(IsOwn, Form, Scope)
            end,
    #{values := Values} = erlconcolic_made_values:find(Result, Scope),
    {lists:any(Takes, Arguments), Values =/= []}.

%% The same spec with the names of these types instead of records that are equal
%% to them.
-spec unified(form(), [name()], declarations()) -> form().
unified(Form, Types, #{types := Declared}) ->
    Names = maps:from_list([{Record, Name}
                            || {Name, 0} = Type <- Types,
                               #{Type := {_, Meaning}} <- [Declared],
                               {type, _, record, [{atom, _, Record}]}
                                   <- [Meaning]]),
    case map_size(Names) of
        0 -> Form;
        _ -> renamed(Form, Names)
    end.

-spec renamed(term(), #{Record :: atom() => Type :: atom()}) -> term().
renamed({type, At, record, [{atom, _, Record}]}, Names)
  when is_map_key(Record, Names) ->
    {user_type, At, map_get(Record, Names), []};
renamed(Form, Names) when is_tuple(Form) ->
    list_to_tuple(renamed(tuple_to_list(Form), Names));
renamed([Head | Tail], Names) ->
    [renamed(Head, Names) | renamed(Tail, Names)];
renamed(Other, _Names) ->
    Other.
