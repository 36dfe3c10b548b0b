-module(workshop).

-export([two_senders/1, server/1, counter/1, poll/1, names/1, nested/1,
         crashes/1, sleepers/1, fold/1, ring/1, fun_message/1, computed_send/1,
         spawn_by_name/1, late/1, forever/1, killed/1, caught/1]).
-export([bank/1, seats/1, cells/1]).
-export([monitored/1, monitored_late/1, monitored_by_name/1]).
-export([demonitored/1, failed/1]).
-export([timers/1, linked/1, foreign/1]).
-export([client/3, give/2]).

%% A selective receive; what is taken depends on the input.
two_senders(X) ->
    Self = self(),
    spawn(fun() -> Self ! {a, X} end),
    spawn(fun() -> Self ! {b, X + 1} end),
    receive
        {a, Y} when Y > 10 -> {large, Y};
        {b, 6} -> six;
        {b, Z} -> {other, Z}
    end.

server(X) ->
    Server = spawn(fun() -> serve(X) end),
    Self = self(),
    spawn(?MODULE, client, [Server, Self, X]),
    spawn(?MODULE, client, [Server, Self, 3]),
    First = receive {done, A} -> A end,
    Second = receive {done, B} -> B end,
    if First > Second -> first; true -> second end.

serve(State) ->
    receive
        {add, From, N} ->
            From ! {self(), State + N},
            serve(State + N)
    end.

client(Server, Parent, N) ->
    Server ! {add, self(), N},
    receive {Server, Sum} -> Parent ! {done, Sum} end.

counter(X) ->
    Table = ets:new(counter, [public]),
    ets:insert(Table, {n, 0}),
    Self = self(),
    Add = fun() ->
                  [{n, N}] = ets:lookup(Table, n),
                  ets:insert(Table, {n, N + 1}),
                  Self ! done
          end,
    spawn(Add),
    spawn(Add),
    receive done -> ok end,
    receive done -> ok end,
    [{n, Sum}] = ets:lookup(Table, n),
    case X > 10 of
        true -> Sum;
        false -> small
    end.

poll(X) ->
    Self = self(),
    spawn(fun() -> Self ! {got, X} end),
    poll_now(X, 3).

poll_now(_, 0) ->
    none;
poll_now(X, N) ->
    receive
        {got, Y} when Y > X - N -> Y
    after 0 ->
        poll_now(X, N - 1)
    end.

names(X) ->
    register(boss, self()),
    spawn(fun() -> boss ! {hello, X} end),
    spawn(fun() -> catch nobody ! X, boss ! done end),
    Value = receive {hello, Y} -> Y end,
    receive done -> ok end,
    unregister(boss),
    case Value of
        20 -> twenty;
        _ -> whereis(boss)
    end.

nested(X) ->
    Self = self(),
    spawn(fun() ->
                  Middle = self(),
                  spawn(fun() -> Middle ! {inner, X * 2} end),
                  receive {inner, Y} -> Self ! {outer, Y} end
          end),
    receive
        {outer, 40} -> forty;
        {outer, N} -> N
    end.

crashes(X) ->
    spawn(fun() -> 1 div X end),
    spawn(fun() -> exit({gone, X}) end),
    spawn(fun() -> throw(X) end),
    ok.

sleepers(X) ->
    Self = self(),
    spawn(fun() -> timer:sleep(20), Self ! slow end),
    spawn(fun() -> timer:sleep(10), Self ! {quick, X} end),
    receive
        {quick, 20} -> twenty;
        Other -> Other
    after 15 -> late
    end.

fold(X) ->
    Table = ets:new(fold, [public, ordered_set]),
    ets:insert(Table, [{1, a}, {2, b}]),
    Self = self(),
    Child = spawn(fun() -> receive {row, N} -> Self ! N end end),
    ets:foldl(fun({N, _}, Sum) -> Child ! {row, N}, Sum + N end, 0, Table),
    receive 1 when X > 3 -> one; N -> N end.

ring(X) ->
    Self = self(),
    Last = lists:foldl(fun(N, Next) ->
                               spawn(fun() -> pass(N, Next) end)
                       end, Self, [1, 2, 3]),
    Last ! {token, X},
    receive
        {token, 26} -> right;
        {token, Y} -> Y
    end.

pass(N, Next) ->
    receive {token, X} -> Next ! {token, X + N} end.

fun_message(X) ->
    Self = self(),
    Child = spawn(fun() -> receive {call, F} -> Self ! {result, F(X)} end end),
    Child ! {call, fun(Y) -> Y + X end},
    receive
        {result, 10} -> ten;
        {result, R} -> R
    end.

computed_send(X) ->
    Self = self(),
    Send = fun erlang:send/2,
    spawn(fun() -> Send(Self, {one, X}) end),
    spawn(fun() -> apply(erlang, send, [Self, {two, X}]) end),
    receive
        {two, 20} -> two;
        {one, Y} -> Y
    end.

give(To, X) ->
    To ! {given, X}.

spawn_by_name(X) ->
    spawn(?MODULE, give, [self(), X]),
    receive
        {given, 0} -> zero;
        {given, Y} -> Y
    end.

late(X) ->
    Self = self(),
    spawn(fun() -> Self ! {late, X} end),
    receive
        {late, 20} -> twenty
    after 100 ->
        late
    end.

%% One process waits to the end, and for some inputs the first one too.
forever(X) ->
    Self = self(),
    Child = spawn(fun() -> receive {never, X, Y} -> Self ! Y end end),
    Child ! {never, 5, X},
    Child ! {other, X},
    receive 5 -> five end.

killed(X) ->
    Self = self(),
    Child = spawn(fun() -> Self ! one, Self ! two end),
    exit(Child, kill),
    receive
        one when X > 10 -> large;
        one -> small
    after 10 ->
        is_process_alive(Child)
    end.

caught(X) ->
    Self = self(),
    spawn(fun() ->
                  try X div X of
                      N -> Self ! {ok, N}
                  catch
                      error:Reason -> Self ! {error, Reason}
                  end
          end),
    receive
        {ok, N} -> N;
        {error, R} -> R
    end.

%% Symbolic values in a table.
bank(X) ->
    Table = ets:new(bank, [public]),
    ets:insert(Table, {balance, 10}),
    Self = self(),
    Withdraw = fun(N) ->
                       [{balance, B}] = ets:lookup(Table, balance),
                       case B >= N of
                           true ->
                               ets:insert(Table, {balance, B - N}),
                               Self ! ok;
                           false ->
                               Self ! refused
                       end
               end,
    spawn(fun() -> Withdraw(X) end),
    spawn(fun() -> Withdraw(7) end),
    receive One -> One end,
    receive Two -> Two end,
    [{_, Rest}] = ets:lookup(Table, balance),
    if Rest < 0 -> overdrawn; Rest =:= 3 -> {One, Two}; true -> ok end.

%% Symbolic keys.
seats(X) ->
    Table = ets:new(seats, [named_table, public, ordered_set, {keypos, 2}]),
    Self = self(),
    Take = fun(Name, Seat) ->
                   case ets:member(seats, Seat) of
                       true -> Self ! {Name, taken};
                       false -> Self ! {Name, ets:insert_new(seats, {Name, Seat})}
                   end
           end,
    spawn(fun() -> Take(ann, X) end),
    spawn(fun() -> Take(bob, 5) end),
    receive {ann, Ann} -> Ann end,
    receive {bob, _} -> ok end,
    ets:delete(Table, 7),
    [{First, _}] = ets:take(seats, X),
    {First, Ann}.

cells(X) ->
    Table = ets:new(cells, [public]),
    ets:insert(Table, [{a, X, 0}, {b, 0, 0}]),
    Self = self(),
    spawn(fun() ->
                  ets:update_counter(Table, a, 2),
                  ets:update_element(Table, b, {3, X}),
                  Self ! done
          end),
    spawn(fun() -> ets:update_counter(Table, b, {2, X}), Self ! done end),
    receive done -> ok end,
    receive done -> ok end,
    ets:delete_all_objects(Table),
    ets:insert_new(Table, {a, X + 1}),
    case ets:lookup_element(Table, a, 2) of
        21 -> large;
        N -> N
    end.

monitored(X) ->
    {Pid, Ref} = spawn_monitor(fun() -> exit(X) end),
    receive
        {'DOWN', Ref, process, Pid, 20} -> twenty;
        {'DOWN', Ref, process, Pid, R} -> R
    end.

%% The process has perhaps ended before.
monitored_late(X) ->
    Self = self(),
    Pid = spawn(fun() -> Self ! X, exit({shutdown, X}) end),
    Ref = monitor(process, Pid),
    receive
        {'DOWN', Ref, process, Pid, {shutdown, 20}} -> twenty;
        {'DOWN', Ref, process, Pid, noproc} -> late;
        5 -> receive {'DOWN', Ref, process, Pid, R} -> R end
    end.

%% The message has the name.
monitored_by_name(X) ->
    Pid = spawn(fun() -> receive stop -> exit({shutdown, X}) end end),
    true = register(watched, Pid),
    Ref = monitor(process, watched),
    Pid ! stop,
    receive
        {'DOWN', Ref, process, {watched, _}, {shutdown, 20}} -> twenty;
        {'DOWN', Ref, process, {watched, _}, R} -> R
    end.

%% The message is perhaps there already, and then it is gone.
demonitored(X) ->
    Pid = spawn(fun() -> exit({shutdown, X}) end),
    Ref = monitor(process, Pid),
    Other = monitor(process, self()),
    true = demonitor(Other),
    true = demonitor(Ref, [flush]),
    receive
        {'DOWN', Ref, process, Pid, _} -> never
    after 0 ->
        X
    end.

%% Reasons of errors and of what is thrown have stacks.
failed(X) ->
    {_, One} = spawn_monitor(fun() -> 100 div X end),
    {_, Other} = spawn_monitor(fun() -> X =:= 20 andalso throw(X) end),
    Reason = receive {'DOWN', One, process, _, R} -> R end,
    receive
        {'DOWN', Other, process, _, {{nocatch, 20}, _}} -> thrown;
        {'DOWN', Other, process, _, normal} when Reason =:= normal -> fine;
        {'DOWN', Other, process, _, normal} -> divided
    end.

timers(X) ->
    Self = self(),
    erlang:send_after(1, Self, X),
    spawn(fun() -> Self ! go end),
    receive go -> ok end,
    receive 20 -> twenty; N -> N end.

foreign(X) ->
    Self = self(),
    {ok, _} = pg:start(?MODULE),
    spawn(fun() -> Self ! X end),
    receive 20 -> twenty; N -> N end.

linked(X) ->
    process_flag(trap_exit, true),
    Pid = spawn_link(fun() -> exit({reason, X}) end),
    receive
        {'EXIT', Pid, {reason, 20}} -> twenty;
        {'EXIT', Pid, R} -> R
    end.
