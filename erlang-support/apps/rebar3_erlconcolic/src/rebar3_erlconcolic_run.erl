%%% Runs the program. It has the standard output and standard error of rebar3,
%%% so that it can show colours and progress on a terminal.
%%%
%%% Like all ports, the program has its own session, so Ctrl-C on the terminal
%%% only reaches rebar3. Therefore the program stops when the pipe between it
%%% and rebar3 is closed (file descriptor 3), however rebar3 ends.
-module(rebar3_erlconcolic_run).

-export([explore/3]).

-spec explore(file:filename(), [string()], none | file:filename()) ->
    ok | {error, term()}.
explore(Binary, Arguments, none) ->
    Words = Arguments ++ ["--stop-when-closed", "3"],
    case run(Binary, Words, [nouse_stdio]) of
        {ok, Status, _Nothing} -> result(Status, printed);
        {error, Reason} -> {error, Reason}
    end;
explore(Binary, Arguments, Output) ->
    Words = Arguments ++ ["--stop-when-closed", "0"],
    case run(Binary, Words, [use_stdio]) of
        {ok, Status, Report} -> keep(Output, Report, Status);
        {error, Reason} -> {error, Reason}
    end.

%% Without a report there is nothing to write.
-spec keep(file:filename(), iodata(), integer()) -> ok | {error, term()}.
keep(Output, Report, Status) ->
    case iolist_size(Report) > 0 andalso write(Output, Report) of
        {error, Reason} -> {error, {no_output, Output, Reason}};
        _ -> result(Status, {written, Output})
    end.

-spec write(file:filename(), iodata()) -> ok | {error, file:posix()}.
write(Output, Report) ->
    case filelib:ensure_dir(Output) of
        ok -> file:write_file(Output, Report);
        {error, Reason} -> {error, Reason}
    end.

-spec run(file:filename(), [string()], [nouse_stdio | use_stdio]) ->
    {ok, Status :: integer(), iodata()} | {error, term()}.
run(Binary, Arguments, Channels) ->
    try open_port({spawn_executable, Binary},
                  [{args, Arguments}, exit_status, binary | Channels]) of
        Port -> wait(Port, [])
    catch
        error:Reason -> {error, {not_started, Binary, Reason}}
    end.

-spec wait(port(), iodata()) -> {ok, Status :: integer(), iodata()}.
wait(Port, Received) ->
    receive
        {Port, {data, Data}} -> wait(Port, [Received, Data]);
        {Port, {exit_status, Status}} -> {ok, Status, Received}
    end.

-spec result(integer(), printed | {written, file:filename()}) ->
    ok | {error, term()}.
result(0, _Where) -> ok;
result(1, Where) -> {error, {findings, Where}};
result(2, _Where) -> {error, failed};
result(130, _Where) -> {error, interrupted};
result(Status, _Where) -> {error, {ended, Status}}.
