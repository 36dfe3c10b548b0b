%%% Who hears of the end of a process.
-module(erlconcolic_hearers).

-export([all/0, concerned/1]).

%% Everyone who may hear of the end of this process.
-spec all() -> [term()].
all() ->
    [{links, Links}, {monitored_by, Watchers}] =
        process_info(self(), [links, monitored_by]),
    Links ++ Watchers.

%% Those for whom it makes a difference if this process ends in this way.
-spec concerned(How :: term()) -> [term()].
concerned(How) ->
    [{links, Links}, {monitored_by, Watchers}] =
        process_info(self(), [links, monitored_by]),
    [Link || Link <- Links, How =/= normal orelse traps_exits(Link)]
        ++ Watchers.

-spec traps_exits(term()) -> boolean().
traps_exits(Pid) when is_pid(Pid), node(Pid) =:= node() ->
    process_info(Pid, trap_exit) =:= {trap_exit, true};
traps_exits(_) ->
    false.
