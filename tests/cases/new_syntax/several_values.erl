%% needs: OTP 29
%% Comprehensions with several values, and the guard `is_integer/3`.
-module(several_values).
-export([pairs/1, two_keys/1, in_range/1, out_of_range/1]).

%% finds: error bug
-spec pairs([integer()]) -> ok.
pairs(L) ->
    case [X, X + 1 || X <- L] of
        [5, 6, 50, _] -> error(bug);
        _ -> ok
    end.

%% finds: error bug
-spec two_keys([0..50]) -> ok.
two_keys(L) ->
    case #{X => a, X + 100 => b || X <- L} of
        #{142 := b} -> error(bug);
        _ -> ok
    end.

%% finds: error bug
-spec in_range(term()) -> ok.
in_range(X) when is_integer(X, 1000, 1001) -> error(bug);
in_range(_) -> ok.

%% clean: complete
-spec out_of_range(integer()) -> in | out.
out_of_range(X) ->
    case is_integer(X, 1, 10) of
        true -> inside(X);
        false -> out
    end.

inside(X) when X >= 1, X =< 10 -> in.
