%% Programs that leave processes behind and disturb others.
-module(hostile_processes).
-export([thousands/0, bomb/0, respawns/0, registers/0, unregisters/0, kills/0,
         kills_by_name/0, ends_leader/0, suspends/0, busy/0, sensitive/0, junk/0,
         false_alarms/0, forges/0, links/0, late_timer/0, timer_of_pid/0,
         interval/0, leads/0, leads_others/0, traps/0, monitors/0, floods/0,
         flags/0, waits_for_own_end/0]).

thousands() ->
    Wait = fun() -> process_flag(trap_exit, true), receive never -> ok end end,
    length([spawn(Wait) || _ <- lists:seq(1, 10000)]).

bomb() ->
    Bomb = fun Bomb() -> catch spawn(Bomb), catch spawn(Bomb), Bomb() end,
    Bomb().

respawns() ->
    Flee = fun Flee() -> spawn(Flee) end,
    [spawn(Flee) || _ <- lists:seq(1, 5)],
    ok.

registers() ->
    register(some_name, spawn(fun() -> receive never -> ok end end)),
    register(other_name, self()).

unregisters() ->
    [unregister(Name) || Name <- registered()],
    ok.

kills() -> [exit(Pid, kill) || Pid <- processes(), Pid =/= self()].

kills_by_name() -> exit(whereis(code_server), kill).

ends_leader() -> exit(group_leader(), kill).

suspends() -> erlang:suspend_process(group_leader()).

busy() ->
    Loop = fun Loop() -> Loop() end,
    [spawn_opt(Loop, [{priority, max}]) || _ <- lists:seq(1, 16)],
    process_flag(priority, max),
    Loop().

sensitive() ->
    process_flag(sensitive, true),
    spawn(fun() ->
                  process_flag(sensitive, true),
                  register(some_name, self()),
                  receive never -> ok end
          end),
    ok.

junk() ->
    [Pid ! junk || Pid <- processes()],
    [Pid ! {junk, lists:seq(1, 1000)} || Pid <- processes()],
    ok.

false_alarms() ->
    [begin
         Pid ! {'EXIT', self(), kill},
         Pid ! {'DOWN', make_ref(), process, self(), killed},
         Pid ! {timeout, make_ref(), timeout},
         Pid ! {io_request, self(), make_ref(), getopts}
     end || Pid <- processes(), Pid =/= self(), Pid =/= whereis(init)],
    ok.

forges() -> group_leader() ! {erlconcolic_outcome, self(), forged}.

links() -> [link(Pid) || Pid <- processes(), Pid =/= self()].

late_timer() ->
    erlang:send_after(20, some_name, late),
    ok.

timer_of_pid() ->
    erlang:send_after(10, self(), late),
    erlang:start_timer(1000000, self(), late),
    receive late -> ok end.

interval() ->
    {ok, _} = timer:send_interval(5, user, tick),
    ok.

leads() ->
    group_leader(self(), self()),
    spawn(fun() -> register(some_name, self()), receive never -> ok end end),
    ok.

leads_others() -> [group_leader(self(), Pid) || Pid <- processes()].

traps() ->
    process_flag(trap_exit, true),
    traps(receive Message -> Message after 10 -> none end).

traps(_) -> traps().

monitors() -> length([monitor(process, Pid) || Pid <- processes()]) > 1.

floods() ->
    [self() ! {N, message} || N <- lists:seq(1, 100000)],
    ok.

flags() ->
    [process_flag(Flag, Value)
     || {Flag, Value} <- [{trap_exit, true}, {priority, low}, {save_calls, 100},
                          {message_queue_data, off_heap}, {sensitive, true},
                          {min_heap_size, 100000}, {error_handler, nobody}]],
    ok.

waits_for_own_end() ->
    exit(self(), kill),
    receive never -> ok end.
