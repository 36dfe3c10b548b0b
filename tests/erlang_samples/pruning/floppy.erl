%%% A driver of a floppy disk drive: a queue, a motor, and disks that people
%%% change. The checks after each request never fail.
-module(floppy).

-export([run/1]).
-export_type([request/0]).

-type request() ::
    {read | write, 0..4095}
    | {format, 0..79}
    | {disk, in | out | protected}
    | {pnp, start | query_stop | cancel_stop | stop | remove}
    | tick.

-record(drive, {
    device = added :: added | started | held | stopped | removed,
    disk = none :: none | present | protected,
    %% Whether somebody changed the disk since it was looked at.
    changed = false :: boolean(),
    motor = off :: off | on,
    idle = 0 :: 0..2,
    %% What waits while the device is held.
    queue = [] :: [{read | write, 0..4095}],
    pending = 0 :: non_neg_integer(),
    level = passive :: passive | dispatch,
    lock = free :: free | held,
    status = success :: success | pending | failed
}).

-spec run([request()]) -> success | pending | failed.
run(Requests) -> run(Requests, #drive{}).

run([], #drive{status = Status}) ->
    Status;
run([Request | Rest], Drive) ->
    Next = dispatch(Request, Drive),
    ok = check(Next),
    run(Rest, Next).

dispatch(_, #drive{device = removed} = Drive) ->
    Drive#drive{status = failed};
dispatch({disk, What}, Drive) ->
    disk(What, Drive#drive{changed = true, status = success});
dispatch({pnp, What}, Drive) ->
    plug_and_play(What, Drive);
dispatch(tick, Drive) ->
    tick(Drive);
dispatch({format, Track}, #drive{device = started} = Drive) ->
    format(Track, Drive);
dispatch({Kind, Sector}, #drive{device = held} = Drive) ->
    unlock(queued({Kind, Sector}, lock(Drive)));
dispatch({Kind, Sector}, #drive{device = started} = Drive) ->
    transfer(Kind, Sector, Drive);
dispatch(_, Drive) ->
    Drive#drive{status = failed}.

disk(out, Drive) -> Drive#drive{disk = none};
disk(in, Drive) -> Drive#drive{disk = present};
disk(protected, Drive) -> Drive#drive{disk = protected}.

%% The queue takes two transfers.
queued(_, #drive{pending = 2} = Drive) ->
    Drive#drive{status = failed};
queued({format, _}, Drive) ->
    Drive#drive{status = failed};
queued(Transfer, #drive{queue = Queue, pending = N} = Drive) ->
    Drive#drive{queue = [Transfer | Queue], pending = N + 1, status = pending}.

%% The first transfer after a change only looks at the disk.
transfer(_, _, #drive{disk = none} = Drive) ->
    Drive#drive{status = failed};
transfer(_, _, #drive{changed = true} = Drive) ->
    spun(Drive#drive{changed = false, status = failed});
transfer(write, _, #drive{disk = protected} = Drive) ->
    Drive#drive{status = failed};
transfer(_, Sector, Drive) when Sector >= 2880 ->
    Drive#drive{status = failed};
transfer(_, _, Drive) ->
    spun(Drive#drive{status = success}).

format(_, #drive{disk = Disk} = Drive) when Disk =/= present ->
    Drive#drive{status = failed};
format(Track, Drive) when Track < 80 ->
    spun(Drive#drive{changed = true, status = success}).

%% The motor runs until two ticks after its last use.
spun(#drive{disk = Disk} = Drive) when Disk =/= none ->
    Drive#drive{motor = on, idle = 0}.

tick(#drive{motor = off} = Drive) ->
    Drive#drive{status = success};
tick(#drive{idle = 2} = Drive) ->
    Drive#drive{motor = off, idle = 0, status = success};
tick(#drive{idle = N} = Drive) ->
    Drive#drive{idle = N + 1, status = success}.

plug_and_play(start, #drive{device = held} = Drive) ->
    Drive#drive{status = failed};
plug_and_play(start, Drive) ->
    Drive#drive{device = started, changed = true, status = success};
plug_and_play(query_stop, #drive{device = started} = Drive) ->
    Drive#drive{device = held, status = success};
plug_and_play(cancel_stop, #drive{device = held} = Drive) ->
    drained(Drive#drive{device = started});
plug_and_play(stop, #drive{device = held} = Drive) ->
    Drained = drained(Drive),
    Drained#drive{device = stopped, motor = off, idle = 0};
plug_and_play(remove, Drive) ->
    Drained = drained(Drive),
    Drained#drive{device = removed, motor = off, idle = 0};
plug_and_play(_, Drive) ->
    Drive#drive{status = failed}.

%% What waits in the queue, the oldest first.
drained(#drive{queue = Queue} = Drive) ->
    drained(lists:reverse(Queue), Drive#drive{queue = [], status = success}).

drained([], Drive) ->
    Drive#drive{status = success};
drained([{Kind, Sector} | Rest], #drive{pending = N} = Drive) ->
    drained(Rest, transfer(Kind, Sector, Drive#drive{pending = N - 1})).

lock(#drive{lock = free, level = passive} = Drive) ->
    Drive#drive{lock = held, level = dispatch}.

unlock(#drive{lock = held, level = dispatch} = Drive) ->
    Drive#drive{lock = free, level = passive}.

%% What holds after each request.
check(#drive{level = passive, lock = free, pending = N} = Drive) when N >= 0 ->
    N = length(Drive#drive.queue),
    true = N =< 2,
    true = Drive#drive.status =/= pending orelse N > 0,
    true = N =:= 0 orelse Drive#drive.device =:= held,
    true = Drive#drive.idle =:= 0 orelse Drive#drive.motor =:= on,
    ok.
