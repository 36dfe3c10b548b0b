%% A handler of events that adds numbers.
-module(sum_handler).
-behaviour(gen_event).
-export([init/1, handle_event/2, handle_call/2, terminate/2]).

init({_Swapped, Sum}) -> {ok, Sum};
init(Sum) -> {ok, Sum}.

handle_event(N, Sum) when is_integer(N) -> {ok, Sum + N}.

handle_call(sum, Sum) -> {ok, Sum, Sum}.

terminate(_, Sum) -> Sum.
