%%% What some types of Elixir mean beyond their declarations. A string is UTF-8.
%%% A value of a protocol's type is one that the protocol is implemented for. A
%%% struct of Elixir's own library that not every field fits is made by calls.
-module(erlconcolic_elixir_types).

-export([meaning/3, opaque/2, implemented/2, implements_for/1]).

-type form() :: term().
-type types() :: #{{Name :: atom(), arity()} => {[atom()], form()}}.

%% Structs whose fields depend on each other.
-define(MADE_BY_CALLS,
        ['Elixir.Date', 'Elixir.Date.Range', 'Elixir.DateTime',
         'Elixir.MapSet', 'Elixir.NaiveDateTime', 'Elixir.Regex',
         'Elixir.Time', 'Elixir.Version']).

%% Structs of Elixir that can stand for a protocol's type.
-define(USUAL_STRUCTS, ['Elixir.Range', 'Elixir.MapSet']).

%% The meaning of a type of a module, given the types for which the module is
%% implemented if it is a protocol.
-spec meaning(module(), {Name :: atom(), arity()}, [module()] | none) ->
    {alternatives, [erlconcolic_type_grammar:alternative()]}
  | {form, form()}
  | declared.
meaning('Elixir.String', {t, 0}, _Types) ->
    {alternatives, [utf8]};
meaning(_Module, {t, 0}, Types) when is_list(Types) ->
    {form, union(lists:usort(lists:flatmap(fun implementation/1, Types)))};
meaning(_Module, _Type, _Types) ->
    declared.

%% The types of a module whose values are made by calls.
-spec opaque(module(), types()) -> types().
opaque(Module, Types) ->
    case lists:member(Module, ?MADE_BY_CALLS) of
        true -> maps:filter(fun is_struct/2, Types);
        false -> #{}
    end.

-spec is_struct({atom(), arity()}, {[atom()], form()}) -> boolean().
is_struct({t, _}, {_, {type, _, map, Fields}}) -> is_list(Fields);
is_struct(_Name, _Type) -> false.

%% The types for which a protocol is implemented, from its forms and its file.
-spec implemented(file:filename(), [form()]) -> [module()] | none.
implemented(File, Forms) ->
    Clauses = lists:append([Clauses || {function, _, '__protocol__', 1, Clauses}
                                           <- Forms]),
    case [Body || {clause, _, [{atom, _, impls}], _, [Body]} <- Clauses] of
        [{tuple, _, [_Consolidated, List]}] ->
            [Type || {ok, Type} <- names(List)];
        [_NotConsolidated] ->
            erlconcolic_elixir:implementations(File);
        [] ->
            none
    end.

%% The type that a module implements a protocol for, from its forms.
-spec implements_for([form()]) -> module() | none.
implements_for(Forms) ->
    case [For || {attribute, _, '__impl__', Value} <- Forms,
                 {for, For} <- lists:flatten([Value])] of
        [For | _] -> For;
        [] -> none
    end.

-spec names(form()) -> [{ok, module()}].
names({cons, _, {atom, _, Name}, Rest}) -> [{ok, Name} | names(Rest)];
names(_End) -> [].

-spec implementation(module()) -> [form()].
implementation('Elixir.Any') -> [type(any)];
implementation('Elixir.Atom') -> [type(atom)];
implementation('Elixir.BitString') -> [remote('Elixir.String', t)];
implementation('Elixir.Float') -> [type(float)];
implementation('Elixir.Function') -> [];
implementation('Elixir.Integer') -> [type(integer)];
implementation('Elixir.List') -> [type(list)];
implementation('Elixir.Map') -> [type(map)];
implementation('Elixir.Tuple') -> [type(tuple)];
implementation(Type) ->
    case is_own(Type) orelse lists:member(Type, ?USUAL_STRUCTS) of
        true -> struct(Type);
        false -> []
    end.

%% The type `t' of a struct, or anything in its fields.
-spec struct(module()) -> [form()].
struct(Type) ->
    Forms = case code:where_is_file(atom_to_list(Type) ++ ".beam") of
                File when is_list(File) -> erlconcolic_elixir:forms(File);
                non_existing -> []
            end,
    case [t || {attribute, _, Kind, {t, _, []}} <- Forms,
               Kind =:= type orelse Kind =:= opaque] of
        [_ | _] -> [remote(Type, t)];
        [] -> [{type, 0, map, [field(Key, Type) || Key <- keys(Forms)]}
               || keys(Forms) =/= []]
    end.

%% The keys of a struct, from the function that makes one.
-spec keys([form()]) -> [atom()].
keys(Forms) ->
    [Key || {function, _, '__struct__', 0, [{clause, _, [], [], [Body]}]}
                <- Forms,
            {map, _, Pairs} <- [Body],
            {map_field_assoc, _, {atom, _, Key}, _} <- Pairs].

-spec field(atom(), module()) -> form().
field('__struct__' = Key, Type) -> required(Key, {atom, 0, Type});
field(Key, _Type) -> required(Key, type(any)).

-spec required(atom(), form()) -> form().
required(Key, Value) ->
    {type, 0, map_field_exact, [{atom, 0, Key}, Value]}.

%% Modules of Elixir itself belong to one of its applications.
-spec is_own(module()) -> boolean().
is_own(Type) ->
    Kernel = code:which('Elixir.Kernel'),
    Path = code:where_is_file(atom_to_list(Type) ++ ".beam"),
    is_list(Kernel) andalso is_list(Path)
        andalso filename:dirname(Path) =/= filename:dirname(Kernel).

-spec union([form()]) -> form().
union([Only]) -> Only;
union(Forms) -> {type, 0, union, Forms}.

-spec type(atom()) -> form().
type(Name) -> {type, 0, Name, []}.

-spec remote(module(), atom()) -> form().
remote(Module, Name) ->
    {remote_type, 0, [{atom, 0, Module}, {atom, 0, Name}, []]}.
