-module(stopper).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2]).
init(_) -> {stop, never}.
handle_call(_, _, S) -> {reply, S, S}.
handle_cast(_, S) -> {noreply, S}.
