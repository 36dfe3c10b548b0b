%%% Finds the program `erlconcolic': by the option `binary', by the environment
%%% variable, or on the PATH.
-module(rebar3_erlconcolic_binary).

-export([find/1]).

-define(VARIABLE, "ERLCONCOLIC").
-define(NAME, "erlconcolic").

-spec find(none | file:filename()) ->
    {ok, file:filename()} | {error, term()}.
find(none) ->
    case {os:getenv(?VARIABLE, ""), os:find_executable(?NAME)} of
        {[_ | _] = Path, _} -> check(Path, environment);
        {"", false} -> {error, no_binary};
        {"", Path} -> {ok, Path}
    end;
find(Path) ->
    check(Path, option).

%% As in a shell, a name without a folder is searched on the PATH.
-spec check(file:filename(), option | environment) ->
    {ok, file:filename()} | {error, term()}.
check(Path, Origin) ->
    case os:find_executable(Path) of
        false -> {error, {no_binary, Path, Origin}};
        Found -> {ok, filename:absname(Found)}
    end.
