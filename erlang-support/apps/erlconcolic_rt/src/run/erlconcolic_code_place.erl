%%% Where the code of a module is.
-module(erlconcolic_code_place).

-export([is_of_system/1, which/1]).

%% Whether a module belongs to Erlang itself, so that the runtime may need it.
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
