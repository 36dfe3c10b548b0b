%% Processes that hibernate: they wait for a message, forget their stack, and go
%% on in a function.
-module(hibernation).
-export([carried/1, forgotten_handler/1, either_wakes/1, sleepy_server/1,
         sleepy_counter/1, by_name/2, wakes_once/1]).
-export([woken/2, woken_first/2, listen/1]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

%% What it hibernates with stays symbolic.
%% finds: error {lost,77}
-spec carried(integer()) -> ok.
carried(N) ->
    Self = self(),
    Pid = spawn(fun() -> erlang:hibernate(?MODULE, woken, [Self, N + 7]) end),
    Pid ! go,
    receive {woken, go, 84} -> error({lost, N}); {woken, go, _} -> ok end.

woken(Pid, N) ->
    receive Message -> Pid ! {woken, Message, N} end.

%% The handler around the call is gone, so the process ends with the reason.
%% finds: error {not_caught,5}
-spec forgotten_handler(0..20) -> ok.
forgotten_handler(N) ->
    {Pid, Monitor} =
        spawn_monitor(fun() ->
                              try erlang:hibernate(?MODULE, listen, [5])
                              catch exit:_ -> ok
                              end
                      end),
    Pid ! N,
    receive
        {'DOWN', Monitor, process, Pid, {shutdown, M}} ->
            error({not_caught, M});
        {'DOWN', Monitor, process, Pid, normal} -> ok
    end.

listen(N) ->
    receive N -> exit({shutdown, N}); _ -> ok end.

%% Either message may be the one that wakes it up, and what it does then may
%% come before the other.
%% finds: error {second_came_late,3}
-spec either_wakes(0..9) -> ok.
either_wakes(N) ->
    Self = self(),
    Pid = spawn(fun() ->
                        proc_lib:hibernate(?MODULE, woken_first, [Self, N])
                end),
    spawn(fun() -> Pid ! one end),
    spawn(fun() -> Pid ! two end),
    receive
        {first, two, 3} -> error({second_came_late, N});
        {first, _, _} -> ok
    end.

woken_first(Pid, N) ->
    receive
        one -> Pid ! {first, one, N};
        two ->
            receive one -> Pid ! {first, two_then_one, N}
            after 0 -> Pid ! {first, two, N}
            end
    end.

%% A server that hibernates after each call keeps its state.
%% finds: error {sum,41}
-spec sleepy_server(integer()) -> ok.
sleepy_server(N) ->
    {ok, Pid} = gen_server:start(?MODULE, 1, []),
    1 = gen_server:call(Pid, {add, N}),
    Sum = gen_server:call(Pid, {add, 0}),
    Sum =/= 42 orelse error({sum, N}),
    gen_server:stop(Pid).

%% clean: complete
-spec sleepy_counter(0..3) -> ok.
sleepy_counter(N) ->
    {ok, Pid} = gen_server:start(?MODULE, 0, []),
    gen_server:cast(Pid, {add, N}),
    N = gen_server:call(Pid, {add, 1}),
    gen_server:stop(Pid).

init(N) -> {ok, N, hibernate}.

handle_call({add, N}, _From, Sum) -> {reply, Sum, Sum + N, hibernate}.

handle_cast({add, N}, Sum) -> {noreply, Sum + N, hibernate}.

handle_info(_, Sum) -> {noreply, Sum}.

%% The function is called by a name that the input chooses.
%% finds: error {heard,9}
-spec by_name(woken | listen, 0..9) -> ok.
by_name(Name, N) ->
    Self = self(),
    Args = case Name of woken -> [Self, N]; listen -> [9] end,
    {Pid, Monitor} =
        spawn_monitor(fun() -> erlang:hibernate(?MODULE, Name, Args) end),
    Pid ! N,
    receive
        {'DOWN', Monitor, process, Pid, {shutdown, M}} -> error({heard, M});
        {'DOWN', Monitor, process, Pid, normal} -> ok
    end.

%% There is only one order.
%% clean: complete
-spec wakes_once(integer()) -> ok.
wakes_once(N) ->
    Self = self(),
    Pid = spawn(fun() -> erlang:hibernate(?MODULE, woken, [Self, N]) end),
    Pid ! here,
    receive {woken, here, N} -> ok end.
