%% Funs of the input that library functions call.
-module(funs_for_libraries).
-export([
    all_of/2, any_of/2, dropped/2, filtered/2, filter_mapped/2, flat/2,
    folded/2, folded_right/2, for_each/2, mapped/2, mapped_and_folded/2,
    parted/2, searched/2, sorted/2, sorted_unique/2, taken/2, zipped/3
]).

%% finds: error all
-spec all_of(fun((integer()) -> boolean()), [integer()]) -> ok.
all_of(F, [A, _, B] = List) when A < B ->
    case lists:all(F, List) of
        true -> error(all);
        false -> ok
    end;
all_of(_, _) ->
    ok.

%% finds: error any
-spec any_of(fun((atom()) -> boolean()), [atom()]) -> ok.
any_of(F, List) ->
    case lists:any(F, List) of
        true when length(List) =:= 3 ->
            case lists:any(F, tl(List)) of
                true -> ok;
                false -> error(any)
            end;
        _ ->
            ok
    end.

%% finds: error dropped
-spec dropped(fun((integer()) -> boolean()), [integer()]) -> ok.
dropped(F, List) ->
    case lists:dropwhile(F, List) of
        [8 | _] = Rest when length(List) =:= length(Rest) + 2 -> error(dropped);
        _ -> ok
    end.

%% finds: error filtered
-spec filtered(fun((integer()) -> boolean()), [integer()]) -> ok.
filtered(F, List) ->
    case lists:filter(F, List) of
        [5, 6] when length(List) =:= 3 -> error(filtered);
        _ -> ok
    end.

%% finds: error filter_mapped
-spec filter_mapped(F, [integer()]) -> ok when
    F :: fun((integer()) -> boolean() | {true, atom()}).
filter_mapped(F, List) ->
    case lists:filtermap(F, List) of
        [yes, 3] -> error(filter_mapped);
        _ -> ok
    end.

%% finds: error flat
-spec flat(fun((integer()) -> [atom()]), [integer()]) -> ok.
flat(F, [_, _] = List) ->
    case lists:flatmap(F, List) of
        [a, b, c] -> error(flat);
        _ -> ok
    end;
flat(_, _) ->
    ok.

%% finds: error folded
-spec folded(fun((integer(), integer()) -> integer()), [integer()]) -> ok.
folded(F, List) ->
    case lists:foldl(F, 0, List) of
        10 when length(List) =:= 3 -> error(folded);
        _ -> ok
    end.

%% finds: error folded_right
-spec folded_right(fun((atom(), [integer()]) -> [integer()]), [atom()]) -> ok.
folded_right(F, [x, y]) ->
    case lists:foldr(F, [], [x, y]) of
        [3, 4] -> error(folded_right);
        _ -> ok
    end;
folded_right(_, _) ->
    ok.

%% finds: error for_each
-spec for_each(fun((integer()) -> term()), [integer()]) -> ok.
for_each(F, List) ->
    lists:foreach(
        fun(N) ->
            case F(N) of
                {stop, M} when M =:= N + 40 -> error(for_each);
                _ -> ok
            end
        end,
        List
    ).

%% finds: error mapped
-spec mapped(fun((integer()) -> integer()), [integer()]) -> ok.
mapped(F, List) ->
    case lists:map(F, List) of
        [A, B, A] when A =:= B + 9 -> error(mapped);
        _ -> ok
    end.

%% finds: error mapped_and_folded
-spec mapped_and_folded(F, [integer()]) -> ok when
    F :: fun((integer(), atom()) -> {integer(), atom()}).
mapped_and_folded(F, List) ->
    case lists:mapfoldl(F, start, List) of
        {[1, 2], stop} -> error(mapped_and_folded);
        _ -> ok
    end.

%% finds: error parted
-spec parted(fun((integer()) -> boolean()), [integer()]) -> ok.
parted(F, List) ->
    case lists:partition(F, List) of
        {[9], [1, 2]} -> error(parted);
        _ -> ok
    end.

%% finds: error searched
-spec searched(fun((integer()) -> boolean()), [integer()]) -> ok.
searched(F, List) ->
    case lists:search(F, List) of
        {value, 77} when hd(List) =/= 77 -> error(searched);
        _ -> ok
    end.

%% The input has the order.
%% finds: error sorted
-spec sorted(fun((integer(), integer()) -> boolean()), [integer()]) -> ok.
sorted(F, [1, 2, 3] = List) ->
    case lists:sort(F, List) of
        [3, 1, 2] -> error(sorted);
        _ -> ok
    end;
sorted(_, _) ->
    ok.

%% finds: error sorted_unique
-spec sorted_unique(F, [integer()]) -> ok when
    F :: fun((integer(), integer()) -> boolean()).
sorted_unique(F, [4, 5]) ->
    case lists:usort(F, [4, 5]) of
        [5, 4] -> error(sorted_unique);
        _ -> ok
    end;
sorted_unique(_, _) ->
    ok.

%% finds: error taken
-spec taken(fun((char()) -> boolean()), string()) -> ok.
taken(F, Text) ->
    case lists:takewhile(F, Text) of
        "ab" when length(Text) > 2 -> error(taken);
        _ -> ok
    end.

%% finds: error zipped
-spec zipped(fun((integer(), atom()) -> atom()), [integer()], [atom()]) -> ok.
zipped(F, A, B) when length(A) =:= length(B) ->
    case lists:zipwith(F, A, B) of
        [left, right] -> error(zipped);
        _ -> ok
    end;
zipped(_, _, _) ->
    ok.
