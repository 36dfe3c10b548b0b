%% needs: OTP 26
%% Comprehensions that make maps, and generators over maps.
-module(map_comprehensions).
-export([squares/1, over_a_map/1, swapped/1, kept/1, nested/1,
         made_of_bytes/1]).

%% finds: error bug
-spec squares([integer()]) -> ok.
squares(L) ->
    case #{X => X * X || X <- L} of
        #{12 := 144, 7 := 49} -> error(bug);
        _ -> ok
    end.

%% finds: error bug
-spec over_a_map(#{a | b => integer()}) -> ok.
over_a_map(M) ->
    case [V || a := V <- M, V > 1000] of
        [1234] -> error(bug);
        _ -> ok
    end.

%% finds: error {badkey,35}
-spec swapped(#{x => integer(), y => integer()}) -> atom().
swapped(M) ->
    Swapped = #{V => K || K := V <- M},
    case M of
        #{x := 17, y := Y} when Y > 17 -> maps:get(35, Swapped);
        _ -> none
    end.

%% clean
-spec kept(#{a | b => 0..3}) -> 0..2.
kept(M) -> map_size(#{K => V || K := V <- M, V > 0}).

%% finds: error function_clause
-spec nested([#{id => integer()}]) -> [integer()].
nested(L) -> [small(Id) || #{id := _} = M <- L, id := Id <- M].

small(Id) when Id < 4711 -> Id.

%% finds: error bug
-spec made_of_bytes(binary()) -> ok.
made_of_bytes(B) ->
    case #{X => true || <<X:16>> <= B} of
        #{16#abcd := true} -> error(bug);
        _ -> ok
    end.
