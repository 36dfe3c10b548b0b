%%% What the compiled patterns of a process were made of, for the model of
%%% binary.
%%% A pattern that another process compiled is not known here.
-module(erlconcolic_patterns).

-include("erlconcolic_keys.hrl").

-export([remember/2, of_compiled/1]).

-spec remember(binary:cp(), binary() | [binary()]) -> ok.
remember(Compiled, Pattern) ->
    Known = known(),
    _ = put(?PATTERNS, Known#{Compiled => Pattern}),
    ok.

-spec of_compiled(term()) -> {ok, binary() | [binary()]} | unknown.
of_compiled(Compiled) ->
    case known() of
        #{Compiled := Pattern} -> {ok, Pattern};
        #{} -> unknown
    end.

-spec known() -> #{binary:cp() => binary() | [binary()]}.
known() ->
    case get(?PATTERNS) of
        undefined -> #{};
        Known -> Known
    end.
