%% Bugs inside conditions on the bits of integers.
-module(bits).
-export([
    complement/1, disjoint/2, even_parity/1, flags/1, gray_code/1, in_guard/2,
    isolated/1, negative_mask/1, negative_shift/2, popcount/1, power/1,
    shift_by_input/2, swapped/2
]).

%% All bits but a few.
%% finds: error complement
-spec complement(integer()) -> ok.
complement(N) ->
    case bnot N of
        Flipped when Flipped band 16#FF =:= 16#3C, N < -5000 ->
            error(complement);
        _ ->
            ok
    end.

%% Two numbers without a common bit, which together have all of them.
%% finds: error disjoint
-spec disjoint(non_neg_integer(), non_neg_integer()) -> ok.
disjoint(A, B) ->
    case A > 9 andalso B > 99 andalso A band B =:= 0 of
        true when A bor B =:= 16#1FF -> error(disjoint);
        _ -> ok
    end.

%% A byte whose first bit makes the number of ones even.
%% finds: error {parity,_}
-spec even_parity(0..255) -> ok.
even_parity(Byte) ->
    Half = Byte bxor (Byte bsr 4),
    Quarter = Half bxor (Half bsr 2),
    Parity = (Quarter bxor (Quarter bsr 1)) band 1,
    case Parity of
        1 when Byte band 16#F0 =:= 16#A0, Byte > 16#AB -> error({parity, Byte});
        _ -> ok
    end.

-define(READY, 1).
-define(BUSY, 4).
-define(ERROR, 16#40).

%% Two flags that must not be set together.
%% finds: error inconsistent
-spec flags(integer()) -> ok.
flags(Status) when Status band ?READY =/= 0 ->
    case Status band (?BUSY bor ?ERROR) of
        ?BUSY bor ?ERROR -> error(inconsistent);
        _ -> ok
    end;
flags(_) ->
    ok.

%% The Gray code of a number.
%% finds: error {gray,_}
-spec gray_code(non_neg_integer()) -> ok.
gray_code(N) ->
    case N bxor (N bsr 1) of
        16#1234 -> error({gray, N});
        _ -> ok
    end.

%% All operators in one guard.
%% finds: error guard
-spec in_guard(integer(), integer()) -> ok.
in_guard(A, B) when ((A bsl 3) bor (B band 7)) bxor 16#55 =:= 16#123 ->
    error(guard);
in_guard(_, _) ->
    ok.

%% The lowest bit that is set.
%% finds: error {lowest,_}
-spec isolated(integer()) -> ok.
isolated(N) ->
    case N band -N of
        4096 when N > 100000 -> error({lowest, N});
        _ -> ok
    end.

%% A mask that keeps all high bits.
%% finds: error page
-spec negative_mask(integer()) -> ok.
negative_mask(Address) when Address band -4096 =:= 16#7F000 ->
    case Address band 16#FFF of
        16#ABC -> error(page);
        _ -> ok
    end;
negative_mask(_) ->
    ok.

%% A shift to the left by a negative number is a shift to the right.
%% finds: error backwards
-spec negative_shift(integer(), -20..-1) -> ok.
negative_shift(N, By) ->
    case N bsl By of
        77 when By < -6 -> error(backwards);
        _ -> ok
    end.

%% How many bits are set.
%% finds: error {bits,_}
-spec popcount(0..1023) -> ok.
popcount(N) ->
    case popcount(N, 0) of
        9 -> error({bits, N});
        _ -> ok
    end.

popcount(0, Count) -> Count;
popcount(N, Count) -> popcount(N band (N - 1), Count + 1).

%% Powers of two have one bit.
%% finds: error {power,_}
-spec power(pos_integer()) -> ok.
power(N) when N band (N - 1) =:= 0, N > 70000 -> error({power, N});
power(_) -> ok.

%% The number of the bit is an input.
%% finds: error {bit,_}
-spec shift_by_input(0..31, integer()) -> ok.
shift_by_input(Bit, Mask) ->
    case Mask band (1 bsl Bit) of
        16#20000 -> error({bit, Bit});
        _ -> ok
    end.

%% Two numbers exchanged without a third one.
%% finds: error swapped
-spec swapped(integer(), integer()) -> ok.
swapped(A, B) ->
    X = A bxor B,
    case {B bxor X, A bxor X} of
        {4711, 815} -> error(swapped);
        _ -> ok
    end.
