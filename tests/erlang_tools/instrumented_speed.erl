%%% Measures native and instrumented functions, each in its own process.
-module(instrumented_speed).

-export([measure/3, once/3]).

%% For each program: its name, nanoseconds of Native and of Instrumented for one
%% call (the best of some), and how many bytes a call of the latter logs.
-spec measure(module(), module(), pos_integer()) ->
    [{atom(), pos_integer(), pos_integer(), non_neg_integer()}].
measure(Native, Instrumented, Rounds) ->
    erlconcolic_emit_fast:install(),
    [program(Name, Argument, Native, Instrumented, Rounds)
     || {Name, Argument} <- Native:programs()].

%% Calls one program, for its log.
-spec once(module(), module(), atom()) -> ok.
once(Native, Instrumented, Name) ->
    {Name, Argument} = lists:keyfind(Name, 1, Native:programs()),
    Body = body(Name),
    Instrumented:Body(Argument),
    ok.

body(Name) ->
    list_to_atom([$@ | atom_to_list(Name)]).

program(Name, Argument, Native, Instrumented, Rounds) ->
    Body = body(Name),
    Times = [{native(Native, Name, Argument), instrumented(Instrumented, Body, Argument)}
             || _ <- lists:seq(1, Rounds)],
    {NativeTimes, Logged} = lists:unzip(Times),
    {InstrumentedTimes, [Bytes | _]} = lists:unzip(Logged),
    {Name, lists:min(NativeTimes), lists:min(InstrumentedTimes), Bytes}.

native(Module, Function, Argument) ->
    in_process(fun() -> timed(Module, Function, Argument) end).

instrumented(Module, Function, Argument) ->
    Collector = spawn(fun() -> collect(0) end),
    Time = in_process(fun() ->
                          erlconcolic_out:start(Collector),
                          Nanoseconds = timed(Module, Function, Argument),
                          erlconcolic_out:finish(),
                          Nanoseconds
                      end),
    Collector ! {total, self()},
    receive {total, Bytes} -> {Time, Bytes} end.

timed(Module, Function, Argument) ->
    Start = erlang:monotonic_time(nanosecond),
    Module:Function(Argument),
    erlang:monotonic_time(nanosecond) - Start.

in_process(Fun) ->
    Self = self(),
    {Pid, Monitor} = spawn_monitor(fun() -> Self ! {self(), Fun()} end),
    receive
        {Pid, Result} -> erlang:demonitor(Monitor, [flush]), Result;
        {'DOWN', Monitor, process, Pid, Reason} -> exit(Reason)
    end.

collect(Bytes) ->
    receive
        {erlconcolic_log, _, Log} -> collect(Bytes + byte_size(Log));
        {erlconcolic_sync, From, Tag} -> From ! {erlconcolic_synced, Tag}, collect(Bytes);
        {total, From} -> From ! {total, Bytes};
        _ -> collect(Bytes)
    end.
