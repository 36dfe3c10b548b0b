%% Maps that are built and changed.
-module(map_updates).
-export([
    counter/2, drift/2, missing_key/1, nested_update/1, no_map/1,
    put_twice/2, same_as_changed/3, shadowed/2, strict_update/2
]).

%% A value that was put in is taken out again.
%% finds: error bug
-spec counter(map(), integer()) -> integer().
counter(Map, By) ->
    Old = case Map of #{hits := N} when is_integer(N) -> N; _ -> 0 end,
    #{hits := New} = Map#{hits => Old + By},
    case New of
        1234 when By < 10 -> error(bug);
        _ -> New
    end.

%% An update changes one key and keeps the other.
%% finds: error bug
-spec drift(#{x := integer(), y := integer()}, integer()) -> ok.
drift(#{x := X} = Point, By) ->
    case Point#{x := X + By} of
        #{x := 10, y := Y} when Y =:= 2 * By, By > 0 -> error(bug);
        _ -> ok
    end.

%% An update of a missing key.
%% finds: error {badkey,retries}
-spec missing_key(#{retries => 0..5, name := atom()}) -> map().
missing_key(Options) -> Options#{retries := 3}.

%% An update inside an update.
%% finds: error bug
-spec nested_update(#{in := #{n := integer()}}) -> ok.
nested_update(#{in := In} = Map) ->
    #{n := N} = In,
    case Map#{in := In#{n := N * 3}} of
        #{in := #{n := 51}} -> error(bug);
        _ -> ok
    end.

%% Only maps can be updated.
%% finds: error {badmap,_}
-spec no_map(map() | undefined) -> map().
no_map(Config) -> Config#{seen => true}.

%% The last of equal keys counts.
%% finds: error bug
-spec put_twice(atom(), atom()) -> ok.
put_twice(A, B) ->
    case #{A => 1, B => 2} of
        #{k := 2} = Map when map_size(Map) =:= 1 -> error(bug);
        _ -> ok
    end.

%% A key of the input that equals a constant key.
%% finds: error bug
-spec shadowed(atom(), integer()) -> ok.
shadowed(Key, Value) ->
    Defaults = #{depth => 3, width => 4},
    case Defaults#{Key => Value} of
        #{depth := 9, width := 4} -> error(bug);
        _ -> ok
    end.

%% `:=` with a key of the input.
%% finds: error {badkey,_}
-spec strict_update(a | b | c, integer()) -> map().
strict_update(Key, Value) ->
    Map = #{a => 1, c => 3},
    Map#{Key := Value}.

%% A map that equals another one plus a pair has the value of that pair.
%% finds: error {bug,5}
-spec same_as_changed(map(), map(), integer()) -> ok.
same_as_changed(#{a := 5} = Map, Other, Value) ->
    case Map =:= Other#{a => Value} of
        true -> error({bug, Value});
        false -> ok
    end;
same_as_changed(_, _, _) -> ok.
