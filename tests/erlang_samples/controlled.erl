%% Programs with processes, for `processes.rs`.
-module(controlled).
-export([two/1, two_named/1, server/1, selective/0, nested/1, poll/1, quiet/0, late/1, bad_time/1,
         in_try/1, in_case/1, in_fun/1, several_values/1, infinity/0, only_after/1, waits/1,
         deadlock/0, alone/0, waits_after_call/0, crash/1, linked/1, trapping/0, monitored/1,
         killing/0, kill_self/0, kill_gate/0, kill_parent/0, trap_and_kill/0, outlives/0,
         outlives_and_crashes/1, busy/0, busy_after/0, flood/1, forms/1, start/2, tables/1, names/1,
         pids/0, dictionary/0, timer/0, server_of_otp/0, opaque_server/0,
         sleeping/1, server_behaviour/0, init/1, handle_call/3,
         handle_cast/2, spawn_loop/1, hibernating/0, wake_up/1, computed/1, memory/0, stacks/1,
         replace_mailbox/0, suspended/0, reads_own_state/0, tail/1]).

%% The order of two senders decides.
two(X) ->
    Me = self(),
    spawn(fun() -> Me ! {a, X} end),
    spawn(fun() -> Me ! {b, X} end),
    receive
        {a, _} -> receive {b, Y} -> {ab, Y} end;
        {b, _} -> receive {a, Y} -> {ba, Y} end
    end.

two_named(X) ->
    register(receiver, self()),
    spawn(fun() -> receiver ! {a, X} end),
    spawn(fun() -> {receiver, node()} ! {b, X} end),
    {receive {First, _} -> First end, receive {Second, _} -> Second end}.

server(Clients) ->
    Server = spawn(fun() -> loop(0) end),
    Me = self(),
    Ask = fun(Number) ->
                  Ref = make_ref(),
                  Server ! {self(), Ref},
                  receive {Ref, Count} -> Me ! {Number, Count} end
          end,
    [spawn(fun() -> Ask(Number) end) || Number <- lists:seq(1, Clients)],
    lists:sort([receive {_, _} = Answer -> Answer end || _ <- lists:seq(1, Clients)]).

loop(Count) ->
    receive {Pid, Ref} -> Pid ! {Ref, Count}, loop(Count + 1) end.

%% Receives.

selective() ->
    Me = self(),
    spawn(fun() -> [Me ! N || N <- [1, 2, 3, 4]] end),
    [receive N when N rem 2 =:= 0 -> N end, receive 4 -> 4 end,
     receive A -> A end, receive B -> B end].

nested(X) ->
    Me = self(),
    spawn(fun() -> Me ! {outer, Me}, Me ! {inner, X} end),
    receive
        {outer, Pid} when Pid =:= Me ->
            Inner = receive {inner, Y} -> Y after 1000 -> none end,
            {Inner, receive never -> ok after 0 -> none end}
    end.

poll(Times) ->
    Me = self(),
    spawn(fun() -> Me ! hello end),
    polled(Times).

polled(0) -> none;
polled(Times) -> receive hello -> {hello, Times} after 0 -> polled(Times - 1) end.

quiet() ->
    Me = self(),
    [spawn(fun() -> receive never -> ok after Time -> Me ! Time end end) || Time <- [30, 10, 20]],
    [receive Time -> Time after 100000 -> none end || _ <- [1, 2, 3, 4]].

late(Time) ->
    Me = self(),
    spawn(fun() -> timer:sleep(1000), Me ! late end),
    receive late -> late after Time -> early end.

bad_time(Time) ->
    receive never -> ok after Time -> over end.

in_try(X) ->
    Me = self(),
    spawn(fun() -> Me ! X end),
    try receive 0 -> error(zero); Y -> Y end of
        1 -> receive never -> ok after 10 -> one end;
        Z -> Z
    catch
        error:zero -> receive never -> ok after 20 -> zero end
    end.

in_case(X) ->
    self() ! X,
    case receive Y when is_integer(Y) -> Y after 0 -> none end of
        none -> none;
        Z when Z > 0 -> case receive more -> more after 5 -> Z end of more -> 0; Z -> positive end;
        _ -> other
    end.

in_fun(X) ->
    Me = self(),
    Take = fun(Tag) -> receive {Tag, Y} -> Y end end,
    spawn(fun() -> Me ! {b, X}, Me ! {a, 1} end),
    lists:map(Take, [a, b]).

several_values(X) ->
    self() ! X,
    receive
        {A, B} -> C = A;
        [A, C] -> B = C;
        C -> A = C, B = C
    after 10 ->
        A = 1, B = 2, C = 3
    end,
    {A, B, C}.

infinity() ->
    spawn_link(fun() -> receive after infinity -> ok end end),
    receive never -> ok after 10 -> done end.

only_after(Time) ->
    receive after Time -> ok end,
    receive after Time -> done end.

waits(X) ->
    Me = self(),
    Pid = spawn(fun() -> receive {go, Y} -> Me ! {went, Y} end end),
    Pid ! {go, X},
    receive {went, Y} -> Y end.

tail(X) ->
    self() ! X,
    tail_loop(0).

tail_loop(Sum) ->
    receive
        0 -> Sum;
        X -> self() ! X - 1, tail_loop(Sum + X)
    end.

%% Ends.

deadlock() ->
    Me = self(),
    Other = spawn(fun() -> receive {Pid, hello} -> Pid ! never end end),
    Other ! {hello, Me},
    receive
        {Me, hello} -> ok
    end.

alone() ->
    receive never -> ok end.

waits_after_call() ->
    spawn(fun deep/0),
    deep(),
    ok.

deep() ->
    X = receive never -> ok end,
    {X}.

crash(X) ->
    spawn(fun() -> 1 div X end),
    receive never -> ok after 10 -> fine end.

linked(X) ->
    spawn_link(fun() -> exit(X) end),
    receive never -> ok after 10 -> alive end.

trapping() ->
    process_flag(trap_exit, true),
    Pid = spawn_link(fun() -> error(bad) end),
    receive {'EXIT', Pid, {Reason, [{controlled, _, _, _} | _]}} -> Reason end.

monitored(X) ->
    {Pid, Ref} = spawn_monitor(fun() -> exit(X) end),
    receive {'DOWN', Ref, process, Pid, Reason} -> Reason end.

killing() ->
    Pid = spawn(fun() -> receive never -> ok end end),
    true = register(victim, Pid),
    exit(Pid, kill),
    {is_process_alive(Pid), whereis(victim)}.

kill_self() ->
    spawn(fun() -> exit(self(), kill) end),
    exit(self(), kill),
    receive never -> ok end.

kill_gate() ->
    spawn(fun() -> exit(group_leader(), kill) end),
    receive never -> ok end.

kill_parent() ->
    Me = self(),
    spawn(fun() -> exit(Me, kill) end),
    receive never -> ok end.

trap_and_kill() ->
    Pid = spawn(fun() -> process_flag(trap_exit, true), trapped([]) end),
    exit(Pid, first),
    exit(Pid, second),
    Pid ! {reasons, self()},
    receive {reasons, Reasons} -> Reasons end.

trapped(Reasons) ->
    receive
        {'EXIT', _, Reason} -> trapped([Reason | Reasons]);
        {reasons, Pid} -> Pid ! {reasons, lists:reverse(Reasons)}
    end.

outlives() ->
    spawn(fun() -> outlives_for_ever() end),
    done.

outlives_for_ever() ->
    receive never -> ok after 1000 -> outlives_for_ever() end.

outlives_and_crashes(X) ->
    Pid = spawn(fun() -> receive Y -> 1 div Y end end),
    Pid ! X,
    done.

busy() ->
    spawn(fun spin/0),
    receive never -> ok end.

busy_after() ->
    spawn(fun spin/0),
    done.

spin() ->
    receive never -> ok after 0 -> spin() end.

flood(Count) ->
    Me = self(),
    spawn(fun() -> [Me ! N || N <- lists:seq(1, Count)] end),
    receive Count -> Count end.

memory() ->
    spawn(fun() -> grow([]) end),
    receive never -> ok after 10 -> alive end.

grow(List) ->
    grow([List | List]).

%% Other ways to start a process.

forms(Form) ->
    Me = self(),
    Fun = fun() -> Me ! hello end,
    case Form of
        spawn -> spawn(Fun);
        spawn_mfa -> spawn(?MODULE, start, [Me, hello]);
        spawn_link -> spawn_link(Fun);
        spawn_link_mfa -> spawn_link(?MODULE, start, [Me, hello]);
        spawn_monitor -> {_, _} = spawn_monitor(Fun);
        spawn_monitor_mfa -> {_, _} = spawn_monitor(?MODULE, start, [Me, hello]);
        spawn_opt -> {_, _} = spawn_opt(Fun, [link, monitor, {min_heap_size, 1000}]);
        spawn_opt_mfa -> spawn_opt(?MODULE, start, [Me, hello], [link]);
        external -> spawn(?MODULE, start, [Me, hello]), spawn(fun ?MODULE:module_info/0);
        bad_fun -> spawn(no_fun);
        bad_arguments -> spawn(?MODULE, start, hello);
        bad_options -> spawn_opt(Fun, [no_option]);
        undefined_function -> spawn(?MODULE, no_such_function, []), Me ! hello;
        bad_arity -> spawn(fun(_) -> ok end), Me ! hello
    end,
    receive hello -> hello end.

start(Pid, Message) ->
    Pid ! Message.

computed(X) ->
    Me = self(),
    Send = fun erlang:send/2,
    {M, F} = {erlang, spawn},
    M:F(fun() -> Send(Me, X) end),
    apply(erlang, spawn, [fun() -> apply(erlang, '!', [Me, X]) end]),
    [receive Y -> Y end, receive Z -> Z end].

spawn_loop(0) -> done;
spawn_loop(N) -> spawn(fun() -> ok end), spawn_loop(N - 1).

hibernating() ->
    Me = self(),
    Pid = spawn(fun() -> erlang:hibernate(?MODULE, wake_up, [Me]) end),
    Pid ! wake,
    receive awake -> awake end.

wake_up(Pid) ->
    receive wake -> Pid ! awake end.

%% Objects.

tables(X) ->
    Table = ets:new(table, [public]),
    ets:insert(Table, {key, X}),
    Me = self(),
    Add = fun() ->
                  [{key, Old}] = ets:lookup(Table, key),
                  ets:insert(Table, {key, Old + 1}),
                  Me ! done
          end,
    spawn(Add),
    spawn(Add),
    receive done -> ok end,
    receive done -> ok end,
    ets:lookup(Table, key).

names(Name) ->
    Me = self(),
    Claim = fun() ->
                    Me ! {self(), try register(Name, self()) catch error:badarg -> taken end},
                    receive stop -> ok end
            end,
    Pids = [spawn(Claim), spawn(Claim)],
    [receive {Pid, Result} -> Result end || Pid <- Pids].

pids() ->
    Me = self(),
    Refs = [make_ref(), make_ref()],
    Pid = spawn(fun() -> receive Message -> Me ! {self(), Message, fun() -> Refs end} end end),
    Pid ! {Me, Refs, #{Pid => Me}},
    receive {Pid, {Me, Refs, #{Pid := Me}}, Fun} -> Fun() =:= Refs end.

dictionary() ->
    put(key, value),
    Me = self(),
    spawn(fun() -> Me ! {get(), process_info(self(), dictionary)} end),
    {get(), receive Message -> Message end}.

reads_own_state() ->
    Me = self(),
    Pid = spawn(fun() -> receive never -> Me end end),
    Pid ! one,
    Pid ! two,
    {process_info(Pid, messages), process_info(Pid, message_queue_len),
     process_info(self(), messages)}.

replace_mailbox() ->
    Me = self(),
    spawn(fun() -> Me ! one end),
    receive _ -> ok after 0 -> ok end,
    spawn(fun() -> Me ! two end),
    [receive A -> A end, receive B -> B after 0 -> none end].

suspended() ->
    Pid = spawn(fun() -> receive go -> ok end end),
    erlang:suspend_process(Pid),
    erlang:resume_process(Pid),
    Ref = monitor(process, Pid),
    Pid ! go,
    receive {'DOWN', Ref, process, Pid, Reason} -> Reason end.

stacks(Where) ->
    self() ! Where,
    Result = receive
                 inner -> catch error(inner);
                 last -> catch last_receive(self())
             end,
    {'EXIT', {Reason, Stack}} = Result,
    {Reason, [{F, A} || {controlled, F, A, _} <- Stack]}.

last_receive(Pid) ->
    Pid ! message,
    receive message -> error(last) end.

%% What nobody controls.

timer() ->
    erlang:send_after(10, self(), tick),
    receive tick -> tick end.

%% It was there before.
server_of_otp() ->
    length(supervisor:which_children(kernel_sup)) > 1.

%% A module that is not followed starts it.
opaque_server() ->
    {ok, _} = pg:start(?MODULE),
    pg:get_members(?MODULE, group).

sleeping(Time) ->
    timer:sleep(Time),
    done.

server_behaviour() ->
    {ok, Pid} = gen_server:start_link(?MODULE, none, []),
    gen_server:cast(Pid, {add, 2}),
    gen_server:cast(Pid, {add, 3}),
    Sum = gen_server:call(Pid, get),
    gen_server:stop(Pid),
    Sum.

init(none) -> {ok, 0}.

handle_call(get, _From, Sum) -> {reply, Sum, Sum}.

handle_cast({add, X}, Sum) -> {noreply, Sum + X}.
