%%% Where the compiled modules are that a module of Elixir needs: beside it, in
%%% the `_build' of its Mix project, and in Elixir itself.
-module(erlconcolic_elixir_path).

-export([is_elixir/1, consolidated/1, folders/1, of_executable/1]).

-type folder() :: file:filename().

%% Whether a file is a compiled module of Elixir.
-spec is_elixir(file:filename()) -> boolean().
is_elixir(File) ->
    lists:prefix("Elixir.", filename:basename(File))
        andalso filename:extension(File) =:= ".beam".

%% The folders of modules of Elixir.
-spec own([file:filename()]) -> [folder()].
own(Files) ->
    lists:usort([filename:dirname(File) || File <- Files, is_elixir(File)]).

%% The folders of the consolidated protocols of a project, which take the place
%% of others.
-spec consolidated([file:filename()]) -> [folder()].
consolidated(Files) ->
    Own = own(Files),
    Above = [filename:dirname(Folder) || Folder <- Own ++ builds(Own)],
    Folders = [filename:join(Folder, "consolidated") || Folder <- Above],
    lists:filter(fun filelib:is_dir/1, Folders).

%% The folders of all other modules that some need.
-spec folders([file:filename()]) -> [folder()].
folders(Files) ->
    case own(Files) of
        [] ->
            [];
        Own ->
            Others = lists:append([wildcard("*/ebin", Build)
                                   || Build <- builds(Own)]),
            Own ++ (Others -- Own) ++ own_elixir()
    end.

-spec wildcard(string(), folder()) -> [folder()].
wildcard(Pattern, Folder) ->
    [filename:join(Folder, Found)
     || Found <- filelib:wildcard(Pattern, Folder)].

-spec builds([folder()]) -> [folder()].
builds(Own) ->
    lists:usort(lists:flatmap(fun build/1, Own)).

%% `_build/dev/lib' for `_build/dev/lib/app/ebin'.
-spec build(folder()) -> [folder()].
build(Folder) ->
    case lists:reverse(filename:split(filename:absname(Folder))) of
        ["ebin", _App, "lib", _Env, "_build" | _] ->
            [filename:dirname(filename:dirname(filename:absname(Folder)))];
        _ ->
            []
    end.

%% Elixir may be on the code path already.
-spec own_elixir() -> [folder()].
own_elixir() ->
    case code:which('Elixir.Kernel') of
        Path when is_list(Path), Path =/= [] ->
            applications(filename:dirname(Path));
        _ ->
            case os:find_executable("elixir") of
                false -> [];
                Executable -> of_executable(Executable)
            end
    end.

%% `elixir' is a link to a script beside Elixir's folder `lib'. It may also be
%% a script of a version manager, which is asked.
-spec of_executable(file:filename()) -> [folder()].
of_executable(Executable) ->
    Root = filename:dirname(filename:dirname(resolved(Executable, 40))),
    Known = [filename:join([Root, "lib", "elixir", "ebin"]),
             filename:join([Root, "lib", "elixir", "lib", "elixir", "ebin"])],
    case lists:filter(fun has_elixir/1, Known) of
        [Folder | _] -> applications(Folder);
        [] -> asked(Executable)
    end.

-spec asked(file:filename()) -> [folder()].
asked(Executable) ->
    Port = open_port({spawn_executable, Executable},
                     [exit_status, stderr_to_stdout, binary,
                      {args, ["-e", "IO.write(:code.lib_dir(:elixir))"]}]),
    Folder = filename:join(unicode:characters_to_list(output(Port, <<>>)),
                           "ebin"),
    [Found || has_elixir(Folder), Found <- applications(Folder)].

-spec output(port(), binary()) -> binary().
output(Port, Output) ->
    receive
        {Port, {data, Data}} -> output(Port, <<Output/binary, Data/binary>>);
        {Port, {exit_status, _}} -> Output
    after 20000 ->
        <<>>
    end.

-spec has_elixir(folder()) -> boolean().
has_elixir(Folder) ->
    filelib:is_regular(filename:join(Folder, "Elixir.Kernel.beam")).

%% The folders of Elixir's applications, given that of `elixir' itself.
-spec applications(folder()) -> [folder()].
applications(Folder) ->
    Beside = filename:dirname(filename:dirname(Folder)),
    Others = [filename:join([Beside, Name, "ebin"])
              || Name <- ["logger", "eex", "ex_unit", "mix"]],
    [Folder | lists:filter(fun filelib:is_dir/1, Others)].

-spec resolved(file:filename(), non_neg_integer()) -> file:filename().
resolved(File, 0) ->
    File;
resolved(File, Links) ->
    case file:read_link(File) of
        {ok, Target} ->
            Next = filename:absname(Target, filename:dirname(File)),
            resolved(without_dots(Next), Links - 1);
        {error, _} ->
            File
    end.

-spec without_dots(file:filename()) -> file:filename().
without_dots(File) ->
    Parts = lists:foldl(fun("..", [_ | Above]) -> Above;
                           (".", Above) -> Above;
                           (Part, Above) -> [Part | Above]
                        end, [], filename:split(File)),
    filename:join(lists:reverse(Parts)).
