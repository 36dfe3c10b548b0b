%% Two processes use an event manager with handlers.
-module(event_clients).
-export([alarms/2, swap/1, two_notify/2]).

%% The handler of alarms of SASL.
-spec alarms(disk | memory, disk | memory) -> [term()].
alarms(One, Other) ->
    {ok, Pid} = gen_event:start(),
    ok = gen_event:add_handler(Pid, alarm_handler, []),
    Self = self(),
    _ = spawn(fun() ->
                      ok = gen_event:notify(Pid, {clear_alarm, Other}),
                      Self ! done
              end),
    ok = gen_event:notify(Pid, {set_alarm, {One, full}}),
    receive done -> ok end,
    gen_event:call(Pid, alarm_handler, get_alarms).

-spec swap(integer()) -> integer().
swap(N) ->
    {ok, Pid} = gen_event:start(),
    ok = gen_event:add_handler(Pid, {sum_handler, one}, N),
    Self = self(),
    _ = spawn(fun() -> ok = gen_event:notify(Pid, 1), Self ! done end),
    ok = gen_event:swap_handler(Pid, {{sum_handler, one}, swap}, {{sum_handler, two}, new}),
    receive done -> ok end,
    Sum = gen_event:call(Pid, {sum_handler, two}, sum),
    true = Sum =:= N + 1,
    Sum.

-spec two_notify(integer(), integer()) -> integer().
two_notify(A, B) ->
    {ok, Pid} = gen_event:start(),
    ok = gen_event:add_handler(Pid, sum_handler, 0),
    Self = self(),
    _ = spawn(fun() -> ok = gen_event:sync_notify(Pid, A), Self ! done end),
    ok = gen_event:sync_notify(Pid, B),
    receive done -> ok end,
    gen_event:call(Pid, sum_handler, sum).
