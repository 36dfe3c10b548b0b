%%% Compiles source files whose parse transforms (or modules that these call)
%%% may be in the same project and not compiled yet. When the compiler misses
%%% such a module, this server compiles and loads it, and the file is tried
%%% again. One server compiles one module at a time, so each is compiled once,
%%% even if many files need it at the same moment.
-module(erlconcolic_transforms).

-behaviour(gen_server).

-export([start_link/0, compile_file/3]).
-export([init/1, handle_call/3, handle_cast/2]).

-type message() :: erlconcolic_message:message().
-type context() :: erlconcolic_project:context().

-type loaded() :: ok | not_found | {error, [message()]}.
-type loader() :: fun((module()) -> loaded()).

%% The modules that do not compile. They are tried once, not for every file that
%% needs them.
-type failed() :: #{module() => {error, [message()]}}.

-spec start_link() -> {ok, pid()} | ignore | {error, term()}.
start_link() ->
    gen_server:start_link({local, ?MODULE}, ?MODULE, [], []).

%% The options are added to those of the file's project.
-spec compile_file(file:filename(), [compile:option()], context()) ->
    erlconcolic_message:compiled().
compile_file(File, Options, Context) ->
    Load = fun(Module) ->
                   Request = {load, Module, File, Context},
                   gen_server:call(?MODULE, Request, infinity)
           end,
    Module = list_to_atom(filename:basename(File, ".erl")),
    compile_file(File, Options, Context, Load, [Module]).

-spec init([]) -> {ok, failed()}.
init([]) ->
    true = group_leader(whereis(standard_error), self()),
    {ok, #{}}.

-spec handle_call({load, module(), file:filename(), context()},
                  gen_server:from(), failed()) -> {reply, loaded(), failed()}.
handle_call({load, Module, _File, _Context}, _From, Failed)
  when is_map_key(Module, Failed) ->
    {reply, maps:get(Module, Failed), Failed};
handle_call({load, Module, File, Context}, _From, Failed) ->
    case load(Module, File, Context, []) of
        {error, _} = Error -> {reply, Error, Failed#{Module => Error}};
        Loaded -> {reply, Loaded, Failed}
    end.

-spec handle_cast(term(), failed()) -> {noreply, failed()}.
handle_cast(_Request, Failed) ->
    {noreply, Failed}.

%% Compiles a module that the file needs. Its source may need other modules;
%% Above has those that lead here, in case they need each other.
-spec load(module(), file:filename(), context(), Above :: [module()]) ->
    loaded().
load(Module, File, Context, Above) ->
    case code:ensure_loaded(Module) of
        {module, Module} ->
            ok;
        {error, _} ->
            Source = erlconcolic_project:find_source(Module, File, Context),
            load_source(Module, Source, Context, Above)
    end.

-spec load_source(module(), {ok, file:filename()} | error, context(),
                  Above :: [module()]) -> loaded().
load_source(_Module, error, _Context, _Above) ->
    not_found;
load_source(Module, {ok, Source}, Context, Above) ->
    Modules = [Module | Above],
    Load = fun(Needed) ->
                   case lists:member(Needed, Modules) of
                       true -> not_found;
                       false -> load(Needed, Source, Context, Modules)
                   end
           end,
    case compile_file(Source, [], Context, Load, Modules) of
        {ok, Module, Beam, _Warnings} -> load_beam(Module, Source, Beam);
        {error, Messages} -> {error, Messages}
    end.

-spec load_beam(module(), file:filename(), binary()) -> loaded().
load_beam(Module, Source, Beam) ->
    case code:load_binary(Module, Source, Beam) of
        {module, Module} ->
            ok;
        {error, Reason} ->
            Text = io_lib:format("cannot be loaded: ~tp", [Reason]),
            {error, [erlconcolic_message:new(error, Source, Text)]}
    end.

%% A project can name a transform for all of its files. As in rebar3, it does
%% not apply to the transforms themselves.
-spec compile_file(file:filename(), [compile:option()], context(), loader(),
                   Transforms :: [module()]) -> erlconcolic_message:compiled().
compile_file(File, Options, Context, Load, Transforms) ->
    {ProjectOptions, Warnings} = erlconcolic_project:options(File, Context),
    Unwanted = [{parse_transform, Transform} || Transform <- Transforms],
    AllOptions = [binary, return | Options]
        ++ [Option || Option <- ProjectOptions,
                      not lists:member(Option, Unwanted)],
    case compile_and_load(File, AllOptions, Load, []) of
        {ok, Module, Code, More} -> {ok, Module, Code, Warnings ++ More};
        {error, Messages} -> {error, Warnings ++ Messages}
    end.

-spec compile_and_load(file:filename(), [compile:option()], loader(),
                       Tried :: [module()]) -> erlconcolic_message:compiled().
compile_and_load(File, Options, Load, Tried) ->
    Result = compile:noenv_file(File, Options),
    case missing_modules(Result) -- Tried of
        [] ->
            erlconcolic_message:from_result(File, Result);
        [Module | _] ->
            case Load(Module) of
                ok ->
                    compile_and_load(File, Options, Load, [Module | Tried]);
                not_found ->
                    erlconcolic_message:from_result(File, Result);
                {error, Messages} ->
                    {error, Messages}
            end
    end.

-spec missing_modules(term()) -> [module()].
missing_modules({error, Errors, _Warnings}) ->
    [Module || {_File, Infos} <- Errors,
               {_Location, compile, Description} <- Infos,
               Module <- missing_module(Description)];
missing_modules(_) ->
    [].

-spec missing_module(term()) -> [module()].
missing_module({undef_parse_transform, Module}) ->
    [Module];
missing_module({Kind, _Transform, {error, undef, [{Module, _, _, _} | _]}})
  when Kind =:= parse_transform; Kind =:= core_transform ->
    [Module];
missing_module(_) ->
    [].
