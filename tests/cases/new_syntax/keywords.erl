%% needs: OTP 27
%% `maybe` without a feature to enable, and `else` with it.
-module(keywords).
-export([steps/2, handled/1, without_else/1]).

%% finds: error bug
-spec steps(integer(), integer()) -> integer() | {error, atom()}.
steps(A, B) ->
    maybe
        {ok, X} ?= positive(A),
        {ok, Y} ?= positive(B - 100),
        true ?= X + Y =:= 171 orelse {error, sum},
        error(bug)
    end.

%% finds: error {else_clause,{error,zero}}
-spec handled(integer()) -> integer().
handled(A) ->
    maybe
        {ok, X} ?= positive(A),
        X
    else
        {error, negative} -> 0
    end.

%% clean: complete
-spec without_else(integer()) -> integer() | {error, atom()}.
without_else(A) ->
    maybe
        {ok, X} ?= positive(A),
        X
    end.

positive(0) -> {error, zero};
positive(N) when N < 0 -> {error, negative};
positive(N) -> {ok, N}.
