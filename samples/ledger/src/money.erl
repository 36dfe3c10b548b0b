%% Amounts of money in cents, read from text and written as text.
-module(money).
-export([parse/1, format/1, add/2, split/2]).

-spec parse(string()) -> {ok, integer()} | error.
parse([$- | Digits]) ->
    case unsigned(Digits) of
        {ok, Cents} -> {ok, -Cents};
        error -> error
    end;
parse(Digits) ->
    unsigned(Digits).

unsigned(Text) ->
    case string:split(Text, ".") of
        [Whole] -> cents(Whole, "00");
        [Whole, Fraction] -> cents(Whole, Fraction)
    end.

cents([], _) -> error;
cents(Whole, [A, B]) ->
    case lists:all(fun is_digit/1, Whole ++ [A, B]) of
        true -> {ok, list_to_integer(Whole) * 100 + list_to_integer([A, B])};
        false -> error
    end;
cents(_, _) -> error.

is_digit(C) -> C >= $0 andalso C =< $9.

-spec format(integer()) -> string().
format(Cents) when Cents < 0 ->
    [$- | format(-Cents)];
format(Cents) ->
    Rest = Cents rem 100,
    integer_to_list(Cents div 100) ++ "." ++ [$0 + Rest div 10, $0 + Rest rem 10].

-spec add(integer(), integer()) -> integer().
add(A, B) -> A + B.

%% Splits an amount into equal shares; the first ones get the remainder.
-spec split(non_neg_integer(), pos_integer()) -> [non_neg_integer()].
split(Cents, Shares) when Shares > 0, Cents >= 0 ->
    Share = Cents div Shares,
    Rest = Cents rem Shares,
    lists:duplicate(Rest, Share + 1) ++ lists:duplicate(Shares - Rest, Share).
