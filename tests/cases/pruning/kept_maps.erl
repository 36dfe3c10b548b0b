%% Maps: their values, keys and sizes.
-module(kept_maps).
-export([
    any_value/2, clean_values/2, folded/1, histogram/1, input_key/2,
    input_map/2, keys/2, merged/2, missing_key/2, nested/1, order_of_keys/2,
    overwritten/1, removed/2, size/1, taken/1, values/2, variable_key/2
]).

%% Which key a map has, whatever its value is.
%% finds all at depth 2: error has_x; error has_y
-spec any_value(boolean(), a | b) -> ok.
any_value(Choice, Kind) ->
    Map = with_key(Choice),
    found_key(Kind, Map).

found_key(a, #{x := _}) -> error(has_x);
found_key(b, #{y := _}) -> error(has_y);
found_key(_, _) -> ok.

%% A fold over a map that was filled in a loop.
%% finds all at depth 4: error three_in_two
-spec folded([a | b]) -> ok.
folded(List) -> folded(List, #{}).

folded([], Map) ->
    case maps:fold(fun(_, N, Sum) -> N + Sum end, 1, Map) of
        4 when map_size(Map) =:= 2 -> error(three_in_two);
        _ -> ok
    end;
folded([a | Rest], Map) -> folded(Rest, Map#{a => count(a, Map) + 1});
folded([b | Rest], Map) -> folded(Rest, Map#{b => count(b, Map) + 1}).

count(X, Map) -> maps:get(X, Map, 0).

%% How often each element was there.
%% finds all at depth 4: error two_and_one; error only_b
-spec histogram([a | b]) -> ok.
histogram(List) -> histogram(List, #{a => 0, b => 0}).

histogram([], #{a := 2, b := 1}) -> error(two_and_one);
histogram([], #{a := 0, b := 2}) -> error(only_b);
histogram([], _) -> ok;
histogram([a | Rest], #{a := N} = Map) -> histogram(Rest, Map#{a := N + 1});
histogram([b | Rest], #{b := N} = Map) -> histogram(Rest, Map#{b := N + 1}).

%% A key that is an unknown number.
%% finds all at depth 2: error found
-spec input_key(0..9, 0..9) -> ok.
input_key(Key, Other) ->
    Map = #{Key => x},
    case Other of
        7 -> ok;
        _ when Other > 3 -> found(Map, Other);
        _ -> ok
    end.

found(Map, Key) ->
    case Map of
        #{Key := x} when Key =:= 5 -> error(found);
        _ -> ok
    end.

%% Two values of a map of the input, compared after a loop.
%% finds all at depth 3: error more
-spec input_map(#{a := 0..9, b := 0..9}, [x]) -> ok.
input_map(#{a := A} = Map, List) when A > 4 ->
    walk(List),
    case Map of
        #{b := B} when B =:= A + 3, List =/= [] -> error(more);
        _ -> ok
    end;
input_map(_, _) ->
    ok.

walk([x | Rest]) -> walk(Rest);
walk([]) -> ok.

%% Which key a map has.
%% finds all at depth 2: error has_x; error has_y
-spec keys(boolean(), a | b) -> ok.
keys(Choice, Kind) ->
    Map = with_key(Choice),
    1 = map_size(Map),
    case Kind of
        a when is_map_key(x, Map) -> error(has_x);
        b when is_map_key(y, Map) -> error(has_y);
        _ -> ok
    end.

with_key(true) -> #{x => 1};
with_key(false) -> #{y => 1}.

%% Which of two maps wins.
%% finds all at depth 2: error first; error second
-spec merged(boolean(), a | b) -> ok.
merged(Choice, Kind) ->
    Map = merge(Choice, #{k => first}, #{k => second}),
    case {Kind, maps:get(k, Map)} of
        {a, first} -> error(first);
        {b, second} -> error(second);
        _ -> ok
    end.

merge(true, A, B) -> maps:merge(A, B);
merge(false, A, B) -> maps:merge(B, A).

%% A key that is looked for, and not there.
%% finds all at depth 3: error {badkey,_}
-spec missing_key([a | b], x | y) -> atom().
missing_key(List, Key) ->
    Map = lists:foldl(fun added/2, #{x => none}, List),
    maps:get(Key, Map).

added(a, Map) -> Map#{y => a};
added(b, Map) -> Map.

%% Maps in maps.
%% finds all at depth 4: error deep
-spec nested([open | leaf]) -> ok.
nested(List) -> nested(List, #{}).

nested([], #{in := #{in := #{leaf := true}}}) -> error(deep);
nested([], _) -> ok;
nested([open | Rest], Map) -> nested(Rest, #{in => Map});
nested([leaf | Rest], Map) -> nested(Rest, Map#{leaf => true}).

%% Values in the order of their keys.
%% finds all at depth 2: error ascending; error descending
-spec order_of_keys(boolean(), a | b) -> ok.
order_of_keys(Choice, Kind) ->
    Map = in_order(Choice),
    case {Kind, maps:values(Map)} of
        {a, [x, y]} -> error(ascending);
        {b, [y, x]} -> error(descending);
        _ -> ok
    end.

in_order(true) -> #{1 => x, 2 => y};
in_order(false) -> #{1 => y, 2 => x}.

%% The last value that was put, and the one before.
%% finds all at depth 4: error back_to_a
-spec overwritten([a | b]) -> ok.
overwritten(List) -> overwritten(List, #{now => none, before => none}).

overwritten([], #{now := a, before := b}) -> error(back_to_a);
overwritten([], _) -> ok;
overwritten([a | Rest], Map) -> overwritten(Rest, shift(a, Map));
overwritten([b | Rest], Map) -> overwritten(Rest, shift(b, Map)).

shift(X, #{now := Now} = Map) -> Map#{now := X, before := Now}.

%% A key that was removed.
%% finds all at depth 2: error gone; error still_here
-spec removed(boolean(), a | b) -> ok.
removed(Choice, Kind) ->
    Map = remove(Choice, #{k => 1, other => 2}),
    case {Kind, maps:find(k, Map)} of
        {a, error} -> error(gone);
        {b, {ok, 1}} -> error(still_here);
        _ -> ok
    end.

remove(true, Map) -> maps:remove(k, Map);
remove(false, Map) -> maps:remove(other, Map).

%% How many different elements there were.
%% finds all at depth 4: error two_of_three
-spec size([a | b | c]) -> ok.
size([_, _, _] = List) -> size(List, #{});
size(_) -> ok.

size([], Map) when map_size(Map) =:= 2 -> error(two_of_three);
size([], _) -> ok;
size([a | Rest], Map) -> size(Rest, Map#{a => 1});
size([b | Rest], Map) -> size(Rest, Map#{b => 1});
size([c | Rest], Map) -> size(Rest, Map#{c => 1}).

%% A map from which the loop takes keys.
%% finds all at depth 4: error all_taken
-spec taken([a | b]) -> ok.
taken(List) -> taken(List, #{a => 1, b => 2}).

taken([], Map) when Map =:= #{} -> error(all_taken);
taken([], _) -> ok;
taken([X | Rest], Map) ->
    case maps:take(X, Map) of
        {_, Left} -> taken(Rest, Left);
        error -> taken(Rest, Map)
    end.

%% A value under one key.
%% finds all at depth 2: error one; error two
-spec values(boolean(), a | b) -> ok.
values(Choice, Kind) ->
    Map = with_value(Choice),
    case {Kind, Map} of
        {a, #{k := 1}} -> error(one);
        {b, #{k := 2}} -> error(two);
        _ -> ok
    end.

with_value(true) -> #{k => 1};
with_value(false) -> #{k => 2}.

%% No map has this value.
%% clean at depth 2: complete
-spec clean_values(boolean(), a | b) -> ok.
clean_values(Choice, Kind) ->
    Map = with_value(Choice),
    case {Kind, Map} of
        {a, #{k := 3}} -> error(three);
        {b, #{k := 4}} -> error(four);
        _ -> ok
    end.

%% The key itself depends on a decision.
%% finds all at depth 2: error x_is_one; error y_is_two
-spec variable_key(x | y, a | b) -> ok.
variable_key(Key, Kind) ->
    Chosen = known(Key),
    case {Kind, #{x => 1, y => 2}} of
        {a, #{Chosen := 1}} -> error(x_is_one);
        {b, #{Chosen := 2}} -> error(y_is_two);
        _ -> ok
    end.

known(x) -> x;
known(y) -> y.
