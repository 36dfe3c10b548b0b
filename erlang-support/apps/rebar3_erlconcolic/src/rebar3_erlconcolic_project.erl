%%% The project as rebar3 knows it: its applications and dependencies, and where
%%% their beams are in the current profile.
-module(rebar3_erlconcolic_project).

-export([read/1]).

-type project() :: rebar3_erlconcolic_arguments:project().
-type application() :: rebar3_erlconcolic_arguments:application().

-spec read(rebar_state:t()) -> project().
read(State) ->
    #{applications => applications(rebar_state:project_apps(State)),
      dependencies => applications(rebar_state:all_deps(State))}.

-spec applications([rebar_app_info:t()]) -> [application()].
applications(Apps) ->
    [application(App) || App <- Apps,
                         filelib:is_dir(rebar_app_info:ebin_dir(App))].

-spec application(rebar_app_info:t()) -> application().
application(App) ->
    Ebin = rebar_app_info:ebin_dir(App),
    Beams = filelib:wildcard("*.beam", Ebin),
    #{name => unicode:characters_to_list(rebar_app_info:name(App)),
      ebin => near(Ebin),
      modules => [filename:basename(Beam, ".beam")
                  || Beam <- lists:sort(Beams)],
      sources => sources(rebar_app_info:dir(App))}.

-spec sources(file:filename()) -> [file:filename()].
sources(Folder) ->
    Folders = [filename:join(Folder, Name) || Name <- ["src", "test"]],
    [near(Sources) || Sources <- Folders,
                      filelib:wildcard("**/*.erl", Sources) =/= []].

%% Relative to the current folder if possible, for shorter messages.
-spec near(file:filename()) -> file:filename().
near(Folder) ->
    {ok, Here} = file:get_cwd(),
    case string:prefix(Folder, Here ++ "/") of
        nomatch -> Folder;
        Below -> Below
    end.
