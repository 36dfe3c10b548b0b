%%% Small programs of processes whose numbers of interleavings are known.
-module(classic).
-behaviour(gen_server).

-export([readers_1/0, readers_4/0, readers_8/0, readers_10/0, readers_12/0]).
-export([mailbox_2/0, mailbox_4/0, mailbox_6/0, mailbox_7/0]).
-export([philosophers_2/0, philosophers_3/0, philosophers_4/0]).
-export([philosophers_5/0]).
-export([orderly_philosophers_2/0, orderly_philosophers_3/0]).
-export([orderly_philosophers_4/0]).
-export([ping_pong/0]).
-export([server_2/0, server_3/0, server_4/0, server_5/0, server_10/0]).
-export([gen_server_2/0, init/1, handle_call/3, handle_cast/2]).
-export([last_zero_3/0, last_zero_5/0, last_zero_8/0]).
-export([ring_3/0, ring_8/0]).

readers_1() -> readers(1).
readers_4() -> readers(4).
readers_8() -> readers(8).
readers_10() -> readers(10).
readers_12() -> readers(12).

mailbox_2() -> mailbox(2).
mailbox_4() -> mailbox(4).
mailbox_6() -> mailbox(6).
mailbox_7() -> mailbox(7).

philosophers_2() -> dinner(2, fun left_first/2).
philosophers_3() -> dinner(3, fun left_first/2).
philosophers_4() -> dinner(4, fun left_first/2).
philosophers_5() -> dinner(5, fun left_first/2).

orderly_philosophers_2() -> dinner(2, fun smaller_first/2).
orderly_philosophers_3() -> dinner(3, fun smaller_first/2).
orderly_philosophers_4() -> dinner(4, fun smaller_first/2).

server_2() -> server(2).
server_3() -> server(3).
server_4() -> server(4).
server_5() -> server(5).
server_10() -> server(10).

last_zero_3() -> last_zero(3).
last_zero_5() -> last_zero(5).
last_zero_8() -> last_zero(8).

ring_3() -> ring(3).
ring_8() -> ring(8).

%% One process writes what the others read. Each also reads something else.
readers(N) ->
    Table = ets:new(table, [public]),
    spawn(fun() -> ets:insert(Table, {x, 42}) end),
    [spawn(fun() -> ets:lookup(Table, I), ets:lookup(Table, x) end)
     || I <- lists:seq(1, N)],
    receive never -> ok end.

%% Two clients call a server of OTP, each of them twice.
gen_server_2() ->
    {ok, Pid} = gen_server:start(?MODULE, 0, []),
    [spawn(fun() -> [gen_server:call(Pid, {add, I}) || _ <- [1, 2]] end)
     || I <- [1, 2]],
    receive never -> ok end.

init(Sum) -> {ok, Sum}.

handle_call({add, N}, _From, Sum) -> {reply, Sum, Sum + N}.

handle_cast(_, Sum) -> {noreply, Sum}.

%% Each process sends one message to the first one.
mailbox(N) ->
    Self = self(),
    [spawn(fun() -> Self ! I end) || I <- lists:seq(1, N)],
    [receive _ -> ok end || _ <- lists:seq(1, N)],
    ok.

dinner(N, Order) ->
    Forks = list_to_tuple([spawn(fun fork/0) || _ <- lists:seq(1, N)]),
    Host = self(),
    [spawn(fun() ->
               {One, Other} = Order(I, I rem N + 1),
               eat(element(One, Forks), element(Other, Forks), Host)
           end)
     || I <- lists:seq(1, N)],
    [receive done -> ok end || _ <- lists:seq(1, N)],
    [Fork ! stop || Fork <- tuple_to_list(Forks)],
    ok.

left_first(Left, Right) -> {Left, Right}.

smaller_first(Left, Right) -> {min(Left, Right), max(Left, Right)}.

fork() ->
    receive
        {take, By} ->
            By ! taken,
            receive put -> fork() end;
        stop ->
            ok
    end.

eat(One, Other, Host) ->
    take(One),
    take(Other),
    One ! put,
    Other ! put,
    Host ! done.

take(Fork) ->
    Fork ! {take, self()},
    receive taken -> ok end.

%% Two processes answer four messages each.
ping_pong() ->
    Self = self(),
    [P, Q] = [spawn(fun pong/0), spawn(fun pong/0)],
    [begin P ! {Self, ping}, Q ! {Self, ping} end || _ <- lists:seq(1, 4)],
    [receive {_, pong} -> ok end || _ <- lists:seq(1, 8)],
    ok.

pong() ->
    receive
        {From, ping} ->
            From ! {self(), pong},
            pong()
    end.

%% Clients of a counter tell what they got.
server(N) ->
    Server = spawn(fun() -> counter(0) end),
    Self = self(),
    [spawn(fun() -> client(Server, Self) end) || _ <- lists:seq(1, N)],
    [receive _ -> ok end || _ <- lists:seq(1, N)],
    ok.

client(Server, Host) ->
    Ref = make_ref(),
    Server ! {self(), Ref, next},
    receive {Ref, Value} -> Host ! Value end.

counter(N) ->
    receive
        {From, Ref, next} ->
            From ! {Ref, N},
            counter(N + 1)
    end.

%% One process looks for the last place with a zero, while each of the others
%% computes one place from the one before.
last_zero(N) ->
    Table = ets:new(table, [public]),
    [ets:insert(Table, {I, 0}) || I <- lists:seq(0, N)],
    spawn(fun() -> look(Table, N) end),
    [spawn(fun() -> compute(Table, I) end) || I <- lists:seq(1, N)],
    receive never -> ok end.

look(_, 0) ->
    ok;
look(Table, I) ->
    case ets:lookup(Table, I) of
        [{I, 0}] -> ok;
        _ -> look(Table, I - 1)
    end.

compute(Table, I) ->
    [{_, Before}] = ets:lookup(Table, I - 1),
    ets:insert(Table, {I, Before + 1}).

%% A token goes around.
ring(N) ->
    Start = fun(_, Next) -> spawn(fun() -> hand_on(Next) end) end,
    First = lists:foldl(Start, self(), lists:seq(1, N)),
    First ! {token, 0},
    receive {token, Hops} -> Hops end.

hand_on(Next) ->
    receive
        {token, Hops} ->
            Next ! {token, Hops + 1},
            hand_on(Next)
    end.
