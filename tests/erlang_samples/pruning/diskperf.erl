%%% A filter driver above a disk, which counts what goes through it. The checks
%%% after each request never fail.
-module(diskperf).

-export([run/1]).
-export_type([request/0]).

-type lower() :: done | later | failed.
-type request() ::
    {read | write, 0..4095, lower()}
    | {completed, oldest | newest}
    | {control, query | enable | disable}
    | {pnp, start | remove | usage, lower()}
    | flush.

-record(disk, {
    device = added :: added | started | removed,
    counting = 0 :: 0..2,
    reads = 0 :: non_neg_integer(),
    writes = 0 :: non_neg_integer(),
    %% The requests below, the newest first.
    below = [] :: [read | write],
    pending = 0 :: non_neg_integer(),
    pageable = true :: boolean(),
    level = passive :: passive | dispatch,
    lock = free :: free | held,
    status = success :: success | pending | failed
}).

-spec run([request()]) -> {non_neg_integer(), non_neg_integer()}.
run(Requests) -> run(Requests, #disk{}).

run([], #disk{reads = Reads, writes = Writes}) ->
    {Reads, Writes};
run([Request | Rest], Disk) ->
    Next = dispatch(Request, Disk),
    ok = check(Next),
    run(Rest, Next).

dispatch(_, #disk{device = removed} = Disk) ->
    Disk#disk{status = failed};
dispatch({control, What}, Disk) ->
    control(What, Disk);
dispatch({pnp, What, Lower}, Disk) ->
    plug_and_play(What, Lower, Disk);
dispatch({completed, _}, #disk{pending = 0} = Disk) ->
    Disk#disk{status = success};
dispatch({completed, Which}, Disk) ->
    unlock(completed(Which, lock(Disk)));
dispatch(flush, Disk) ->
    flushed(Disk);
dispatch({Kind, Sectors, Lower}, #disk{device = started} = Disk) ->
    transfer(Kind, Sectors, Lower, Disk);
dispatch(_, Disk) ->
    Disk#disk{status = failed}.

%% A transfer of nothing does not go to the driver below.
transfer(_, 0, _, Disk) ->
    Disk#disk{status = success};
transfer(_, _, failed, Disk) ->
    Disk#disk{status = failed};
transfer(Kind, Sectors, done, Disk) ->
    Counted = unlock(counted(Kind, Sectors, lock(Disk))),
    Counted#disk{status = success};
transfer(Kind, _, later, #disk{below = Below, pending = N} = Disk) ->
    Disk#disk{below = [Kind | Below], pending = N + 1, status = pending}.

%% The driver below has come to the end of a request.
completed(Which, #disk{below = Below, pending = N} = Disk) ->
    {Kind, Left} = taken(Which, Below),
    Done = counted(Kind, 1, Disk),
    Done#disk{below = Left, pending = N - 1, status = success}.

taken(newest, [Kind | Left]) ->
    {Kind, Left};
taken(oldest, Below) ->
    [Kind | Left] = lists:reverse(Below),
    {Kind, lists:reverse(Left)}.

counted(_, _, #disk{counting = 0} = Disk) -> Disk;
counted(read, N, #disk{reads = M} = Disk) -> Disk#disk{reads = M + N};
counted(write, N, #disk{writes = M} = Disk) -> Disk#disk{writes = M + N}.

control(query, #disk{counting = 0} = Disk) ->
    Disk#disk{status = failed};
control(query, Disk) ->
    unlock((lock(Disk))#disk{status = success});
control(enable, #disk{counting = N} = Disk) when N < 2 ->
    Disk#disk{counting = N + 1, status = success};
control(disable, #disk{counting = N} = Disk) when N > 0 ->
    Disk#disk{counting = N - 1, status = success};
control(_, Disk) ->
    Disk#disk{status = failed}.

plug_and_play(start, failed, Disk) ->
    Disk#disk{status = failed};
plug_and_play(start, _, Disk) ->
    Disk#disk{device = started, status = success};
plug_and_play(remove, _, Disk) ->
    Flushed = flushed(Disk),
    Flushed#disk{device = removed, counting = 0};
plug_and_play(usage, done, #disk{device = started} = Disk) ->
    Disk#disk{pageable = false, status = success};
plug_and_play(usage, _, Disk) ->
    Disk#disk{status = failed}.

%% Waits for all that is below.
flushed(#disk{pending = 0} = Disk) ->
    Disk#disk{status = success};
flushed(Disk) ->
    flushed(unlock(completed(newest, lock(Disk)))).

lock(#disk{lock = free, level = passive} = Disk) ->
    Disk#disk{lock = held, level = dispatch}.

unlock(#disk{lock = held, level = dispatch} = Disk) ->
    Disk#disk{lock = free, level = passive}.

%% What holds after each request.
check(#disk{level = passive, lock = free, pending = N} = Disk) when N >= 0 ->
    N = length(Disk#disk.below),
    true = Disk#disk.status =/= pending orelse N > 0,
    true = Disk#disk.device =:= started orelse N =:= 0,
    true = Disk#disk.counting >= 0 andalso Disk#disk.counting =< 2,
    true = Disk#disk.pageable orelse Disk#disk.device =/= added,
    ok.
