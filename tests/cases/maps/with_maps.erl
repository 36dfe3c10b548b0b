%% Bugs that need certain results of the module maps.
-module(with_maps).
-export([
    config/1, dispatch/2, duplicates/1, found/2, from_keys/1, from_list/1,
    histogram/1, put_and_size/2, removed/2, replaced/2, taken/1, updated/2,
    updated_with/1, with/1, without/1
]).

%% A default for a missing key.
%% finds: error bug
-spec config(#{atom() => integer()}) -> integer().
config(Options) ->
    case maps:get(port, Options, 80) + maps:get(offset, Options, 0) of
        8080 -> error(bug);
        Port -> Port
    end.

%% A map has the name of a function.
%% finds: error {badkey,_}
-spec dispatch(add | sub | mul, integer()) -> integer().
dispatch(Name, X) ->
    Table = #{add => fun(Y) -> X + Y end, sub => fun(Y) -> X - Y end},
    (maps:get(Name, Table))(1).

%% Equal keys in a list become one.
%% finds: error bug
-spec duplicates([{integer(), atom()}]) -> ok.
duplicates(Pairs) ->
    case maps:size(maps:from_list(Pairs)) of
        Size when Size < length(Pairs) -> error(bug);
        _ -> ok
    end.

%% Found or not.
%% finds: error bug
-spec found(atom(), #{atom() => {atom(), integer()}}) -> ok.
found(Key, Map) ->
    case maps:find(Key, Map) of
        {ok, {Key, 3}} -> error(bug);
        {ok, _} -> ok;
        error -> ok
    end.

%% All keys have the same value.
%% finds: error bug
-spec from_keys([atom()]) -> ok.
from_keys(Keys) ->
    case maps:from_keys(Keys, 0) of
        #{red := 0, blue := 0} -> error(bug);
        _ -> ok
    end.

%% A map made from a list.
%% finds: error bug
-spec from_list([{atom(), integer()}]) -> ok.
from_list(List) ->
    case maps:from_list(List) of
        #{width := W, height := H} when W * H =:= 91, W > 1, H > 1 ->
            error(bug);
        _ -> ok
    end.

%% How often each element occurs.
%% finds: error bug
-spec histogram([atom()]) -> ok.
histogram(List) ->
    Count = fun(X, Map) ->
        maps:update_with(X, fun(N) -> N + 1 end, 1, Map)
    end,
    case lists:foldl(Count, #{}, List) of
        #{x := 2, y := 1} -> error(bug);
        _ -> ok
    end.

%% A new key makes a map larger, an old one does not.
%% finds: error bug
-spec put_and_size(atom(), map()) -> ok.
put_and_size(Key, Map) ->
    case maps:size(maps:put(Key, 0, Map)) - maps:size(Map) of
        0 when Key =/= a -> error(bug);
        _ -> ok
    end.

%% A removed key.
%% finds: error bug
-spec removed(atom(), #{atom() => integer()}) -> ok.
removed(Key, Map) ->
    case maps:remove(Key, Map) of
        #{keep := 1} when is_map_key(Key, Map) -> error(bug);
        _ -> ok
    end.

%% `maps:update` requires the key.
%% finds: error {badkey,_}
-spec replaced(atom(), #{x := integer(), _ => _}) -> map().
replaced(Key, Map) -> maps:update(Key, new, Map).

%% Takes a key out with its value.
%% finds: error bug
-spec taken(map()) -> ok.
taken(Map) ->
    case maps:take(token, Map) of
        {secret, Rest} when map_size(Rest) =:= 0 -> error(bug);
        _ -> ok
    end.

%% The updated map is compared with the old one.
%% finds: error bug
-spec updated(atom(), #{atom() => integer()}) -> ok.
updated(Key, Map) when is_map_key(Key, Map) ->
    case maps:update(Key, 5, Map) of
        Map -> error(bug);
        _ -> ok
    end;
updated(_, _) -> ok.

%% A function applied to an existing value.
%% finds: error {badkey,_}
-spec updated_with(#{a => 1..3, b => 4..6}) -> map().
updated_with(Map) -> maps:update_with(a, fun(X) -> X + 1 end, Map).

%% Only some keys.
%% finds: error bug
-spec with(map()) -> ok.
with(Map) ->
    case maps:with([a, b], Map) of
        Map when map_size(Map) =:= 2 -> error(bug);
        _ -> ok
    end.

%% All but some keys.
%% finds: error bug
-spec without(#{atom() => integer()}) -> ok.
without(Map) ->
    case maps:without([a, b, c], Map) of
        #{d := 8} = Rest when map_size(Rest) + 2 =:= map_size(Map) ->
            error(bug);
        _ -> ok
    end.
