%% Functions that go through maps with atoms as keys.
-module(keys).
-export([named/1, pairs/1, folded/1, iterated/1, put/2, made/1, inside/2,
         compared/1]).

-spec named(#{zebra => 0..1, apple => 0..1}) -> ok.
named(Map) ->
    case maps:keys(Map) of
        [zebra, apple] -> error(zebra_first);
        [apple, zebra] -> error(apple_first);
        _ -> ok
    end.

-spec pairs(#{atom() => integer()}) -> ok.
pairs(Map) when map_size(Map) =< 2 ->
    case maps:to_list(Map) of
        [{zebra, 1}, {_, Value}] when Value > 5 -> error(zebra_first);
        [{_, Value}, {mango, 2}] when Value > 7 -> error(mango_last);
        _ -> ok
    end;
pairs(_) ->
    ok.

-spec folded(#{atom() => integer()}) -> ok.
folded(Map) when map_size(Map) =< 3 ->
    case maps:fold(fun(_, Value, Rest) -> [Value | Rest] end, [], Map) of
        [3, 2, 1] -> error(up);
        [1, 2, 3] -> error(down);
        _ -> ok
    end;
folded(_) ->
    ok.

-spec iterated(#{atom() => integer()}) -> ok.
iterated(Map) when map_size(Map) =< 2 ->
    case maps:next(maps:iterator(Map)) of
        {Key, 1, Rest} ->
            case maps:next(Rest) of
                {_, 2, _} when Key =/= a -> error(iterated);
                _ -> ok
            end;
        _ ->
            ok
    end;
iterated(_) ->
    ok.

-spec put(atom(), atom()) -> ok.
put(A, B) ->
    case maps:values(#{A => 1, B => 2, foo => 3}) of
        [1, 2, 3] -> error(abc);
        [3, 2, 1] -> error(cba);
        [2, 3, 1] -> error(bca);
        _ -> ok
    end.

-spec made(string()) -> ok.
made(Text) ->
    Atom = list_to_atom("made_by_a_run_" ++ Text),
    case maps:keys(#{Atom => 1, middle => 2}) of
        [middle, _] -> error(after_middle);
        [_, middle] -> error(before_middle)
    end.

%% Only atoms that are keys themselves are in the order of the table.
-spec inside(atom(), atom()) -> ok.
inside(A, B) ->
    case maps:keys(#{{A} => 1, {B} => 2}) of
        [{zz}, {aa}] -> error(not_sorted);
        [{aa}, {zz}] -> error(inside);
        _ -> ok
    end.

-spec compared(#{atom() => integer()}) -> ok.
compared(Map) when map_size(Map) =:= 2 ->
    case Map of
        #{zz := 0, aa := 2} when Map < #{zz => 1, aa => 2} -> error(less);
        #{zz := 2, aa := 1} when Map > #{zz => 1, aa => 2} -> error(greater);
        _ -> ok
    end;
compared(_) ->
    ok.
