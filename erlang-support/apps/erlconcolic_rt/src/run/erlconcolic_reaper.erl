%%% Kills the processes of a run that has ended.
-module(erlconcolic_reaper).

-export([kill_all/1, kill_led_by/1]).

-export_type([pids/0]).

-type pids() :: #{pid() => []}.

%% A round waits for processes that were killed.
-record(round,
        {dying :: #{Monitor :: reference() => pid()},
         %% They are dead, but their last traces have not come.
         dead = #{} :: pids(),
         %% Their last traces have come.
         silent = #{} :: pids(),
         %% They were spawned meanwhile.
         born = #{} :: pids()}).

%% How long nothing may happen until a process counts as stuck, in milliseconds.
-define(PATIENCE, 500).

%% How often processes are killed that were started while others were killed.
-define(ROUNDS, 10).

%% Kills these processes and those that they spawn, of which the caller, their
%% tracer, is told. Says whether all are dead: a process in native code may take
%% long to die.
-spec kill_all(pids()) -> boolean().
kill_all(Alive) ->
    case kill_rounds(Alive, ?ROUNDS) of
        none -> true;
        stuck -> false;
        {some, Left} -> kill_alone(Left)
    end.

%% A process that spawns the next one and ends can escape for ever while it runs
%% in parallel with its tracer. With one scheduler the tracer wins.
-spec kill_alone(pids()) -> boolean().
kill_alone(Alive) ->
    _ = erlang:system_flag(multi_scheduling, block_normal),
    Left = kill_rounds(Alive, ?ROUNDS),
    _ = erlang:system_flag(multi_scheduling, unblock_normal),
    Left =:= none.

-spec kill_rounds(pids(), non_neg_integer()) -> none | stuck | {some, pids()}.
kill_rounds(Alive, Rounds) ->
    case take_traces(Alive) of
        Left when map_size(Left) =:= 0 -> none;
        Left when Rounds =:= 0 -> {some, Left};
        Left ->
            Killed = [{kill(Pid), Pid} || Pid <- maps:keys(Left)],
            case await(#round{dying = maps:from_list(Killed)}) of
                {ok, Born} -> kill_rounds(Born, Rounds - 1);
                stuck -> stuck
            end
    end.

%% Processes that are known to have ended need not be killed.
-spec take_traces(pids()) -> pids().
take_traces(Alive) ->
    receive
        {trace, _, spawn, Pid, _} -> take_traces(Alive#{Pid => []});
        {trace, Pid, exit, _} -> take_traces(maps:remove(Pid, Alive));
        Trace when element(1, Trace) =:= trace -> take_traces(Alive)
    after 0 ->
        Alive
    end.

-spec kill(pid()) -> reference().
kill(Pid) ->
    Monitor = monitor(process, Pid),
    true = exit(Pid, kill),
    Monitor.

%% After the last trace of a process, all processes that it spawned are known.
%% After the message of the monitor, its names and tables are gone. Takes all
%% traces as they come: looking for single ones among those of processes that
%% spawn without end would take ever longer.
-spec await(#round{}) -> {ok, Born :: pids()} | stuck.
await(#round{dying = Dying, dead = Dead, born = Born})
  when map_size(Dying) =:= 0, map_size(Dead) =:= 0 ->
    {ok, Born};
await(Round) ->
    await(Round, erlang:start_timer(?PATIENCE, self(), patience)).

-spec await(#round{}, reference()) -> {ok, Born :: pids()} | stuck.
await(#round{dying = Dying, dead = Dead, silent = Silent, born = Born} = Round,
      Timer) ->
    receive
        {'DOWN', Monitor, process, Pid, Reason}
          when is_map_key(Monitor, Dying) ->
            Rest = maps:remove(Monitor, Dying),
            IsLast = Reason =:= noproc orelse is_map_key(Pid, Silent),
            NewDead = case IsLast of
                          true -> Dead;
                          false -> Dead#{Pid => []}
                      end,
            renew(Round#round{dying = Rest, dead = NewDead}, Timer);
        {trace, Pid, exit, _} when is_map_key(Pid, Dead) ->
            renew(Round#round{dead = maps:remove(Pid, Dead)}, Timer);
        {trace, Pid, exit, _} ->
            await(Round#round{silent = Silent#{Pid => []},
                              born = maps:remove(Pid, Born)}, Timer);
        {trace, _, spawn, Pid, _} when is_map_key(Pid, Silent) ->
            await(Round, Timer);
        {trace, _, spawn, Pid, _} ->
            await(Round#round{born = Born#{Pid => []}}, Timer);
        Trace when element(1, Trace) =:= trace ->
            await(Round, Timer);
        {timeout, Timer, patience} when map_size(Dying) =:= 0 ->
            %% Sensitive processes leave no traces.
            {ok, Born};
        {timeout, Timer, patience} ->
            stuck
    end.

-spec renew(#round{}, reference()) -> {ok, Born :: pids()} | stuck.
renew(Round, Timer) ->
    _ = erlang:cancel_timer(Timer),
    await(Round).

%% Kills all processes of this group leader, which nobody traces any more.
-spec kill_led_by(pid()) -> ok.
kill_led_by(Leader) ->
    Led = [Pid || Pid <- processes(),
                  process_info(Pid, group_leader) =:= {group_leader, Leader}],
    Dead = lists:all(fun is_down/1, [kill(Pid) || Pid <- Led]),
    case Led of
        [_ | _] when Dead -> kill_led_by(Leader);
        _ -> ok
    end.

-spec is_down(reference()) -> boolean().
is_down(Monitor) ->
    receive
        {'DOWN', Monitor, process, _, _} -> true
    after ?PATIENCE ->
        false
    end.
