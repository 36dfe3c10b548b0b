%% Built-ins that are only called with valid arguments.
-module(clean_built_ins).
-export([
    average/1, digit_sum/1, edges/1, halves/1, lookup/2, nth/2, rotate/1,
    round_trip/1, sign/1, tuples/1, weekday/1
]).

%% The list is not empty.
%% clean: complete
-spec average([integer()]) -> integer().
average([]) -> 0;
average(List) -> lists:sum(List) div length(List).

%% The result of `integer_to_list` has only digits.
%% clean
-spec digit_sum(non_neg_integer()) -> non_neg_integer().
digit_sum(N) ->
    lists:sum([Digit - $0 || Digit <- integer_to_list(N), Digit >= $0]).

%% `hd` and `lists:last` of a list that has elements.
%% clean: complete
-spec edges([integer()]) -> {integer(), integer()} | none.
edges([]) -> none;
edges(List) -> {hd(List), lists:last(List)}.

%% Both halves together are the whole.
%% clean: complete
-spec halves(integer()) -> ok.
halves(N) ->
    N = N div 2 + N div 2 + N rem 2,
    ok.

%% The result of `keyfind` has the key.
%% clean
-spec lookup(atom(), [{atom(), integer()}]) -> integer().
lookup(Key, Table) ->
    case lists:keyfind(Key, 1, Table) of
        {Key, Value} -> Value;
        false -> 0
    end.

%% The index is within the list.
%% clean: complete
-spec nth(pos_integer(), [integer()]) -> integer().
nth(Place, List) when Place =< length(List) -> lists:nth(Place, List);
nth(_, _) -> 0.

%% Taking one away and putting it back at the end.
%% clean: complete
-spec rotate([integer()]) -> ok.
rotate([]) ->
    ok;
rotate([First | Rest] = List) ->
    true = length(Rest ++ [First]) =:= length(List),
    ok.

%% A number as text, and back.
%% clean: complete
-spec round_trip(-99..999) -> ok.
round_trip(N) ->
    N = list_to_integer(integer_to_list(N)),
    ok.

%% An integer has only one sign.
%% clean: complete
-spec sign(integer()) -> ok.
sign(N) when N > 0; N < 0 -> true = abs(N) > 0, ok;
sign(0) -> ok.

%% A tuple keeps its size.
%% clean: complete
-spec tuples({integer(), atom()} | {integer(), atom(), atom()}) -> ok.
tuples(Tuple) ->
    Size = tuple_size(Tuple),
    Size = length(tuple_to_list(Tuple)),
    Size = tuple_size(setelement(Size, Tuple, last)),
    ok.

%% A number that is not negative has no negative remainder.
%% clean: complete
-spec weekday(0..9999) -> atom().
weekday(Year) ->
    Past = max(0, Year - 1),
    Days = Past * 365 + Past div 4 - Past div 100 + Past div 400,
    element(Days rem 7 + 1, {mon, tue, wed, thu, fri, sat, sun}).
