%%% The type declarations of a module, as forms: specs, callbacks, types,
%%% records. They come from the files of the user, else from beams on the code
%%% path, else from sources of the same project.
-module(erlconcolic_declarations).

-export([none/0, read/2, find/3]).

-export_type([declarations/0, form/0]).

%% A type in the forms. It may be any term, because parse transforms and other
%% languages make forms too.
-type form() :: term().

-type declarations() ::
    #{module := module(),
      specs := #{{Function :: atom(), arity()} => Clauses :: [form()]},
      callbacks := #{{Function :: atom(), arity()} => Clauses :: [form()]},
      types := #{{Name :: atom(), arity()} =>
                     {Parameters :: [atom()], form()}},
      opaque := #{{Name :: atom(), arity()} => []},
      %% The exported functions with a spec, in the order of the specs.
      interface := [{Function :: atom(), arity()}],
      %% The functions that change something instead of returning it.
      changing := [{Function :: atom(), arity()}],
      records := #{Name :: atom() => [{Field :: atom(), form()}] | native},
      behaviours := [module()],
      %% The types for which a protocol of Elixir is implemented.
      implemented := [module()] | none,
      %% The type that a module implements a protocol of Elixir for.
      implements_for := module() | none}.

%% No declarations, for types that need none.
-spec none() -> declarations().
none() ->
    declarations(erlang, "", []).

-spec read(file:filename(), erlconcolic_project:context()) ->
    {ok, declarations()} | {error, Why :: binary()}.
read(File, Context) ->
    case forms(File, Context) of
        {ok, Forms} ->
            {ok, declarations(module(File, Forms), File, Forms)};
        {error, Messages} ->
            {error, why(Messages)}
    end.

%% The files are those of the user; the first one uses the module.
-spec find(module(), [file:filename(), ...], erlconcolic_project:context()) ->
    {ok, declarations()} | error.
find(Module, [First | _] = Files, Context) ->
    Known = [File || File <- Files, is_file_of(Module, File)],
    first_readable(
        [fun() -> {ok, File} end || File <- Known]
        ++ [fun() -> on_code_path(Module) end,
            fun() ->
                erlconcolic_project:find_source(Module, First, Context)
            end], Context).

-spec first_readable([fun(() -> {ok, file:filename()} | error)],
                     erlconcolic_project:context()) ->
    {ok, declarations()} | error.
first_readable([Find | Others], Context) ->
    Read = case Find() of
               {ok, File} -> read(File, Context);
               error -> error
           end,
    case Read of
        {ok, Declarations} -> {ok, Declarations};
        _ -> first_readable(Others, Context)
    end;
first_readable([], _Context) ->
    error.

-spec is_file_of(module(), file:filename()) -> boolean().
is_file_of(Module, File) ->
    Name = filename:basename(File),
    lists:member(Name, [atom_to_list(Module) ++ Extension
                        || Extension <- [".erl", ".beam"]]).

%% Unlike code:which/1, this finds preloaded modules too.
-spec on_code_path(module()) -> {ok, file:filename()} | error.
on_code_path(Module) ->
    case code:where_is_file(atom_to_list(Module) ++ ".beam") of
        non_existing -> error;
        File -> {ok, File}
    end.

-spec forms(file:filename(), erlconcolic_project:context()) ->
    {ok, [term()]} | {error, [erlconcolic_message:message()]}.
forms(File, Context) ->
    case filename:extension(File) of
        ".erl" -> source_forms(File, Context);
        _ -> erlconcolic_beam:forms(File)
    end.

%% The option `to_pp' stops the compiler after parse transforms and lint.
-spec source_forms(file:filename(), erlconcolic_project:context()) ->
    {ok, [term()]} | {error, [erlconcolic_message:message()]}.
source_forms(File, Context) ->
    Options = [to_pp, no_spawn_compiler_process],
    case erlconcolic_transforms:compile_file(File, Options, Context) of
        {ok, _Module, Forms, _Warnings} -> {ok, Forms};
        {error, Messages} -> {error, Messages}
    end.

-spec why([erlconcolic_message:message()]) -> binary().
why([{_Severity, _Path, _Line, _Column, Text} | _]) -> Text;
why([]) -> <<"it does not compile">>.

-spec module(file:filename(), [term()]) -> module().
module(File, Forms) ->
    case attributes([module], Forms) of
        [Module | _] when is_atom(Module) -> Module;
        _ -> list_to_atom(filename:rootname(filename:basename(File)))
    end.

-spec declarations(module(), file:filename(), [term()]) -> declarations().
declarations(Module, File, Forms) ->
    Types = types([type, opaque, nominal], Forms),
    Opaque = maps:merge(types([opaque], Forms),
                        erlconcolic_elixir_types:opaque(Module, Types)),
    #{module => Module,
      specs => functions(spec, Module, Forms),
      callbacks => functions(callback, Module, Forms),
      types => Types,
      opaque => maps:map(fun(_, _) -> [] end, Opaque),
      interface => interface(Module, Forms),
      changing => [Function
                   || map_size(Opaque) > 0,
                      Function <- erlconcolic_changing_functions:find(Module,
                                                                      Forms)],
      records => records(Forms),
      behaviours => [Behaviour
                     || Behaviour <- attributes([behaviour, behavior], Forms),
                        is_atom(Behaviour)],
      implemented => erlconcolic_elixir_types:implemented(File, Forms),
      implements_for => erlconcolic_elixir_types:implements_for(Forms)}.

-spec functions(spec | callback, module(), [term()]) ->
    #{{atom(), arity()} => [form()]}.
functions(Kind, Module, Forms) ->
    first_of_each([{Function, Clauses}
                   || {Name, Clauses} <- attributes([Kind], Forms),
                      is_list(Clauses),
                      Function <- function(Name, Module)]).

-spec function(term(), module()) -> [{atom(), arity()}].
function({Name, Arity}, _Module) -> [{Name, Arity}];
function({Module, Name, Arity}, Module) -> [{Name, Arity}];
function(_Other, _Module) -> [].

-spec interface(module(), [term()]) -> [{atom(), arity()}].
interface(Module, Forms) ->
    Exports = lists:append([List || List <- attributes([export], Forms),
                                    is_list(List)]),
    [Function || {Name, _Clauses} <- attributes([spec], Forms),
                 Function <- function(Name, Module),
                 exports_all(Forms) orelse lists:member(Function, Exports)].

-spec exports_all([term()]) -> boolean().
exports_all(Forms) ->
    lists:any(fun(Options) ->
                      lists:member(export_all, lists:flatten([Options]))
              end, attributes([compile], Forms)).

-spec types([atom()], [term()]) ->
    #{{atom(), arity()} => {[atom()], form()}}.
types(Kinds, Forms) ->
    Declared = [{Name, parameters(Variables), Type}
                || {Name, Type, Variables} <- attributes(Kinds, Forms),
                   is_atom(Name), is_list(Variables)],
    first_of_each([{{Name, length(Parameters)}, {Parameters, Type}}
                   || {Name, Parameters, Type} <- Declared]).

-spec parameters([term()]) -> [atom()].
parameters(Variables) ->
    [Name || {var, _, Name} <- Variables].

-spec records([term()]) -> #{atom() => [{atom(), form()}] | native}.
records(Forms) ->
    first_of_each([{Name, lists:append([field(Field) || Field <- Fields])}
                   || {Name, Fields} <- attributes([record], Forms),
                      is_atom(Name), is_list(Fields)]
                  ++ [{Name, native}
                      || {Name, _} <- attributes([native_record], Forms)]).

-spec field(term()) -> [{atom(), form()}].
field({typed_record_field, Field, Type}) ->
    [{Name, Type} || {Name, _} <- field(Field)];
field({record_field, _, {atom, _, Name}}) ->
    [{Name, {type, 0, any, []}}];
field({record_field, _, {atom, _, Name}, _Default}) ->
    [{Name, {type, 0, any, []}}];
field(_Other) ->
    [].

-spec first_of_each([{Key, Value}]) -> #{Key => Value}.
first_of_each(Pairs) ->
    maps:from_list(lists:reverse(Pairs)).

-spec attributes([atom()], [term()]) -> [term()].
attributes(Names, Forms) ->
    [Value || {attribute, _, Name, Value} <- Forms,
              lists:member(Name, Names)].
