%% Messages about the ends of processes, whose reasons depend on the input.
-module(monitors).
-export([clean_flush/1, code_of_end/1, end_of_server/1, message_before_end/2]).

%% A message that was flushed does not come.
%% clean: complete
-spec clean_flush(integer()) -> ok.
clean_flush(N) ->
    Pid = spawn(fun() -> exit({shutdown, N}) end),
    Monitor = monitor(process, Pid),
    true = demonitor(Monitor, [flush]),
    receive
        {'DOWN', Monitor, process, Pid, _} -> error(not_flushed)
    after 0 ->
        ok
    end.

%% The reason of the end is in the message.
%% finds: error code
-spec code_of_end(integer()) -> ok.
code_of_end(N) ->
    {Pid, Monitor} = spawn_monitor(fun() -> exit({shutdown, N}) end),
    receive
        {'DOWN', Monitor, process, Pid, {shutdown, 4711}} -> error(code);
        {'DOWN', Monitor, process, Pid, {shutdown, _}} -> ok
    end.

%% A server ends for one request.
%% finds: error ended
-spec end_of_server(integer()) -> integer().
end_of_server(N) ->
    Pid = spawn(fun serve/0),
    Monitor = monitor(process, Pid),
    Pid ! {double, self(), N},
    receive
        {doubled, M} -> M;
        {'DOWN', Monitor, process, Pid, shutdown} -> error(ended)
    end.

serve() ->
    receive
        {double, _, 77} -> exit(shutdown);
        {double, From, N} -> From ! {doubled, 2 * N}
    end.

%% What the process sent comes before the message about its end.
%% finds: error both
-spec message_before_end(integer(), integer()) -> ok.
message_before_end(A, B) ->
    Self = self(),
    Pid = spawn(fun() -> Self ! {value, A}, exit({shutdown, B}) end),
    Monitor = monitor(process, Pid),
    receive
        {'DOWN', Monitor, process, Pid, {shutdown, 3}} ->
            receive
                {value, 4} -> error(both);
                {value, _} -> ok
            end;
        {'DOWN', Monitor, process, Pid, _} ->
            ok
    end.
