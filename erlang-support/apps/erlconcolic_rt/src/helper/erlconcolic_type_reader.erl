%%% Reads types from forms into a regular tree grammar, see
%%% erlconcolic_type_grammar. Looks up types that other modules declare. Types
%%% that are unknown or not supported become any(), with a warning. The values
%%% of opaque types can be recipes, see erlconcolic_recipe.
-module(erlconcolic_type_reader).

-export([new/3, know/2, declarations/2, scope/2, types/3, any/1, warn/3]).
-export([finish/2, again/1, referring_to/2, referred/1, variables/3]).

-export_type([reader/0, scope/0, variables/0, instance/0, opaque/0,
              referred/0]).

-type context() :: erlconcolic_project:context().
-type declarations() :: erlconcolic_declarations:declarations().
-type form() :: erlconcolic_declarations:form().
-type id() :: erlconcolic_type_grammar:id().
-type part() :: erlconcolic_type_grammar:part().

%% A type with parameters can have infinitely many instances, as in
%% `-type t(X) :: {X, t([X])} | nil'. After this many they are any().
-define(MOST_INSTANCES, 100).

-type owner() :: module() | {builtin}.
-type name() :: atom() | {record | opaque | reference, atom()}.

%% A type whose values are references to what calls made, with its parameters.
-type referred() :: {erlconcolic_type_forms:name(), Parameters :: [id()]}.

%% What the values of opaque types are: recipes, or what their declarations say.
-type opaque() :: recipes | open.

%% Equal instances of a type are the same type, so that reading recursive types
%% ends.
-type instance() ::
    {owner(), name(), Arguments :: [id()] | [{Field :: atom(), id()}]}
  | {variable, Clause :: term(), atom()}
  | {tail, Head :: id(), End :: id()}.

%% The variables of a spec have constraints, the variables of a type have
%% values.
-type variables() :: #{atom() => id() | {instance(), form()}}.

%% Native records cannot be made as inputs, like references.
-define(NATIVE_RECORD, [reference]).

%% The meaning of the names in a form.
-record(scope,
        {declarations :: declarations(),
         variables :: variables()}).

-record(reader,
        {files :: [file:filename(), ...],
         context :: context(),
         opaque :: opaque(),
         modules = #{} :: #{module() => {ok, declarations()} | error},
         grammar = erlconcolic_type_grammar:new()
             :: erlconcolic_type_grammar:grammar(),
         instances = #{} :: #{instance() => id()},
         counts = #{} :: #{{owner(), name()} => pos_integer()},
         %% What the function of a recipe may return besides the type.
         excluded = #{} :: #{Tag :: atom() =>
                                 [erlconcolic_constructors:excluded()]},
         %% The types whose values are references, see erlconcolic_call_types.
         references = {none, []}
             :: {module() | none, [erlconcolic_type_forms:name()]},
         %% Which of them were read, with their numbers.
         referred = #{} :: #{referred() => pos_integer()},
         %% The newest comes first.
         warnings = [] :: [binary()]}).

-opaque reader() :: #reader{}.
-opaque scope() :: #scope{}.

%% A reader for a module in the first of these files, all of which are the
%% user's.
-spec new([file:filename(), ...], opaque(), context()) -> reader().
new(Files, Opaque, Context) ->
    #reader{files = Files, opaque = Opaque, context = Context}.

%% A reader for which the values of some types of a module are references.
-spec referring_to({module(), [erlconcolic_type_forms:name()]}, reader()) ->
    reader().
referring_to(References, Reader) ->
    Reader#reader{references = References}.

%% The types with references that were read, with their numbers.
-spec referred(reader()) -> #{referred() => pos_integer()}.
referred(#reader{referred = Referred}) ->
    Referred.

-spec know(declarations(), reader()) -> reader().
know(#{module := Module} = Declarations, #reader{modules = Modules} = Reader) ->
    Reader#reader{modules = Modules#{Module => {ok, Declarations}}}.

-spec declarations(module(), reader()) ->
    {{ok, declarations()} | error, reader()}.
declarations(Module, #reader{modules = Modules} = Reader) ->
    case Modules of
        #{Module := Known} ->
            {Known, Reader};
        #{} ->
            #reader{files = Files, context = Context} = Reader,
            Found = erlconcolic_declarations:find(Module, Files, Context),
            {Found, Reader#reader{modules = Modules#{Module => Found}}}
    end.

-spec scope(declarations(), variables()) -> scope().
scope(Declarations, Variables) ->
    #scope{declarations = Declarations, variables = Variables}.

-spec types([form()], scope(), reader()) -> {[id()], reader()}.
types(Forms, Scope, Reader) ->
    lists:mapfoldl(fun(Form, Before) -> type(Form, Scope, Before) end,
                   Reader, Forms).

-spec any(reader()) -> {id(), reader()}.
any(Reader) ->
    add([any], Reader).

-spec warn(io:format(), [term()], reader()) -> reader().
warn(Format, Arguments, #reader{warnings = Warnings} = Reader) ->
    Text = unicode:characters_to_binary(io_lib:format(Format, Arguments)),
    case lists:member(Text, Warnings) of
        true -> Reader;
        false -> Reader#reader{warnings = [Text | Warnings]}
    end.

-spec finish([[id()]], reader()) ->
    #{clauses := [[id()]],
      types := [[erlconcolic_type_grammar:alternative()]],
      excluded := [{Tag :: atom(), [erlconcolic_constructors:excluded()]}],
      unmade := [binary()],
      warnings := [binary()]}.
finish(Roots, #reader{grammar = Grammar, warnings = Warnings} = Reader) ->
    {Ids, Types} = erlconcolic_type_grammar:finish(Roots, Grammar),
    #reader{excluded = Excluded} = Reader,
    #{clauses => Ids, types => Types, unmade => unmade(Roots, Reader),
      excluded => [Pair || {_, [_ | _]} = Pair <- maps:to_list(Excluded)],
      warnings => lists:reverse(Warnings)}.

%% The names of the opaque types that no calls make a value of.
-spec unmade([[id()]], reader()) -> [binary()].
unmade(Roots, #reader{grammar = Grammar, instances = Instances}) ->
    Empty = erlconcolic_type_grammar:empty(Roots, Grammar),
    Names = [io_lib:format("~tw:~tw/~b", [Module, Name, length(Ids)])
             || {{Module, {opaque, Name}, Ids}, Id} <- maps:to_list(Instances),
                lists:member(Id, Empty)],
    lists:usort(lists:map(fun unicode:characters_to_binary/1, Names)).

%% Begins a new grammar and keeps the declarations of modules.
-spec again(reader()) -> reader().
again(#reader{files = Files, opaque = Opaque, context = Context,
              modules = Modules}) ->
    #reader{files = Files, opaque = Opaque, context = Context,
            modules = Modules}.

-spec type(form(), scope(), reader()) -> {id(), reader()}.
type(Form, Scope, Reader) ->
    {Parts, Read} = parts(Form, Scope, Reader),
    add(Parts, Read).

-spec add([part()], reader()) -> {id(), reader()}.
add(Parts, #reader{grammar = Grammar} = Reader) ->
    {Id, Added} = erlconcolic_type_grammar:add(Parts, Grammar),
    {Id, Reader#reader{grammar = Added}}.

-spec parts(form(), scope(), reader()) -> {[part()], reader()}.
parts({ann_type, _, [_Variable, Type]}, Scope, Reader) ->
    parts(Type, Scope, Reader);
parts({paren_type, _, [Type]}, Scope, Reader) ->
    parts(Type, Scope, Reader);
parts({var, _, Name}, Scope, Reader) ->
    variable(Name, Scope, Reader);
parts({atom, _, Atom}, _Scope, Reader) ->
    {[{atom, Atom}], Reader};
parts({remote_type, _, [{atom, _, Module}, {atom, _, Name}, Arguments]},
      Scope, Reader) when is_list(Arguments) ->
    remote(Module, Name, Arguments, Scope, Reader);
parts({user_type, _, Name, Arguments}, Scope, Reader)
  when is_list(Arguments) ->
    local(Name, Arguments, Scope, Reader);
parts({type, _, union, Types}, Scope, Reader) when is_list(Types) ->
    {Parts, Read} = lists:mapfoldl(fun(Type, Before) ->
                                           parts(Type, Scope, Before)
                                   end, Reader, Types),
    {lists:append(Parts), Read};
parts({type, _, record, [{atom, _, Name} | Fields]}, Scope, Reader) ->
    record(Name, Fields, Scope, Reader);
parts({type, _, record, [{tuple, _, [_Module, _Name]} | _]}, _, Reader) ->
    {?NATIVE_RECORD, Reader};
parts({type, _, Name, Arguments} = Form, Scope, Reader) ->
    case is_redefined(Name, Arguments, Scope) of
        true -> local(Name, Arguments, Scope, Reader);
        false -> built_in(Form, Scope, Reader)
    end;
parts(Form, Scope, Reader) ->
    case integer(Form) of
        {ok, Integer} -> {[{integer, Integer, Integer}], Reader};
        error -> not_understood(Form, Scope, Reader)
    end.

-spec not_understood(form(), scope(), reader()) -> {[part()], reader()}.
not_understood({type, _, Name, Arguments}, _Scope, Reader)
  when is_atom(Name), length(Arguments) >= 0 ->
    Text = "the built-in type ~tw/~b is unknown; using any()",
    {[any], warn(Text, [Name, length(Arguments)], Reader)};
not_understood(Form, #scope{declarations = #{module := Module}}, Reader) ->
    Text = "the type ~0tP in the module ~tw is not supported; using any()",
    {[any], warn(Text, [Form, 12, Module], Reader)}.

%% A constraint that refers to its own variable says nothing there.
-spec variable(atom(), scope(), reader()) -> {[part()], reader()}.
variable(Name, #scope{variables = Variables} = Scope, Reader) ->
    case Variables of
        #{Name := {Instance, Constraint}} ->
            constrained(Instance, Constraint, Scope, Reader);
        #{Name := Id} ->
            {[{type, Id}], Reader};
        #{} ->
            {[any], Reader}
    end.

-spec constrained(instance(), form(), scope(), reader()) ->
    {[part()], reader()}.
constrained(Instance, _Constraint, _Scope,
            #reader{instances = Instances} = Reader)
  when is_map_key(Instance, Instances) ->
    {[{type, maps:get(Instance, Instances)}], Reader};
constrained(Instance, Constraint, Scope, Reader) ->
    {Any, Added} = any(Reader),
    {Id, Read} = type(Constraint, Scope, remember(Instance, Any, Added)),
    {[{type, Id}], remember(Instance, Id, Read)}.

-spec remember(instance(), id(), reader()) -> reader().
remember(Instance, Id, #reader{instances = Instances} = Reader) ->
    Reader#reader{instances = Instances#{Instance => Id}}.

-spec remote(module(), atom(), [form()], scope(), reader()) ->
    {[part()], reader()}.
remote(Module, Name, Arguments, Scope, Reader) ->
    {Ids, Read} = types(Arguments, Scope, Reader),
    case declarations(Module, Read) of
        {{ok, Declarations}, Found} ->
            declared(Name, Ids, Declarations, Found);
        {error, Missing} ->
            unknown(Module, Name, length(Ids), Missing)
    end.

-spec local(atom(), [form()], scope(), reader()) -> {[part()], reader()}.
local(Name, Arguments, #scope{declarations = Declarations} = Scope, Reader) ->
    {Ids, Read} = types(Arguments, Scope, Reader),
    declared(Name, Ids, Declarations, Read).

-spec declared(atom(), [id()], declarations(), reader()) ->
    {[part()], reader()}.
declared(Name, Ids, #{module := Module, implemented := Implemented}
             = Declarations, Reader) ->
    Type = {Name, length(Ids)},
    case erlconcolic_elixir_types:meaning(Module, Type, Implemented) of
        {alternatives, Alternatives} ->
            {Alternatives, Reader};
        {form, Form} ->
            Scope = scope(Declarations, #{}),
            instance({Module, Name, Ids},
                     fun(Before) -> parts(Form, Scope, Before) end, Reader);
        declared ->
            as_declared(Name, Ids, Declarations, Reader)
    end.

-spec as_declared(atom(), [id()], declarations(), reader()) ->
    {[part()], reader()}.
as_declared(Name, Ids, #{module := Module, types := Types} = Declarations,
            Reader) ->
    Arity = length(Ids),
    {Referring, References} = Reader#reader.references,
    IsReference = Module =:= Referring
        andalso lists:member({Name, Arity}, References),
    case Types of
        #{} when IsReference ->
            instance({Module, {reference, Name}, Ids},
                     fun(Before) -> reference({Name, Arity}, Ids, Before) end,
                     Reader);
        #{{Name, Arity} := _}
          when is_map_key({Name, Arity}, map_get(opaque, Declarations)),
               Reader#reader.opaque =:= recipes ->
            instance({Module, {opaque, Name}, Ids},
                     fun(Before) ->
                             recipes(Name, Ids, Declarations, Before)
                     end, Reader);
        #{{Name, Arity} := {Parameters, Form}} ->
            Variables = maps:from_list(lists:zip(Parameters, Ids)),
            Scope = scope(Declarations, maps:remove('_', Variables)),
            instance({Module, Name, Ids},
                     fun(Before) -> parts(Form, Scope, Before) end, Reader);
        #{} ->
            unknown(Module, Name, Arity, Reader)
    end.

%% A tuple with the tag of references to values of this type.
-spec reference(erlconcolic_type_forms:name(), [id()], reader()) ->
    {[part()], reader()}.
reference(Type, Ids, #reader{referred = Referred} = Reader) ->
    Number = map_size(Referred) + 1,
    Tag = erlconcolic_recipe:reference_tag(Number),
    {TagId, Added} = add([{atom, Tag}], Reader),
    {[{tuple, [TagId]}],
     Added#reader{referred = Referred#{{Type, Ids} => Number}}}.

-spec recipes(atom(), [id()], declarations(), reader()) ->
    {[part()], reader()}.
recipes(Name, Ids, Declarations, Reader) ->
    {HasState, Known} = has_state(Name, length(Ids), Declarations, Reader),
    Constructors = erlconcolic_constructors:find({Name, length(Ids)},
                                                 Declarations, HasState),
    {Recipes, Read} =
        lists:mapfoldl(fun(Constructor, Before) ->
                               recipe(Constructor, Ids, Declarations, Before)
                       end, Known, Constructors),
    {lists:append(Recipes), Read}.

%% Whether the values of an opaque type refer to something that can change: a
%% table, a counter, a process.
-spec has_state(atom(), arity(), declarations(), reader()) ->
    {boolean(), reader()}.
has_state(Name, Arity, Declarations, Reader) ->
    {Any, Added} = any((again(Reader))#reader{opaque = open}),
    {Parts, Read} = declared(Name, lists:duplicate(Arity, Any), Declarations,
                             Added),
    {Id, #reader{grammar = Grammar, modules = Modules}} = add(Parts, Read),
    {_, Types} = erlconcolic_type_grammar:finish([[Id]], Grammar),
    HasState = lists:any(fun(Alternative) ->
                                 lists:member(Alternative,
                                              [pid, port, reference])
                         end, lists:append(Types)),
    {HasState, Reader#reader{modules = Modules}}.

-spec recipe(erlconcolic_constructors:constructor(), [id()], declarations(),
             reader()) -> {[part()], reader()}.
recipe(#{function := {Function, _}, kind := Kind, arguments := Arguments,
         excluded := NotMade} = Constructor, Ids,
       #{module := Module} = Declarations, Reader) ->
    case erlconcolic_recipe:tag(Kind, Module, Function) of
        {ok, Tag} ->
            #reader{excluded = Excluded} = Reader,
            Excluding = Reader#reader{excluded = Excluded#{Tag => NotMade}},
            {TagId, Added} = add([{atom, Tag}], Excluding),
            Scope = scope(Declarations, variables(Constructor, Module, Ids)),
            {ArgumentIds, Read} = types(Arguments, Scope, Added),
            {[{tuple, [TagId | ArgumentIds]}], Read};
        none ->
            {[], Reader}
    end.

%% The variables in the spec of a constructor. Those that are parameters of the
%% result have the values that are wanted, unless the spec restricts them.
-spec variables(#{function := erlconcolic_type_forms:name(),
                  clause := pos_integer(), parameters := [form()],
                  constraints := #{atom() => form()}, _ => _},
                module(), [id()]) ->
    variables().
variables(#{function := Function, clause := Number, parameters := Parameters,
            constraints := Constraints}, Module, Ids) ->
    Wanted = [{Name, Id} || {{var, _, Name}, Id} <- lists:zip(Parameters, Ids),
                            Name =/= '_'],
    Clause = {Module, Function, Number, Ids},
    Constrained = maps:map(fun(Name, Type) ->
                                   {{variable, Clause, Name}, Type}
                           end, maps:filter(fun is_restriction/2, Constraints)),
    maps:merge(maps:from_list(Wanted), Constrained).

-spec is_restriction(Variable :: atom(), form()) -> boolean().
is_restriction(_Variable, {type, _, Name, []}) ->
    Name =/= term andalso Name =/= any;
is_restriction(_Variable, _Type) ->
    true.

-spec unknown(module(), atom(), arity(), reader()) -> {[part()], reader()}.
unknown(Module, Name, Arity, Reader) ->
    Text = "the type ~tw:~tw/~b is unknown; using any()",
    {[any], warn(Text, [Module, Name, Arity], Reader)}.

%% The refined fields are part of the name of the type.
-spec record(atom(), [form()], scope(), reader()) -> {[part()], reader()}.
record(Name, Refined, #scope{declarations = Declarations} = Scope, Reader) ->
    #{module := Module, records := Records} = Declarations,
    case Records of
        #{Name := native} ->
            {?NATIVE_RECORD, Reader};
        #{Name := Fields} ->
            {Refinements, Read} = lists:mapfoldl(
                fun(Field, Before) -> refinement(Field, Scope, Before) end,
                Reader, Refined),
            Known = maps:from_list(lists:append(Refinements)),
            instance({Module, {record, Name}, lists:sort(maps:to_list(Known))},
                     fun(Before) ->
                             tagged(Name, Fields, Known, Declarations, Before)
                     end, Read);
        #{} ->
            Text = "the record #~tw of the module ~tw is unknown; using any()",
            {[any], warn(Text, [Name, Module], Reader)}
    end.

-spec refinement(form(), scope(), reader()) -> {[{atom(), id()}], reader()}.
refinement({type, _, field_type, [{atom, _, Field}, Type]}, Scope, Reader) ->
    {Id, Read} = type(Type, Scope, Reader),
    {[{Field, Id}], Read};
refinement(Form, Scope, Reader) ->
    {_, Warned} = not_understood(Form, Scope, Reader),
    {[], Warned}.

-spec tagged(atom(), [{atom(), form()}], #{atom() => id()}, declarations(),
             reader()) -> {[part()], reader()}.
tagged(Name, Fields, Known, Declarations, Reader) ->
    Scope = scope(Declarations, #{}),
    {Tag, Added} = add([{atom, Name}], Reader),
    {Ids, Read} = lists:mapfoldl(
        fun({Field, _Type}, Before) when is_map_key(Field, Known) ->
                {maps:get(Field, Known), Before};
           ({_Field, Type}, Before) ->
                type(Type, Scope, Before)
        end, Added, Fields),
    {[{tuple, [Tag | Ids]}], Read}.

-spec instance({owner(), name(), [term()]},
               fun((reader()) -> {[part()], reader()}), reader()) ->
    {[part()], reader()}.
instance(Instance, _Read, #reader{instances = Instances} = Reader)
  when is_map_key(Instance, Instances) ->
    {[{type, maps:get(Instance, Instances)}], Reader};
instance({Owner, Name, Arguments} = Instance, Read, Reader) ->
    #reader{counts = Counts} = Reader,
    case maps:get({Owner, Name}, Counts, 0) of
        ?MOST_INSTANCES ->
            Text = "the type ~tw:~ts has too many instances; using any() for "
                   "the others",
            {[any], warn(Text, [Owner, name(Name, Arguments)], Reader)};
        Count ->
            Counted = Counts#{{Owner, Name} => Count + 1},
            new_instance(Instance, Read, Reader#reader{counts = Counted})
    end.

-spec name(name(), [term()]) -> unicode:chardata().
name({record, Name}, _Fields) ->
    io_lib:format("#~tw{}", [Name]);
name({_Kind, Name}, Arguments) ->
    name(Name, Arguments);
name(Name, Arguments) ->
    io_lib:format("~tw/~b", [Name, length(Arguments)]).

%% An instance that only names another type is that type. So instances with such
%% arguments are equal.
-spec new_instance(instance(), fun((reader()) -> {[part()], reader()}),
                   reader()) -> {[part()], reader()}.
new_instance(Instance, Read, #reader{grammar = Grammar} = Reader) ->
    {Id, Reserved} = erlconcolic_type_grammar:reserve(Grammar),
    Reserving = Reader#reader{grammar = Reserved},
    {Parts, After} = Read(remember(Instance, Id, Reserving)),
    Defined = define(Id, Parts, After),
    case Parts of
        [{type, Same}] -> {Parts, remember(Instance, Same, Defined)};
        _ -> {[{type, Id}], Defined}
    end.

-spec define(id(), [part()], reader()) -> reader().
define(Id, Parts, #reader{grammar = Grammar} = Reader) ->
    Defined = erlconcolic_type_grammar:define(Id, Parts, Grammar),
    Reader#reader{grammar = Defined}.

%% In the forms a redefined type looks like the built-in one. So do `[]',
%% `[T]' and `[T, ...]', which are more likely than types of the same name.
%% The module erlang declares all built-in types, for its documentation.
-spec is_redefined(term(), term(), scope()) -> boolean().
is_redefined(Name, Arguments, #scope{declarations = Declarations})
  when is_list(Arguments) ->
    #{module := Module, types := Types} = Declarations,
    Type = {Name, length(Arguments)},
    is_map_key(Type, Types)
        andalso Module =/= erlang
        andalso not lists:member(Type, [{nil, 0}, {list, 1},
                                        {nonempty_list, 1}]);
is_redefined(_Name, _Arguments, _Scope) ->
    false.

-spec built_in(form(), scope(), reader()) -> {[part()], reader()}.
built_in({type, _, Name, any}, _Scope, Reader)
  when Name =:= tuple; Name =:= map ->
    {[Name], Reader};
built_in({type, _, tuple, Elements}, Scope, Reader) when is_list(Elements) ->
    {Ids, Read} = types(Elements, Scope, Reader),
    {[{tuple, Ids}], Read};
built_in({type, _, map, Pairs}, Scope, Reader) when is_list(Pairs) ->
    {Read, After} = lists:mapfoldl(fun(Pair, Before) ->
                                           pair(Pair, Scope, Before)
                                   end, Reader, Pairs),
    {[{map, lists:append(Read)}], After};
built_in({type, _, 'fun', [Arguments, Result]}, Scope, Reader) ->
    function(Arguments, Result, Scope, Reader);
built_in({type, _, Name, [_, _]} = Form, Scope, Reader)
  when Name =:= range; Name =:= binary ->
    numbers(Form, Scope, Reader);
built_in({type, _, Name, []} = Form, Scope, Reader) ->
    case erlconcolic_builtin_types:meaning(Name) of
        {alternatives, Alternatives} -> {Alternatives, Reader};
        {form, Meaning} -> expanded(Name, Meaning, Reader);
        unknown -> not_understood(Form, Scope, Reader)
    end;
built_in(Form, Scope, Reader) ->
    list(Form, Scope, Reader).

-spec expanded(atom(), form(), reader()) -> {[part()], reader()}.
expanded(Name, Meaning, Reader) ->
    Scope = scope(erlconcolic_declarations:none(), #{}),
    instance({{builtin}, Name, []},
             fun(Before) -> parts(Meaning, Scope, Before) end, Reader).

-spec pair(form(), scope(), reader()) ->
    {[{required | optional, id(), id()}], reader()}.
pair({type, _, Kind, [Key, Value]}, Scope, Reader)
  when Kind =:= map_field_exact; Kind =:= map_field_assoc ->
    {[KeyId, ValueId], Read} = types([Key, Value], Scope, Reader),
    {[{presence(Kind), KeyId, ValueId}], Read};
pair(Form, Scope, Reader) ->
    {_, Warned} = not_understood(Form, Scope, Reader),
    {[], Warned}.

-spec presence(map_field_exact | map_field_assoc) -> required | optional.
presence(map_field_exact) -> required;
presence(map_field_assoc) -> optional.

-spec function(form(), form(), scope(), reader()) -> {[part()], reader()}.
function({type, _, any}, Result, Scope, Reader) ->
    {Id, Read} = type(Result, Scope, Reader),
    {[{function, any, Id}], Read};
function({type, _, product, Arguments}, Result, Scope, Reader)
  when is_list(Arguments) ->
    {[ResultId | Ids], Read} = types([Result | Arguments], Scope, Reader),
    {[{function, Ids, ResultId}], Read};
function(Arguments, _Result, Scope, Reader) ->
    {_, Warned} = not_understood(Arguments, Scope, Reader),
    {[function], Warned}.

-spec numbers(form(), scope(), reader()) -> {[part()], reader()}.
numbers({type, _, Name, [First, Second]} = Form, Scope, Reader) ->
    case {Name, integer(First), integer(Second)} of
        {range, {ok, Min}, {ok, Max}} ->
            {[{integer, Min, Max} || Min =< Max], Reader};
        {binary, {ok, Base}, {ok, Unit}} when Base >= 0, Unit >= 0 ->
            {[{bitstring, Base, Unit}], Reader};
        _ ->
            not_understood(Form, Scope, Reader)
    end.

-spec integer(form()) -> {ok, integer()} | error.
integer({Kind, _, Integer})
  when is_integer(Integer), Kind =:= integer orelse Kind =:= char ->
    {ok, Integer};
integer(Form) when element(1, Form) =:= op ->
    case erl_eval:partial_eval(Form) of
        {integer, _, Integer} -> {ok, Integer};
        _ -> error
    end;
integer(_Form) ->
    error.

-spec list(form(), scope(), reader()) -> {[part()], reader()}.
list({type, _, list, [Element]}, Scope, Reader) ->
    {Head, Read} = type(Element, Scope, Reader),
    {Nil, Added} = add([nil], Read),
    {Tail, After} = tail(Head, Nil, Added),
    {[{type, Tail}], After};
list({type, _, nonempty_list, [Element]}, Scope, Reader) ->
    {Head, Read} = type(Element, Scope, Reader),
    {Nil, Added} = add([nil], Read),
    cell(Head, Nil, Added);
list({type, _, maybe_improper_list, [Element, End]}, Scope, Reader) ->
    {[HeadId, EndId], Read} = types([Element, End], Scope, Reader),
    {Cell, Added} = cell(HeadId, EndId, Read),
    {[nil | Cell], Added};
list({type, _, Name, [Element, End]}, Scope, Reader)
  when Name =:= nonempty_improper_list;
       Name =:= nonempty_maybe_improper_list ->
    {[HeadId, EndId], Read} = types([Element, End], Scope, Reader),
    cell(HeadId, EndId, Read);
list(Form, Scope, Reader) ->
    not_understood(Form, Scope, Reader).

-spec cell(Head :: id(), End :: id(), reader()) -> {[part()], reader()}.
cell(Head, End, Reader) ->
    {Tail, Added} = tail(Head, End, Reader),
    {[{cons, Head, Tail}], Added}.

%% What can follow an element: the end, or another element.
-spec tail(Head :: id(), End :: id(), reader()) -> {id(), reader()}.
tail(Head, End, #reader{instances = Instances} = Reader)
  when is_map_key({tail, Head, End}, Instances) ->
    {maps:get({tail, Head, End}, Instances), Reader};
tail(Head, End, #reader{grammar = Grammar} = Reader) ->
    {Id, Reserved} = erlconcolic_type_grammar:reserve(Grammar),
    Parts = [{type, End}, {cons, Head, Id}],
    Defined = define(Id, Parts, Reader#reader{grammar = Reserved}),
    {Id, remember({tail, Head, End}, Id, Defined)}.
