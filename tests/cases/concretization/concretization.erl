%% Results of calls that cannot be solved for, next to conditions that can.
-module(concretization).
-export([
    beside_hash/2, binary_beside/2, checksum/2, finite_hash/1, hash_kept/2,
    hash_twice/2
]).

%% No condition depends on the hash.
%% finds: error {beside,_}
-spec beside_hash(integer(), integer()) -> ok.
beside_hash(Secret, N) ->
    _ = erlang:phash2(Secret),
    case N of
        2600 -> error({beside, N});
        _ -> ok
    end.

%% The result of a call that is not followed is a constant beside the input.
%% finds: error {size,_}
-spec binary_beside([0..255], integer()) -> ok.
binary_beside(Bytes, N) ->
    Size = byte_size(list_to_binary(Bytes)),
    case N - Size of
        5000 -> error({size, Size});
        _ -> ok
    end.

%% The checksum of one input must be the other input: with the first one fixed,
%% the second can be computed.
%% finds: error accepted
-spec checksum([0..255, ...], non_neg_integer()) -> ok.
checksum(Data, Sum) ->
    case erlang:crc32(Data) of
        Sum -> error(accepted);
        _ -> ok
    end.

%% A hash of one of a few values: each of them can be tried.
%% finds: error {finite,_}
-spec finite_hash(red | green | blue | white | black) -> ok.
finite_hash(Colour) ->
    Wanted = erlang:phash2(black),
    case erlang:phash2(Colour) of
        Wanted -> error({finite, Colour});
        _ -> ok
    end.

%% The code after the hash still depends on the other input.
%% finds: error {sum,_}
-spec hash_kept(integer(), integer()) -> ok.
hash_kept(A, B) ->
    case erlang:phash2(A, 1000) + B of
        31337 -> error({sum, B});
        _ -> ok
    end.

%% The input that was hashed is compared later as well.
%% finds: error {twice,_}
-spec hash_twice(integer(), integer()) -> ok.
hash_twice(A, B) ->
    Hash = erlang:phash2(A, 1000),
    case B of
        Hash when A > 20 -> error({twice, A});
        _ -> ok
    end.
