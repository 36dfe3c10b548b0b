%% Hashes in functions without a bug.
-module(clean_concretization).
-export([bucket/1, reversed_binary/1, same_hash/2]).

%% A hash is below its limit.
%% clean
-spec bucket(integer()) -> 0..15.
bucket(N) ->
    Bucket = erlang:phash2(N, 16),
    true = Bucket < 16,
    Bucket.

%% Bytes become a binary and come back.
%% clean
-spec reversed_binary([0..255]) -> ok.
reversed_binary(Bytes) ->
    Bytes = binary_to_list(list_to_binary(Bytes)),
    ok.

%% Equal values have one hash.
%% clean
-spec same_hash(integer(), integer()) -> ok.
same_hash(A, B) when A =:= B ->
    true = erlang:phash2(A) =:= erlang:phash2(B),
    ok;
same_hash(_, _) ->
    ok.
