%% Bugs that need certain results of going through maps.
-module(walked_maps).
-export([
    filtered/1, fold_keys/1, folded/1, inverted/1, iterated/1, keys/1,
    listed/1, mapped/1, merged/2, subset/2, values/1
]).

%% The rest after a filter.
%% finds: error bug
-spec filtered(#{atom() => integer()}) -> ok.
filtered(Map) ->
    case maps:filter(fun(_, V) -> V > 100 end, Map) of
        #{big := _} -> error(bug);
        _ -> ok
    end.

%% Keys in a fold.
%% finds: error bug
-spec fold_keys(#{1..100 => atom()}) -> ok.
fold_keys(Map) ->
    case maps:fold(fun(K, _, Sum) -> K + Sum end, 0, Map) of
        55 when map_size(Map) =:= 2 -> error(bug);
        _ -> ok
    end.

%% Values in a fold.
%% finds: error bug
-spec folded(#{atom() => integer()}) -> ok.
folded(Map) ->
    case maps:fold(fun(_, V, Sum) -> V + Sum end, 0, Map) of
        77 when map_size(Map) > 1 -> error(bug);
        _ -> ok
    end.

%% Keys become values.
%% finds: error bug
-spec inverted(#{atom() => atom()}) -> ok.
inverted(Map) ->
    case maps:from_list([{V, K} || {K, V} <- maps:to_list(Map)]) of
        #{to := from} -> error(bug);
        _ -> ok
    end.

%% An iterator.
%% finds: error bug
-spec iterated(#{integer() => integer()}) -> ok.
iterated(Map) ->
    case maps:next(maps:iterator(Map)) of
        {K, V, Rest} when K =:= V + 20 ->
            case maps:next(Rest) of
                {_, 0, _} -> error(bug);
                _ -> ok
            end;
        _ -> ok
    end.

%% Keys come in order.
%% finds: error bug
-spec keys(map()) -> ok.
keys(Map) ->
    case maps:keys(Map) of
        [K, stop] when is_integer(K), K > 1000 -> error(bug);
        _ -> ok
    end.

%% A map as a list of pairs.
%% finds: error bug
-spec listed(map()) -> ok.
listed(Map) ->
    case maps:to_list(Map) of
        [{1, {X, X}}, {b, X}] when X =/= 0 -> error(bug);
        _ -> ok
    end.

%% Changed values.
%% finds: error bug
-spec mapped(#{atom() => integer()}) -> ok.
mapped(Map) ->
    case maps:map(fun(K, V) when K =:= double -> 2 * V; (_, V) -> V end, Map) of
        #{double := 26} -> error(bug);
        _ -> ok
    end.

%% The second map wins.
%% finds: error bug
-spec merged(#{atom() => integer()}, #{atom() => integer()}) -> ok.
merged(A, B) ->
    case {A, maps:merge(A, B)} of
        {#{k := 1}, #{k := 2}} -> error(bug);
        _ -> ok
    end.

%% All keys of one map are in the other.
%% finds: error bug
-spec subset(#{atom() => integer()}, #{atom() => integer()}) -> ok.
subset(A, B) ->
    IsIn = fun(K) -> maps:is_key(K, B) end,
    case map_size(A) > 1 andalso lists:all(IsIn, maps:keys(A)) of
        true when A =/= B -> error(bug);
        _ -> ok
    end.

%% Values without their keys.
%% finds: error bug
-spec values(#{atom() => integer()}) -> ok.
values(Map) ->
    case lists:sort(maps:values(Map)) of
        [3, 5] -> error(bug);
        _ -> ok
    end.
