%% Tuples and records: their sizes, tags and parts.
-module(kept_tuples).
-export([
    clean_record/1, element_by_number/2, grown/1, nested_part/2,
    ordered/2, outer_and_inner/2, part_or_size/2, put_first/2, record_fields/1,
    record_or_tuple/2, replaced/2, short_tuple/2, sizes/2, tags/2
]).

-record(door, {state = shut, locked = false, moves = 0}).

%% An element by a number that was decided before.
%% finds all at depth 2: error x_chosen; error y_chosen
-spec element_by_number(boolean(), a | b) -> ok.
element_by_number(Choice, Kind) ->
    N = number(Choice),
    case {Kind, element(N, {x, y})} of
        {a, x} -> error(x_chosen);
        {b, y} -> error(y_chosen);
        _ -> ok
    end.

number(true) -> 1;
number(false) -> 2.

%% A tuple that was a list.
%% finds all at depth 4: error three_parts
-spec grown([a | b]) -> ok.
grown(List) -> grown(List, []).

grown([], Seen) ->
    case list_to_tuple(Seen) of
        {_, b, _} -> error(three_parts);
        _ -> ok
    end;
grown([a | Rest], Seen) -> grown(Rest, [a | Seen]);
grown([b | Rest], Seen) -> grown(Rest, [b | Seen]).

%% A part of a part.
%% finds all at depth 2: error x_inside; error y_inside
-spec nested_part(boolean(), a | b) -> ok.
nested_part(Choice, Kind) ->
    {_, Inner, _} = {1, {2, letter(Choice)}, 3},
    case {Kind, Inner} of
        {a, {2, x}} -> error(x_inside);
        {b, {2, y}} -> error(y_inside);
        _ -> ok
    end.

letter(true) -> x;
letter(false) -> y.

%% A tuple with fewer parts is smaller, whatever its parts are.
%% finds all at depth 2: error smaller; error larger
-spec ordered(boolean(), a | b) -> ok.
ordered(Choice, Kind) ->
    Tuple = short_or_long(Choice),
    case Kind of
        a when Tuple < {5, 5} -> error(smaller);
        b when Tuple > {5, 5} -> error(larger);
        _ -> ok
    end.

short_or_long(true) -> {9};
short_or_long(false) -> {1, 1, 1}.

%% The tag is looked at by one function, the part by another.
%% finds all at depth 2: error x_inside; error no_value
-spec outer_and_inner(x | y | none, a | b) -> ok.
outer_and_inner(Choice, Kind) ->
    Result = maybe_value(Choice),
    case {Kind, is_ok(Result)} of
        {a, true} -> inner(Result);
        {b, false} -> error(no_value);
        _ -> ok
    end.

maybe_value(x) -> {ok, x};
maybe_value(y) -> {ok, y};
maybe_value(none) -> none.

is_ok({ok, _}) -> true;
is_ok(none) -> false.

inner({ok, x}) -> error(x_inside);
inner({ok, _}) -> ok.

%% One use looks at the size, another one at a part.
%% finds all at depth 2: error x_first; error three
-spec part_or_size(x | y | long, a | b) -> ok.
part_or_size(Choice, Kind) ->
    Tuple = sized(Choice),
    case Kind of
        a when element(1, Tuple) =:= x -> error(x_first);
        b when tuple_size(Tuple) =:= 3 -> error(three);
        _ -> ok
    end.

sized(x) -> {x, 1};
sized(y) -> {y, 1};
sized(long) -> {y, 1, 1}.

%% The fields of a record, which a loop changes one at a time.
%% finds all at depth 4: error open_and_locked
-spec record_fields([open | lock | shut]) -> non_neg_integer().
record_fields(List) -> moved(List, #door{}).

moved([], #door{state = open, locked = true}) -> error(open_and_locked);
moved([], #door{moves = Moves}) -> Moves;
moved([open | Rest], #door{locked = false} = Door) ->
    moved(Rest, Door#door{state = open, moves = Door#door.moves + 1});
moved([shut | Rest], #door{} = Door) ->
    moved(Rest, Door#door{state = shut, moves = Door#door.moves + 1});
moved([lock | Rest], #door{} = Door) ->
    moved(Rest, Door#door{locked = true});
moved([_ | Rest], Door) ->
    moved(Rest, Door).

%% A door is locked only when it is shut.
%% clean at depth 4: complete
-spec clean_record([open | lock | shut]) -> non_neg_integer().
clean_record(List) -> clean_moved(List, #door{}).

clean_moved([], #door{state = open, locked = true}) -> error(open_and_locked);
clean_moved([], #door{moves = Moves}) -> Moves;
clean_moved([open | Rest], #door{locked = false} = Door) ->
    clean_moved(Rest, Door#door{state = open});
clean_moved([lock | Rest], #door{state = shut} = Door) ->
    clean_moved(Rest, Door#door{locked = true});
clean_moved([shut | Rest], #door{} = Door) ->
    clean_moved(Rest, Door#door{state = shut});
clean_moved([_ | Rest], Door) ->
    clean_moved(Rest, Door).

%% A tuple with the tag of a record and another size.
%% finds all at depth 2: error record; error other
-spec record_or_tuple(boolean(), a | b) -> ok.
record_or_tuple(Choice, Kind) ->
    Door = door(Choice),
    case Kind of
        a when is_record(Door, door) -> error(record);
        b when not is_record(Door, door) -> error(other);
        _ -> ok
    end.

door(true) -> #door{};
door(false) -> {door, shut, false}.

%% What was put in the place of a part.
%% finds all at depth 2: error x_left; error y_right
-spec put_first(boolean(), a | b) -> ok.
put_first(Choice, Kind) ->
    Letter = letter(Choice),
    case with_first({none, side(Kind)}, Letter) of
        {x, left} -> error(x_left);
        {y, right} -> error(y_right);
        _ -> ok
    end.

with_first(Tuple, Letter) -> setelement(1, Tuple, Letter).

side(a) -> left;
side(b) -> right.

%% Which part was replaced.
%% finds all at depth 2: error first; error second
-spec replaced(boolean(), a | b) -> ok.
replaced(Choice, Kind) ->
    Tuple = setelement(number(Choice), {x, x}, y),
    case {Kind, Tuple} of
        {a, {y, x}} -> error(first);
        {b, {x, y}} -> error(second);
        _ -> ok
    end.

%% A part that is not there.
%% finds all at depth 2: error badarg
-spec short_tuple(boolean(), a | b) -> integer().
short_tuple(Choice, Kind) ->
    Tuple = short_or_long(Choice),
    case Kind of
        a -> element(1, Tuple);
        b -> element(2, Tuple)
    end.

%% Only the size.
%% finds all at depth 2: error one; error three
-spec sizes(boolean(), a | b) -> ok.
sizes(Choice, Kind) ->
    Tuple = short_or_long(Choice),
    case {Kind, tuple_size(Tuple)} of
        {a, 1} -> error(one);
        {b, 3} -> error(three);
        _ -> ok
    end.

%% Only the tag.
%% finds all at depth 2: error is_x; error is_y
-spec tags(boolean(), a | b) -> ok.
tags(Choice, Kind) ->
    Tagged = {letter(Choice), 1},
    case {Kind, Tagged} of
        {a, {x, _}} -> error(is_x);
        {b, {y, _}} -> error(is_y);
        _ -> ok
    end.
