%% Maps in patterns, guards, expressions and types.
-module(map_syntax).
-export([
    account/1, both/1, computed_key/2, deep/1, empty/1, equal_maps/2,
    fewer/1, float_key/1, guarded_key/2, guarded_value/1, key_of/2,
    optional/1, order_of/2, pair/1, same_size/2, several/1, typed/1,
    without_spec/1
]).

%% A key with a value, in a pattern.
%% finds: error bug
-spec account(map()) -> term().
account(#{type := savings, balance := B}) when B < -100 -> error(bug);
account(#{balance := B}) -> B;
account(_) -> none.

%% Two keys with equal values.
%% finds: error bug
-spec both(#{atom() => integer()}) -> ok.
both(#{left := X, right := X}) when X > 7 -> error(bug);
both(_) -> ok.

%% The key is an input.
%% finds: error bug
-spec computed_key(atom(), map()) -> term().
computed_key(Key, Map) ->
    case Map of
        #{Key := 17} when Key =/= a -> error(bug);
        #{Key := V} -> V;
        _ -> none
    end.

%% Maps in maps.
%% finds: error bug
-spec deep(map()) -> term().
deep(#{a := #{b := #{c := leaf}}}) -> error(bug);
deep(_) -> ok.

%% `#{}` is not a pattern for the empty map: it matches all maps.
%% finds: error bug
-spec empty(#{atom() => integer()}) -> ok.
empty(Map) when Map =:= #{} -> ok;
empty(#{stop := _}) -> error(bug);
empty(#{}) -> ok.

%% Two inputs are the same map.
%% finds: error bug
-spec equal_maps(map(), map()) -> ok.
equal_maps(A, B) when map_size(A) =:= 2, A =:= B -> error(bug);
equal_maps(_, _) -> ok.

%% A key must be missing.
%% finds: error bug
-spec fewer(map()) -> ok.
fewer(Map) when is_map_key(user, Map), not is_map_key(password, Map) ->
    error(bug);
fewer(_) -> ok.

%% An integer and an equal float are different keys.
%% finds: error bug
-spec float_key(map()) -> ok.
float_key(#{1 := one, 1.0 := uno}) -> error(bug);
float_key(_) -> ok.

%% `is_map_key` in a guard, with a key of the input.
%% finds: error bug
-spec guarded_key(integer(), #{integer() => atom()}) -> ok.
guarded_key(K, M) when is_map_key(K + 1, M), not is_map_key(K, M), K > 5 ->
    error(bug);
guarded_key(_, _) -> ok.

%% `map_get` in a guard fails quietly.
%% finds: error bug
-spec guarded_value(map()) -> ok.
guarded_value(M) when map_get(level, M) > 3 -> error(bug);
guarded_value(_) -> ok.

%% Which of two keys has a value.
%% finds: error bug
-spec key_of(atom(), #{atom() => integer()}) -> ok.
key_of(K, M) ->
    case {maps:is_key(K, M), M} of
        {true, #{K := 5}} when K =/= x, is_map_key(x, M) -> error(bug);
        _ -> ok
    end.

%% An optional key of the type.
%% finds: error {badmatch,_}
-spec optional(#{id := integer(), name => atom()}) -> atom().
optional(#{id := Id} = Map) when Id > 99 ->
    #{name := Name} = Map,
    Name;
optional(_) -> none.

%% Maps in the order of terms: the one with fewer keys comes first.
%% finds: error bug
-spec order_of(map(), map()) -> ok.
order_of(A, B) when A < B, map_size(A) =:= 1, map_size(B) =:= 1 -> error(bug);
order_of(_, _) -> ok.

%% A map with one known pair.
%% finds: error bug
-spec pair(map()) -> ok.
pair(Map) when Map =:= #{answer => 42} -> error(bug);
pair(_) -> ok.

%% The number of keys.
%% finds: error bug
-spec same_size(map(), [integer()]) -> ok.
same_size(Map, List) when map_size(Map) =:= length(List), map_size(Map) > 3 ->
    error(bug);
same_size(_, _) -> ok.

%% Several clauses, each with other keys.
%% finds: error bug
-spec several(map()) -> atom().
several(#{get := _}) -> get;
several(#{put := _, value := _}) -> put;
several(#{put := _}) -> error(bug);
several(_) -> other.

%% Keys and values have the types of the spec.
%% finds: error bug
-spec typed(#{1..9 => [atom()]}) -> ok.
typed(#{7 := [x, y | _]}) -> error(bug);
typed(_) -> ok.

%% Any term is possible.
%% finds: error bug
-spec without_spec(term()) -> ok.
without_spec(#{tag := {ok, N}}) when is_integer(N), N rem 7 =:= 5 -> error(bug);
without_spec(_) -> ok.
