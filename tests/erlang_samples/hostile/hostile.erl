%% Ways to call hostile functions, and what other runs in the same node see.
-module(hostile).
-export([by_fun/2, by_name/2, in_process/2, ordinary/1, quiet/1, memory/0]).

by_fun(Module, Function) ->
    Fun = fun Module:Function/0,
    Fun().

by_name(Module, Function) ->
    apply(Module, Function, []).

in_process(Module, Function) ->
    {_, Monitor} = spawn_monitor(Module, Function, []),
    receive {'DOWN', Monitor, process, _, Reason} -> {ended, first(Reason)} end.

first({Reason, [_ | _]}) -> first(Reason);
first(Reason) -> Reason.

%% An ordinary run, which looks around in the node.
ordinary(List) ->
    io:format("~p~n", [lists:reverse(List)]),
    Self = self(),
    Pid = spawn_link(fun() -> Self ! {sum, lists:sum(List)} end),
    Sum = receive {sum, It} -> It end,
    true = register(some_name, Self),
    [{sum, Sum},
     {pid, is_pid(Pid)},
     {messages, receive Message -> Message after 50 -> none end},
     {dictionary, get()},
     {names, lists:sort(registered())},
     {processes, length(processes())},
     {ports, length(erlang:ports())},
     {tables, length(ets:all())},
     {terms, [persistent_term:get(Key, none) || Key <- [{hostile, 1}, hostile]]},
     {environment, application:get_env(stdlib, hostile),
      application:get_env(hostile, key),
      lists:sort(application:get_all_env(kernel))},
     {variable, os:getenv("HOSTILE")},
     {flags, [process_info(Self, Flag)
              || Flag <- [trap_exit, priority, links, monitors, max_heap_size]]},
     {online, erlang:system_info(schedulers_online)},
     {logger, logger:get_primary_config()},
     {caught, catch hd(List -- List)}].

%% Has the same log each time, because it does not wait for other processes.
quiet(List) ->
    put(key, List),
    Made = [{X, Y} || X <- List, Y <- get(key), X < Y],
    try lists:nth(length(List) + 1, maps:keys(maps:from_list(Made)))
    catch Class:Reason -> {Class, Reason, atom_to_list(Class)}
    end.

memory() -> erlang:memory(total).
