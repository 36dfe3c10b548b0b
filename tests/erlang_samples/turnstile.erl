%% A machine with a few states, for tests of pages and drawings. Three wrong codes block it, and a
%% coin while it is open is one too many. Nobody can reach the state `'sold out'`.
-module(turnstile).
-behaviour(gen_statem).

-export([callback_mode/0, init/1]).
-export([locked/3, open/3, blocked/3, 'sold out'/3]).

callback_mode() ->
    state_functions.

-spec init(1..3) -> {ok, locked, {1..3, 0}}.
init(Tries) ->
    {ok, locked, {Tries, 0}}.

locked({call, From}, {code, 7}, {Tries, _}) ->
    {next_state, open, {Tries, 0}, [{reply, From, welcome}]};
locked({call, From}, {code, _}, {Tries, Wrong}) when Wrong + 1 < Tries ->
    {keep_state, {Tries, Wrong + 1}, [{reply, From, wrong}]};
locked({call, From}, {code, _}, Data) ->
    {next_state, blocked, Data, [{reply, From, blocked}]};
locked(cast, coin, Data) ->
    {next_state, open, Data};
locked(cast, stop, Data) ->
    {stop, normal, Data};
locked(_, _, _) ->
    keep_state_and_data.

open(cast, push, Data) ->
    {next_state, locked, Data};
open(cast, coin, {Tries, Wrong}) ->
    {keep_state, {Tries, 1 div (Wrong - Wrong)}};
open(_, _, _) ->
    keep_state_and_data.

blocked(cast, reset, {Tries, _}) ->
    {next_state, locked, {Tries, 0}};
blocked(_, _, _) ->
    keep_state_and_data.

'sold out'(cast, refill, Data) ->
    {next_state, locked, Data}.
