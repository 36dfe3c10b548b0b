-module(door).
-behaviour(gen_statem).
-export([start/1, init/1, callback_mode/0, locked/3, open/3]).

start(Code) -> gen_statem:start(?MODULE, Code, []).

callback_mode() -> state_functions.

-spec init(0..999) -> term().
init(Code) -> {ok, locked, #{code => Code, tries => 0}}.

locked(cast, {code, C}, #{code := C, tries := T} = D) when T =:= 3 ->
    {next_state, open, D#{tries := 1 div (C - C)}};
locked(cast, {code, C}, #{code := C} = D) ->
    {next_state, open, D#{tries := 0}, [{state_timeout, 1000, lock}]};
locked(cast, {code, _}, #{tries := T} = D) ->
    {keep_state, D#{tries := T + 1}};
locked({call, From}, get, D) ->
    {keep_state, D, [{reply, From, locked}]};
locked(_, _, _) -> keep_state_and_data.

open(state_timeout, lock, D) -> {next_state, locked, D};
open(cast, slam, D) -> {next_state, locked, maps:remove(tries, D)};
open(_, _, _) -> keep_state_and_data.
