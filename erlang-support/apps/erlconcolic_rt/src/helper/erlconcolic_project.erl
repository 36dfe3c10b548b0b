%%% Finds the project of a source file and how it compiles the file: include
%%% paths, macros and compiler options from `rebar.config', the paths of its
%%% dependencies, and the sources of its other modules.
%%%
%%% The application of a file is the nearest parent folder with an application
%%% resource file or a `rebar.config'. Options come from the nearest
%%% `rebar.config'; if that belongs to an application of an umbrella
%%% (`Root/apps/Name', `Root/lib/Name'), the options of the root come after it.
-module(erlconcolic_project).

-export([new/0, configure/1, options/2, find_source/3]).

-export_type([context/0, request/0]).

-type message() :: erlconcolic_message:message().
-type folder() :: file:filename().

-type request() ::
    #{sources := [binary()],
      includes := [binary()],
      defines := [{Name :: binary(), Value :: binary() | true}],
      code_paths := [binary()]}.

-record(project,
        {app :: folder(),
         %% Folders that have a rebar.config, the nearest first.
         configs :: [folder()],
         options :: [compile:option()],
         warnings :: [message()]}).

-record(context,
        {sources = [] :: [file:filename()],
         macros = [] :: [compile:option()],
         includes = [] :: [compile:option()],
         projects = #{} :: #{folder() => #project{}}}).

-opaque context() :: #context{}.

%% The folders with other applications of a project and its dependencies.
-define(APPLICATIONS,
        ["apps", "lib", "_checkouts", "deps", "_build/default/lib",
         "_build/default/checkouts"]).

%% Options that redirect results or messages, stop the compiler before it
%% reaches Core Erlang, or remove positions.
-define(DROPPED_OPTIONS,
        [warnings_as_errors, report, report_errors, report_warnings,
         return, return_errors, return_warnings, verbose, brief, time,
         binary, outdir, cwd, src_dirs, extra_src_dirs,
         debug_info, debug_info_key, encrypt_debug_info,
         deterministic, error_location,
         basic_validation, strong_validation,
         'P', 'E', 'S', to_pp, to_exp, to_core0, to_kernel, to_asm, to_dis,
         dpp, dabstr, dexp, dcore, doldinline, dcorefold, dinline, dcopt,
         dalias, from_abstr, from_core, from_asm,
         makedep, makedep_side_effect, makedep_output, makedep_target,
         makedep_quote_target, makedep_add_missing, makedep_phony]).

-spec new() -> context().
new() -> #context{}.

%% Also adds the code paths of the request and of the dependencies to this node.
-spec configure(request()) ->
    {ok, context(), Warnings :: [message()]} | {error, [message()]}.
configure(#{sources := Sources, includes := Includes, defines := Defines,
            code_paths := CodePaths}) ->
    Macros = [define(Define) || Define <- Defines],
    case [Message || {error, Message} <- Macros] of
        [] ->
            Context = context(strings(Sources), strings(Includes), Macros),
            ok = add_code_paths(strings(CodePaths), Context),
            ok = add_elixir(strings(Sources)),
            {ok, Context, missing_folders(strings(Includes ++ CodePaths))
                ++ project_warnings(Context)};
        Errors ->
            {error, Errors}
    end.

%% How to compile a file, with warnings about its project that configure/1 has
%% not reported yet.
-spec options(file:filename(), context()) -> {[compile:option()], [message()]}.
options(File, #context{macros = Macros, includes = Includes} = Context) ->
    {Project, Warnings} = project_of(File, Context),
    Environment = keep_options(compile:env_compiler_options()),
    Options = Macros ++ Includes ++ Project#project.options ++ Environment,
    {unique_macros(Options), Warnings}.

%% The source of a module that a file of the same project needs.
-spec find_source(module(), file:filename(), context()) ->
    {ok, file:filename()} | error.
find_source(Module, File, #context{sources = Sources} = Context) ->
    Name = atom_to_list(Module) ++ ".erl",
    {#project{app = App, configs = Configs}, _} = project_of(File, Context),
    Known = [Source || Source <- Sources, filename:basename(Source) =:= Name],
    Sibling = filename:join(filename:dirname(File), Name),
    Pattern = "src/**/" ++ Name,
    Found = wildcard(Pattern, App) ++ in_applications(Pattern, Configs),
    case lists:filter(fun filelib:is_regular/1, Known ++ [Sibling | Found]) of
        [Source | _] -> {ok, Source};
        [] -> error
    end.

-spec context([file:filename()], [folder()], [compile:option()]) -> context().
context(Sources, Includes, Macros) ->
    Folders = lists:usort([filename:dirname(Source) || Source <- Sources]),
    #context{sources = Sources,
             %% The last one wins where a macro is defined twice.
             macros = lists:reverse(Macros),
             includes = [{i, Folder} || Folder <- Includes],
             projects = projects(Folders)}.

-spec project_of(file:filename(), context()) -> {#project{}, [message()]}.
project_of(File, #context{projects = Projects}) ->
    Folder = filename:dirname(File),
    case Projects of
        #{Folder := Project} ->
            {Project, []};
        #{} ->
            #{Folder := Project} = projects([Folder]),
            {Project, Project#project.warnings}
    end.

%% Reads each rebar.config once, however many folders it covers.
-spec projects([folder()]) -> #{folder() => #project{}}.
projects(Folders) ->
    Places = [{Folder, place(absolute(Folder))} || Folder <- Folders],
    Read = maps:from_list(
             [{Config, erlconcolic_rebar_config:read(Config)}
              || Config <- lists:usort(
                             [Config || {_, {_, Configs}} <- Places,
                                        Config <- Configs])]),
    maps:from_list([{Folder, project(Folder, Place, Read)}
                    || {Folder, Place} <- Places]).

-spec project(folder(), {App :: folder(), Configs :: [folder()]},
              #{folder() => {ErlOpts :: [term()], [message()]}}) ->
    #project{}.
project(Folder, {App, Configs}, Read) ->
    {ErlOpts, Warnings} = lists:unzip([maps:get(Config, Read)
                                       || Config <- Configs]),
    Bases = [App | lists:delete(App, Configs)],
    Options = [Based || Option <- keep_options(lists:append(ErlOpts)),
                        Based <- based(Option, Bases)],
    Includes = [{i, Include} || Include <- include_folders(App, Configs),
                                filelib:is_dir(Include)],
    #project{app = App,
             configs = Configs,
             options = [as_given(Option, Folder)
                        || Option <- Options ++ Includes],
             warnings = lists:append(Warnings)}.

-spec include_folders(folder(), [folder()]) -> [folder()].
include_folders(App, Configs) ->
    [filename:join(App, "include"), filename:join(App, "src"), App,
     filename:dirname(App)
     | [filename:join(Config, Applications)
        || Config <- Configs, Applications <- ?APPLICATIONS]].

%% A relative include path starts at the application or at the project,
%% depending on the version of rebar3.
-spec based(compile:option(), [folder()]) -> [compile:option()].
based({i, Path}, Bases) when is_list(Path) ->
    [{i, filename:absname(Path, Base)} || Base <- Bases];
based(Option, _Bases) ->
    [Option].

%% Messages and positions name a header file by the folder it was found in:
%% relative to the current folder if the user named the source like that.
-spec as_given(compile:option(), folder()) -> compile:option().
as_given({i, Path}, Folder) ->
    {ok, Here} = file:get_cwd(),
    case {filename:pathtype(Folder), string:prefix(Path, Here ++ "/")} of
        {relative, Below} when Below =/= nomatch -> {i, Below};
        {relative, nomatch} when Path =:= Here -> {i, "."};
        _ -> {i, Path}
    end;
as_given(Option, _Folder) ->
    Option.

-spec place(folder()) -> {App :: folder(), Configs :: [folder()]}.
place(Folder) ->
    case nearest(fun is_application/1, Folder) of
        {ok, App} -> {App, configs(App)};
        error -> {without_src(Folder), []}
    end.

-spec is_application(folder()) -> boolean().
is_application(Folder) ->
    erlconcolic_rebar_config:exists(Folder)
        orelse wildcard("src/*.app.src", Folder) =/= []
        orelse wildcard("ebin/*.app", Folder) =/= [].

-spec without_src(folder()) -> folder().
without_src(Folder) ->
    case filename:basename(Folder) of
        "src" -> filename:dirname(Folder);
        _ -> Folder
    end.

-spec configs(folder()) -> [folder()].
configs(App) ->
    case nearest(fun erlconcolic_rebar_config:exists/1, App) of
        {ok, Config} -> [Config | umbrella(Config)];
        error -> []
    end.

-spec umbrella(folder()) -> [folder()].
umbrella(Config) ->
    Parent = filename:dirname(Config),
    Root = filename:dirname(Parent),
    [Root || lists:member(filename:basename(Parent), ["apps", "lib"]),
             erlconcolic_rebar_config:exists(Root)].

-spec nearest(fun((folder()) -> boolean()), folder()) -> {ok, folder()} | error.
nearest(Wanted, Folder) ->
    Parent = filename:dirname(Folder),
    case Wanted(Folder) of
        true -> {ok, Folder};
        false when Parent =:= Folder -> error;
        false -> nearest(Wanted, Parent)
    end.

-spec add_code_paths([folder()], context()) -> ok.
add_code_paths(Given, #context{projects = Projects}) ->
    Configs = lists:usort([Config || Project <- maps:values(Projects),
                                     Config <- Project#project.configs]),
    %% code:add_pathsa/1 puts the last one first.
    code:add_pathsa(lists:reverse(Given ++ in_applications("ebin", Configs))).

%% Adds what modules of Elixir need.
-spec add_elixir([file:filename()]) -> ok.
add_elixir(Sources) ->
    case erlconcolic_elixir_path:folders(Sources) of
        [] ->
            ok;
        Folders ->
            ok = code:add_pathsa(erlconcolic_elixir_path:consolidated(Sources)),
            ok = code:add_pathsz(Folders -- code:get_path()),
            erlconcolic_elixir_node:want()
    end.

-spec in_applications(string(), [folder()]) -> [file:filename()].
in_applications(Pattern, Configs) ->
    [File || Config <- Configs,
             Applications <- ?APPLICATIONS,
             File <- wildcard(filename:join([Applications, "*", Pattern]),
                              Config)].

%% Unlike filelib:wildcard/1, this allows any character in the folder's name.
-spec wildcard(string(), folder()) -> [file:filename()].
wildcard(Pattern, Folder) ->
    [filename:join(Folder, File) || File <- filelib:wildcard(Pattern, Folder)].

-spec absolute(folder()) -> folder().
absolute(Folder) ->
    Parts = filename:split(filename:absname(Folder)),
    filename:join(lists:reverse(lists:foldl(fun step/2, [], Parts))).

-spec step(string(), [string()]) -> [string()].
step(".", Parts) -> Parts;
step("..", [Root]) -> [Root];
step("..", [_ | Parts]) -> Parts;
step(Part, Parts) -> [Part | Parts].

%% As for `erlc -D'.
-spec define({binary(), binary() | true}) ->
    {d, atom()} | {d, atom(), term()} | {error, message()}.
define({Name, true}) ->
    {d, binary_to_atom(Name, utf8)};
define({Name, Value}) ->
    case parse_term(unicode:characters_to_list(Value)) of
        {ok, Term} ->
            {d, binary_to_atom(Name, utf8), Term};
        {error, Reason} ->
            Text = io_lib:format("cannot define ~ts as ~ts: ~ts",
                                 [Name, Value, Reason]),
            {error, erlconcolic_message:new(error, "", Text)}
    end.

-spec parse_term(string()) -> {ok, term()} | {error, unicode:chardata()}.
parse_term(Text) ->
    case erl_scan:string(Text) of
        {ok, Tokens, End} ->
            case erl_parse:parse_term(Tokens ++ [{dot, End}]) of
                {ok, Term} -> {ok, Term};
                {error, {_, Module, Reason}} ->
                    {error, Module:format_error(Reason)}
            end;
        {error, {_, Module, Reason}, _} ->
            {error, Module:format_error(Reason)}
    end.

-spec keep_options([term()]) -> [compile:option()].
keep_options(Options) ->
    [Option || Option <- Options,
               not lists:member(option_name(Option), ?DROPPED_OPTIONS)].

-spec option_name(term()) -> term().
option_name(Option) when is_tuple(Option), tuple_size(Option) > 0 ->
    element(1, Option);
option_name(Option) ->
    Option.

%% The compiler refuses a macro that is defined twice.
-spec unique_macros([compile:option()]) -> [compile:option()].
unique_macros([Option | Options]) ->
    Rest = case macro(Option) of
               {ok, Name} -> [Other || Other <- Options,
                                       macro(Other) =/= {ok, Name}];
               none -> Options
           end,
    [Option | unique_macros(Rest)];
unique_macros([]) ->
    [].

-spec macro(compile:option()) -> {ok, term()} | none.
macro({d, Name}) -> {ok, Name};
macro({d, Name, _Value}) -> {ok, Name};
macro(_) -> none.

-spec project_warnings(context()) -> [message()].
project_warnings(#context{projects = Projects}) ->
    lists:usort(lists:append([Project#project.warnings
                              || Project <- maps:values(Projects)])).

-spec missing_folders([folder()]) -> [message()].
missing_folders(Folders) ->
    [erlconcolic_message:new(warning, Folder, "no such folder")
     || Folder <- Folders, not filelib:is_dir(Folder)].

-spec strings([binary()]) -> [string()].
strings(Binaries) ->
    lists:map(fun unicode:characters_to_list/1, Binaries).
