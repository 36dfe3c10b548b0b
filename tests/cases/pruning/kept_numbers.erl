%% Sums, products, and numbers that are equal but not the same.
-module(kept_numbers).
-export([
    bit_set/1, clean_bit_set/1, clean_weights/3, divisor/1, float_keys/2,
    float_sum/1, input_sum/1, mixed_equality/2, mixed_kinds/2, negated/1,
    powers/3, product/3, remainders/1, rounded/2, signs/1, weights/3,
    wide/1
]).

%% A set of bits.
%% finds all at depth 4: error both_bits
-spec bit_set([0..2]) -> ok.
bit_set(List) -> bit_set(List, 0).

bit_set([], Bits) when Bits band 5 =:= 5 -> error(both_bits);
bit_set([], _) -> ok;
bit_set([0 | Rest], Bits) -> bit_set(Rest, Bits bor 1);
bit_set([1 | Rest], Bits) -> bit_set(Rest, Bits bor 2);
bit_set([2 | Rest], Bits) -> bit_set(Rest, Bits bor 4).

%% Another bit is never set.
%% clean at depth 4: complete
-spec clean_bit_set([0..2]) -> ok.
clean_bit_set(List) -> clean_bit_set(List, 0).

clean_bit_set([], Bits) when Bits band 8 =:= 8 -> error(no_such_bit);
clean_bit_set([], _) -> ok;
clean_bit_set([0 | Rest], Bits) -> clean_bit_set(Rest, Bits bor 1);
clean_bit_set([1 | Rest], Bits) -> clean_bit_set(Rest, Bits bor 2);
clean_bit_set([2 | Rest], Bits) -> clean_bit_set(Rest, Bits bor 4).

%% A counter by which something is divided.
%% finds all at depth 4: error badarith
-spec divisor([a | b]) -> integer().
divisor(List) -> divisor(List, 3).

divisor([], N) -> 60 div N;
divisor([a | Rest], N) -> divisor(Rest, N);
divisor([b | Rest], N) -> divisor(Rest, N - 1).

%% A key of a map is compared by `=:=`.
%% finds all at depth 2: error integer; error float
-spec float_keys(boolean(), boolean()) -> ok.
float_keys(IsFloat, Other) ->
    Key = number(IsFloat),
    case {Other, #{1 => a}} of
        {true, #{Key := _}} -> error(integer);
        {false, #{Key := _}} -> ok;
        {false, _} -> error(float);
        {true, _} -> ok
    end.

number(true) -> 1.0;
number(false) -> 1.

%% The sum is a float after the first float.
%% finds all at depth 4: error float_two; error integer_two
-spec float_sum([one | half]) -> ok.
float_sum(List) -> float_sum(List, 0).

float_sum([], Sum) when Sum =:= 2 -> error(integer_two);
float_sum([], Sum) when Sum == 2 -> error(float_two);
float_sum([], _) -> ok;
float_sum([one | Rest], Sum) -> float_sum(Rest, Sum + 1);
float_sum([half | Rest], Sum) -> float_sum(Rest, Sum + 0.5).

%% A sum of unknown numbers, none of which is looked at.
%% finds all at depth 4: error twenty
-spec input_sum([0..9]) -> ok.
input_sum(List) -> input_sum(List, 0).

input_sum([], 20) -> error(twenty);
input_sum([], _) -> ok;
input_sum([N | Rest], Sum) -> input_sum(Rest, Sum + N).

%% Equal by `==`, and told apart by `=:=` later.
%% finds all at depth 2: error integer; error float
-spec mixed_equality(boolean(), a | b) -> ok.
mixed_equality(IsFloat, Kind) ->
    Number = number(IsFloat),
    true = Number == 1,
    case Kind of
        a when Number =:= 1 -> error(integer);
        b when Number =/= 1 -> error(float);
        _ -> ok
    end.

%% What an operation makes of a number depends on its kind.
%% finds all at depth 2: error integer; error float
-spec mixed_kinds(boolean(), a | b) -> ok.
mixed_kinds(IsFloat, Kind) ->
    Number = number(IsFloat) * 2 + 1,
    case Kind of
        a when is_integer(Number) -> error(integer);
        b when is_float(Number) -> error(float);
        _ -> ok
    end.

%% A sign that changes at each mark.
%% finds all at depth 4: error plus; error minus
-spec negated([keep | turn]) -> ok.
negated(List) -> negated(List, 7).

negated([turn, keep], 7) -> error(plus);
negated([keep, turn], -7) -> error(minus);
negated([], _) -> ok;
negated([keep | Rest], N) -> negated(Rest, N);
negated([turn | Rest], N) -> negated(Rest, -N).

%% Each sum of powers of two is another state.
%% finds all at depth 2: error six
-spec powers(boolean(), boolean(), boolean()) -> ok.
powers(A, B, C) ->
    case 1 + weight(A, 1) + weight(B, 2) + weight(C, 4) of
        7 -> error(six);
        _ -> ok
    end.

weight(true, N) -> N;
weight(false, _) -> 0.

%% A product.
%% finds all at depth 2: error six; error fifteen
-spec product(boolean(), boolean(), boolean()) -> ok.
product(A, B, C) ->
    case factor(A, 2) * factor(B, 3) * factor(C, 5) of
        6 -> error(six);
        15 -> error(fifteen);
        _ -> ok
    end.

factor(true, N) -> N;
factor(false, _) -> 1.

%% What is left of a number after some rounds.
%% finds all at depth 4: error two_left
-spec remainders([a | b]) -> ok.
remainders(List) -> remainders(List, 1).

remainders([], 2) -> error(two_left);
remainders([], _) -> ok;
remainders([a | Rest], N) -> remainders(Rest, N * 3 rem 7);
remainders([b | Rest], N) -> remainders(Rest, N * 2 rem 7).

%% Two floats that become the same integer only when they are rounded.
%% finds all at depth 2: error up; error down
-spec rounded(boolean(), a | b) -> ok.
rounded(IsMore, Kind) ->
    Number = half(IsMore),
    1 = trunc(Number),
    case {Kind, round(Number)} of
        {a, 1} -> error(down);
        {b, 2} -> error(up);
        _ -> ok
    end.

half(true) -> 1.75;
half(false) -> 1.25.

%% The sign of a product of unknown numbers.
%% finds all at depth 3: error positive; error negative
-spec signs([-9..9]) -> ok.
signs(List) -> signs(List, 1).

signs([0, 0], 1) -> error(positive);
signs([0], -1) -> error(negative);
signs([], _) -> ok;
signs([N | Rest], Sign) when N < 0 -> signs(Rest, -Sign);
signs([_ | Rest], Sign) -> signs(Rest, Sign).

%% A sum of three choices.
%% finds all at depth 2: error five
-spec weights(boolean(), boolean(), boolean()) -> ok.
weights(A, B, C) ->
    case weight(A, 2) + weight(B, 3) + weight(C, 4) of
        5 -> error(five);
        _ -> ok
    end.

%% No choice gives this sum.
%% clean at depth 2: complete
-spec clean_weights(boolean(), boolean(), boolean()) -> ok.
clean_weights(A, B, C) ->
    case weight(A, 2) + weight(B, 3) + weight(C, 4) of
        8 -> error(eight);
        _ -> ok
    end.

%% Two numbers that differ only beyond 64 bits.
%% finds all at depth 4: error wide
-spec wide([a | b]) -> ok.
wide(List) -> wide(List, 5).

wide([], N) when N > 1 bsl 65 -> error(wide);
wide([], _) -> ok;
wide([a | Rest], N) -> wide(Rest, N + 1 bsl 64);
wide([b | Rest], N) -> wide(Rest, N).
