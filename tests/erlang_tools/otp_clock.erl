%% Measures OTP's own tools for another program, which decides when.
%% Every line on standard input is a command, answered by a line with the time
%% it took and the processor time of the whole node, both in microseconds:
%%
%%   parse FOLDER
%%       core_scan:string/1 and core_parse:parse/1 of every .core file there,
%%       one after the other;
%%   compile APPLICATION FILE
%%       compile:file/2 without writing the result.
%%
%% Reading files is not counted.
-module(otp_clock).

-export([main/0]).

-spec main() -> no_return().
main() ->
    case io:get_line("") of
        eof ->
            halt(0);
        Line ->
            Words = string:lexemes(string:trim(Line), " "),
            {Wall, Processor} = command(Words),
            io:format("~b ~b~n", [Wall, Processor]),
            main()
    end.

-spec command([string()]) -> {non_neg_integer(), non_neg_integer()}.
command(["parse", Folder]) ->
    Files = filelib:wildcard(filename:join(Folder, "*.core")),
    in_new_process(fun() -> parse_all(Files, {0, 0}) end);
command(["compile", Application, File]) ->
    Options = [binary | otp_corpus:options(list_to_atom(Application))],
    timed(fun() -> {ok, _, _} = compile:noenv_file(File, Options) end).

-spec parse_all([file:filename()], {non_neg_integer(), non_neg_integer()}) ->
          {non_neg_integer(), non_neg_integer()}.
parse_all([File | Files], {Wall, Processor}) ->
    {ok, Binary} = file:read_file(File),
    Text = unicode:characters_to_list(Binary),
    true = erlang:garbage_collect(),
    {MoreWall, MoreProcessor} = timed(fun() -> parse(Text) end),
    parse_all(Files, {Wall + MoreWall, Processor + MoreProcessor});
parse_all([], Times) ->
    Times.

-spec parse(string()) -> ok.
parse(Text) ->
    {ok, Tokens, _} = core_scan:string(Text),
    {ok, _} = core_parse:parse(Tokens),
    ok.

-spec timed(fun(() -> term())) -> {non_neg_integer(), non_neg_integer()}.
timed(Work) ->
    Before = processor_time(),
    Start = erlang:monotonic_time(microsecond),
    _ = Work(),
    Wall = erlang:monotonic_time(microsecond) - Start,
    {Wall, processor_time() - Before}.

%% For all threads of this node. Unlike `statistics(runtime)', this includes the
%% time in the kernel, and is exact.
-spec processor_time() -> non_neg_integer().
processor_time() ->
    Files = filelib:wildcard("/proc/self/task/*/schedstat"),
    lists:sum([on_processor(File) || File <- Files]) div 1000.

-spec on_processor(file:filename()) -> non_neg_integer().
on_processor(File) ->
    {ok, Text} = file:read_file(File),
    [Nanoseconds | _] = binary:split(Text, <<" ">>),
    binary_to_integer(Nanoseconds).

-spec in_new_process(fun(() -> T)) -> T.
in_new_process(Work) ->
    {Pid, Monitor} = spawn_monitor(fun() -> exit({times, Work()}) end),
    receive
        {'DOWN', Monitor, process, Pid, {times, Result}} -> Result;
        {'DOWN', Monitor, process, Pid, Reason} -> error(Reason)
    end.
