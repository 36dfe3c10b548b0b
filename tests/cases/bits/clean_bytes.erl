%% Tables and bits of bytes without a bug.
-module(clean_bytes).
-export([
    both_halves/1, inverse/1, never_there/1, parity/1, reversed/1,
    two_digits/2
]).

%% A byte is made of its halves.
%% clean: complete
-spec both_halves(byte()) -> ok.
both_halves(Byte) ->
    Byte = (Byte bsr 4) * 16 + Byte band 15,
    ok.

%% A table and the one that takes it back.
%% clean: complete
-spec inverse(0..9) -> ok.
inverse(N) ->
    There = {7, 2, 0, 9, 4, 1, 8, 3, 6, 5},
    Back = {2, 5, 1, 7, 4, 9, 8, 0, 6, 3},
    N = element(element(N + 1, There) + 1, Back),
    ok.

%% A value that the table does not have.
%% clean: complete
-spec never_there(0..255) -> ok.
never_there(N) ->
    Table = list_to_tuple([I * 3 rem 256 * 2 || I <- lists:seq(0, 255)]),
    case element(N + 1, Table) of
        255 -> error(bug);
        _ -> ok
    end.

%% The number of bits that are set has the parity of their sum.
%% clean: complete
-spec parity(0..15) -> ok.
parity(N) ->
    Counts = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4},
    Folded = (N bxor (N bsr 2)) band 3,
    Parity = (Folded bxor (Folded bsr 1)) band 1,
    Parity = element(N + 1, Counts) rem 2,
    ok.

%% Bits in the other order, twice.
%% clean: complete
-spec reversed(0..15) -> ok.
reversed(N) ->
    Table = {0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15},
    N = element(element(N + 1, Table) + 1, Table),
    ok.

%% No two digits have this product by the table.
%% clean: complete
-spec two_digits(0..9, 0..9) -> ok.
two_digits(A, B) ->
    Odd = {1, 3, 5, 7, 9, 11, 13, 15, 17, 19},
    case element(A + 1, Odd) * element(B + 1, Odd) of
        58 -> error(bug);
        _ -> ok
    end.
