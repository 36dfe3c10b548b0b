%% Processes that have perhaps ended when others ask about them. No order of
%% steps leaves anyone waiting.
-module(ended_processes).
-export([
    exit_to/1, linked_late/1, monitored_by_name/1, monitored_late/1,
    monitored_twice/1
]).

%% A signal to a process that has ended does nothing.
%% clean
-spec exit_to(integer()) -> true.
exit_to(_) ->
    Pid = spawn(fun() -> ok end),
    exit(Pid, stop).

%% The message about a link comes, whenever the process ends.
%% clean
-spec linked_late(integer()) -> normal | noproc.
linked_late(_) ->
    process_flag(trap_exit, true),
    Pid = spawn(fun() -> ok end),
    link(Pid),
    receive
        {'EXIT', Pid, Reason} -> Reason
    end.

%% A name that nobody has.
%% clean
-spec monitored_by_name(integer()) -> noproc.
monitored_by_name(_) ->
    Pid = spawn(fun() -> ok end),
    Monitor = monitor(process, nobody_has_this_name),
    receive
        {'DOWN', Monitor, process, _, Reason} when is_pid(Pid) -> Reason
    end.

%% The message about a monitor comes, whenever the process ends.
%% clean
-spec monitored_late(integer()) -> normal | noproc.
monitored_late(_) ->
    Pid = spawn(fun() -> ok end),
    Monitor = monitor(process, Pid),
    receive
        {'DOWN', Monitor, process, Pid, Reason} -> Reason
    end.

%% Each monitor has its own message.
%% clean
-spec monitored_twice(integer()) -> ok.
monitored_twice(_) ->
    Pid = spawn(fun() -> ok end),
    One = monitor(process, Pid),
    Other = monitor(process, Pid),
    receive {'DOWN', Other, process, Pid, _} -> ok end,
    receive {'DOWN', One, process, Pid, _} -> ok end.
