%%% Functions whose results depend on when messages arrive.
-module(delivered).

-export([triangle/1, patient_triangle/1, in_order/1, relay/1, polls/1,
         remains/1, sleeps/1, signals/1, asks/1]).

%% 0.1 has two messages: the second one was sent later, but by another process.
triangle(X) ->
    Last = spawn(fun() -> receive
                              {first, _} -> ok;
                              {second, Y} when Y =:= 7 -> error(overtaken);
                              {second, _} -> ok
                          end
                 end),
    through_another(Last, X).

%% The same, but it waits for the first one.
patient_triangle(X) ->
    Last = spawn(fun() ->
                         Y = receive {first, First} -> First end,
                         Y = receive {second, Second} -> Second end
                 end),
    through_another(Last, X).

through_another(Last, X) ->
    Forward = spawn(fun() -> receive {forward, To, M} -> To ! M end end),
    Last ! {first, X},
    Forward ! {forward, Last, {second, X}},
    ok.

%% Messages of one sender stay in order.
in_order(X) ->
    Last = spawn(fun() ->
                         One = receive A -> A end,
                         Two = receive B -> B end,
                         Three = receive C -> C end,
                         [1, 2, X] = [One, Two, Three]
                 end),
    Last ! 1,
    Last ! 2,
    Last ! X,
    ok.

%% The same through a process between: two channels, each in order.
relay(X) ->
    Self = self(),
    Relay = spawn(fun() ->
                          receive A -> Self ! A end,
                          receive B -> Self ! B end
                  end),
    Relay ! 1,
    Relay ! X,
    One = receive A -> A end,
    Other = receive B -> B end,
    [1, X] = [One, Other],
    ok.

%% The message is there when the table says so, or not.
polls(X) ->
    Self = self(),
    Table = ets:new(table, [public]),
    spawn(fun() -> Self ! X, ets:insert(Table, {sent}) end),
    case ets:lookup(Table, sent) of
        [{sent}] -> receive X -> received after 0 -> under_way end;
        [] -> not_sent
    end.

%% Messages that arrive after the end are nobody's business.
remains(X) ->
    Self = self(),
    spawn(fun() -> Self ! X end),
    X.

%% The time is not over while a message is under way.
sleeps(_) ->
    Self = self(),
    spawn(fun() -> Self ! hello end),
    receive hello -> ok after 100 -> error(late) end.

%% A signal could take its time too.
signals(X) ->
    Pid = spawn(fun() -> receive never -> X end end),
    exit(Pid, kill),
    X.

%% Whoever asks a process has sent it all messages before.
asks(X) ->
    Pid = spawn(fun() -> receive stop -> ok end end),
    Pid ! X,
    {messages, Messages} = process_info(Pid, messages),
    length(Messages).
