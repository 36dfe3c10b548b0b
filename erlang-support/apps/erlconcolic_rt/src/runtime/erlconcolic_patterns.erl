%%% What the compiled patterns of a process were made of, for the models of
%%% binary and re. The program does not see that it is remembered.
%%% A pattern that another process compiled is not known here.
-module(erlconcolic_patterns).

-include("erlconcolic_keys.hrl").

-export([remember/2, find/1]).

-spec remember(Compiled :: term(), Meaning :: term()) -> ok.
remember(Compiled, Meaning) ->
    Known = known(),
    _ = put(?PATTERNS, Known#{Compiled => Meaning}),
    ok.

-spec find(Compiled :: term()) -> {ok, Meaning :: term()} | unknown.
find(Compiled) ->
    case known() of
        #{Compiled := Meaning} -> {ok, Meaning};
        #{} -> unknown
    end.

-spec known() -> #{term() => term()}.
known() ->
    case get(?PATTERNS) of
        undefined -> #{};
        Known -> Known
    end.
