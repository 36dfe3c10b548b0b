%% Two processes use the server of `timer', as it is.
-module(timer_clients).
-export([apply_and_cancel/1, interval/1, send_to_both/2]).

-spec apply_and_cancel(boolean()) -> ok | sent.
apply_and_cancel(Cancels) ->
    {ok, Timer} = timer:apply_after(10, erlang, send, [self(), sent]),
    Self = self(),
    _ = spawn(fun() ->
                      _ = Cancels andalso timer:cancel(Timer),
                      Self ! done
              end),
    receive done -> ok end,
    receive sent -> sent after 100 -> ok end.

-spec interval(1..3) -> ok.
interval(Count) ->
    Self = self(),
    {ok, Timer} = timer:send_interval(10, Self, tick),
    _ = [receive tick -> ok end || _ <- lists:seq(1, Count)],
    {ok, cancel} = timer:cancel(Timer),
    ok.

-spec send_to_both(0..1, integer()) -> integer().
send_to_both(Which, N) ->
    Self = self(),
    Other = spawn(fun() -> receive {number, M} -> Self ! {number, M + 1} end end),
    To = element(Which + 1, {Self, Other}),
    {ok, _} = timer:send_after(10, To, {number, N}),
    receive {number, M} -> M end.
