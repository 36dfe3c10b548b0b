%% The sources of OTP's applications, how they are compiled,
%% and their Core Erlang as `erlc +to_core' writes it.
%%
%% Started as `erl -noshell -pa DIR -run otp_corpus main COMMAND ARGUMENT...':
%%
%%   list APPLICATION...
%%       one line each: `otp RELEASE', then for each application
%%       `application NAME', `include FOLDER' and `source FILE';
%%   write FOLDER APPLICATION...
%%       writes FOLDER/APPLICATION/MODULE.core for every source.
-module(otp_corpus).

-export([main/1, sources/1, options/1]).

-spec main([string()]) -> no_return().
main(Arguments) ->
    try
        ok = command(Arguments),
        halt(0)
    catch
        Class:Reason:Stack ->
            io:format(standard_error, "~tp~n", [{Class, Reason, Stack}]),
            halt(2)
    end.

-spec command([string()]) -> ok.
command(["list" | Applications]) ->
    io:format("otp ~ts~n", [erlang:system_info(otp_release)]),
    lists:foreach(fun(Name) -> list(list_to_atom(Name)) end, Applications);
command(["write", Folder | Applications]) ->
    Jobs = [{filename:join(Folder, Name), list_to_atom(Name), Source}
            || Name <- Applications, Source <- sources(list_to_atom(Name))],
    [ok = filelib:ensure_dir(filename:join([Folder, Name, "x"]))
     || Name <- Applications],
    in_parallel(fun write/1, Jobs).

-spec list(atom()) -> ok.
list(Application) ->
    io:format("application ~ts~n", [Application]),
    [io:format("include ~ts~n", [Include])
     || Include <- includes(Application)],
    [io:format("source ~ts~n", [Source]) || Source <- sources(Application)],
    ok.

-spec sources(atom()) -> [file:filename()].
sources(Application) ->
    Folder = filename:join(code:lib_dir(Application), "src"),
    Files = filelib:wildcard("**/*.erl", Folder),
    lists:sort([filename:join(Folder, File) || File <- Files]).

-spec options(atom()) -> [compile:option()].
options(Application) ->
    [{d, 'COMPILER_VSN', "0"}
     | [{i, Include} || Include <- includes(Application)]].

-spec includes(atom()) -> [file:filename()].
includes(Application) ->
    [filename:join(code:lib_dir(Name), Folder)
     || {Name, Folder} <- [{Application, "include"}, {Application, "src"},
                           {kernel, "include"}, {kernel, "src"},
                           {stdlib, "include"}]].

-spec write({file:filename(), atom(), file:filename()}) -> ok.
write({Folder, Application, Source}) ->
    Options = [to_core, binary, return | options(Application)],
    case compile:noenv_file(Source, Options) of
        {ok, _, Core, _} ->
            Name = filename:basename(Source, ".erl") ++ ".core",
            Text = unicode:characters_to_binary(core_pp:format(Core)),
            ok = file:write_file(filename:join(Folder, Name), Text);
        {error, Errors, _} ->
            error({does_not_compile, Source, Errors})
    end.

%% As many in parallel as there are schedulers.
-spec in_parallel(fun((A) -> ok), [A]) -> ok.
in_parallel(Function, Jobs) ->
    {Now, Later} = lists:split(min(length(Jobs), schedulers()), Jobs),
    _ = [start(Function, Job) || Job <- Now],
    go_on(Function, Later, length(Now)).

-spec go_on(fun((A) -> ok), [A], non_neg_integer()) -> ok.
go_on(_Function, [], 0) ->
    ok;
go_on(Function, Jobs, Running) ->
    receive
        {'DOWN', _, process, _, normal} ->
            next(Function, Jobs, Running - 1);
        {'DOWN', _, process, _, Reason} ->
            error(Reason)
    end.

-spec next(fun((A) -> ok), [A], non_neg_integer()) -> ok.
next(Function, [Job | Jobs], Running) ->
    _ = start(Function, Job),
    go_on(Function, Jobs, Running + 1);
next(Function, [], Running) ->
    go_on(Function, [], Running).

-spec start(fun((A) -> ok), A) -> {pid(), reference()}.
start(Function, Job) ->
    spawn_monitor(fun() -> Function(Job) end).

-spec schedulers() -> pos_integer().
schedulers() ->
    erlang:system_info(schedulers_online).
