%%% The helper's end of the channel to the program that started it, a port with
%%% packets of four bytes length. That program passes `priv/bootstrap.expr' to
%%% `erl -eval'. The expression opens file descriptors 3 (in) and 4 (out), loads
%%% the modules of this application from the first packet, a list of `{Module,
%%% FileName, Beam}', and calls serve/1. It compiles beams that are too new for
%%% this OTP again, from their debug information.
%%%
%%% All other packets are terms in external format: requests `{Id, Command}'
%%% and answers `{Id, Result}', which come in any order. A Result is
%%% `{ok, Value}' or `{error, Messages}', see erlconcolic_message. Some commands
%%% send any number of `{Id, {part, Part}}' before. Strings are UTF-8 binaries.
%%% Commands:
%%%
%%% ping                       #{otp_release, erts, root}
%%% {configure, Request}       warnings; see erlconcolic_project:request()
%%% load_compiler              ok, after loading the compiler
%%% {to_core, Path}            #{module, core, source, warnings}
%%% {to_code, Text}            #{module, beam} of a text that `to_core' gave, or
%%%                            none if its tree is no longer kept
%%% {from_core, Text, Effort}  #{module, beam}
%%% {from_tokens, Pieces, Size} the same, or none if it must be made from text
%%% {load, Module, File, Beam} Module
%%% {which, Module}            the path of its code
%%% {needed, Modules}          those with names that no module of the user may
%%%                            be loaded under; see erlconcolic_code_place
%%% {rename, Text, Renamings}  #{module, beam} of Core Erlang; see
%%%                            erlconcolic_renaming:renaming()
%%% {arguments, Text}          the list that the text denotes
%%% {elixir_arguments, Text}   the same for a text in Elixir
%%% {rebar_plugin, Folder, Plugin}
%%%                            erlconcolic_rebar_plugins:answer(), or none
%%% {types, Request}           erlconcolic_types:answer(); see its request()
%%% {call_types, Request}      erlconcolic_call_types:answer()
%%% {follow, Modules}          ok; see erlconcolic_follow:request()
%%% {alias, Aliases}           ok; see erlconcolic_alias:alias()
%%% {missing, Modules}         ok; see erlconcolic_missing
%%% library                    erlconcolic_library:copy()
%%% {library, Place}           ok; see erlconcolic_library:place()
%%% {steps, Steps}             ok; see erlconcolic_steps
%%% rules                      erlconcolic_atoms:rules()
%%% atoms                      all atoms in the order of the table of atoms
%%% {atoms, Atoms}             whether they are in this order
%%% {boot_file, Atoms}         erlconcolic_atoms:boot_file()
%%% {run, Request}             erlconcolic_run:answer(); see its request();
%%%                            parts, and `logs' of the answer, are
%%%                            {log, ProcessIndex, Bytes}, see
%%%                            erlconcolic_collector for the index; `node' of
%%%                            the answer is `spoiled' if the run changed the
%%%                            node and the change cannot be undone, otherwise
%%%                            `kept'
%%%
%%% {cluster, Options}         none: erlconcolic_cluster takes the channel over
%%%
%%% When the other end closes, this node halts.
-module(erlconcolic_channel).

-export([serve/1, output/2]).

-define(BACKTRACE_DEPTH, 40).

-type context() :: erlconcolic_project:context().
-type result() :: erlconcolic_jobs:result().

-spec serve(port()) -> no_return().
serve(Port) ->
    process_flag(trap_exit, true),
    {ok, Transforms} = erlconcolic_transforms:start_link(),
    ok = erlconcolic_trees:start(),
    Output = output(Port, "/dev/fd/4"),
    Answer = fun(Id, Result) -> send(Output, {Id, Result}) end,
    loop({Port, Transforms, Output},
         erlconcolic_jobs:new(
                   #{limit => erlang:system_info(schedulers_online),
                     run => fun run/3,
                     answer => Answer,
                     context => erlconcolic_project:new()})).

%% To a port on descriptors the emulator writes in a separate thread, which
%% costs several thread switches for every answer. To a file that it opened by
%% name it writes directly. Ports on files are not documented.
-dialyzer({nowarn_function, output/2}).
-spec output(port(), file:filename()) -> port().
output(Port, File) ->
    try
        open_port(File, [out, binary, {packet, 4}])
    catch
        error:_ -> Port
    end.

%% A program under test may send anything to any process.
-spec loop({port(), pid(), port()}, erlconcolic_jobs:jobs()) -> no_return().
loop({Port, Transforms, Output} = Partners, Jobs) ->
    receive
        {Port, {data, Packet}} ->
            case decode(Packet) of
                {_, {cluster, Options}} ->
                    Send = fun(Term) -> send(Output, Term) end,
                    erlconcolic_cluster:serve(Port, Send, Options);
                {Id, Command} ->
                    loop(Partners, erlconcolic_jobs:add(Id, Command, Jobs))
            end;
        {'DOWN', Monitor, process, _, Reason} ->
            loop(Partners, erlconcolic_jobs:ended(Monitor, Reason, Jobs));
        {Port, eof} ->
            halt(0);
        {'EXIT', Closed, _} when is_port(Closed) ->
            halt(0);
        {'EXIT', Transforms, Reason} ->
            fail("a process of the helper ended", Reason);
        _ ->
            loop(Partners, Jobs)
    end.

-spec decode(binary()) -> {erlconcolic_jobs:id(), erlconcolic_jobs:command()}.
decode(Packet) ->
    try binary_to_term(Packet) of
        {Id, Command} when is_integer(Id) -> {Id, Command};
        Other -> fail("not a request", Other)
    catch
        error:badarg -> fail("not a term in external format", Packet)
    end.

-spec send(port(), term()) -> true.
send(Port, Term) ->
    Packet = term_to_binary(Term, [{minor_version, 2}]),
    try
        port_command(Port, Packet)
    catch
        %% The other end is gone; a message about it follows.
        error:badarg -> true
    end.

-spec fail(string(), term()) -> no_return().
fail(Text, Term) ->
    io:format(standard_error, "erlconcolic: ~ts: ~tP~n", [Text, Term, 20]),
    halt(2).

-spec run(erlconcolic_jobs:command(), context(), erlconcolic_jobs:part()) ->
    result() | {context, context(), result()}.
run(ping, _Context, _Part) ->
    {ok, #{otp_release => utf8(erlang:system_info(otp_release)),
           erts => utf8(erlang:system_info(version)),
           root => utf8(code:root_dir())}};
run({configure, Request}, _Context, _Part) ->
    case erlconcolic_project:configure(Request) of
        {ok, Context, Warnings} -> {context, Context, {ok, Warnings}};
        {error, Messages} -> {error, Messages}
    end;
run(load_compiler, _Context, _Part) ->
    {ok, erlconcolic_compile:load_compiler()};
run({to_core, Path}, Context, _Part) ->
    erlconcolic_compile:to_core(Path, Context);
run({to_code, Text}, _Context, _Part) ->
    erlconcolic_compile:to_code(Text);
run({from_core, Text, Effort}, _Context, _Part) ->
    erlconcolic_compile:from_core(Text, Effort);
run({from_tokens, Pieces, Size}, _Context, _Part) ->
    erlconcolic_compile:from_tokens(Pieces, Size);
run({load, Module, FileName, Beam}, _Context, _Part) ->
    erlconcolic_compile:load(Module, FileName, Beam);
run({which, Module}, _Context, _Part) ->
    which(Module);
run({needed, Modules}, _Context, _Part) ->
    {ok, erlconcolic_code_place:needed(Modules)};
run({rename, Text, Renamings}, _Context, _Part) ->
    erlconcolic_compile:renamed(Text, Renamings);
run({arguments, Text}, _Context, _Part) ->
    erlconcolic_entry:arguments(Text);
run({elixir_arguments, Text}, _Context, _Part) ->
    erlconcolic_entry:elixir_arguments(Text);
run({rebar_plugin, Folder, Plugin}, _Context, _Part) ->
    {ok, erlconcolic_rebar_plugins:read(Folder, Plugin)};
run({types, Request}, Context, _Part) ->
    {ok, erlconcolic_types:types(Request, Context)};
run({call_types, Request}, Context, _Part) ->
    {ok, erlconcolic_call_types:types(Request, Context)};
run({follow, Modules}, _Context, _Part) ->
    {ok, erlconcolic_follow:follow(Modules)};
run({alias, Aliases}, _Context, _Part) ->
    {ok, erlconcolic_alias:keep(Aliases)};
run({missing, Modules}, _Context, _Part) ->
    {ok, erlconcolic_missing:keep(Modules)};
run(library, _Context, _Part) ->
    {ok, erlconcolic_library:copy()};
run({library, Place}, _Context, _Part) ->
    {ok, erlconcolic_library:use(Place)};
run({steps, Steps}, _Context, _Part) ->
    {ok, erlconcolic_steps:keep(Steps)};
run(rules, _Context, _Part) ->
    {ok, erlconcolic_atoms:rules()};
run(atoms, _Context, _Part) ->
    {ok, erlconcolic_atoms:all()};
run({atoms, Atoms}, _Context, _Part) ->
    {ok, erlconcolic_atoms:are_in_order(Atoms)};
run({boot_file, Atoms}, _Context, _Part) ->
    {ok, erlconcolic_atoms:boot_file(Atoms)};
run({eunit, Request}, _Context, Part) ->
    _ = erlang:system_flag(backtrace_depth, ?BACKTRACE_DEPTH),
    case erlconcolic_eunit:run(Request, Part) of
        {ok, Answer} ->
            {ok, Answer};
        {error, no_eunit} ->
            Text = "EUnit is not installed",
            {error, [erlconcolic_message:new(error, <<>>, Text)]}
    end;
run({run, Request}, _Context, Part) ->
    ok = prepare_runs(),
    Baseline = erlconcolic_node:baseline(),
    {ok, Answer} = erlconcolic_run:run(Request, Part),
    {ok, Answer#{node => state_of_node(Answer, Baseline)}};
run(Command, _Context, _Part) ->
    error({unknown_command, Command}).

-spec which(module()) -> result().
which(Module) ->
    case erlconcolic_code_place:which(Module) of
        {ok, Path} ->
            File = unicode:characters_to_list(Path),
            Types = erlconcolic_elixir:implementations(File),
            {ok, #{path => Path, implementations => Types}};
        none ->
            Text = "there is no such module",
            {error, [erlconcolic_message:new(error, <<>>, Text)]}
    end.

-spec state_of_node(erlconcolic_run:answer(), erlconcolic_node:baseline()) ->
    kept | spoiled.
state_of_node(#{spoiled := true}, _Baseline) -> spoiled;
state_of_node(#{spoiled := false}, Baseline) -> erlconcolic_node:tidy(Baseline).

%% Silences the logger, since processes may crash in a run, and allows longer
%% stacks, since our own frames must not push out those of the program.
-spec prepare_runs() -> ok.
prepare_runs() ->
    ok = erlconcolic_elixir_node:start(),
    _ = erlang:system_flag(backtrace_depth, ?BACKTRACE_DEPTH),
    _ = erlconcolic_emit_fast:install(),
    ok = erlconcolic_marks:prepare(),
    case logger:get_primary_config() of
        #{level := none} -> ok;
        #{} -> logger:set_primary_config(level, none)
    end.

-spec utf8(string()) -> binary().
utf8(String) ->
    unicode:characters_to_binary(String).
