%%% Messages that take their time, for the gate: for each sender and receiver
%%% there is a channel, in order. A message is under way from its send to its
%%% delivery, which is a step of its own. The gate then sends it, so it is in
%%% the mailbox before the gate lets anyone go on.
%%%
%%% Between two processes other signals stay behind messages that were sent
%%% before. They are real, and take effect at once; so the messages are
%%% delivered before them. The same holds for answers, the other way round.
-module(erlconcolic_deliveries).

-include("erlconcolic_gate.hrl").

-import(erlconcolic_gate_state,
        [indices_of/2, lengthen/3, pid/2, targets/1, woken/2]).

-export([post/4, deliver/4, deliver_all/1, flush/3, flush_to_hearers/1]).

%% A process sends a message. It does so itself if it is the receiver, or if
%% nobody controls the receiver. Behind the schedule the message arrives at
%% once.
-spec post(index(), pid(), term(), gate()) -> {direct | posted, gate()}.
post(Index, To, Message, Gate) ->
    case indices_of([To], Gate) of
        [Receiver] when Receiver =/= Index ->
            New = {{Index, Receiver}, Message},
            Posted = Gate#gate{under_way = Gate#gate.under_way ++ [New]},
            {posted, unless_planned(Posted)};
        _ ->
            {direct, Gate}
    end.

-spec unless_planned(gate()) -> gate().
unless_planned(#gate{schedule = [], expected = 0} = Gate) -> deliver_all(Gate);
unless_planned(Gate) -> Gate.

%% Delivers the oldest messages from one process to another one, so many.
-spec deliver(path(), path(), pos_integer(), gate()) -> gate().
deliver(From, To, Count, #gate{members = Members} = Gate) ->
    case {erlconcolic_members:index_at(From, Members),
          erlconcolic_members:index_at(To, Members)} of
        {{ok, Sender}, {ok, Receiver}} ->
            deliver_some({Sender, Receiver}, Count, Gate);
        _ ->
            Gate#gate{followed = false}
    end.

-spec deliver_some(channel(), non_neg_integer(), gate()) -> gate().
deliver_some(_Channel, 0, Gate) ->
    Gate;
deliver_some(Channel, Count, #gate{under_way = UnderWay} = Gate) ->
    case lists:keytake(Channel, 1, UnderWay) of
        {value, First, Rest} ->
            Delivered = delivered(First, Gate#gate{under_way = Rest}),
            deliver_some(Channel, Count - 1, Delivered);
        false ->
            Gate#gate{followed = false}
    end.

-spec deliver_all(gate()) -> gate().
deliver_all(Gate) ->
    deliver_if(fun(_) -> true end, Gate).

-spec deliver_if(fun((channel()) -> boolean()), gate()) -> gate().
deliver_if(Which, #gate{under_way = UnderWay} = Gate) ->
    {Now, Later} = lists:partition(fun({Channel, _}) -> Which(Channel) end,
                                   UnderWay),
    lists:foldl(fun delivered/2, Gate#gate{under_way = Later}, Now).

%% Messages to processes that have ended vanish.
-spec delivered({channel(), term()}, gate()) -> gate().
delivered({{_, Receiver} = Channel, Message}, #gate{leases = Leases} = Gate) ->
    pid(Receiver, Gate) ! Message,
    woken(Receiver, Gate#gate{leases = lengthen(Channel, 1, Leases)}).

%% A process is about to reach others, which may answer at once.
-spec flush(index(), erlconcolic_lease:reached(), gate()) -> gate().
flush(_Index, _Reached, #gate{under_way = []} = Gate) ->
    Gate;
flush(Index, everyone, Gate) ->
    deliver_if(fun({From, _}) -> From =:= Index end, Gate);
flush(Index, {hearers, Pids}, Gate) ->
    deliver_if(fun(Channel) -> is_between(Channel, [Index], Pids, Gate) end,
               Gate);
flush(Index, {target, Target}, Gate) ->
    Pids = targets(Target),
    Indices = indices_of(Pids, Gate),
    deliver_if(fun(Channel) ->
                       is_between(Channel, [Index], Pids, Gate)
                           orelse is_between(Channel, Indices,
                                             [pid(Index, Gate)], Gate)
               end, Gate).

-spec is_between(channel(), [index()], [term()], gate()) -> boolean().
is_between({From, To}, Senders, Receivers, Gate) ->
    lists:member(From, Senders) andalso lists:member(pid(To, Gate), Receivers).

%% Some processes may end now: those that hear of it get their messages first.
-spec flush_to_hearers(gate()) -> gate().
flush_to_hearers(#gate{under_way = []} = Gate) ->
    Gate;
flush_to_hearers(Gate) ->
    deliver_if(fun({From, To}) -> hears(pid(To, Gate), pid(From, Gate)) end,
               Gate).

-spec hears(pid(), pid()) -> boolean().
hears(Pid, Other) ->
    case process_info(Other, [links, monitored_by]) of
        [{links, Links}, {monitored_by, Watchers}] ->
            lists:member(Pid, Links) orelse lists:member(Pid, Watchers);
        undefined ->
            false
    end.
