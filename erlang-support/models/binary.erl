%% Functions of binary that are built into the BEAM, for typical arguments. For
%% all others they call the real functions. Functions that the engine
%% knows as built-ins are not here.
-module(binary).
-export([bin_to_list/2, bin_to_list/3, copy/2]).
-export([decode_unsigned/1, decode_unsigned/2]).
-export([encode_unsigned/1, encode_unsigned/2]).
-export([longest_common_prefix/1, longest_common_suffix/1]).
-export([match/2, match/3, matches/2, matches/3]).
-export([split/2, split/3, replace/3, replace/4]).

-define(IS_PATTERN(P), is_binary(P), byte_size(P) > 0).

bin_to_list(Binary, {Start, Length}) -> bin_to_list(Binary, Start, Length);
bin_to_list(Binary, Place) -> binary:bin_to_list(Binary, Place).

bin_to_list(Binary, Start, Length) ->
    binary_to_list(binary_part(Binary, Start, Length)).

copy(Binary, Count) when is_binary(Binary), is_integer(Count), Count >= 0 ->
    copies(Binary, Count, <<>>);
copy(Binary, Count) ->
    binary:copy(Binary, Count).

copies(_, 0, Copies) -> Copies;
copies(Binary, Count, Copies) ->
    copies(Binary, Count - 1, <<Copies/binary, Binary/binary>>).

decode_unsigned(Binary) -> decode_unsigned(Binary, big).

decode_unsigned(Binary, Order) when is_binary(Binary) ->
    Size = byte_size(Binary),
    case Order of
        big ->
            <<Number:Size/unit:8>> = Binary,
            Number;
        little ->
            <<Number:Size/little-unit:8>> = Binary,
            Number;
        _ ->
            binary:decode_unsigned(Binary, Order)
    end;
decode_unsigned(Binary, Order) ->
    binary:decode_unsigned(Binary, Order).

encode_unsigned(Number) -> encode_unsigned(Number, big).

encode_unsigned(Number, Order) when is_integer(Number), Number >= 0 ->
    Size = bytes(Number, 256, 1),
    case Order of
        big -> <<Number:Size/unit:8>>;
        little -> <<Number:Size/little-unit:8>>;
        _ -> binary:encode_unsigned(Number, Order)
    end;
encode_unsigned(Number, Order) ->
    binary:encode_unsigned(Number, Order).

bytes(Number, Limit, Size) when Number < Limit -> Size;
bytes(Number, Limit, Size) -> bytes(Number, Limit * 256, Size + 1).

longest_common_prefix([First, Second]) when
    is_binary(First), is_binary(Second)
->
    common_prefix(First, Second, 0);
longest_common_prefix(Binaries) ->
    binary:longest_common_prefix(Binaries).

common_prefix(<<Byte, First/binary>>, <<Byte, Second/binary>>, Count) ->
    common_prefix(First, Second, Count + 1);
common_prefix(_, _, Count) ->
    Count.

longest_common_suffix([First, Second]) when
    is_binary(First), is_binary(Second)
->
    Reversed = [reversed(First), reversed(Second)],
    longest_common_prefix(Reversed);
longest_common_suffix(Binaries) ->
    binary:longest_common_suffix(Binaries).

reversed(Binary) -> list_to_binary(lists:reverse(binary_to_list(Binary))).

match(Subject, Pattern) -> match(Subject, Pattern, []).

match(Subject, Pattern, []) when is_binary(Subject), ?IS_PATTERN(Pattern) ->
    find(Subject, Pattern, byte_size(Pattern), 0);
match(Subject, [Pattern], Options) when is_binary(Pattern) ->
    match(Subject, Pattern, Options);
match(Subject, Pattern, Options) ->
    binary:match(Subject, Pattern, Options).

%% The first position of a pattern.
find(Subject, Pattern, Size, Start) ->
    case Subject of
        <<Pattern:Size/binary, _/binary>> -> {Start, Size};
        <<_, Rest/binary>> -> find(Rest, Pattern, Size, Start + 1);
        _ -> nomatch
    end.

matches(Subject, Pattern) -> matches(Subject, Pattern, []).

matches(Subject, Pattern, []) when is_binary(Subject), ?IS_PATTERN(Pattern) ->
    find_all(Subject, Pattern, byte_size(Pattern), 0);
matches(Subject, [Pattern], Options) when is_binary(Pattern) ->
    matches(Subject, Pattern, Options);
matches(Subject, Pattern, Options) ->
    binary:matches(Subject, Pattern, Options).

find_all(Subject, Pattern, Size, Start) ->
    case Subject of
        <<Pattern:Size/binary, Rest/binary>> ->
            [{Start, Size} | find_all(Rest, Pattern, Size, Start + Size)];
        <<_, Rest/binary>> ->
            find_all(Rest, Pattern, Size, Start + 1);
        _ ->
            []
    end.

split(Subject, Pattern) -> split(Subject, Pattern, []).

split(Subject, Pattern, Options) when
    is_binary(Subject), ?IS_PATTERN(Pattern)
->
    case Options of
        [] ->
            split_once(Subject, Pattern);
        [global] ->
            split_all(Subject, Pattern);
        _ ->
            binary:split(Subject, Pattern, Options)
    end;
split(Subject, [Pattern], Options) when is_binary(Pattern) ->
    split(Subject, Pattern, Options);
split(Subject, Pattern, Options) ->
    binary:split(Subject, Pattern, Options).

split_once(Subject, Pattern) ->
    Size = byte_size(Pattern),
    case find(Subject, Pattern, Size, 0) of
        nomatch ->
            [Subject];
        {Start, _} ->
            <<Before:Start/binary, _:Size/binary, Behind/binary>> = Subject,
            [Before, Behind]
    end.

split_all(Subject, Pattern) ->
    case split_once(Subject, Pattern) of
        [Before, Behind] -> [Before | split_all(Behind, Pattern)];
        Whole -> Whole
    end.

replace(Subject, Pattern, New) -> replace(Subject, Pattern, New, []).

replace(Subject, Pattern, New, Options) when
    is_binary(Subject), ?IS_PATTERN(Pattern), is_binary(New)
->
    case Options of
        [] -> joined(split_once(Subject, Pattern), New);
        [global] -> joined(split_all(Subject, Pattern), New);
        _ -> binary:replace(Subject, Pattern, New, Options)
    end;
replace(Subject, [Pattern], New, Options) when is_binary(Pattern) ->
    replace(Subject, Pattern, New, Options);
replace(Subject, Pattern, New, Options) ->
    binary:replace(Subject, Pattern, New, Options).

joined([Last], _) ->
    Last;
joined([First | Rest], New) ->
    Joined = joined(Rest, New),
    <<First/binary, New/binary, Joined/binary>>.
