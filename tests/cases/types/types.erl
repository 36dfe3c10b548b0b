%% Inputs as their types describe them.
-module(types).
-export([
    account/1, booking/2, colour/1, command/1, deep_tree/1, dice/3,
    expression/1, improper/1, interval/1, matrix/1, move/1, order/1,
    pair_of_same/1, password/1, temperature/1, text/1, version/1, sizes/1,
    turns/1, weekday/1
]).

-type tree(Value) :: leaf | {node, tree(Value), Value, tree(Value)}.
-type expression() ::
    {number, integer()}
    | {add, expression(), expression()}
    | {divide, expression(), expression()}.
-type money() :: {non_neg_integer(), eur | usd | gbp}.

-record(order, {
    number :: pos_integer(),
    state = new :: new | paid | shipped,
    items = [] :: [{Article :: atom(), Count :: 1..100}]
}).

%% A tuple of four elements, each with a type of its own.
%% finds: error overdrawn
-spec account({account, pos_integer(), money(), boolean()}) -> ok.
account({account, 4812, {Amount, gbp}, true}) when Amount < 3, Amount > 0 ->
    error(overdrawn);
account(_) ->
    ok.

%% Two tuples that must have the same date.
%% finds: error double_booking
-spec booking(Date, Date) -> ok when Date :: {1..12, 1..31}.
booking({11, 30} = Date, Date) -> error(double_booking);
booking(_, _) -> ok.

%% A nested union with a bug in one alternative.
%% finds: error {bad_colour,_}
-spec colour({rgb, 0..255, 0..255, 0..255} | {name, atom()} | none) -> ok.
colour({rgb, R, G, B} = Colour) when R + G + B =:= 760 ->
    error({bad_colour, Colour});
colour(_) ->
    ok.

%% Commands of different sizes.
%% finds: error {case_clause,_}
-spec command({quit} | {move, integer()} | {jump, integer(), up | down}) -> ok.
command(Command) ->
    case Command of
        {quit} -> ok;
        {move, _} -> ok;
        {jump, Height, up} when Height < 1000 -> ok;
        {jump, _, down} -> ok
    end.

%% A recursive type with a parameter: the bug is at depth three.
%% finds: error unbalanced
-spec deep_tree(tree(integer())) -> non_neg_integer().
deep_tree(leaf) -> 0;
deep_tree({node, Left, Value, Right}) ->
    case {deep_tree(Left), deep_tree(Right)} of
        {2, 0} when Value =:= 99 -> error(unbalanced);
        {L, R} -> max(L, R) + 1
    end.

%% Ranges of integers.
%% finds: error jackpot
-spec dice(1..6, 1..6, 1..6) -> ok.
dice(A, B, C) when A * B * C =:= 100, A > B -> error(jackpot);
dice(_, _, _) -> ok.

%% A recursive type: only an expression whose value is 0 as a divisor.
%% finds: error badarith
-spec expression(expression()) -> integer().
expression({number, N}) -> N;
expression({add, A, B}) -> expression(A) + expression(B);
expression({divide, A, B}) -> expression(A) div (expression(B) - 7).

%% A list whose end is not a list.
%% finds: error {no_list,_}
-spec improper(nonempty_maybe_improper_list(integer(), stop | [])) -> ok.
improper([12 | stop] = List) -> error({no_list, List});
improper(_) -> ok.

%% Bounds where one can be infinity.
%% finds: error empty_interval
-spec interval({integer() | minus_infinity, integer() | infinity}) -> ok.
interval({Low, infinity}) when is_integer(Low), Low > 1000 ->
    error(empty_interval);
interval(_) ->
    ok.

%% A list of lists of the same length.
%% finds: error ragged
-spec matrix([[integer(), ...], ...]) -> ok.
matrix([[A, B], [C, D, E] | _]) when A * D =:= 91, B + C =:= E, E > 0 ->
    error(ragged);
matrix(_) ->
    ok.

%% A chess board of letters and numbers.
%% finds: error check_mate
-spec move([{$a..$h, 1..8}]) -> ok.
move([{File, Rank}, {File, Other}]) when Other - Rank =:= 7 ->
    error(check_mate);
move(_) ->
    ok.

%% A record with typed fields.
%% finds: error too_many
-spec order(#order{}) -> ok.
order(#order{number = 4711, state = paid, items = [_, {tea, 99}]}) ->
    error(too_many);
order(_) ->
    ok.

%% A type variable stands for one type, not for one value.
%% finds: error same
-spec pair_of_same({Value, Value}) -> ok when Value :: a | b | 1000..2000.
pair_of_same({Value, Value}) when Value > 1000, is_integer(Value) ->
    error(same);
pair_of_same(_) ->
    ok.

%% A string is a list of characters.
%% finds: error broken
-spec password(nonempty_string()) -> ok.
password("s3cret" ++ _) -> error(broken);
password(_) -> ok.

%% Integers on one side of zero.
%% finds: error badarith
-spec temperature(neg_integer()) -> integer().
temperature(Degrees) -> 1000 div (Degrees + 273).

%% Clauses for binaries do not hide those after them.
%% finds: error tea
-spec text(string() | binary()) -> ok.
text(<<>>) -> ok;
text(<<"coffee", _/binary>>) -> ok;
text("tea") -> error(tea);
text(_) -> ok.

%% The clauses of a spec.
%% finds: error {badmatch,_}
-spec version(string()) -> ok;
             ({non_neg_integer(), non_neg_integer()}) -> ok.
version({Major, Minor}) when Major =:= Minor * 3, Minor > 5 ->
    {1, _} = {Major, Minor},
    ok;
version(_) ->
    ok.

%% The size of a tuple selects the alternative.
%% finds: error {unknown_size,3}
-spec sizes(tuple()) -> ok.
sizes(Tuple) when tuple_size(Tuple) =:= 3, element(2, Tuple) =:= size ->
    error({unknown_size, 3});
sizes(_) ->
    ok.

%% Seven atoms.
%% finds: error sunday
-spec weekday(mon | tue | wed | thu | fri | sat | sun) -> ok.
weekday(sun) -> error(sunday);
weekday(_) -> ok.

%% Two elements differ, and both are of the type.
%% finds: error turned
-spec turns([north | east | south]) -> straight.
turns([From, To]) when From =/= To -> error(turned);
turns(_) -> straight.
