%%% Compiles Erlang source files and beams to Core Erlang text, and Core Erlang
%%% text to beams.
-module(erlconcolic_compile).

-export([load_compiler/0, to_core/2, to_code/1]).
-export([from_core/2, from_core/4, renamed/2, load/3]).

-define(EMPTY_MODULE, <<"module 'm' [] attributes []">>).

%% Bytes of text that are read at once.
-define(PIECE_SIZE, 100_000).

%% Code with more text than this, in bytes, is optimised less. The text of an
%% original has the position of each node.
-define(LARGE_TEXT, 500_000).
-define(LARGE_ORIGINAL, 2_000_000).

-type message() :: erlconcolic_message:message().
-type errors() :: {error, [message()]}.
-type compiled() :: {ok, #{module := module(), beam := binary()}} | errors().
-type effort() :: usual | quick.

%% Loads the compiler at once, which takes half as long as loading its modules
%% one by one when they are needed.
-spec load_compiler() -> ok.
load_compiler() ->
    _ = application:load(compiler),
    {ok, Modules} = application:get_key(compiler, modules),
    _ = code:ensure_modules_loaded(Modules),
    ok.

-spec to_core(Path :: binary(), erlconcolic_project:context()) ->
    {ok, #{module := module(), core := binary(), source := binary(),
           warnings := [message()]}} | errors().
to_core(Path, Context) ->
    File = unicode:characters_to_list(Path),
    case filename:extension(File) of
        ".erl" -> kept(source_to_core(File, Context));
        ".beam" -> result(erlconcolic_beam:to_core(File));
        _ -> errors(File, "neither an .erl nor a .beam file")
    end.

%% The code of a module from the text that to_core/2 returned, if the tree of
%% the module is still kept. Optimisation does not change what code means, and
%% for a large module it takes most of the time.
-spec to_code(Text :: binary()) -> compiled() | {ok, none}.
to_code(Text) ->
    case erlconcolic_trees:take(Text) of
        {ok, Core} when byte_size(Text) > ?LARGE_ORIGINAL ->
            Quick = effort_options(quick, byte_size(Text)),
            Result = compiled(erlconcolic_core_code:compile(Core, Quick)),
            case is_loadable(Result) of
                true -> Result;
                false -> compiled(erlconcolic_core_code:compile(Core, []))
            end;
        {ok, Core} ->
            compiled(erlconcolic_core_code:compile(Core, []));
        none ->
            {ok, none}
    end.

%% Scans the text byte by byte, as `erlc +from_core' does. Messages have no
%% path, because there is no file.
-spec from_core(Text :: binary(), effort()) -> compiled().
from_core(Text, Effort) ->
    from_core(Text, Effort, core_scan, compile).

%% If fast compilation fails, or the emulator rejects its result, compiles as
%% usual.
-spec from_core(Text :: binary(), effort(), Scanner :: module(),
                Compiler :: module()) -> compiled().
from_core(Text, Effort, Scanner, Compiler) ->
    Result = compiled(compile_text(Text, Effort, Scanner, Compiler)),
    case Effort =:= usual orelse is_loadable(Result) of
        true -> Result;
        false -> from_core(Text, usual, Scanner, Compiler)
    end.

%% The code of a module of the user, in which some have other names.
-spec renamed(Text :: binary(), [erlconcolic_renaming:renaming()]) ->
    compiled().
renamed(Text, Renamings) ->
    Result = case parse_core(Text, core_scan) of
                 {ok, Core} ->
                     Renamed = erlconcolic_renaming:rename(Core, Renamings),
                     Options = [from_core, binary, return],
                     compile:noenv_forms(Renamed, Options);
                 {error, Info} ->
                     {error, [{"", [Info]}], []}
             end,
    compiled(Result).

-spec is_loadable(compiled()) -> boolean().
is_loadable({ok, #{module := Module, beam := Beam}}) ->
    _ = logger:add_primary_filter(?MODULE, {fun filter/2, []}),
    case code:prepare_loading([{Module, "", Beam}]) of
        {ok, _Prepared} -> true;
        {error, _Reasons} -> false
    end;
is_loadable({error, _}) ->
    false.

%% Otherwise the emulator logs why it rejects code.
-spec filter(logger:log_event(), term()) -> logger:filter_return().
filter(#{meta := #{error_logger := #{emulator := true}}}, _) -> stop;
filter(_, _) -> ignore.

%% Skips passes that take a third of the time and make instrumented code hardly
%% faster. Their names are not documented, but the compiler ignores unknown
%% ones. In large functions, the time of some passes grows faster than the code.
-spec effort_options(effort(), Size :: non_neg_integer()) ->
    [compile:option()].
effort_options(usual, _Size) ->
    [];
effort_options(quick, Size) when Size > ?LARGE_TEXT ->
    [no_bool_opt | effort_options(quick, 0)];
effort_options(quick, _Size) ->
    [no_ssa_opt, no_share_opt, no_bsm_opt, no_recv_opt, no_throw_opt].

%% Instrumented code is made from code that the compiler has checked. Scanner
%% and parser are not documented: without them, the compiler reads a file.
-spec compile_text(binary(), effort(), module(), module()) -> term().
compile_text(Text, Effort, Scanner, Compiler) ->
    Options = effort_options(Effort, byte_size(Text)),
    FromCore = [from_core, binary, return | Options],
    case code:ensure_loaded(Scanner) of
        {module, Scanner} ->
            case parse_core(Text, Scanner) of
                {ok, Core} when Compiler =:= compile, Effort =:= quick ->
                    case has_old_receive(Text, Core) of
                        true -> Compiler:noenv_forms(Core, FromCore);
                        false -> erlconcolic_core_code:compile(Core, Options)
                    end;
                {ok, Core} ->
                    Compiler:noenv_forms(Core, FromCore);
                {error, Info} ->
                    {error, [{"", [Info]}], []}
            end;
        {error, _} ->
            in_file(Text, fun(Name) -> Compiler:noenv_file(Name, FromCore) end)
    end.

%% Whether code has the form of `receive' that compilers before OTP 23 write,
%% which needs a pass that only `from_core' runs.
-spec has_old_receive(binary(), cerl:c_module()) -> boolean().
has_old_receive(Text, Core) ->
    IsReceive = fun(Node, Found) -> Found orelse cerl:is_c_receive(Node) end,
    binary:match(Text, <<"receive">>) =/= nomatch
        andalso cerl_trees:fold(IsReceive, false, Core).

-spec compiled(term()) -> compiled().
compiled(Result) ->
    case erlconcolic_message:from_result("", Result) of
        {ok, Module, Beam, _Warnings} ->
            {ok, #{module => Module, beam => Beam}};
        {error, Messages} ->
            {error, [setelement(2, Message, <<>>) || Message <- Messages]}
    end.

-spec in_file(binary(), fun((file:filename()) -> Result)) -> Result.
in_file(Text, Use) ->
    Unique = io_lib:format("erlconcolic-~s-~b", [os:getpid(),
                                                 unique_number()]),
    Name = filename:join(filename:basedir(user_cache, "erlconcolic"), Unique),
    File = Name ++ ".core",
    try
        ok = filelib:ensure_dir(File),
        ok = file:write_file(File, Text),
        Use(lists:flatten(Name))
    after
        _ = file:delete(File)
    end.

-spec unique_number() -> pos_integer().
unique_number() ->
    erlang:unique_integer([positive]).

%% May also replace a module of OTP.
-spec load(module(), FileName :: binary(), Beam :: binary()) ->
    {ok, module()} | errors().
load(Module, FileName, Beam) ->
    File = unicode:characters_to_list(FileName),
    _ = code:is_sticky(Module) andalso code:unstick_mod(Module),
    case code:load_binary(Module, File, Beam) of
        {module, Module} ->
            {ok, Module};
        {error, Reason} ->
            errors(File, io_lib:format("cannot be loaded: ~tp", [Reason]))
    end.

%% Keeps the tree of a source, whose code will be needed; a beam has its code.
-spec kept({ok, module(), cerl:cerl(), file:filename(), [message()]}
           | errors()) ->
    {ok, #{module := module(), core := binary(), source := binary(),
           warnings := [message()]}} | errors().
kept(Compiled) ->
    Result = result(Compiled),
    case {Compiled, Result} of
        {{ok, _, Core, _, _}, {ok, #{core := Text}}} ->
            ok = erlconcolic_trees:keep(Text, Core);
        {{error, _}, {error, _}} ->
            ok
    end,
    Result.

-spec result({ok, module(), cerl:cerl(), file:filename(), [message()]}
             | errors()) ->
    {ok, #{module := module(), core := binary(), source := binary(),
           warnings := [message()]}} | errors().
result({ok, Module, Core, Source, Warnings}) ->
    {ok, #{module => Module,
           core => erlconcolic_core_text:print(
                     erlconcolic_native_records:as_calls(Core)),
           source => unicode:characters_to_binary(Source),
           warnings => Warnings}};
result({error, Messages}) ->
    {error, Messages}.

-spec source_to_core(file:filename(), erlconcolic_project:context()) ->
    {ok, module(), cerl:cerl(), file:filename(), [message()]} | errors().
source_to_core(File, Context) ->
    Options = [to_core, no_spawn_compiler_process],
    case erlconcolic_transforms:compile_file(File, Options, Context) of
        {ok, Module, Core, Warnings} -> {ok, Module, Core, File, Warnings};
        {error, Messages} -> {error, Messages}
    end.

%% The characters and tokens of a text take a hundred times its size. So it is
%% read piece by piece, if there is an empty line before each function.
-spec parse_core(binary(), module()) ->
    {ok, cerl:c_module()} | {error, term()}.
parse_core(Text, Scanner) ->
    case binary:split(Text, <<"\n\n">>, [global]) of
        [Head | [_, _ | _] = Rest] ->
            Pieces = pieces(lists:droplast(Rest)),
            case parse_pieces(Head, Pieces, lists:last(Rest), Scanner) of
                {ok, Core} -> {ok, Core};
                error -> parse_text(Text, Scanner)
            end;
        _ ->
            parse_text(Text, Scanner)
    end.

-spec parse_pieces(binary(), [iodata()], binary(), module()) ->
    {ok, cerl:c_module()} | error.
parse_pieces(Head, Pieces, End, Scanner) ->
    Parse = fun(Start, Piece) ->
                    Text = iolist_to_binary([Start, $\n, Piece, $\n, End]),
                    {ok, Core} = parse_text(Text, Scanner),
                    Core
            end,
    try
        Module = Parse(Head, []),
        Definitions = [cerl:module_defs(Parse(?EMPTY_MODULE, Piece))
                       || Piece <- Pieces],
        {ok, cerl:update_c_module(Module, cerl:module_name(Module),
                                  cerl:module_exports(Module),
                                  cerl:module_attrs(Module),
                                  lists:append(Definitions))}
    catch
        error:_ -> error
    end.

%% Joins functions to pieces of some size.
-spec pieces([binary()]) -> [iodata()].
pieces(Functions) ->
    pieces(Functions, [], 0).

-spec pieces([binary()], iodata(), non_neg_integer()) -> [iodata()].
pieces([], Piece, _Size) ->
    [Piece];
pieces(Functions, Piece, Size) when Size > ?PIECE_SIZE ->
    [Piece | pieces(Functions, [], 0)];
pieces([Function | Functions], Piece, Size) ->
    pieces(Functions, [Piece, $\n, Function], Size + byte_size(Function)).

-spec parse_text(binary(), module()) ->
    {ok, cerl:c_module()} | {error, term()}.
parse_text(Text, Scanner) ->
    case Scanner:string(binary_to_list(Text)) of
        {ok, Tokens, _End} -> core_parse:parse(Tokens);
        {error, Info, _End} -> {error, Info}
    end.

-spec errors(file:filename(), unicode:chardata()) -> errors().
errors(File, Text) ->
    {error, [erlconcolic_message:new(error, File, Text)]}.
