%% Functions of zeros and of large integers.
-module(numbers).
-export([other_zero/1, matched_zero/1, member/1, both_keys/2, negated/1,
         from_bits/1, large/1]).

-spec other_zero(number()) -> ok.
other_zero(X) when X == 0, X =/= 0 ->
    case X =:= 0.0 * abs(X) of
        true -> ok;
        false -> error(negative)
    end;
other_zero(_) ->
    ok.

-spec matched_zero(float()) -> ok.
matched_zero(X) ->
    case {X} of
        {Y} when Y == 0 ->
            case <<Y/float>> of
                <<0:1, _:63>> -> error(positive);
                _ -> not_positive(Y)
            end;
        _ -> ok
    end.

not_positive(Y) ->
    case Y =:= 0.0 * abs(Y) of
        true -> ok;
        false -> error(negative)
    end.

-spec member(float()) -> ok.
member(X) when X == 0 ->
    case lists:member(X, [0.0]) of
        true -> ok;
        false -> error(missing)
    end;
member(_) ->
    ok.

-spec both_keys(float(), float()) -> ok.
both_keys(X, Y) when X == 0, Y == 0 ->
    case map_size(#{X => 1, Y => 2}) of
        1 -> ok;
        2 -> error(two_keys)
    end;
both_keys(_, _) ->
    ok.

-spec negated(float()) -> ok.
negated(X) when X == 0 ->
    case -X =:= X of
        true -> ok;
        false -> error(other_sign)
    end;
negated(_) ->
    ok.

-spec from_bits(<<_:64>>) -> ok.
from_bits(<<X/float>>) when X == 0 ->
    case X =:= abs(X) of
        true -> ok;
        false -> error(negative)
    end;
from_bits(_) ->
    ok.

-spec large(integer()) -> ok.
large(X) when X =:= -30744573456182585626 ->
    case X + 1.5 of
        -3.0744573456182583e19 -> error(down);
        -3.0744573456182587e19 -> error(nearest);
        _ -> ok
    end;
large(_) ->
    ok.
