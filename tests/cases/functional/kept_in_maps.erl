%% Maps as arguments, in patterns, updated and gone through.
-module(kept_in_maps).
-export([
    absent/1, bad_key/1, bad_map/1, comprehension/1, counted/1, default/2,
    grouped/1, inverted/1, key_of_input/2, largest/1, merged/2, nested/1,
    of_tuples/1, removed/2, required/1, sized/1, updated/2, clean_sum/1,
    clean_update/2
]).

%% finds: error {case_clause,_}
-spec absent(#{a => 1, b => 2}) -> ok.
absent(Map) ->
    case Map of
        #{a := 1} -> ok;
        #{b := 2} -> ok
    end.

%% finds: error {badkey,port}
-spec bad_key(#{host => string(), port => 1..65535}) -> ok.
bad_key(#{host := [_ | _]} = Map) ->
    _ = map_get(port, Map),
    ok;
bad_key(_) ->
    ok.

%% finds: error {badmap,_}
-spec bad_map({ok, term()}) -> term().
bad_map({ok, Value}) -> maps:get(x, Value, none).

%% finds: error pairs
-spec comprehension(#{atom() => integer()}) -> ok.
comprehension(Map) ->
    case [Value || {_, Value} <- maps:to_list(Map), Value > 10] of
        [11, 12] -> error(pairs);
        _ -> ok
    end.

%% finds: error twice
-spec counted([$a..$z]) -> ok.
counted(Text) ->
    Add = fun(C, Map) -> maps:update_with(C, fun(N) -> N + 1 end, 1, Map) end,
    case lists:foldl(Add, #{}, Text) of
        #{$x := 2, $y := 1} -> error(twice);
        _ -> ok
    end.

%% finds: error {limit,12}
-spec default(#{atom() => integer()}, atom()) -> ok.
default(Options, Name) when Name =/= limit ->
    case maps:get(Name, Options, 4) * maps:get(limit, Options, 3) of
        12 when is_map_key(Name, Options) -> error({limit, 12});
        _ -> ok
    end;
default(_, _) ->
    ok.

%% finds: error odd_ones
-spec grouped([integer()]) -> ok.
grouped(List) ->
    Groups = maps:groups_from_list(fun(X) -> X band 1 end, List),
    case Groups of
        #{1 := [A, B], 0 := [_]} when A =:= B + 2 -> error(odd_ones);
        _ -> ok
    end.

%% finds: error inverted
-spec inverted(#{atom() => integer()}) -> ok.
inverted(Map) ->
    Swapped = maps:from_list([{V, K} || {K, V} <- maps:to_list(Map)]),
    case map_size(Swapped) < map_size(Map) of
        true -> error(inverted);
        false -> ok
    end.

%% finds: error {found,k}
-spec key_of_input(#{atom() => atom()}, atom()) -> ok.
key_of_input(Map, Key) ->
    case Map of
        #{Key := Next} when Next =/= Key ->
            case Map of
                #{Next := k} -> error({found, k});
                _ -> ok
            end;
        _ ->
            ok
    end.

%% finds: error largest
-spec largest(#{atom() => 0..100}) -> ok.
largest(Map) when map_size(Map) > 1 ->
    case lists:max(maps:values(Map)) of
        42 -> error(largest);
        _ -> ok
    end;
largest(_) ->
    ok.

%% finds: error right
-spec merged(#{atom() => integer()}, #{atom() => integer()}) -> ok.
merged(Left, Right) ->
    case maps:merge(Left, Right) of
        #{a := 1, b := 2} = Both when
            map_size(Both) =:= 2, map_size(Left) =:= 2, Left =/= Both
        ->
            error(right);
        _ ->
            ok
    end.

%% finds: error deep
-spec nested(#{atom() => #{atom() => integer()}}) -> ok.
nested(#{outer := #{inner := Value}}) when Value * 3 =:= 51 -> error(deep);
nested(_) -> ok.

%% finds: error diagonal
-spec of_tuples(#{{integer(), integer()} => atom()}) -> ok.
of_tuples(Board) ->
    case Board of
        #{{1, 1} := x, {2, 2} := x, {3, 3} := x} -> error(diagonal);
        _ -> ok
    end.

%% finds: error empty
-spec removed(#{atom() => integer()}, atom()) -> ok.
removed(Map, Key) when map_size(Map) > 0 ->
    case maps:remove(Key, Map) of
        Rest when map_size(Rest) =:= 0 -> error(empty);
        _ -> ok
    end;
removed(_, _) ->
    ok.

%% Pairs that the type demands.
%% finds: error {age,17}
-spec required(#{name := atom(), age := 0..150, _ => _}) -> ok.
required(#{name := guest, age := Age}) when Age > 16, Age < 18 ->
    error({age, Age});
required(#{name := _, age := _}) ->
    ok.

%% finds: error three
-spec sized(map()) -> ok.
sized(Map) when map_size(Map) =:= 3, is_map_key(one, Map) -> error(three);
sized(_) -> ok.

%% finds: error over
-spec updated(#{atom() => integer()}, [{atom(), integer()}]) -> ok.
updated(Stock, Orders) ->
    Take = fun({Name, Count}, Map) ->
                   case Map of
                       #{Name := Old} -> Map#{Name := Old - Count};
                       _ -> Map
                   end
           end,
    case lists:foldl(Take, Stock, Orders) of
        #{nail := Left} when Left =:= -5, Orders =/= [] -> error(over);
        _ -> ok
    end.

%% clean
-spec clean_sum(#{atom() => 0..9}) -> ok.
clean_sum(Map) ->
    true = lists:sum(maps:values(Map)) =< 9 * map_size(Map),
    ok.

%% clean: complete
-spec clean_update(#{a := integer()}, integer()) -> ok.
clean_update(Map, Value) ->
    #{a := Value} = Map#{a := Value},
    ok.
