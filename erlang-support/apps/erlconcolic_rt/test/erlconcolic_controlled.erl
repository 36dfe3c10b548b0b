%%% For tests: programs whose processes are controlled. They call the runtime as
%%% instrumented code does.
-module(erlconcolic_controlled).

-include("erlconcolic_controlled.hrl").

-export([alive/1, as_schedule/1, logs/1, run/2, scheduled/2, scheduled/3,
         send/2, spawned/1, spawned/2, step/3]).

%% Called by the runs.
-export([call/1]).

call(Fun) ->
    Fun().

step(Kind, Function, Args) ->
    ?OUT:step(7, Kind, erlang, Function, Args).

spawned(Fun) ->
    spawned(spawn, [Fun]).

spawned(Function, Args) ->
    step(spawn, Function, Args).

send(To, Message) ->
    ?OUT:step(8, send, erlang, '!', [To, Message]).

alive(Pid) ->
    step(plain, is_process_alive, [Pid]).

scheduled(Program, Schedule) ->
    scheduled(Program, Schedule, #{}).

scheduled(Program, Schedule, More) ->
    run(Program, More#{schedules => all, schedule => Schedule}).

run(Program, More) ->
    ok = follow(Program),
    Request = #{module => ?MODULE, function => call, arguments => [Program],
                timeout => 30000, max_heap => 10000000, allow => [],
                record => true},
    Self = self(),
    Part = fun(Part) -> Self ! {part, Part} end,
    {ok, Answer} = erlconcolic_run:run(maps:merge(Request, More), Part),
    ok = erlconcolic_follow:follow([]),
    #{logs := Last} = Answer,
    Answer#{logs := lists:foldl(fun joined/2, #{}, parts() ++ Last)}.

%% The program counts as instrumented, and so does this module.
follow(Program) ->
    {module, Module} = erlang:fun_info(Program, module),
    erlconcolic_follow:follow([followed(?MODULE), followed(Module)]).

followed(Module) ->
    Functions = [{Name, Arity, Name, 0}
                 || {Name, Arity} <- Module:module_info(exports)],
    #{name => Module, loaded_as => Module, number => 0,
      functions => Functions}.

parts() ->
    receive {part, Part} -> [Part | parts()] after 0 -> [] end.

joined({log, Index, Bytes}, Logs) ->
    maps:update_with(Index, fun(Before) -> <<Before/binary, Bytes/binary>> end,
                     Bytes, Logs).

logs(#{logs := Logs}) ->
    Logs.

as_schedule(#{leases := Leases, members := Members}) ->
    Paths = maps:from_list([{Index, Path}
                            || #{index := Index, path := Path} <- Members]),
    leases(Leases, Paths).

leases(<<From, 0, To, Count, Rest/binary>>, Paths) ->
    Channel = {map_get(From, Paths), map_get(To, Paths)},
    [{Channel, Count} | leases(Rest, Paths)];
leases(<<Index, Steps, Rest/binary>>, Paths) ->
    [{map_get(Index, Paths), Steps} | leases(Rest, Paths)];
leases(<<>>, _Paths) ->
    [].
