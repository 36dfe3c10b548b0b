%%% The code of Elixir's modules, from the debug information of their beams.
%%% A protocol that is not consolidated finds its implementations when it runs.
%%% Here it gets those that are on the code path, as `mix' does it for a
%%% release, so that its dispatch is a matter of clauses.
-module(erlconcolic_elixir).

-export([is_backend/1, missing/0, executable/3, implementations/1, forms/1]).

-type form() :: erl_parse:abstract_form().

%% Whether debug information is Elixir's.
-spec is_backend(module()) -> boolean().
is_backend(Backend) ->
    Backend =:= elixir_erl.

-spec missing() -> unicode:chardata().
missing() ->
    "it is a module of Elixir, which was not found: put `elixir' on the PATH, "
        "or name Elixir's folder lib/elixir/ebin with --pa".

%% The forms to compile: those of the consolidated protocol, without types, and
%% with the source that exists here.
-spec executable([form()], file:filename(), Source :: file:filename()) ->
    [form()].
executable(Forms, File, Source) ->
    Code = case implementations(File, Forms) of
               {ok, Module, Types} -> consolidated(Module, Types, Forms);
               none -> Forms
           end,
    [readable(in_source(Form, File, Source))
     || Form <- Code, not is_declaration(Form)].

%% The types for which the protocol in a file is implemented, if its code
%% depends on them.
-spec implementations(file:filename()) -> [module()].
implementations(File) ->
    case attributes(File) of
        #{'__protocol__' := _} ->
            case implementations(File, forms(File)) of
                {ok, _Module, Types} -> Types;
                none -> []
            end;
        #{} ->
            []
    end.

-spec implementations(file:filename(), [form()]) ->
    {ok, module(), [module()]} | none.
implementations(File, Forms) ->
    case is_open_protocol(Forms) of
        true ->
            [Module | _] = [Name || {attribute, _, module, Name} <- Forms],
            Folders = [filename:dirname(File) | code:get_path()],
            Types = protocol(extract_impls, [Module, lists:usort(Folders)]),
            {ok, Module, lists:usort(Types)};
        false ->
            none
    end.

%% The function `__protocol__' says whether the protocol is consolidated.
-spec is_open_protocol([form()]) -> boolean().
is_open_protocol(Forms) ->
    [] =/= [open || {function, _, '__protocol__', 1, Clauses} <- Forms,
                    {clause, _, [{atom, _, 'consolidated?'}], _,
                     [{atom, _, false}]} <- Clauses].

-spec consolidated(module(), [module()], [form()]) -> [form()].
consolidated(Module, Types, Forms) ->
    try
        {ok, Beam} = protocol(consolidate, [Module, Types]),
        [_ | _] = forms(Beam)
    catch
        _:_ -> Forms
    end.

%% Calls Elixir's module of protocols.
-spec protocol(atom(), [term()]) -> term().
protocol(Function, Arguments) ->
    apply('Elixir.Protocol', Function, Arguments).

%% The forms of a beam of Elixir, which may be its contents; none if it has no
%% debug information.
-spec forms(file:filename() | binary()) -> [form()].
forms(Beam) ->
    case beam_lib:chunks(Beam, [debug_info]) of
        {ok, {Module, [{debug_info, {debug_info_v1, Backend, Data}}]}} ->
            case Backend:debug_info(erlang_v1, Module, Data, []) of
                {ok, Forms} -> Forms;
                {error, _} -> []
            end;
        _ ->
            []
    end.

-spec attributes(file:filename()) -> #{atom() => term()}.
attributes(File) ->
    case beam_lib:chunks(File, [attributes]) of
        {ok, {_, [{attributes, Attributes}]}} -> maps:from_list(Attributes);
        {error, beam_lib, _} -> #{}
    end.

%% Elixir has checked its types; erl_lint knows fewer.
-spec is_declaration(form()) -> boolean().
is_declaration({attribute, _, Name, _}) ->
    lists:member(Name, [spec, type, opaque, callback, optional_callbacks,
                        export_type, dialyzer]);
is_declaration(_Form) ->
    false.

%% Names of variables may end in `?' and `!', which Core Erlang cannot have.
-spec readable(form()) -> form().
readable({function, At, Name, Arity, Clauses}) ->
    {function, At, Name, Arity, renamed(Clauses)};
readable(Form) ->
    Form.

-spec renamed(Part) -> Part when Part :: term().
renamed({var, At, Name}) ->
    {var, At, variable(Name)};
renamed({clause, At, Patterns, Guards, Body}) ->
    {clause, written(At, Body), renamed(Patterns), renamed(Guards),
     renamed(Body)};
renamed(Part) when is_tuple(Part) ->
    list_to_tuple(renamed(tuple_to_list(Part)));
renamed([Head | Tail]) ->
    [renamed(Head) | renamed(Tail)];
renamed(Part) ->
    Part.

%% The clauses of `if' count as generated, because macros make them. Here only
%% those are that say that no other clause matches.
-spec written(Annotation, [term()]) -> Annotation when Annotation :: term().
written(At, [{call, _, {remote, _, {atom, _, erlang}, {atom, _, error}},
              [{Kind, _, _} | _]}]) when Kind =:= tuple; Kind =:= atom ->
    At;
written(At, _Body) when is_list(At) ->
    lists:keydelete(generated, 1, At);
written(At, _Body) ->
    At.

-spec variable(atom()) -> atom().
variable(Name) ->
    Text = atom_to_list(Name),
    case lists:any(fun is_mark/1, Text) of
        true -> list_to_atom(lists:flatmap(fun character/1, Text));
        false -> Name
    end.

-spec is_mark(char()) -> boolean().
is_mark(Character) ->
    Character =:= $? orelse Character =:= $!.

-spec character(char()) -> string().
character($?) -> "@is";
character($!) -> "@or";
character(Character) -> [Character].

%% Elixir names a source by its path in the project. If the source is not where
%% it was compiled, the project may have been moved.
-spec in_source(form(), file:filename(), file:filename()) -> form().
in_source({attribute, At, file, {Name, Line}}, File, File) ->
    {attribute, At, file, {above(Name, filename:dirname(File)), Line}};
in_source({attribute, At, file, {_Name, Line}}, _File, Source) ->
    {attribute, At, file, {Source, Line}};
in_source(Form, _File, _Source) ->
    Form.

-spec above(Name, Folder :: file:filename()) -> Name
    when Name :: file:filename().
above(Name, Folder) ->
    Path = filename:join(Folder, Name),
    Parent = filename:dirname(Folder),
    case filelib:is_regular(Path) of
        true -> Path;
        false when Parent =:= Folder -> Name;
        false -> above(Name, Parent)
    end.
