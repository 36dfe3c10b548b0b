%% Timers without the server of the real module: a timer is a process that
%% waits, or a timer of the BEAM.
-module(timer).
-export([apply_after/2, apply_after/3, apply_after/4,
         apply_interval/2, apply_interval/3, apply_interval/4,
         apply_repeatedly/2, apply_repeatedly/3, apply_repeatedly/4,
         send_after/2, send_after/3, send_interval/2, send_interval/3,
         exit_after/2, exit_after/3, kill_after/1, kill_after/2,
         cancel/1, start/0, seconds/1, minutes/1, hours/1, hms/3]).

-define(IS_TIME(Time), is_integer(Time), Time >= 0).

start() -> ok.

seconds(Seconds) -> 1000 * Seconds.

minutes(Minutes) -> 1000 * 60 * Minutes.

hours(Hours) -> 1000 * 60 * 60 * Hours.

hms(H, M, S) -> hours(H) + minutes(M) + seconds(S).

apply_after(Time, Fun) -> apply_after(Time, Fun, []).

apply_after(Time, Fun, Args)
  when ?IS_TIME(Time), is_function(Fun, length(Args)) ->
    once(Time, fun() -> apply(Fun, Args) end);
apply_after(_Time, _Fun, _Args) -> {error, badarg}.

apply_after(Time, Module, Function, Args)
  when ?IS_TIME(Time), is_atom(Module), is_atom(Function), is_list(Args) ->
    once(Time, fun() -> apply(Module, Function, Args) end);
apply_after(_Time, _Module, _Function, _Args) -> {error, badarg}.

once(0, Do) ->
    _ = spawn(Do),
    {ok, {instant, make_ref()}};
once(Time, Do) ->
    {ok, {once, spawn(fun() -> receive after Time -> Do() end end)}}.

apply_interval(Time, Fun) -> apply_interval(Time, Fun, []).

apply_interval(Time, Fun, Args)
  when ?IS_TIME(Time), is_function(Fun, length(Args)) ->
    interval(Time, fun() -> spawn(fun() -> apply(Fun, Args) end) end);
apply_interval(_Time, _Fun, _Args) -> {error, badarg}.

apply_interval(Time, Module, Function, Args)
  when ?IS_TIME(Time), is_atom(Module), is_atom(Function), is_list(Args) ->
    interval(Time, fun() -> spawn(Module, Function, Args) end);
apply_interval(_Time, _Module, _Function, _Args) -> {error, badarg}.

interval(Time, Do) ->
    {ok, {interval, spawn(fun() -> repeat(Time, Do) end)}}.

repeat(Time, Do) ->
    receive
        {'DOWN', _, process, _, _} -> ok
    after Time ->
        _ = Do(),
        repeat(Time, Do)
    end.

apply_repeatedly(Time, Fun) -> apply_repeatedly(Time, Fun, []).

apply_repeatedly(Time, Fun, Args)
  when ?IS_TIME(Time), is_function(Fun, length(Args)) ->
    interval(Time, fun() -> in_turn(fun() -> apply(Fun, Args) end) end);
apply_repeatedly(_Time, _Fun, _Args) -> {error, badarg}.

apply_repeatedly(Time, Module, Function, Args)
  when ?IS_TIME(Time), is_atom(Module), is_atom(Function), is_list(Args) ->
    Do = fun() -> apply(Module, Function, Args) end,
    interval(Time, fun() -> in_turn(Do) end);
apply_repeatedly(_Time, _Module, _Function, _Args) -> {error, badarg}.

%% The next one begins when this one has ended.
in_turn(Do) ->
    {_, Monitor} = spawn_monitor(Do),
    receive {'DOWN', Monitor, process, _, _} -> ok end.

send_after(Time, Message) -> send_after(Time, self(), Message).

send_after(0, To, Message) when is_pid(To); is_atom(To) ->
    _ = catch To ! Message,
    {ok, {instant, make_ref()}};
send_after(Time, To, Message) when ?IS_TIME(Time), is_pid(To);
                                   ?IS_TIME(Time), is_atom(To) ->
    {ok, {send_local, erlang:send_after(Time, To, Message)}};
send_after(_Time, _To, _Message) -> {error, badarg}.

send_interval(Time, Message) -> send_interval(Time, self(), Message).

send_interval(Time, To, Message) when ?IS_TIME(Time), is_pid(To);
                                      ?IS_TIME(Time), is_atom(To) ->
    Do = fun() -> catch To ! Message end,
    {ok, {interval, spawn(fun() ->
                                  _ = is_pid(To) andalso monitor(process, To),
                                  repeat(Time, Do)
                          end)}};
send_interval(_Time, _To, _Message) -> {error, badarg}.

exit_after(Time, Reason) -> exit_after(Time, self(), Reason).

exit_after(Time, To, Reason) ->
    apply_after(Time, erlang, exit, [To, Reason]).

kill_after(Time) -> exit_after(Time, self(), kill).

kill_after(Time, To) -> exit_after(Time, To, kill).

cancel({instant, Reference}) when is_reference(Reference) ->
    {ok, cancel};
cancel({send_local, Reference}) when is_reference(Reference) ->
    _ = erlang:cancel_timer(Reference),
    {ok, cancel};
cancel({Kind, Pid}) when Kind =:= once, is_pid(Pid);
                         Kind =:= interval, is_pid(Pid) ->
    true = exit(Pid, kill),
    {ok, cancel};
cancel(_) ->
    {error, badarg}.
