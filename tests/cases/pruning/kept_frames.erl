%% Values in the frames of callers, and values that calls return.
-module(kept_frames).
-export([
    bottom/1, clean_deeper/1, continuation/1, continued/1, deeper/1,
    even_and_odd/1, explicit_stack/1, handed_down/2, ignored_once/2,
    left_deeper/1, long_lived/2, mutual/1, part_of_result/2, reported/2,
    returned_input/2, same_result/2, thrown_or_returned/2, through_frames/2,
    two_sites/2, under_calls/1
]).
-export_type([tree/0]).

-type tree() :: leaf | {tree(), tree()}.

%% At the bottom of a recursion, only the stack knows how deep it is.
%% finds all at depth 4: error three_deep
-spec bottom([a | b]) -> ok.
bottom(List) ->
    case depth(List) of
        3 -> error(three_deep);
        _ -> ok
    end.

depth([]) -> 0;
depth([a | Rest]) -> 1 + depth(Rest);
depth([b | Rest]) -> depth(Rest).

%% The continuation of a call looks at its result.
%% finds all at depth 4: error b_before_two
-spec continuation([a | b]) -> non_neg_integer().
continuation([]) -> 0;
continuation([X | Rest]) ->
    case continuation(Rest) of
        2 when X =:= b -> error(b_before_two);
        N when X =:= a -> N + 1;
        N -> N
    end.

%% A fun as the continuation.
%% finds all at depth 4: error b_a
-spec continued([a | b]) -> ok.
continued(List) -> continued(List, fun(Seen) -> Seen end).

continued([], Continue) ->
    case Continue([]) of
        [b, a] -> error(b_a);
        _ -> ok
    end;
continued([a | Rest], Continue) ->
    continued(Rest, fun(Seen) -> Continue([a | Seen]) end);
continued([b | Rest], Continue) ->
    continued(Rest, fun(Seen) -> Continue([b | Seen]) end).

%% The difference of the depths of two branches.
%% finds all at depth 3: error unbalanced
-spec deeper(tree()) -> non_neg_integer().
deeper(leaf) -> 0;
deeper({Left, Right}) ->
    case {deeper(Left), deeper(Right)} of
        {N, M} when N =:= M + 2 -> error(unbalanced);
        {N, M} -> max(N, M) + 1
    end.

%% A tree of this depth cannot be that deep.
%% clean at depth 3: complete
-spec clean_deeper(tree()) -> non_neg_integer().
clean_deeper(leaf) -> 0;
clean_deeper({Left, Right}) ->
    case {clean_deeper(Left), clean_deeper(Right)} of
        {N, M} when N =:= M + 9 -> error(unbalanced);
        {N, M} -> max(N, M) + 1
    end.

%% Two functions that call each other, and both end it.
%% finds all at depth 4: error even; error odd
-spec even_and_odd([a | b]) -> ok.
even_and_odd(List) -> even(List).

even([b, b]) -> error(even);
even([_ | Rest]) -> odd(Rest);
even([]) -> ok.

odd([a, b]) -> error(odd);
odd([_ | Rest]) -> even(Rest);
odd([]) -> ok.

%% A stack of the program's own.
%% finds all at depth 5: error mismatch
-spec explicit_stack([open_a | open_b | close_a]) -> ok.
explicit_stack(List) -> explicit_stack(List, []).

explicit_stack([open_a | Rest], Stack) -> explicit_stack(Rest, [a | Stack]);
explicit_stack([open_b | Rest], Stack) -> explicit_stack(Rest, [b | Stack]);
explicit_stack([close_a | Rest], [a | Stack]) -> explicit_stack(Rest, Stack);
explicit_stack([close_a | _], [b, a]) -> error(mismatch);
explicit_stack(_, _) -> ok.

%% A parameter that all calls pass on, and the last one looks at.
%% finds all at depth 3: error first; error second
-spec handed_down(boolean(), [a | b]) -> ok.
handed_down(true, List) -> one(List, first);
handed_down(false, List) -> one(List, second).

one([a | Rest], Name) -> two(Rest, Name, 0);
one([b | Rest], Name) -> two(Rest, Name, 1);
one([], _) -> ok.

two([a | _], Name, N) -> three(N, Name);
two([b | _], _, _) -> ok;
two([], _, _) -> ok.

three(0, first) -> error(first);
three(1, second) -> error(second);
three(_, _) -> ok.

%% One caller ignores the result, the other one looks at it.
%% finds all at depth 2: error first; error second
-spec ignored_once(boolean(), a | b) -> ok.
ignored_once(Choice, Kind) ->
    _ = decided(Choice, Kind),
    case {Kind, decided(Choice, Kind)} of
        {a, first} -> error(first);
        {b, second} -> error(second);
        _ -> ok
    end.

decided(true, a) -> first;
decided(true, b) -> first;
decided(false, a) -> second;
decided(false, b) -> second.

%% The results of two calls of one function, in their order.
%% finds all at depth 3: error left; error right
-spec left_deeper(tree()) -> ok.
left_deeper({Left, Right}) ->
    case {levels(Left), levels(Right)} of
        {2, 1} -> error(left);
        {1, 2} -> error(right);
        _ -> ok
    end;
left_deeper(leaf) ->
    ok.

levels(leaf) -> 0;
levels({Left, Right}) -> 1 + max(levels(Left), levels(Right)).

%% A value of the first frame, looked at after two loops.
%% finds all at depth 3: error first; error second
-spec long_lived(boolean(), [a | b]) -> ok.
long_lived(Choice, List) ->
    Name = name(Choice),
    N = depth(List),
    M = depth(List),
    case {Name, N + M} of
        {first, 4} -> error(first);
        {second, 2} -> error(second);
        _ -> ok
    end.

name(true) -> first;
name(false) -> second.

%% Two functions, each with its own continuation.
%% finds all at depth 4: error eleven
-spec mutual([a | b]) -> ok.
mutual(List) ->
    case ones(List) of
        11 -> error(eleven);
        _ -> ok
    end.

ones([a | Rest]) -> 1 + tens(Rest);
ones([b | Rest]) -> ones(Rest);
ones([]) -> 0.

tens([a | Rest]) -> 10 + ones(Rest);
tens([b | Rest]) -> tens(Rest);
tens([]) -> 0.

%% One part of a result is dropped, the other one decides.
%% finds all at depth 2: error first; error second
-spec part_of_result(boolean(), a | b) -> ok.
part_of_result(Choice, Kind) ->
    {_, {Name, _}} = parts(Choice, Kind),
    case {Name, Kind} of
        {first, a} -> error(first);
        {second, b} -> error(second);
        _ -> ok
    end.

parts(Choice, a) -> {x, {name(Choice), 1}};
parts(Choice, b) -> {y, {name(Choice), 2}}.

%% A call returns a part of the input, which its caller compares.
%% finds all at depth 4: error last_is_first
-spec returned_input(0..9, [0..9]) -> ok.
returned_input(N, List) when N > 3 ->
    case last(List) of
        N when length(List) =:= 2 -> error(last_is_first);
        _ -> ok
    end;
returned_input(_, _) ->
    ok.

last([N]) -> N;
last([_ | Rest]) -> last(Rest);
last([]) -> none.

%% Two ways through a call to the same result, with different effects.
%% finds all at depth 2: error small; error large
-spec same_result(0..9, a | b) -> ok.
same_result(N, Kind) ->
    ok = compared(N),
    case {Kind, N} of
        {a, 2} -> error(small);
        {b, 8} -> error(large);
        _ -> ok
    end.

compared(N) when N < 5 -> ok;
compared(_) -> ok.

%% The same value, returned or thrown.
%% finds all at depth 2: error returned; error thrown
-spec thrown_or_returned(boolean(), a | b) -> ok.
thrown_or_returned(Choice, Kind) ->
    {How, value} =
        try
            {returned, leave(Choice)}
        catch
            throw:Value -> {thrown, Value}
        end,
    case {Kind, How} of
        {a, returned} -> error(returned);
        {b, thrown} -> error(thrown);
        _ -> ok
    end.

leave(true) -> value;
leave(false) -> throw(value).

%% A result that goes up through several frames.
%% finds all at depth 2: error first; error second
-spec through_frames(boolean(), a | b) -> ok.
through_frames(Choice, Kind) ->
    case {outer(Choice), Kind} of
        {[{first}], a} -> error(first);
        {[{second}], b} -> error(second);
        _ -> ok
    end.

outer(Choice) -> [middle(Choice)].

middle(Choice) -> {name(Choice)}.

%% What a library function raises in place of its caller is reported at the line
%% of somebody who waits.
%% finds all at depth 3: error function_clause; error function_clause
-spec reported(boolean(), [a | b]) -> {a | b} | [a | b].
reported(true, List) -> {last_after_a(List)};
reported(false, List) -> [last_after_a(List)].

last_after_a([a | Rest]) -> lists:last(Rest);
last_after_a(_) -> b.

%% One function that is called from two places.
%% finds all at depth 2: error in_first; error in_second
-spec two_sites(boolean(), a | b) -> ok.
two_sites(true, Kind) ->
    case same(Kind) of
        a -> error(in_first);
        b -> ok
    end;
two_sites(false, Kind) ->
    case same(Kind) of
        a -> ok;
        b -> error(in_second)
    end.

same(a) -> a;
same(b) -> b.

%% Each frame keeps an element, and looks at it on the way back.
%% finds all at depth 4: error same_ends
-spec under_calls([a | b]) -> ok.
under_calls(List) ->
    _ = ends(List),
    ok.

ends([X]) -> {X, 1};
ends([X | Rest]) ->
    case ends(Rest) of
        {X, 2} -> error(same_ends);
        {Last, N} -> {Last, N + 1}
    end;
ends([]) -> {none, 0}.
