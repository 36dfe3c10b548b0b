%%% Where the code of a module is.
-module(erlconcolic_code_place).

-export([is_of_system/1, needed/1, which/1]).

%% The applications whose modules a node cannot do without. Their folders are
%% sticky.
-define(NEEDED, [kernel, stdlib, compiler]).

%% Those of these names that modules have which a node itself needs. A module of
%% the user with such a name must be loaded under another one; it may replace
%% all other modules, also those of other applications of OTP.
-spec needed([module()]) -> [module()].
needed(Names) ->
    Modules = maps:from_keys(
                erlang:pre_loaded() ++ lists:flatmap(fun modules/1, ?NEEDED),
                []),
    [Name || Name <- Names, is_map_key(Name, Modules)].

-spec modules(Application :: atom()) -> [module()].
modules(Application) ->
    _ = application:load(Application),
    {ok, Modules} = application:get_key(Application, modules),
    Modules.

%% Whether a module belongs to Erlang itself. It is the one that is loaded, or
%% else the one that would be.
-spec is_of_system(module()) -> boolean().
is_of_system(Module) ->
    case code:which(Module) of
        preloaded -> true;
        Path when is_list(Path) -> lists:prefix(code:lib_dir(), Path);
        _ -> false
    end.

%% The file that a module would be loaded from.
-spec which(module()) -> {ok, Path :: binary()} | none.
which(Module) ->
    case code:which(Module) of
        Path when is_list(Path), Path =/= [] ->
            {ok, unicode:characters_to_binary(Path)};
        _ ->
            none
    end.
