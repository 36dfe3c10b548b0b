%% Floats in functions without a bug.
-module(clean_floats).
-export([
    compared/1, half/1, nothing_between/1, ordered_rounding/1, percentage/2,
    same_as_itself/1, scaled_down/1, truncated_towards_zero/1, unseen/1
]).

%% Every number is on one side.
%% clean: complete
-spec compared(number()) -> below | above | same.
compared(X) when X < 2.5 -> below;
compared(X) when X > 2.5 -> above;
compared(X) when X == 2.5 -> same.

%% Halves of small integers.
%% clean: complete
-spec half(0..100) -> ok.
half(N) ->
    case N / 2 of
        Half when Half >= 0, Half =< 50 -> ok
    end.

%% An empty range.
%% clean: complete
-spec nothing_between(float()) -> ok.
nothing_between(X) when X > 3.5, X < 3.25 -> error(nothing);
nothing_between(_) -> ok.

%% Rounding down is never above rounding up.
%% clean: complete
-spec ordered_rounding(float()) -> ok.
ordered_rounding(X) ->
    true = floor(X) =< ceil(X),
    true = floor(X) =< X,
    ok.

%% A part is never more than the whole.
%% clean: complete
-spec percentage(0..50, 50..100) -> ok.
percentage(Part, Whole) ->
    case Part / Whole of
        Ratio when Ratio =< 1.0 -> ok
    end.

%% A float is equal to itself.
%% clean: complete
-spec same_as_itself(float()) -> ok.
same_as_itself(X) ->
    true = X =:= X,
    true = X == X,
    ok.

%% Less than the total.
%% clean: complete
-spec scaled_down(float()) -> ok.
scaled_down(X) when X > 1.0, X < 1000.0 ->
    case X * 0.5 of
        Y when Y < X -> ok
    end;
scaled_down(_) ->
    ok.

%% The part that is cut off is less than one.
%% clean: complete
-spec truncated_towards_zero(float()) -> ok.
truncated_towards_zero(X) when X > -1000.0, X < 1000.0 ->
    Whole = trunc(X),
    true = Whole - 1 < X,
    true = X < Whole + 1,
    ok;
truncated_towards_zero(_) ->
    ok.

%% Which float it is makes no difference, since nobody looks at it.
%% clean: complete
-spec unseen([$0..$9]) -> {float(), short | long}.
unseen([A, B]) -> {list_to_float([A, $., B]), short};
unseen([A, B, C, D | _]) -> {list_to_float([A, $., B, $e, C, D]), long};
unseen(_) -> {0.0, short}.
