%% Programs with processes, to be explored.
-module(raced).

-export([waits/1, linked/1, busy/1, asks/1, server/1, sum/1, named/1,
         polls/1, sleeps/1, quits/1, fine/1, order/1, hibernates/1,
         woken/1, times/1, sends_outside/1, stores_outside/1,
         wakes_outside/1]).

%% Waits for ever without any other process.
-spec waits(0..9) -> term().
waits(7) ->
    receive never -> ok end;
waits(N) ->
    N.

%% The process that crashes takes the one that calls the function with it.
-spec linked(0..9) -> term().
linked(N) ->
    spawn_link(fun() -> 10 div (N - 3) end),
    receive x -> ok after 100 -> fine end.

-spec busy(0..3) -> term().
busy(N) ->
    T = ets:new(t, [public]),
    spawn(fun() -> ets:insert(T, {k, N}) end),
    look(T).

look(T) ->
    case ets:lookup(T, k) of
        [] -> look(T);
        [{k, V}] -> V
    end.

-spec asks(0..3) -> term().
asks(N) ->
    spawn(fun() -> ok end),
    {supervisor:which_children(kernel_sup), N}.

-spec server(0..3) -> term().
server(N) ->
    {ok, Pid} = pg:start(raced),
    spawn(fun() -> ok end),
    Members = pg:get_members(raced, N),
    gen_server:stop(Pid),
    {Members, N}.

%% Divides by zero if the second message comes first, for one input.
-spec sum(0..9) -> term().
sum(N) ->
    Self = self(),
    spawn(fun() -> Self ! {a, N} end),
    spawn(fun() -> Self ! {b, 3} end),
    receive
        {a, X} -> receive {b, Y} -> X + Y end;
        {b, X} -> receive {a, Y} -> 10 div (Y - X - 4) end
    end.

%% The name may not be registered yet.
-spec named(0..3) -> term().
named(N) ->
    Self = self(),
    spawn(fun() -> register(raced, self()), Self ! ready, receive stop -> ok end
          end),
    case N of
        3 -> whereis(raced) ! stop;
        _ -> receive ready -> raced ! stop end
    end,
    N.

-spec polls(0..9) -> term().
polls(N) ->
    Self = self(),
    spawn(fun() -> Self ! N end),
    receive
        6 -> error(late);
        _ -> received
    after 0 ->
        nothing
    end.

%% In time, or too late: the times decide.
-spec sleeps(0..3) -> term().
sleeps(N) ->
    Self = self(),
    spawn(fun() -> receive after 5 -> Self ! hi end end),
    receive hi -> N after 10 -> 1 div (N - 2) end.

%% These ends are no crashes.
-spec quits(0..3) -> term().
quits(N) ->
    [spawn(fun() -> exit(Reason) end)
     || Reason <- [normal, shutdown, {shutdown, N}]],
    Pid = spawn(fun() -> receive never -> ok end end),
    exit(Pid, kill),
    spawn(fun() -> receive never -> ok end end),
    N.

%% The same result in every order.
-spec fine(0..3) -> term().
fine(N) ->
    Self = self(),
    [spawn(fun() -> Self ! {I, N} end) || I <- [1, 2]],
    [receive {I, M} -> M end || I <- [1, 2]].

%% Another result in another order.
-spec order(0..1) -> term().
order(N) ->
    Self = self(),
    [spawn(fun() -> Self ! {I, N} end) || I <- [1, 2]],
    receive {I, N} -> I end.

%% The process that hibernated may send before the other one, or after it.
-spec hibernates(0..9) -> term().
hibernates(N) ->
    Me = self(),
    Pid = spawn(fun() -> proc_lib:hibernate(?MODULE, woken, [Me]) end),
    Pid ! {wake, N},
    spawn(fun() -> Me ! other end),
    receive
        {woken, _} -> fine;
        other -> receive {woken, M} -> M div (M - 7) end
    end.

-spec woken(pid()) -> term().
woken(Pid) ->
    receive {wake, N} -> Pid ! {woken, N} end.

%% Which message comes first depends on two times, and so on the input.
-spec times(1..9) -> term().
times(N) ->
    Self = self(),
    spawn(fun() -> receive after N -> Self ! first end end),
    spawn(fun() -> receive after 5 -> Self ! second end end),
    receive Which -> Which end.

%% The first function of the process is not followed.
-spec sends_outside(0..1) -> term().
sends_outside(N) ->
    spawn(erlang, send, [self(), {got, N}]),
    receive {got, N} -> ok end.

-spec stores_outside(integer()) -> term().
stores_outside(N) ->
    ets:new(table, [named_table, public]),
    spawn(ets, insert, [table, {key, N}]),
    ets:lookup(table, key).

-spec wakes_outside(0..1) -> term().
wakes_outside(N) ->
    Args = [self(), {got, N}],
    Pid = spawn(fun() -> erlang:hibernate(erlang, send, Args) end),
    Pid ! go,
    receive {got, N} -> ok end.
