%%% Tests of the whole helper: an `erl' started as the tool does it, with
%%% requests and answers over file descriptors 3 and 4.
-module(erlconcolic_channel_tests).

-include_lib("eunit/include/eunit.hrl").

-import(erlconcolic_fixture, [in_folder/2]).

-define(TIMEOUT, 60000).

all_test_() ->
    {inparallel,
     [{timeout, 60, {atom_to_list(Name), fun() -> in_folder([], Test) end}}
      || {Name, Test} <-
             [{answers_ping, fun answers_ping/1},
              {compiles_to_core_and_back, fun compiles_to_core_and_back/1},
              {answers_crashes, fun answers_crashes/1},
              {output_does_not_disturb, fun output_does_not_disturb/1},
              {names_headers_as_the_source, fun names_headers_as_the_source/1},
              {honours_the_environment, fun honours_the_environment/1},
              {many_requests_at_once, fun many_requests_at_once/1},
              {returns_types, fun returns_types/1},
              {runs_and_sends_logs, fun runs_and_sends_logs/1},
              {follows_computed_calls, fun follows_computed_calls/1},
              {runs_print_nothing, fun runs_print_nothing/1},
              {reports_spoiled_nodes, fun reports_spoiled_nodes/1},
              {logs_outlive_the_helper, fun logs_outlive_the_helper/1},
              {halts_at_the_end_of_input, fun halts_at_the_end_of_input/1},
              {halts_without_input, fun halts_without_input/1},
              {halts_on_invalid_requests, fun halts_on_invalid_requests/1},
              {halts_on_a_bad_start, fun halts_on_a_bad_start/1},
              {starts_with_beams_that_are_too_new,
               fun starts_with_beams_that_are_too_new/1}]]}.

answers_ping(Folder) ->
    Helper = start(Folder, []),
    Release = list_to_binary(erlang:system_info(otp_release)),
    Root = unicode:characters_to_binary(code:root_dir()),
    ?assertMatch({ok, #{otp_release := Release, erts := _, root := Root}},
                 ask(Helper, ping)).

%% Also if the locale is not UTF-8.
compiles_to_core_and_back(Folder) ->
    Text = "-module('größe').\n-export([f/0]).\nf() -> ?X.\n",
    ok = erlconcolic_fixture:write(Folder, [{"λ 日/größe.erl", Text}]),
    Helper = start(Folder, [{"LC_ALL", "C"}]),
    Path = <<"λ 日/größe.erl"/utf8>>,
    {ok, []} = ask(Helper, configure([Path], [{<<"X">>, <<"'日'"/utf8>>}])),
    {ok, #{module := 'größe', source := Path, core := Core}} =
        ask(Helper, {to_core, Path}),
    Name = iolist_to_binary(io_lib:write(unicode:characters_to_list(Path))),
    ?assertNotEqual(nomatch,
                    binary:match(Core, <<"{'file',", Name/binary>>)),
    ?assertEqual({ok, ok}, ask(Helper, load_compiler)),
    {ok, #{beam := Beam}} = ask(Helper, {from_core, Core, usual}),
    ?assertEqual({ok, 'größe'}, ask(Helper, {load, 'größe', Path, Beam})).

answers_crashes(Folder) ->
    Transform = "-module(pt).\n-export([parse_transform/2]).\n"
                "parse_transform(_, _) -> exit(self(), kill).\n",
    ok = erlconcolic_fixture:write(
             Folder, [{"a.erl", "-module(a).\n"
                                "-compile({parse_transform, pt}).\n"},
                      {"pt.erl", Transform}]),
    Helper = start(Folder, []),
    [?assertMatch({error, [{error, Path, 0, 0,
                            <<"internal error: ", _/binary>>}]},
                  ask(Helper, Command))
     || {Command, Path} <- [{unknown, <<>>},
                            {{load, 1, 2, 3}, <<>>},
                            {{configure, #{}}, <<>>},
                            {{to_core, <<"a.erl">>}, <<"a.erl">>}]],
    ?assertMatch({ok, _}, ask(Helper, ping)).

output_does_not_disturb(Folder) ->
    Transform = "-module(pt).\n-export([parse_transform/2]).\n"
                "parse_transform(Forms, _) ->\n"
                "    io:format(\"printed by the transform λ~n\"),\n"
                "    Forms.\n",
    ok = erlconcolic_fixture:write(
             Folder, [{"a.erl", "-module(a).\n"
                                "-compile({parse_transform, pt}).\n"},
                      {"pt.erl", Transform}]),
    Helper = start(Folder, []),
    ?assertMatch({ok, #{module := a}}, ask(Helper, {to_core, <<"a.erl">>})),
    ?assert(is_printed(<<"by the transform">>, Folder, 100)).

%% The answer may come before the output.
is_printed(_Text, _Folder, 0) ->
    false;
is_printed(Text, Folder, Tries) ->
    {ok, Printed} = file:read_file(filename:join(Folder, "stderr")),
    case binary:match(Printed, Text) of
        nomatch ->
            timer:sleep(20),
            is_printed(Text, Folder, Tries - 1);
        _ ->
            true
    end.

names_headers_as_the_source(Folder) ->
    ok = erlconcolic_fixture:write(
             Folder, [{"p/src/a.erl", "-module(a).\n-include(\"a.hrl\").\n"},
                      {"p/src/a.app.src", ""},
                      {"p/include/a.hrl", "-error(oops).\n"}]),
    Helper = start(Folder, []),
    [?assertMatch({error, [{error, Header, 1, _, _}]},
                  ask(Helper, {to_core, Source}))
     || {Source, Header} <-
            [{<<"p/src/a.erl">>, <<"p/include/a.hrl">>},
             {unicode:characters_to_binary([Folder, "/p/src/a.erl"]),
              unicode:characters_to_binary([Folder, "/p/include/a.hrl"])}]].

honours_the_environment(Folder) ->
    ok = erlconcolic_fixture:write(
             Folder, [{"a.erl", "-module(a).\n-export([f/0]).\nf() -> ?X."}]),
    Options = "[{d, 'X', from_environment}, warnings_as_errors, 'P']",
    Helper = start(Folder, [{"ERL_COMPILER_OPTIONS", Options}]),
    {ok, #{core := Core}} = ask(Helper, {to_core, <<"a.erl">>}),
    ?assertNotEqual(nomatch, binary:match(Core, <<"'from_environment'">>)).

%% Sends all of them before it reads the first answer.
many_requests_at_once(Folder) ->
    Names = ["m" ++ integer_to_list(N) || N <- lists:seq(1, 100)],
    ok = erlconcolic_fixture:write(
             Folder, [{Name ++ ".erl", ["-module(", Name, ").\n"]}
                      || Name <- Names]),
    Helper = start(Folder, []),
    Ids = [send(Helper, {to_core, list_to_binary(Name ++ ".erl")})
           || Name <- Names],
    [?assertMatch({ok, #{module := Module}}, receive_answer(Helper, Id))
     || {Id, Name} <- lists:zip(Ids, Names),
        Module <- [list_to_atom(Name)]].

returns_types(Folder) ->
    Text = "-module(a).\n-export([f/1]).\n-spec f(?X) -> ok.\nf(_) -> ok.\n",
    ok = erlconcolic_fixture:write(Folder, [{"a.erl", Text}]),
    Helper = start(Folder, []),
    Path = <<"a.erl">>,
    Request = #{path => Path, functions => [{f, 1}, {f, 2}],
                sources => [Path], opaque => recipes},
    {ok, []} = ask(Helper, configure([Path], [{<<"X">>, <<"b">>}])),
    ?assertEqual({ok, [#{clauses => [[0]], types => [[{atom, b}]],
                         excluded => [], unmade => [], warnings => []},
                       none]},
                 ask(Helper, {types, Request})).

runs_and_sends_logs(Folder) ->
    Helper = start(Folder, []),
    ok = load_program(Helper),
    ?assertMatch({[{log, 0, <<0, 3, 1, 1, 3, 131, 97, 5, 7>>}],
                  {ok, #{outcome := {ok, <<"6">>}, output := <<"hello">>,
                         processes := 1}}},
                 run_program(Helper, increment, [5])),
    ?assertMatch({[], {ok, #{outcome := {exception, error, <<"crash">>,
                                         [#{function := crash, arity := 0,
                                            line := 14} | _]}}}},
                 run_program(Helper, crash, [])).

follows_computed_calls(Folder) ->
    Helper = start(Folder, []),
    ok = load_program(Helper),
    Log = fun() ->
                  {Parts, {ok, #{outcome := {ok, <<"[2,1]">>}}}} =
                      run_program(Helper, computed, []),
                  iolist_to_binary([Bytes || {log, 0, Bytes} <- Parts])
          end,
    Opaque = Log(),
    {ok, ok} = ask(Helper, {follow, [#{name => lists, loaded_as => program,
                                       number => 3,
                                       functions => [{reverse, 1, backwards,
                                                      44}]}]}),
    ?assertEqual(<<0, 3, 44, 0, 9>>, Log()),
    {ok, ok} = ask(Helper, {follow, []}),
    ?assertEqual(Opaque, Log()).

runs_print_nothing(Folder) ->
    Helper = start(Folder, []),
    ok = load_program(Helper),
    [?assertMatch({_, {ok, #{outcome := _}}},
                  run_program(Helper, Function, []))
     || Function <- [crash, crash_in_child, grow, loop]],
    ?assertMatch({ok, _}, ask(Helper, ping)),
    ?assertEqual(<<>>, read(filename:join(Folder, "stderr"))).

reports_spoiled_nodes(Folder) ->
    Helper = start(Folder, []),
    ok = load_program(Helper),
    [?assertMatch({_, {ok, #{outcome := {ok, <<"true">>}, node := Node}}},
                  run_program(Helper, Function, []))
     || {Function, Node} <- [{leave, kept}, {is_clean, kept}, {leave, kept},
                             {spoil, spoiled}]].

logs_outlive_the_helper(Folder) ->
    Helper = start(Folder, []),
    ok = load_program(Helper),
    Id = send(Helper, {run, request(stop, [], [{erlang, halt, 1}])}),
    [?assertEqual({part, {log, 0, binary:copy(<<5>>, Length)}},
                  receive_answer(Helper, Id))
     || Length <- [65541, 100000 - 65541]].

halts_at_the_end_of_input(Folder) ->
    ?assertMatch({0, _}, run(Folder, [modules(), term_to_binary({1, ping})])).

halts_without_input(Folder) ->
    ?assertMatch({0, _}, run(Folder, [])).

halts_on_invalid_requests(Folder) ->
    [?assertMatch({2, <<"erlconcolic: not a ", _/binary>>},
                  run(Folder, [modules(), Packet]))
     || Packet <- [<<"text">>, term_to_binary(ping),
                   term_to_binary({one, ping})]].

halts_on_a_bad_start(Folder) ->
    [?assertMatch({2, <<"erlconcolic: the helper could not start", _/binary>>},
                  run(Folder, [Packet]))
     || Packet <- [<<"text">>, term_to_binary([]),
                   term_to_binary([{m, "m.beam", <<"not a beam">>}])]].

%% As if a later OTP had compiled them, with unknown instructions.
starts_with_beams_that_are_too_new(Folder) ->
    Modules = [{Module, File, too_new(Beam)}
               || {Module, File, Beam} <- binary_to_term(modules())],
    Helper = start(Folder, [], term_to_binary(Modules)),
    ?assertMatch({ok, _}, ask(Helper, ping)),
    ?assertEqual(<<>>, read(filename:join(Folder, "stderr"))).

-spec too_new(binary()) -> binary().
too_new(Beam) ->
    {ok, _, Chunks} = beam_lib:all_chunks(Beam),
    {"Code", <<Start:8/binary, _HighestOpcode:32, Rest/binary>>} =
        lists:keyfind("Code", 1, Chunks),
    Code = <<Start/binary, 100000:32, Rest/binary>>,
    {ok, TooNew} = beam_lib:build_module(
                       lists:keyreplace("Code", 1, Chunks, {"Code", Code})),
    TooNew.

%% Starts a helper in a folder. It prints to the file `stderr'.
-spec start(string(), [{string(), string()}]) -> port().
start(Folder, Environment) ->
    start(Folder, Environment, modules()).

-spec start(string(), [{string(), string()}], binary()) -> port().
start(Folder, Environment, Modules) ->
    Helper = open_port({spawn_executable, "/bin/sh"},
                       [{args, ["-c", "exec " ++ command()]},
                        {cd, Folder}, {env, Environment},
                        binary, {packet, 4}]),
    true = port_command(Helper, Modules),
    Helper.

%% Runs a helper with these packets as its whole input, until it ends.
-spec run(string(), [binary()]) ->
    {ExitStatus :: integer(), Printed :: binary()}.
run(Folder, Packets) ->
    Input = [[<<(byte_size(Packet)):32>>, Packet] || Packet <- Packets],
    ok = file:write_file(filename:join(Folder, "input"), Input),
    Helper = open_port({spawn_executable, "/bin/sh"},
                       [{args, ["-c", "cat input | " ++ command()]},
                        {cd, Folder}, exit_status, binary]),
    {exited(Helper), read(filename:join(Folder, "stderr"))}.

-spec command() -> string().
command() ->
    {ok, Expression} =
        file:read_file(filename:join(code:priv_dir(erlconcolic_rt),
                                     "bootstrap.expr")),
    "erl -boot no_dot_erlang -noinput +fnu +Bi +sbwt none -eval '"
        ++ string:trim(binary_to_list(Expression))
        ++ "' 3<&0 4>&1 </dev/null >stderr 2>&1".

-spec modules() -> binary().
modules() ->
    _ = application:load(erlconcolic_rt),
    {ok, Modules} = application:get_key(erlconcolic_rt, modules),
    term_to_binary([code_of(Module) || Module <- Modules]).

-spec code_of(module()) -> {module(), binary(), file:filename()}.
code_of(Module) ->
    {Module, Beam, File} = code:get_object_code(Module),
    {Module, File, Beam}.

%% A module that calls the runtime as instrumented code does.
-spec load_program(port()) -> ok.
load_program(Helper) ->
    Lines = ["-module(program).",
             "-export([increment/1, computed/0, backwards/1, crash/0]).",
             "-export([crash_in_child/0, grow/0, loop/0, stop/0]).",
             "-export([leave/0, is_clean/0, spoil/0]).",
             "increment(X) ->",
             "    inside = erlconcolic_out:enter(3, 1, X),",
             "    io:put_chars(\"hello\"),",
             "    erlconcolic_emit:out(7, X + 1).",
             "computed() ->",
             "    erlconcolic_out:apply(20, lists, reverse, [[1, 2]]).",
             "backwards(X) ->",
             "    erlconcolic_emit:out(9, lists:reverse(X)).",
             "crash() ->",
             "    error(crash).",
             "crash_in_child() ->",
             "    {_, M} = spawn_monitor(fun crash/0),",
             "    receive {'DOWN', M, _, _, _} -> ok end.",
             "grow() -> grow([]).",
             "grow(X) -> grow([X | X]).",
             "loop() -> loop().",
             "leave() ->",
             "    persistent_term:put(left, 1),",
             "    application:set_env(kernel, left, 1),",
             "    timer:send_interval(1000, user, left),",
             "    spawn(fun() -> register(left, self()),",
             "                   receive x -> x end end),",
             "    unregister(user).",
             "is_clean() ->",
             "    none = persistent_term:get(left, none),",
             "    undefined = application:get_env(kernel, left),",
             "    undefined = whereis(left),",
             "    undefined = whereis(timer_server),",
             "    is_pid(whereis(user)).",
             "spoil() ->",
             "    ets:give_away(ets:new(t, []), whereis(init), x).",
             "stop() ->",
             "    stop(100000).",
             "stop(0) ->",
             "    erlconcolic_out:opaque(20, erlang, halt, [0]);",
             "stop(N) ->",
             "    erlconcolic_emit:out(5, ok),",
             "    stop(N - 1)."],
    {ok, Tokens, _} = erl_scan:string(lists:append(lists:join("\n", Lines))),
    {ok, program, Beam} = compile:noenv_forms(forms(Tokens), []),
    {ok, program} = ask(Helper, {load, program, <<"program.erl">>, Beam}),
    ok.

-spec forms([erl_scan:token()]) -> [erl_parse:abstract_form()].
forms([]) ->
    [];
forms(Tokens) ->
    {Form, [Dot | Rest]} =
        lists:splitwith(fun(Token) -> element(1, Token) =/= dot end, Tokens),
    {ok, Parsed} = erl_parse:parse_form(Form ++ [Dot]),
    [Parsed | forms(Rest)].

-spec run_program(port(), atom(), [term()]) -> {Parts :: [term()], term()}.
run_program(Helper, Function, Args) ->
    Id = send(Helper, {run, request(Function, Args, [])}),
    receive_parts(Helper, Id, []).

-spec receive_parts(port(), integer(), [term()]) -> {[term()], term()}.
receive_parts(Helper, Id, Parts) ->
    case receive_answer(Helper, Id) of
        {part, Part} -> receive_parts(Helper, Id, [Part | Parts]);
        {ok, #{logs := Last}} = Result -> {lists:reverse(Parts, Last), Result};
        Result -> {lists:reverse(Parts), Result}
    end.

-spec request(atom(), [term()], list()) -> map().
request(Function, Args, Allow) ->
    #{module => program, function => Function, arguments => Args,
      timeout => 500, max_heap => 1000000, allow => Allow, record => true}.

-spec configure([binary()], [{binary(), binary()}]) -> term().
configure(Sources, Defines) ->
    {configure, #{sources => Sources, includes => [], defines => Defines,
                  code_paths => []}}.

-spec ask(port(), term()) -> term().
ask(Helper, Command) ->
    receive_answer(Helper, send(Helper, Command)).

-spec send(port(), term()) -> Id :: integer().
send(Helper, Command) ->
    Id = erlang:unique_integer(),
    true = port_command(Helper, term_to_binary({Id, Command})),
    Id.

-spec receive_answer(port(), integer()) -> term().
receive_answer(Helper, Id) ->
    receive
        {answer, Helper, Id, Result} ->
            Result;
        {Helper, {data, Packet}} ->
            {OneId, Result} = binary_to_term(Packet),
            self() ! {answer, Helper, OneId, Result},
            receive_answer(Helper, Id)
    after ?TIMEOUT ->
        error(no_answer)
    end.

-spec exited(port()) -> integer().
exited(Helper) ->
    receive
        {Helper, {exit_status, Status}} -> Status
    after ?TIMEOUT ->
        error(still_running)
    end.

-spec read(string()) -> binary().
read(File) ->
    {ok, Text} = file:read_file(File),
    Text.
