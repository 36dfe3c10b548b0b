%% Timers, whose messages depend on the input. Time is that of the run: nothing
%% sleeps.
-module(timers).
-export([applied/1, cancelled_or_not/1, clean_cancelled/1, clean_clock/1,
         clean_end_of_receiver/1, clean_order/2, interval/1, name/1,
         reference/1, sent/1, sent_to_other/1, time_left/1]).

%% finds: error five
-spec applied(integer()) -> ok.
applied(N) ->
    {ok, _} = timer:apply_after(10, erlang, send, [self(), {number, N}]),
    receive
        {number, 5} -> error(five);
        {number, _} -> ok
    end.

%% finds: error late
-spec cancelled_or_not(integer()) -> ok.
cancelled_or_not(N) ->
    Timer = erlang:send_after(100, self(), tick),
    _ = N > 10 andalso erlang:cancel_timer(Timer),
    receive
        tick when N =:= -3 -> error(late);
        tick -> ok
    after 1000 ->
        ok
    end.

%% clean: complete
-spec clean_cancelled(integer()) -> integer().
clean_cancelled(N) ->
    {ok, Timer} = timer:send_after(50, {hello, N}),
    {ok, cancel} = timer:cancel(Timer),
    receive
        {hello, M} -> error({cancelled, M})
    after 100 ->
        N
    end.

%% The clock is that of the timers.
%% clean: complete
-spec clean_clock(integer()) -> integer().
clean_clock(N) ->
    _ = spawn(fun() -> receive never -> ok end end),
    Before = erlang:monotonic_time(millisecond),
    receive after 100 -> ok end,
    100 = erlang:monotonic_time(millisecond) - Before,
    N.

%% Nobody gets the message, and nobody crashes.
%% clean: complete
-spec clean_end_of_receiver(integer()) -> integer().
clean_end_of_receiver(N) ->
    Pid = spawn(fun() -> ok end),
    _ = erlang:send_after(10, Pid, {number, N}),
    _ = erlang:send_after(10, nobody_has_this_name, {number, N}),
    receive after 100 -> N end.

%% The shorter time is over first.
%% clean: complete
-spec clean_order(integer(), integer()) -> {integer(), integer()}.
clean_order(A, B) ->
    _ = erlang:send_after(200, self(), {second, B}),
    _ = erlang:send_after(100, self(), {first, A}),
    First = receive {Which, X} -> {Which, X} end,
    Second = receive {Other, Y} -> {Other, Y} end,
    {{first, A}, {second, B}} = {First, Second},
    {A, B}.

%% finds: error three
-spec interval(integer()) -> ok.
interval(N) ->
    {ok, Timer} = timer:send_interval(10, {tick, N}),
    [First, _, _] = [receive {tick, M} -> M end || _ <- [1, 2, 3]],
    {ok, cancel} = timer:cancel(Timer),
    case First of
        3 -> error(three);
        _ -> ok
    end.

%% finds: error named
-spec name(integer()) -> ok.
name(N) ->
    true = register(waits_for_timer, self()),
    _ = erlang:send_after(10, waits_for_timer, N),
    receive
        -7 -> error(named);
        _ -> ok
    end.

%% finds: error payload
-spec reference(integer()) -> ok.
reference(N) ->
    Timer = erlang:start_timer(10, self(), N),
    receive
        {timeout, Timer, 33} -> error(payload);
        {timeout, Timer, _} -> ok
    end.

%% finds: error tick
-spec sent(integer()) -> ok.
sent(N) ->
    _ = erlang:send_after(100, self(), {tick, N}),
    receive
        {tick, 42} -> error(tick);
        {tick, _} -> ok
    end.

%% finds: error sum
-spec sent_to_other(integer()) -> ok.
sent_to_other(N) ->
    Pid = spawn(fun() -> sum(0) end),
    _ = erlang:send_after(10, Pid, {add, N}),
    _ = erlang:send_after(20, Pid, {add, N + 1}),
    _ = erlang:send_after(30, Pid, {get, self()}),
    receive
        {sum, 99} -> error(sum);
        {sum, _} -> ok
    end.

sum(Sum) ->
    receive
        {add, N} -> sum(Sum + N);
        {get, To} -> To ! {sum, Sum}
    end.

%% How much time is left depends on what came before.
%% finds: error left
-spec time_left(boolean()) -> ok.
time_left(Waits) ->
    Timer = erlang:send_after(100, self(), tick),
    _ = Waits andalso receive after 80 -> ok end,
    case erlang:read_timer(Timer) of
        Left when Left < 50 -> error(left);
        _ -> ok
    end.
