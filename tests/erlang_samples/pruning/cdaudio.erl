%%% A driver of a CD player that plays music: it keeps where it plays, and asks
%%% the drive below. The checks after each request never fail.
-module(cdaudio).

-export([run/1]).
-export_type([request/0]).

%% `busy` drives are asked once more.
-type lower() :: done | later | failed | busy.
-type request() ::
    {play, 1..99, 1..99, lower()}
    | {seek, 1..99, lower()}
    | {pause | resume | stop, lower()}
    | {power, up | down}
    | {pnp, start | remove}
    | eject
    | completed.

-record(player, {
    device = added :: added | started | removed,
    state = stopped :: stopped | playing | paused,
    track = 1 :: 1..99,
    last = 1 :: 1..99,
    %% What the drive still has to do, if anything.
    below = none :: none | {playing | paused | stopped, 1..99, 1..99},
    pending = 0 :: 0..1,
    power = up :: up | down,
    level = passive :: passive | dispatch,
    lock = free :: free | held,
    status = success :: success | pending | failed
}).

-spec run([request()]) -> {stopped | playing | paused, 1..99}.
run(Requests) -> run(Requests, #player{}).

run([], #player{state = State, track = Track}) ->
    {State, Track};
run([Request | Rest], Player) ->
    Next = dispatch(Request, Player),
    ok = check(Next),
    run(Rest, Next).

dispatch(_, #player{device = removed} = Player) ->
    Player#player{status = failed};
dispatch({pnp, start}, Player) ->
    Player#player{device = started, status = success};
dispatch({pnp, remove}, Player) ->
    Stopped = stopped(finished(Player)),
    Stopped#player{device = removed};
dispatch({power, Power}, Player) ->
    power(Power, Player);
dispatch(completed, Player) ->
    finished(Player);
dispatch(eject, #player{pending = 1} = Player) ->
    Player#player{status = failed};
dispatch(eject, Player) ->
    stopped(Player);
dispatch(_, #player{device = added} = Player) ->
    Player#player{status = failed};
dispatch(_, #player{power = down} = Player) ->
    Player#player{status = failed};
dispatch(_, #player{pending = 1} = Player) ->
    Player#player{status = failed};
dispatch(Request, Player) ->
    control(Request, Player).

control({play, First, Last, _}, Player) when First > Last ->
    Player#player{status = failed};
control({play, First, Last, Lower}, Player) ->
    ask(Lower, {playing, First, Last}, Player);
control({seek, Track, Lower}, #player{state = playing, last = Last} = Player)
  when Track > Last ->
    ask(Lower, {playing, Track, Track}, Player);
control({seek, Track, Lower}, #player{state = State, last = Last} = Player)
  when Track =< Last ->
    ask(Lower, {State, Track, Last}, Player);
control({pause, Lower}, #player{state = playing} = Player) ->
    ask(Lower, {paused, Player#player.track, Player#player.last}, Player);
control({resume, Lower}, #player{state = paused} = Player) ->
    ask(Lower, {playing, Player#player.track, Player#player.last}, Player);
control({stop, Lower}, Player) ->
    ask(Lower, {stopped, 1, 1}, Player);
control(_, Player) ->
    Player#player{status = failed}.

%% Asks the drive for a change.
ask(Lower, Change, Player) ->
    unlock(ask_locked(Lower, Change, lock(Player), 1)).

ask_locked(done, Change, Player, _) ->
    change(Change, Player#player{status = success});
ask_locked(failed, _, Player, _) ->
    Player#player{status = failed};
ask_locked(later, Change, #player{pending = 0} = Player, _) ->
    Player#player{below = Change, pending = 1, status = pending};
ask_locked(busy, _, Player, 0) ->
    Player#player{status = failed};
ask_locked(busy, Change, Player, Tries) ->
    ask_locked(busy, Change, Player, Tries - 1).

%% The drive has done what it was asked for, or there was nothing to do.
finished(#player{pending = 0} = Player) ->
    Player#player{status = success};
finished(#player{below = Change} = Player) ->
    Done = change(Change, lock(Player)),
    unlock(Done#player{below = none, pending = 0, status = success}).

change({State, Track, Last}, #player{lock = held} = Player) ->
    Player#player{state = State, track = Track, last = Last}.

stopped(Player) ->
    Player#player{state = stopped, track = 1, last = 1, status = success}.

power(down, #player{state = playing, pending = 0} = Player) ->
    Player#player{power = down, state = paused, status = success};
power(down, Player) ->
    Done = finished(Player),
    silent(Done#player{power = down});
power(up, Player) ->
    Player#player{power = up, status = success}.

silent(#player{state = playing} = Player) -> Player#player{state = paused};
silent(Player) -> Player.

lock(#player{lock = free, level = passive} = Player) ->
    Player#player{lock = held, level = dispatch}.

unlock(#player{lock = held, level = dispatch} = Player) ->
    Player#player{lock = free, level = passive}.

%% What holds after each request.
check(#player{level = passive, lock = free} = Player) ->
    true = Player#player.track =< Player#player.last,
    true = (Player#player.pending =:= 0) =:= (Player#player.below =:= none),
    true = Player#player.status =/= pending orelse Player#player.pending =:= 1,
    true = Player#player.power =:= up orelse Player#player.state =/= playing,
    true = Player#player.device =:= started orelse Player#player.pending =:= 0,
    true = Player#player.device =/= removed orelse
        Player#player.state =:= stopped,
    ok.
