%% Two processes use an event manager with handlers.
-module(event_clients).
-behaviour(gen_event).
-export([alarms/2, swap/1, two_notify/2]).
-export([init/1, handle_event/2, handle_call/2, terminate/2]).

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
    ok = gen_event:add_handler(Pid, {?MODULE, one}, N),
    Self = self(),
    _ = spawn(fun() -> ok = gen_event:notify(Pid, 1), Self ! done end),
    ok = gen_event:swap_handler(Pid, {{?MODULE, one}, swap}, {{?MODULE, two}, new}),
    receive done -> ok end,
    Sum = gen_event:call(Pid, {?MODULE, two}, sum),
    true = Sum =:= N + 1,
    Sum.

-spec two_notify(integer(), integer()) -> integer().
two_notify(A, B) ->
    {ok, Pid} = gen_event:start(),
    ok = gen_event:add_handler(Pid, ?MODULE, 0),
    Self = self(),
    _ = spawn(fun() -> ok = gen_event:sync_notify(Pid, A), Self ! done end),
    ok = gen_event:sync_notify(Pid, B),
    receive done -> ok end,
    gen_event:call(Pid, ?MODULE, sum).

init({_Swapped, Sum}) -> {ok, Sum};
init(Sum) -> {ok, Sum}.

handle_event(N, Sum) when is_integer(N) -> {ok, Sum + N}.

handle_call(sum, Sum) -> {ok, Sum, Sum}.

terminate(_, Sum) -> Sum.
