%% Its timer takes longer than anyone waits, and it gets messages of its own.
-module(clock).
-behaviour(gen_statem).
-export([init/1, callback_mode/0, handle_event/4]).

callback_mode() -> handle_event_function.

init([]) -> {ok, day, 0}.

handle_event(cast, sleep, day, N) ->
    self() ! {slept, N},
    {next_state, night, N, [{state_timeout, 3600000, ring}]};
handle_event(info, {slept, N}, night, N) ->
    {keep_state, N + 1};
handle_event(state_timeout, ring, night, N) ->
    erlang:send_after(5, self(), late),
    {next_state, day, 1 div (1 - N)};
handle_event(_, _, _, _) ->
    keep_state_and_data.
