%%% The arguments of the program: `explore', the beams of the project, the
%%% functions to explore, and all other options as they are.
-module(rebar3_erlconcolic_arguments).

-export([make/2]).

-export_type([project/0, application/0]).

%% Options that only the plugin uses, or that it passes on in another form.
-define(OWN, [app, all, module, machine, calls, entry, exclude, deps, output,
              binary, pa, eunit_tests]).

-type options() :: rebar3_erlconcolic_options:options().

-type application() ::
    #{name := string(), ebin := file:filename(), modules := [string()],
      %% The folders with its sources and tests.
      sources := [file:filename()]}.

-type project() ::
    #{applications := [application()],
      dependencies := [application()]}.

-spec make(options(), project()) -> {ok, [string()]} | {error, term()}.
make(#{eunit_tests := true} = Options, Project) ->
    with_tests(Options, Project);
make(Options, Project) ->
    case {followed(Options, Project), which(Options, Project)} of
        {[], _} ->
            {error, no_modules};
        {_, {error, Reason}} ->
            {error, Reason};
        {Ebins, {ok, Which}} ->
            {ok, ["explore" | Ebins] ++ code_paths(Options, Project) ++ Which
                 ++ passed_on(maps:without(?OWN, Options))}
    end.

%% Tests may be in the modules themselves, so these are compiled again.
-spec with_tests(options(), project()) -> {ok, [string()]} | {error, term()}.
with_tests(Options, #{applications := Own} = Project) ->
    Chosen = case Options of
                 #{app := Names} -> chosen(Names, Own);
                 #{} -> Own
             end,
    case {lists:append([Sources || #{sources := Sources} <- Chosen]),
          which(Options, Project)} of
        {[], _} ->
            {error, no_modules};
        {_, {error, Reason}} ->
            {error, Reason};
        {Sources, {ok, _}} ->
            Named = words(named(Options)),
            All = ["--all" || is_map_key(all, Options)],
            {ok, ["eunit" | Sources] ++ code_paths(Options, Project) ++ Named
                 ++ All ++ excluded(Options)
                 ++ passed_on(maps:without(?OWN, Options))}
    end.

%% The folders whose modules are instrumented.
-spec followed(options(), project()) -> [file:filename()].
followed(#{deps := true}, #{applications := Own, dependencies := Others}) ->
    with_modules(Own ++ Others);
followed(#{}, #{applications := Own}) ->
    with_modules(Own).

-spec with_modules([application()]) -> [file:filename()].
with_modules(Applications) ->
    [Ebin || #{ebin := Ebin, modules := [_ | _]} <- Applications].

-spec code_paths(options(), project()) -> [string()].
code_paths(Options, #{applications := Own, dependencies := Others}) ->
    More = maps:get(pa, Options, []),
    Ebins = [Ebin || #{ebin := Ebin} <- Own ++ Others],
    words([{"--pa", Folder} || Folder <- More ++ Ebins]).

%% The functions to explore.
-spec which(options(), project()) -> {ok, [string()]} | {error, term()}.
which(Options, #{applications := Own} = Project) ->
    Names = maps:get(app, Options, []),
    Known = [Name || #{name := Name} <- Own],
    Named = named(Options),
    case {[Name || Name <- Names, not lists:member(Name, Known)], Names} of
        {[Missing | _], _} ->
            {error, {no_application, Missing, Known}};
        {[], []} when Named =/= [], not is_map_key(all, Options) ->
            {ok, words(Named) ++ excluded(Options)};
        {[], []} ->
            {ok, words(Named) ++ everything(Options, Project)};
        {[], _} ->
            {ok, words(Named) ++ modules(chosen(Names, Own))
                 ++ excluded(Options)}
    end.

-spec named(options()) -> [{string(), string()}].
named(Options) ->
    [{"--entry", Entry} || Entry <- maps:get(entry, Options, [])]
        ++ [{"--module", Module} || Module <- maps:get(module, Options, [])]
        ++ [{"--machine", Module} || Module <- maps:get(machine, Options, [])]
        ++ [{"--calls", Module} || Module <- maps:get(calls, Options, [])].

%% The program explains why this does not go together.
-spec excluded(options()) -> [string()].
excluded(Options) ->
    words([{"--exclude", Module} || Module <- maps:get(exclude, Options, [])]).

%% The program's --all means all modules it gets, dependencies included.
-spec everything(options(), project()) -> [string()].
everything(#{deps := true} = Options, #{applications := Own}) ->
    Excluded = maps:get(exclude, Options, []),
    modules([Application#{modules := Modules -- Excluded}
             || #{modules := Modules} = Application <- Own]);
everything(Options, #{}) ->
    ["--all" | excluded(Options)].

-spec chosen([string()], [application()]) -> [application()].
chosen(Names, Applications) ->
    [Application || #{name := Name} = Application <- Applications,
                    lists:member(Name, Names)].

-spec modules([application()]) -> [string()].
modules(Applications) ->
    words([{"--module", quoted(Module)}
           || #{modules := Modules} <- Applications, Module <- Modules]).

%% In Erlang syntax, because the name of a module may contain quotes.
-spec quoted(string()) -> string().
quoted(Module) ->
    lists:flatten(io_lib:format("~tw", [list_to_atom(Module)])).

-spec words([{string(), string()}]) -> [string()].
words(Pairs) ->
    lists:flatmap(fun option/1, Pairs).

%% Otherwise a value that begins with a dash would look like an option.
-spec option({string(), string()}) -> [string()].
option({Option, "-" ++ _ = Value}) -> [Option ++ "=" ++ Value];
option({Option, Value}) -> [Option, Value].

%% In the order of rebar3_erlconcolic_options:all/0.
-spec passed_on(options()) -> [string()].
passed_on(Options) ->
    lists:append([argument(Name, maps:get(Name, Options))
                  || {Name, _, _} <- rebar3_erlconcolic_options:all(),
                     is_map_key(Name, Options)]).

-spec argument(atom(), true | string() | [string()]) -> [string()].
argument(Name, Value) ->
    Option = "--" ++ rebar3_erlconcolic_options:word(Name),
    case Value of
        true -> [Option];
        [[_ | _] | _] -> words([{Option, Text} || Text <- Value]);
        Text -> option({Option, Text})
    end.
