%%% A filter driver between a keyboard's port driver and the system. It hands
%%% requests down and keys up. The checks after each request never fail.
-module(kbfiltr).

-export([run/1]).
-export_type([request/0]).

%% What the driver below makes of a request.
-type lower() :: done | later | failed.
-type request() ::
    {pnp, start | stop | remove, lower()}
    | {control, connect | disconnect | enable, lower()}
    | {power, up | down}
    | {key, 0..255}
    | completed.

-record(filter, {
    device = added :: added | started | stopped | removed,
    connected = false :: boolean(),
    enabled = false :: boolean(),
    power = up :: up | down,
    level = passive :: passive | dispatch,
    lock = free :: free | held,
    pending = 0 :: non_neg_integer(),
    queued = 0 :: 0..2,
    status = success :: success | pending | failed
}).

-spec run([request()]) -> ok.
run(Requests) -> run(Requests, #filter{}).

run([], Filter) ->
    #filter{pending = 0, queued = 0} = removed(Filter),
    ok;
run([Request | Rest], Filter) ->
    Next = dispatch(Request, Filter),
    ok = check(Next, Filter),
    run(Rest, Next).

dispatch(_, #filter{device = removed} = Filter) ->
    Filter#filter{status = failed};
dispatch({pnp, What, Lower}, Filter) ->
    plug_and_play(What, below(Lower, Filter));
dispatch({control, What, Lower}, Filter) ->
    control(What, Lower, Filter);
dispatch({power, Power}, Filter) ->
    power(Power, Filter);
dispatch({key, Code}, Filter) ->
    unlock(key(Code, lock(Filter)));
dispatch(completed, #filter{pending = 0} = Filter) ->
    Filter#filter{status = success};
dispatch(completed, #filter{pending = N} = Filter) ->
    Filter#filter{pending = N - 1, status = success}.

%% Sends a request to the driver below.
below(done, Filter) ->
    Filter#filter{status = success};
below(failed, Filter) ->
    Filter#filter{status = failed};
below(later, #filter{pending = N} = Filter) ->
    Filter#filter{status = pending, pending = N + 1}.

%% Waits for a request that the driver below has not completed yet.
wait(#filter{status = pending, pending = N} = Filter) when N > 0 ->
    Filter#filter{status = success, pending = N - 1};
wait(Filter) ->
    Filter.

plug_and_play(start, Filter) ->
    case wait(Filter) of
        #filter{status = success} = Done -> Done#filter{device = started};
        #filter{status = failed} = Failed -> Failed
    end;
plug_and_play(stop, #filter{device = started} = Filter) ->
    Filter#filter{device = stopped, enabled = false};
plug_and_play(stop, Filter) ->
    Filter;
plug_and_play(remove, Filter) ->
    removed(wait(Filter)).

%% All that is pending comes to its end before the device is gone.
removed(#filter{pending = 0} = Filter) ->
    Filter#filter{device = removed, connected = false, enabled = false,
                  queued = 0, status = success};
removed(#filter{pending = N} = Filter) ->
    removed(Filter#filter{pending = N - 1}).

control(connect, _, #filter{connected = true} = Filter) ->
    Filter#filter{status = failed};
control(connect, Lower, Filter) ->
    connected(below(Lower, Filter));
control(disconnect, _, Filter) ->
    Filter#filter{status = failed};
control(enable, Lower, #filter{connected = true, device = started} = Filter) ->
    enabled(wait(below(Lower, Filter)));
control(enable, _, Filter) ->
    Filter#filter{status = failed}.

connected(#filter{status = failed} = Filter) -> Filter;
connected(Filter) -> Filter#filter{connected = true}.

enabled(#filter{status = success} = Filter) -> Filter#filter{enabled = true};
enabled(Filter) -> Filter.

power(down, Filter) -> Filter#filter{power = down, status = success};
power(up, Filter) -> Filter#filter{power = up, queued = 0, status = success}.

%% A key comes at a high level, with the lock held. Two are kept while the
%% power is down.
key(_, #filter{enabled = false} = Filter) ->
    Filter#filter{status = failed};
key(Code, #filter{power = down, queued = N} = Filter) when N < 2, Code < 128 ->
    Filter#filter{queued = N + 1, status = success};
key(_, #filter{power = down} = Filter) ->
    Filter#filter{status = failed};
key(_, Filter) ->
    Filter#filter{status = success}.

lock(#filter{lock = free, level = passive} = Filter) ->
    Filter#filter{lock = held, level = dispatch}.

unlock(#filter{lock = held, level = dispatch} = Filter) ->
    Filter#filter{lock = free, level = passive}.

%% What holds after each request.
check(#filter{level = passive, lock = free} = Now, Before) ->
    true = Now#filter.status =/= pending orelse Now#filter.pending > 0,
    true = Now#filter.pending =< Before#filter.pending + 1,
    true = not Now#filter.enabled orelse Now#filter.connected,
    true = Now#filter.device =/= removed orelse Now#filter.pending =:= 0,
    true = Now#filter.queued =:= 0 orelse Now#filter.power =:= down,
    ok.
