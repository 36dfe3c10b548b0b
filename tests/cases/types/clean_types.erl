%% Functions that return for every input of their type.
-module(clean_types).
-export([
    address/1, bounded/2, choice/1, first/1, flags/1, insert/2, item_count/1,
    count/1, span/1, weekday_number/1
]).

-type tree() :: leaf | {node, tree(), integer(), tree()}.

-record(order, {
    number :: pos_integer(),
    items :: [{atom(), 1..100}]
}).

%% Ranges keep the divisor away from zero.
%% clean: complete
-spec bounded(1..9, -9..-1) -> integer().
bounded(A, B) -> 100 div (A - B - 1).

%% All atoms of the type have a clause.
%% clean: complete
-spec choice(yes | no | {perhaps, pos_integer()}) -> integer().
choice(yes) -> 1;
choice(no) -> 0;
choice({perhaps, N}) -> 100 div N.

%% The list is never empty.
%% clean: complete
-spec first([integer(), ...]) -> integer().
first(List) -> hd(List).

%% Booleans are only two atoms.
%% clean: complete
-spec flags({boolean(), boolean()}) -> boolean().
flags({A, B}) -> (A and not B) or (B xor A).

%% A recursive function over a recursive type.
%% clean: complete
-spec insert(integer(), tree()) -> tree().
insert(Value, leaf) -> {node, leaf, Value, leaf};
insert(Value, {node, Left, Other, Right}) when Value < Other ->
    {node, insert(Value, Left), Other, Right};
insert(Value, {node, Left, Other, Right}) ->
    {node, Left, Other, insert(Value, Right)}.

%% Fields of a record have the types that it declares.
%% clean: complete
-spec item_count(#order{}) -> integer().
item_count(#order{number = Number, items = Items}) ->
    lists:sum([100 div Count || {_, Count} <- Items]) div Number.

%% The size of a tree.
%% clean
-spec count(tree()) -> non_neg_integer().
count(leaf) -> 0;
count({node, Left, _, Right}) -> 1 + count(Left) + count(Right).

%% A constraint with `when`.
%% clean: complete
-spec span(Span) -> integer() when Span :: {From :: 0..9, To :: 10..19}.
span({From, To}) -> 100 div (To - From).

%% A spec with two clauses.
%% clean: complete
-spec weekday_number(mon | tue) -> 1..2;
                    (1..2) -> 1..2.
weekday_number(mon) -> 1;
weekday_number(tue) -> 2;
weekday_number(Number) -> 2 div Number.

%% Numbers between dots.
%% clean: complete
-spec address({0..255, 0..255}) -> non_neg_integer().
address({A, B}) when A >= 0, A < 256, B >= 0, B < 256 -> A * 256 + B.
