%%% The plugin: `rebar3 concolic'. It collects the options and the beams of the
%%% project and passes them to the program `erlconcolic'.
-module(rebar3_erlconcolic).

-behaviour(provider).

-export([init/1, do/1, format_error/1]).

-define(DESCRIPTION,
        "Finds inputs that crash the functions of this project, by concolic "
        "testing.\n\n"
        "Without --entry, --module or --app, it explores every exported "
        "function with a spec\nin the project. The command fails if there are "
        "findings.\n\n"
        "The options are those of `erlconcolic explore'. They can also be set "
        "in rebar.config;\nthe command line wins:\n\n"
        "  {erlconcolic, [{entry, [\"shop:total/1\", {shop, average, 1}]},\n"
        "                 {timeout, 300}, {term_depth, 3}, first]}.\n\n"
        "Beams, macros and dependencies are those of the current rebar3 "
        "profile.\n\n"
        "Examples:\n"
        "  rebar3 concolic\n"
        "  rebar3 concolic --entry shop:total/1 --term-depth 3\n"
        "  rebar3 concolic --module shop --timeout 300 --workers 4\n"
        "  rebar3 as test concolic --format json --output report.json\n\n"
        "Exit status: 0 no findings, 1 findings or an error.\n").

-spec init(rebar_state:t()) -> {ok, rebar_state:t()}.
init(State) ->
    Provider = providers:create(
                 [{name, concolic},
                  {module, ?MODULE},
                  {bare, true},
                  {deps, [compile]},
                  {example, "rebar3 concolic --entry shop:total/1"},
                  {opts, rebar3_erlconcolic_options:for_command_line()},
                  {short_desc, "Find inputs that crash your functions."},
                  {desc, ?DESCRIPTION}]),
    {ok, rebar_state:add_provider(State, Provider)}.

-spec do(rebar_state:t()) ->
    {ok, rebar_state:t()} | {error, {module(), term()}}.
do(State) ->
    case explore(State) of
        ok -> {ok, State};
        {error, Reason} -> {error, {?MODULE, Reason}}
    end.

-spec format_error(term()) -> iolist().
format_error(Reason) ->
    rebar3_erlconcolic_message:text(Reason).

-spec explore(rebar_state:t()) -> ok | {error, term()}.
explore(State) ->
    ok = warn_about_plugins(rebar_state:dir(State)),
    Given = rebar_state:command_parsed_args(State),
    Configured = rebar_state:get(State, erlconcolic, []),
    case rebar3_erlconcolic_options:gather(Given, Configured) of
        {ok, Options} -> explore(State, Options);
        {error, Reason} -> {error, Reason}
    end.

%% rebar3 uses only the first of several lists, without a word.
-spec warn_about_plugins(file:filename()) -> ok.
warn_about_plugins(Folder) ->
    Lists = case file:consult(filename:join(Folder, "rebar.config")) of
                {ok, Terms} -> [List || {project_plugins, List} <- Terms];
                {error, _} -> []
            end,
    case Lists of
        [_, _ | _] ->
            rebar_api:warn("rebar.config has several lists of project_plugins, "
                           "and rebar3 uses only the first. Write one list "
                           "instead.", []);
        _ ->
            ok
    end.

-spec explore(rebar_state:t(), rebar3_erlconcolic_options:options()) ->
    ok | {error, term()}.
explore(State, Options) ->
    Project = rebar3_erlconcolic_project:read(State),
    Arguments = rebar3_erlconcolic_arguments:make(Options, Project),
    Binary = rebar3_erlconcolic_binary:find(maps:get(binary, Options, none)),
    case {Arguments, Binary} of
        {{ok, Words}, {ok, Path}} ->
            Output = maps:get(output, Options, none),
            rebar_api:debug("~ts ~tp", [Path, Words]),
            rebar3_erlconcolic_run:explore(Path, Words, Output);
        {{error, Reason}, _} ->
            {error, Reason};
        {_, {error, Reason}} ->
            {error, Reason}
    end.
