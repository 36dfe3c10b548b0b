%% Masks and shifts beyond 120 bits.
-module(large_masks).
-export([
    address/1, both/2, field/1, flag/1, high_word/1, joined/2, toggled/1,
    clean_low/1, clean_split/1
]).

-define(MASK, 16#FFFFFFFFFFFFFFFF0000000000000000).

%% The prefix of an address of 128 bits.
%% finds: error network
-spec address(0..16#FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF) -> ok.
address(Address) ->
    case Address band ?MASK of
        16#20010DB8000000000000000000000000 when Address rem 2 =:= 1 ->
            error(network);
        _ ->
            ok
    end.

%% finds: error both
-spec both(non_neg_integer(), non_neg_integer()) -> ok.
both(A, B) when A band (1 bsl 130) =/= 0, B band (1 bsl 131) =/= 0 ->
    case A - B of
        -7 -> error(both);
        _ -> ok
    end;
both(_, _) ->
    ok.

%% finds: error {field,9}
-spec field(non_neg_integer()) -> ok.
field(N) ->
    case (N bsr 150) band 15 of
        9 -> error({field, 9});
        _ -> ok
    end.

%% finds: error flag
-spec flag(integer()) -> ok.
flag(N) when N band (1 bsl 200) =/= 0, N < 1 bsl 201, N > 0 -> error(flag);
flag(_) -> ok.

%% finds: error high
-spec high_word(binary()) -> ok.
high_word(<<N:128>>) when N bsr 64 =:= 16#FE80000000000000, N band 1 =:= 1 ->
    error(high);
high_word(_) ->
    ok.

%% finds: error joined
-spec joined(0..16#FFFFFFFF, 0..16#FFFFFFFFFFFFFFFF) -> ok.
joined(High, Low) ->
    case (High bsl 64) bor Low of
        16#20010DB80000000000000001 -> error(joined);
        _ -> ok
    end.

%% finds: error toggled
-spec toggled(non_neg_integer()) -> ok.
toggled(N) ->
    case N bxor (1 bsl 140) of
        42 -> error(toggled);
        _ -> ok
    end.

%% clean: complete
-spec clean_low(non_neg_integer()) -> ok.
clean_low(N) ->
    true = N band ((1 bsl 160) - 1) < 1 bsl 160,
    ok.

%% clean: complete
-spec clean_split(0..16#FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF) -> ok.
clean_split(N) ->
    N = (N bsr 64) * (1 bsl 64) + N band 16#FFFFFFFFFFFFFFFF,
    ok.
