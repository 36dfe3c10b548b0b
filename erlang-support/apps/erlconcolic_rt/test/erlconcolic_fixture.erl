%%% Temporary folders with files, and shorthands for the tests.
-module(erlconcolic_fixture).

-export([in_folder/2, write/2, write_beam/3, unique_name/1]).
-export([start_transforms/0, configure/1, configure/2, to_core/2, run_core/2]).

-type files() :: [{Path :: string(), Text :: unicode:chardata()}].

%% Runs a test in a folder of its own that holds these files.
-spec in_folder(files(), fun((Folder :: string()) -> Result)) -> Result.
in_folder(Files, Test) ->
    Parent = os:getenv("TMPDIR", "/tmp"),
    Name = unique_name("erlconcolic-" ++ os:getpid() ++ "-"),
    Folder = filename:join(Parent, Name),
    try
        ok = file:make_dir(Folder),
        ok = write(Folder, Files),
        Test(Folder)
    after
        file:del_dir_r(Folder)
    end.

-spec write(string(), files()) -> ok.
write(Folder, Files) ->
    lists:foreach(fun({Path, Text}) ->
                          File = filename:join(Folder, Path),
                          ok = filelib:ensure_dir(File),
                          ok = file:write_file(File, bytes(Text))
                  end, Files).

%% Bytes that are not text are written as they are.
-spec bytes(unicode:chardata()) -> binary().
bytes(Text) ->
    case unicode:characters_to_binary(Text) of
        Bytes when is_binary(Bytes) -> Bytes;
        _ -> iolist_to_binary(Text)
    end.

%% Compiles a source to a beam next to it and returns the path of the beam.
-spec write_beam(string(), string(), [term()]) -> string().
write_beam(Folder, Path, Options) ->
    Source = filename:join(Folder, Path),
    {ok, _, Beam} = compile:noenv_file(Source, [binary | Options]),
    File = filename:rootname(Source) ++ ".beam",
    ok = file:write_file(File, Beam),
    File.

-spec unique_name(string()) -> string().
unique_name(Prefix) ->
    Prefix ++ integer_to_list(erlang:unique_integer([positive])).

-spec start_transforms() -> ok.
start_transforms() ->
    case erlconcolic_transforms:start_link() of
        {ok, Pid} -> true = unlink(Pid), ok;
        {error, {already_started, _}} -> ok
    end.

%% A context for these sources.
-spec configure([string()]) -> erlconcolic_project:context().
configure(Sources) ->
    {ok, Context, []} = configure(Sources, #{}),
    Context.

-spec configure([string()], map()) ->
    {ok, erlconcolic_project:context(), [erlconcolic_message:message()]}
  | {error, [erlconcolic_message:message()]}.
configure(Sources, More) ->
    Paths = [unicode:characters_to_binary(Source) || Source <- Sources],
    Request = #{sources => Paths, includes => [], defines => [],
                code_paths => []},
    erlconcolic_project:configure(maps:merge(Request, More)).

-spec to_core(string(), erlconcolic_project:context()) ->
    {ok, map()} | {error, [erlconcolic_message:message()]}.
to_core(File, Context) ->
    ok = start_transforms(),
    erlconcolic_compile:to_core(unicode:characters_to_binary(File), Context).

%% Compiles and loads a text and returns the result of a function.
-spec run_core(binary(), atom()) -> term().
run_core(Text, Function) ->
    {ok, #{module := Module, beam := Beam}} =
        erlconcolic_compile:from_core(Text, usual),
    {ok, Module} = erlconcolic_compile:load(Module, <<"from.core">>, Beam),
    Module:Function().
