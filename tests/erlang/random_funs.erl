%% Simple functions as arguments of random calls, as external funs
%% `fun random_funs:Name/Arity'. They are total and pure, and take any argument.
%%
%% The name shows the result: `bool' a boolean, `int' a small integer,
%% `pick' one of the arguments, `pair' a two-tuple (with one argument
%% `{true, Argument}', as filtermap needs it), `list' a list.
-module(random_funs).

-export([bool/0, bool/1, bool/2, bool/3]).
-export([int/0, int/1, int/2, int/3]).
-export([pick/0, pick/1, pick/2, pick/3]).
-export([pair/0, pair/1, pair/2, pair/3]).
-export([list/0, list/1, list/2, list/3]).

-spec bool() -> boolean().
bool() -> true.

-spec bool(term()) -> boolean().
bool(A) -> erlang:phash2(A, 2) =:= 0.

-spec bool(term(), term()) -> boolean().
bool(A, B) -> erlang:phash2(A, 7) =< erlang:phash2(B, 7).

-spec bool(term(), term(), term()) -> boolean().
bool(A, B, C) -> erlang:phash2([A, B, C], 2) =:= 0.

-spec int() -> integer().
int() -> 1.

-spec int(term()) -> integer().
int(A) when is_integer(A), abs(A) < 1000 -> A + 1;
int(A) -> erlang:phash2(A, 5).

-spec int(term(), term()) -> integer().
int(A, B) -> int(A) + 2 * int(B).

-spec int(term(), term(), term()) -> integer().
int(A, B, C) -> int(A, B) - int(C).

-spec pick() -> a.
pick() -> a.

-spec pick(T) -> T.
pick(A) -> A.

-spec pick(A, B) -> A | B.
pick(A, B) ->
    case erlang:phash2({A, B}, 3) of
        0 -> A;
        _ -> B
    end.

-spec pick(A, B, C) -> A | B | C.
pick(A, B, C) ->
    case erlang:phash2({A, B, C}, 5) of
        0 -> A;
        1 -> B;
        _ -> C
    end.

-spec pair() -> {a, 1}.
pair() -> {a, 1}.

-spec pair(T) -> {true, T}.
pair(A) -> {true, A}.

-spec pair(A, B) -> {A, B}.
pair(A, B) -> {A, B}.

-spec pair(A, B, term()) -> {A, B}.
pair(A, B, _) -> {A, B}.

-spec list() -> [term()].
list() -> [a, 1].

-spec list(T) -> [T].
list(A) -> [A].

-spec list(A, B) -> [A | B].
list(A, B) -> [A, B].

-spec list(A, B, C) -> [A | B | C].
list(A, B, C) -> [A, B, C].
