%% Inputs whose sizes are in their types.
-module(typed).
-export([typed/1, typed_bits/1, clean_header/1, clean_flags/1]).

%% finds: error {long,_}
-spec typed(<<_:16, _:_*24>>) -> ok.
typed(Binary) when byte_size(Binary) > 10 -> error({long, Binary});
typed(_) -> ok.

%% finds: error {odd,_}
-spec typed_bits(<<_:3, _:_*5>>) -> ok.
typed_bits(Bits) when bit_size(Bits) rem 8 =:= 0 -> error({odd, Bits});
typed_bits(_) -> ok.

%% All headers are one of these.
%% clean: complete
-spec clean_header(<<_:16>>) -> atom().
clean_header(<<0:4, _:12>>) -> none;
clean_header(<<A:4, B:4, _:8>>) when A + B > 30 -> full;
clean_header(<<A:4, _:4, _:8>>) when A > 0 -> some.

%% clean: complete
-spec clean_flags(<<_:8>>) -> 0..7.
clean_flags(<<_:5, A:1, B:1, C:1>>) ->
    Sum = A + B * 2 + C * 4,
    true = Sum < 8,
    Sum.
