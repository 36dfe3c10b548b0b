%%% The compiler options in the `rebar.config' and `rebar.config.script' of a
%%% folder, read as rebar3 does, for the default profile. Unreadable parts are
%%% skipped with a warning.
-module(erlconcolic_rebar_config).

-export([exists/1, read/1, terms/1, lines/1, format_error/1]).

-type warnings() :: [erlconcolic_message:message()].

-define(CONFIG, "rebar.config").
-define(SCRIPT, "rebar.config.script").

-spec exists(file:filename()) -> boolean().
exists(Folder) ->
    filelib:is_regular(filename:join(Folder, ?CONFIG))
        orelse filelib:is_regular(filename:join(Folder, ?SCRIPT)).

-spec read(file:filename()) -> {ErlOpts :: [term()], warnings()}.
read(Folder) ->
    {Terms, Warnings} = terms(Folder),
    {Options, OptionWarnings} = erl_opts(filename:join(Folder, ?CONFIG), Terms),
    {Options, Warnings ++ OptionWarnings}.

%% All that is configured.
-spec terms(file:filename()) -> {[term()], warnings()}.
terms(Folder) ->
    {Terms, Warnings} = consult(filename:join(Folder, ?CONFIG)),
    {NewTerms, ScriptWarnings} = evaluate(filename:join(Folder, ?SCRIPT),
                                          Terms),
    {NewTerms, Warnings ++ ScriptWarnings}.

%% The key of each tuple in `rebar.config', and its line.
-spec lines(file:filename()) -> [{Key :: atom(), pos_integer()}].
lines(Folder) ->
    case file:read_file(filename:join(Folder, ?CONFIG)) of
        {ok, Bytes} -> lines_of(unicode:characters_to_list(Bytes));
        {error, _} -> []
    end.

-spec lines_of(string() | tuple()) -> [{atom(), pos_integer()}].
lines_of(Text) when is_list(Text) ->
    case erl_scan:string(Text) of
        {ok, Tokens, _End} -> keys(Tokens);
        {error, _, _} -> []
    end;
lines_of(_NoText) ->
    [].

-spec keys([erl_scan:token()]) -> [{atom(), pos_integer()}].
keys([{'{', _}, {atom, Line, Key} | Rest]) -> [{Key, Line} | next(Rest)];
keys(Tokens) -> next(Tokens).

%% After the next dot.
-spec next([erl_scan:token()]) -> [{atom(), pos_integer()}].
next([{dot, _} | Rest]) -> keys(Rest);
next([_ | Rest]) -> next(Rest);
next([]) -> [].

-spec consult(file:filename()) -> {[term()], warnings()}.
consult(File) ->
    try file:consult(File) of
        {ok, Terms} -> {Terms, []};
        {error, enoent} -> {[], []};
        {error, tokens} -> {[], [no_text(File)]};
        {error, Reason} -> {[], [unreadable(File, Reason)]}
    catch
        error:_ -> {[], [no_text(File)]}
    end.

-spec evaluate(file:filename(), [term()]) -> {[term()], warnings()}.
evaluate(Script, Terms) ->
    try file:script(Script, [{'CONFIG', Terms}, {'SCRIPT', Script}]) of
        {ok, NewTerms} when is_list(NewTerms) ->
            {NewTerms, []};
        {ok, _} ->
            {Terms, [warning(Script, "ignored: its value is not a list")]};
        {error, enoent} ->
            {Terms, []};
        {error, Reason} ->
            {Terms, [unreadable(Script, Reason)]}
    catch
        error:_ ->
            {Terms, [no_text(Script)]}
    end.

%% OTP fails if a file does not have the expected encoding, or returns an error
%% that says nothing.
-spec no_text(file:filename()) -> erlconcolic_message:message().
no_text(File) ->
    warning(File, "ignored: it is not text in UTF-8").

-spec erl_opts(file:filename(), [term()]) -> {[term()], warnings()}.
erl_opts(File, Terms) ->
    case proplists:get_value(erl_opts, Terms, []) of
        Options when length(Options) >= 0 ->
            Expanded = [platform_define(File, Option) || Option <- Options],
            {[Option || {ok, Options1} <- Expanded, Option <- Options1],
             [Warning || {warning, Warning} <- Expanded]};
        _ ->
            {[], [warning(File, "ignored: erl_opts is not a list")]}
    end.

-spec platform_define(file:filename(), term()) ->
    {ok, [term()]} | {warning, erlconcolic_message:message()}.
platform_define(File, {platform_define, Pattern, Macro}) ->
    platform_define(File, Pattern, {d, Macro});
platform_define(File, {platform_define, Pattern, Macro, Value}) ->
    platform_define(File, Pattern, {d, Macro, Value});
platform_define(_File, Option) ->
    {ok, [Option]}.

-spec platform_define(file:filename(), term(), term()) ->
    {ok, [term()]} | {warning, erlconcolic_message:message()}.
platform_define(File, Pattern, Define) ->
    try re:run(platform(), Pattern, [{capture, none}]) of
        match -> {ok, [Define]};
        nomatch -> {ok, []}
    catch
        error:_ ->
            Text = io_lib:format("ignored: ~tp is not a regular expression",
                                 [Pattern]),
            {warning, warning(File, Text)}
    end.

%% The text that rebar3 matches with the pattern of a `platform_define'.
-spec platform() -> string().
platform() ->
    {Family, _} = os:type(),
    WordSize = 8 * erlang:system_info({wordsize, external}),
    lists:flatten(
        lists:join("-", [otp_version(),
                         erlang:system_info(system_architecture),
                         integer_to_list(WordSize),
                         atom_to_list(Family)])).

-spec otp_version() -> string().
otp_version() ->
    Release = erlang:system_info(otp_release),
    File = filename:join([code:root_dir(), "releases", Release,
                          "OTP_VERSION"]),
    case file:read_file(File) of
        {ok, Version} -> string:trim(binary_to_list(Version), both, "*\n");
        {error, _} -> Release
    end.

-spec unreadable(file:filename(), term()) -> erlconcolic_message:message().
unreadable(File, Reason) when is_atom(Reason) ->
    warning(File, ["ignored: ", file:format_error(Reason)]);
unreadable(Script, {Line, file, {Class, Reason, _Stack}}) ->
    unreadable(Script, {Line, ?MODULE, {Class, Reason}});
unreadable(File, Reason) ->
    Warnings = [{File, [Reason]}],
    [Warning] = erlconcolic_message:from_compiler(warning, Warnings),
    Warning.

%% For an exception in a script.
-spec format_error({Class :: atom(), Reason :: term()}) -> io_lib:chars().
format_error({Class, Reason}) ->
    io_lib:format("ignored: it raised ~tp of class ~tp", [Reason, Class]).

-spec warning(file:filename(), unicode:chardata()) ->
    erlconcolic_message:message().
warning(File, Text) ->
    erlconcolic_message:new(warning, File, Text).
