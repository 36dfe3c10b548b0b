%% Bytes that are kept while the rest of their binary is read.
-module(kept_bytes).
-export([
    ahead/1, clean_between/1, clean_twice/1, between/1, classed/1,
    collected/1, next/1, ordered/1, word/1
]).

%% What is known of a byte that is still to be read.
%% finds all at depth 2: error five; error six
-spec ahead(binary()) -> ok.
ahead(<<A, Rest:2/binary>>) ->
    case Rest of
        <<5, _/binary>> -> ahead(Rest, A);
        _ -> ahead(Rest, A)
    end;
ahead(_) ->
    ok.

ahead(<<5, A>>, A) -> error(five);
ahead(<<6, A>>, A) -> error(six);
ahead(_, _) -> ok.

%% A byte that nobody reads any more says something about one that is kept.
%% finds all at depth 2: error five
-spec between(binary()) -> ok.
between(<<A, B, Rest:1/binary>>) when A < B, B < 3 -> between(Rest, A);
between(<<A, _, Rest:1/binary>>) -> between(Rest, A);
between(_) -> ok.

between(<<0>>, 5) -> error(five);
between(<<_>>, _) -> ok.

%% It excludes a number.
%% clean at depth 2: complete
-spec clean_between(binary()) -> ok.
clean_between(<<A, B, Rest:1/binary>>) when A < B, B < 3 ->
    clean_between(Rest, A);
clean_between(_) ->
    ok.

clean_between(<<0>>, 5) -> error(five);
clean_between(<<_>>, _) -> ok.

%% A byte of two ranges.
%% finds all at depth 2: error early; error late
-spec classed(binary()) -> ok.
classed(<<A, Rest:2/binary>>) when A > $m -> classed(Rest, A);
classed(<<A, Rest:2/binary>>) -> classed(Rest, A);
classed(_) -> ok.

classed(<<>>, $z) -> error(late);
classed(<<>>, $a) -> error(early);
classed(<<0, Rest/binary>>, A) -> classed(Rest, A);
classed(<<1, Rest/binary>>, A) -> classed(Rest, A);
classed(_, _) -> ok.

%% The bytes in a list, the last one first.
%% finds all at depth 2: error down; error up
-spec collected(binary()) -> ok.
collected(<<Bytes:3/binary>>) -> collected(Bytes, []);
collected(_) -> ok.

collected(<<>>, [1, 2, 3]) -> error(down);
collected(<<>>, [3, 2, 1]) -> error(up);
collected(<<>>, _) -> ok;
collected(<<A, Rest/binary>>, Seen) when A > 2 -> collected(Rest, [A | Seen]);
collected(<<A, Rest/binary>>, Seen) -> collected(Rest, [A | Seen]).

%% The byte after the one that was kept.
%% finds all at depth 2: error next
-spec next(binary()) -> ok.
next(<<A, Rest:2/binary>>) when A > 100 -> next(Rest, A);
next(<<A, Rest:2/binary>>) when A < 50 -> next(Rest, A);
next(_) -> ok.

next(<<B>>, A) when B =:= A + 1, A =/= 7 -> error(next);
next(<<_, Rest/binary>>, A) -> next(Rest, A);
next(<<>>, _) -> ok.

%% Two bytes that were compared.
%% finds all at depth 2: error above; error below
-spec ordered(binary()) -> ok.
ordered(<<A, B, Rest:1/binary>>) when A < B -> ordered(Rest, A, B);
ordered(<<A, B, Rest:1/binary>>) -> ordered(Rest, A, B);
ordered(_) -> ok.

ordered(<<9>>, A, B) when A + 3 =:= B -> error(above);
ordered(<<9>>, A, B) when B + 3 =:= A -> error(below);
ordered(_, _, _) -> ok.

%% A byte in two places is the same.
%% clean at depth 2: complete
-spec clean_twice(binary()) -> ok.
clean_twice(<<A, Rest:2/binary>>) when A > 9 -> clean_twice(Rest, {A, A});
clean_twice(<<A, Rest:2/binary>>) -> clean_twice(Rest, {A, A});
clean_twice(_) -> ok.

clean_twice(<<>>, {A, B}) when A =/= B -> error(different);
clean_twice(<<>>, _) -> ok;
clean_twice(<<_, Rest/binary>>, Pair) -> clean_twice(Rest, Pair).

%% A number of two bytes.
%% finds all at depth 2: error big; error little
-spec word(binary()) -> ok.
word(<<N:16, Rest:1/binary>>) when N > 300 -> word(Rest, N);
word(<<N:16, Rest:1/binary>>) -> word(Rest, N);
word(_) -> ok.

word(<<0>>, 16#0102) -> error(big);
word(<<1>>, 16#0201) -> error(little);
word(_, _) -> ok.
