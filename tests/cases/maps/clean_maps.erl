%% Functions on maps that return for every input of their type.
-module(clean_maps).
-export([
    default/2, get_what_was_put/3, merge_is_no_smaller/2, present/2, remove/2,
    required/1, sizes/1, sorted_keys/1, update_present/2, value_of_known/2
]).

%% A default for each key.
%% clean: complete
-spec default(atom(), map()) -> term().
default(Key, Map) ->
    case Map of
        #{Key := Value} -> Value;
        _ -> none
    end.

%% A key that was put in is there.
%% clean: complete
-spec get_what_was_put(term(), integer(), map()) -> true.
get_what_was_put(Key, Value, Map) ->
    true = maps:get(Key, maps:put(Key, Value, Map)) =:= Value.

%% A merged map has all keys.
%% clean
-spec merge_is_no_smaller(map(), #{x => integer(), y => integer()}) -> true.
merge_is_no_smaller(A, B) ->
    Both = maps:merge(A, B),
    true = map_size(Both) >= map_size(A) andalso map_size(Both) >= map_size(B).

%% An existing key can be read.
%% clean: complete
-spec present(atom(), #{atom() => integer()}) -> integer().
present(Key, Map) when is_map_key(Key, Map) -> maps:get(Key, Map) + 1;
present(_, _) -> 0.

%% A removed key is gone.
%% clean: complete
-spec remove(term(), map()) -> false.
remove(Key, Map) -> false = maps:is_key(Key, maps:remove(Key, Map)).

%% Keys that the type requires are there.
%% clean: complete
-spec required(#{name := atom(), size := 1..9, color => red | green}) ->
    integer().
required(#{name := _, size := Size} = Map) ->
    case Map of
        #{color := red} -> 100 div Size;
        #{color := green} -> Size;
        _ -> 0
    end.

%% The size of a map is never negative.
%% clean: complete
-spec sizes(map()) -> true.
sizes(Map) -> true = map_size(Map#{x => 1}) >= 1 andalso map_size(Map) >= 0.

%% Keys of small maps come in order.
%% clean
-spec sorted_keys(#{integer() => atom()}) -> boolean().
sorted_keys(Map) when map_size(Map) < 5 ->
    Keys = maps:keys(Map),
    true = Keys =:= lists:sort(Keys);
sorted_keys(_) -> false.

%% An update of an existing key.
%% clean: complete
-spec update_present(#{count := integer()}, integer()) -> map().
update_present(Map, By) ->
    #{count := Count} = Map,
    Map#{count := Count + By}.

%% For a key of the input, the value is the one in the map that it equals.
%% clean: complete
-spec value_of_known(atom(), map()) -> ok.
value_of_known(Key, Map) ->
    case Map of
        #{Key := 5} when Map =:= #{a => 1, b => 2} -> error(never);
        _ -> ok
    end.
