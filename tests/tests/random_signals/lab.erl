%% Processes that do what lists say: links, monitors, aliases, timers, flags, exit
%% signals, ends.
-module(lab).

-export([run/1]).

%% Each process has one list. The answer is what each of them has seen.
run(Scripts) ->
    Entry = self(),
    Pids = [spawn(fun() -> live(Entry, Script) end) || Script <- Scripts],
    [Pid ! {go, [Entry | Pids]} || Pid <- Pids],
    lists:sort(seen(length(Pids), [])).

seen(0, Seen) ->
    Seen;
seen(Left, Seen) ->
    receive
        {seen, Name, What} -> seen(Left - 1, [{Name, What} | Seen])
    after 10 ->
        Seen
    end.

live(Entry, Script) ->
    receive
        {go, Pids} -> follow(Script, Pids, [], Entry, [])
    end.

follow([], Pids, _Monitors, Entry, Seen) ->
    Entry ! {seen, place(self(), Pids), Seen};
follow([Do | Script], Pids, Monitors, Entry, Seen) ->
    case Do of
        {link, Who} ->
            link(pid(Who, Pids)),
            follow(Script, Pids, Monitors, Entry, Seen);
        {unlink, Who} ->
            unlink(pid(Who, Pids)),
            follow(Script, Pids, Monitors, Entry, Seen);
        {monitor, Who} ->
            Monitor = monitor(process, pid(Who, Pids)),
            follow(Script, Pids, [Monitor | Monitors], Entry, Seen);
        {alias, Who} ->
            Alias = alias(),
            pid(Who, Pids) ! {alias, Alias},
            follow(Script, Pids, [Alias | Monitors], Entry, Seen);
        {watch, Who, End} ->
            Alias = monitor(process, pid(Who, Pids), [{alias, the(End)}]),
            pid(Who, Pids) ! {alias, Alias},
            follow(Script, Pids, [Alias | Monitors], Entry, Seen);
        unalias ->
            Are = [unalias(Alias) || Alias <- references(Monitors)],
            follow(Script, Pids, Monitors, Entry, [Are | Seen]);
        {timer, Who, Time} ->
            Timer = erlang:send_after(the(Time), pid(Who, Pids), tick),
            follow(Script, Pids, [{timer, Timer} | Monitors], Entry, Seen);
        cancel ->
            Left = [erlang:cancel_timer(Timer) || {timer, Timer} <- Monitors],
            follow(Script, Pids, references(Monitors), Entry, [Left | Seen]);
        demonitor ->
            [demonitor(Monitor) || Monitor <- references(Monitors)],
            follow(Script, Pids, [], Entry, Seen);
        flush ->
            [demonitor(Monitor, [flush]) || Monitor <- references(Monitors)],
            follow(Script, Pids, [], Entry, Seen);
        {trap, Flag} ->
            process_flag(trap_exit, Flag),
            follow(Script, Pids, Monitors, Entry, Seen);
        {exit, Who, Reason} ->
            exit(pid(Who, Pids), Reason),
            follow(Script, Pids, Monitors, Entry, Seen);
        {spawn_link, Reason} ->
            spawn_link(fun() -> exit(Reason) end),
            follow(Script, Pids, Monitors, Entry, Seen);
        {spawn_opt, Reason} ->
            {_, Monitor} = spawn_opt(fun() -> exit(Reason) end,
                                     [link, monitor]),
            follow(Script, Pids, [Monitor | Monitors], Entry, Seen);
        {spawn_monitor, Reason} ->
            {_, Monitor} = spawn_monitor(fun() -> error(Reason) end),
            follow(Script, Pids, [Monitor | Monitors], Entry, Seen);
        {alive, Who} ->
            Alive = is_process_alive(pid(Who, Pids)),
            follow(Script, Pids, Monitors, Entry, [Alive | Seen]);
        name ->
            true = register(someone, self()),
            follow(Script, Pids, Monitors, Entry, Seen);
        named ->
            Is = whereis(someone) =/= undefined,
            follow(Script, Pids, Monitors, Entry, [Is | Seen]);
        {send, Who, What} ->
            pid(Who, Pids) ! What,
            follow(Script, Pids, Monitors, Entry, Seen);
        {take, Time} ->
            receive
                {'DOWN', _, process, _, Reason} ->
                    follow(Script, Pids, Monitors, Entry, [{down, word(Reason)} | Seen]);
                {'EXIT', _, Reason} ->
                    follow(Script, Pids, Monitors, Entry, [{exit, word(Reason)} | Seen]);
                {alias, Alias} ->
                    Alias ! answer,
                    Alias ! again,
                    follow(Script, Pids, Monitors, Entry, [answered | Seen]);
                Other ->
                    follow(Script, Pids, Monitors, Entry, [Other | Seen])
            after the(Time) ->
                follow(Script, Pids, Monitors, Entry, [nothing | Seen])
            end;
        {leave, Reason} ->
            exit(Reason);
        {fail, Reason} ->
            error(Reason)
    end.

%% A constant.
the(0) -> 0;
the(1) -> 1;
the(2) -> 2;
the(explicit_unalias) -> explicit_unalias;
the(demonitor) -> demonitor;
the(reply_demonitor) -> reply_demonitor.

references(Monitors) ->
    [Monitor || Monitor <- Monitors, is_reference(Monitor)].

pid(Who, Pids) ->
    lists:nth(Who, Pids).

place(Pid, [Pid | _]) -> 1;
place(Pid, [_ | Pids]) -> 1 + place(Pid, Pids).

%% A reason without the stack.
word({Reason, [_ | _]}) -> Reason;
word(Reason) -> Reason.
