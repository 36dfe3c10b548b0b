%% needs: OTP 28
%% Generators in parallel, and strict ones.
-module(generators).
-export([zipped/2, zipped_three/3, zipped_map/2, strict/1, strict_bytes/1,
         strict_map/1, equally_long/1]).

%% finds: error bug
-spec zipped([integer()], [integer()]) -> ok.
zipped(A, B) when length(A) =:= length(B) ->
    case [X * Y || X <- A && Y <- B] of
        [35, _ | _] -> error(bug);
        _ -> ok
    end;
zipped(_, _) ->
    ok.

%% finds: error {bad_generators,_}
-spec zipped_three([1..3], [a], [b]) -> [tuple()].
zipped_three(A, B, C) -> [{X, Y, Z} || X <- A && Y <- B && Z <- C].

%% finds: error bug
-spec zipped_map([atom()], [integer()]) -> ok.
zipped_map(Keys, Values) when length(Keys) =:= length(Values) ->
    case #{K => V || K <- Keys && V <- Values} of
        #{b := 1234} -> error(bug);
        _ -> ok
    end;
zipped_map(_, _) ->
    ok.

%% finds: error {badmatch,_}
-spec strict([{ok, integer()} | no]) -> [integer()].
strict(L) -> [X || {ok, X} <:- L].

%% finds: error {badmatch,_}
-spec strict_bytes(binary()) -> [integer()].
strict_bytes(B) -> [X || <<X, 0>> <:= B].

%% finds: error {badmatch,_}
-spec strict_map(#{a => {ok, integer()} | none}) -> [integer()].
strict_map(M) -> [V || a := {ok, V} <:- M].

%% clean
-spec equally_long([0..9]) -> [{0..9, 0..10}].
equally_long(L) -> [{X, Y} || X <- L && Y <- [X + 1 || X <- L]].
