%% Maps that are asked for a key and then traversed.
-module(order_of_keys).
-export([second/1, last/1, same_key/3, other_keys/1]).

-type three() :: #{a => 1, b => 1, c => 1}.

%% finds: error bug
-spec second(three()) -> ok.
second(#{b := _} = Map) ->
    case maps:keys(Map) of
        [_, b] -> error(bug);
        _ -> ok
    end;
second(_) ->
    ok.

%% `1` comes before `2`, and `3` comes after it.
%% clean
-spec last(#{1 => 1, 2 => 1, 3 => 1}) -> ok.
last(#{2 := _, 3 := _} = Map) ->
    case maps:keys(Map) of
        [_, 2] -> error(bug);
        [1, 2, 3] -> ok;
        [2, 3] -> ok
    end;
last(_) ->
    ok.

%% finds: error bug
-spec same_key(integer(), integer(), #{integer() => a}) -> ok.
same_key(First, Second, Map) ->
    case Map of
        #{First := _, Second := _} when map_size(Map) =:= 1 -> error(bug);
        _ -> ok
    end.

%% clean
-spec other_keys(three()) -> ok.
other_keys(Map) ->
    Keys = [Key || Key <- [c, a], maps:is_key(Key, Map)],
    case maps:keys(Map) -- Keys of
        [] -> ok;
        [b] -> ok
    end.
