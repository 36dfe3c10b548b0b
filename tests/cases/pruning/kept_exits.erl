%% Calls that are explored by themselves: what of their results must not be
%% forgotten.
-module(kept_exits).
-export([
    last_level/1, length_behind/1, parity/1, reason_made_inside/1,
    rest_is_long/1, same_rest/1, shared_loop/2, shared_tail/1,
    skipped_or_read/1, thrown_rest/1, two_handlers/2
]).

%% On the last level, the only exit is one that is also reached elsewhere, by
%% longer ways.
%% finds all at depth 4: error at_end
-spec last_level([a | b]) -> ok | stop.
last_level([b, b, b]) -> ok;
last_level([a, b, b | Rest]) ->
    case last_level(Rest) of
        stop -> error(at_end);
        ok -> ok
    end;
last_level([_ | Rest]) ->
    case last_level(Rest) of
        stop -> ok;
        ok -> stop
    end;
last_level([]) ->
    stop.

%% What is returned is a part of the input, and its length counts.
%% finds all at depth 5: error two_left
-spec length_behind([a | b]) -> ok.
length_behind([X | List]) ->
    case {X, behind_b(List)} of
        {a, [_, _]} -> error(two_left);
        _ -> ok
    end;
length_behind([]) ->
    ok.

behind_b([b | Rest]) -> Rest;
behind_b([_ | Rest]) ->
    [_ | _] = [x | Rest],
    behind_b(Rest);
behind_b([]) -> [].

%% Two functions that call each other.
%% finds all at depth 5: error even_b
-spec parity([a | b]) -> ok.
parity(List) ->
    case even(List) of
        {even, b} -> error(even_b);
        _ -> ok
    end.

even([]) -> {even, none};
even([X | Rest]) ->
    case odd(Rest) of
        {_, none} -> {even, X};
        {_, Y} -> {even, Y}
    end.

odd([]) -> {odd, none};
odd([X | Rest]) ->
    case even(Rest) of
        {_, none} -> {odd, X};
        {even, b} when X =:= a -> {odd, b};
        {_, Y} -> {odd, Y}
    end.

%% The reason of an exception is made of results.
%% finds all at depth 3: error one; error two; throw {count,_}
-spec reason_made_inside([a | b]) -> ok.
reason_made_inside(List) ->
    try
        raiser(List)
    catch
        throw:{count, 1} -> error(one);
        throw:{count, 2} -> error(two)
    end.

raiser([]) -> ok;
raiser([a | Rest]) ->
    N = count(Rest),
    throw({count, N});
raiser([b | Rest]) ->
    raiser(Rest).

count([]) -> 0;
count([a | Rest]) -> 1 + count(Rest);
count([b | Rest]) -> count(Rest).

%% What a call leaves over is read on, so it counts how much that can be.
%% finds all at depth 5: error three_more
-spec rest_is_long([a | b]) -> ok.
rest_is_long(List) ->
    {Words, Rest} = word(List),
    case Rest of
        [a, a, a | _] when Words =/= x -> error(three_more);
        _ -> ok
    end.

word([b | Rest]) -> {[], Rest};
word([a | Rest]) ->
    {Word, Behind} = word(Rest),
    {[a | Word], Behind};
word([]) -> {[], []}.

%% Two calls return the same part of the input.
%% finds all at depth 4: error same_rest
-spec same_rest([a | b]) -> ok.
same_rest(List) ->
    {_, One} = word(List),
    {_, Other} = word(List),
    case {One, Other} of
        {[b | _], [b | _]} -> error(same_rest);
        {[a | _], [b | _]} -> error(never);
        _ -> ok
    end.

%% Calls that begin in different ways come to one loop.
%% finds all at depth 4: error first; error second
-spec shared_loop(boolean(), [a | b]) -> ok.
shared_loop(Choice, List) ->
    case {Choice, start(Choice, List)} of
        {true, two} -> error(first);
        {false, two} -> error(second);
        _ -> ok
    end.

start(true, [a | Rest]) -> loop(Rest);
start(false, [b | Rest]) -> loop(Rest);
start(_, _) -> none.

loop([b, b]) -> two;
loop([a | Rest]) -> loop(Rest);
loop(_) -> other.

%% The call and its caller look at the same tail.
%% finds all at depth 4: error b_then_a
-spec shared_tail([a | b]) -> ok.
shared_tail([_ | Rest]) ->
    case {count(Rest), Rest} of
        {1, [b, a]} -> error(b_then_a);
        _ -> ok
    end;
shared_tail([]) ->
    ok.

%% One caller skips what another one reads.
%% finds all at depth 5: error read_b; error function_clause
-spec skipped_or_read([a | b | s]) -> ok.
skipped_or_read([s | List]) ->
    {_, Rest} = word(List),
    skipped_or_read(Rest);
skipped_or_read([a | List]) ->
    case word(List) of
        {[a], [b | _]} -> error(read_b);
        {_, Rest} -> skipped_or_read(Rest)
    end;
skipped_or_read(_) ->
    ok.

%% An exception carries a part of the input.
%% finds all at depth 5: error two_thrown
-spec thrown_rest([a | b]) -> ok.
thrown_rest(List) ->
    try
        1 + until_b(List)
    of
        _ -> ok
    catch
        throw:[_, _ | _] -> error(two_thrown);
        throw:_ -> ok
    end.

until_b([b | Rest]) -> throw(Rest);
until_b([a | Rest]) -> 1 + until_b(Rest);
until_b([]) -> 0.

%% The same call within different handlers.
%% finds all at depth 4: error in_first; error in_second
-spec two_handlers(boolean(), [a | b]) -> ok.
two_handlers(true, List) ->
    try until_b(List) of
        2 -> error(in_first);
        _ -> ok
    catch
        throw:_ -> ok
    end;
two_handlers(false, List) ->
    try until_b(List) of
        _ -> ok
    catch
        throw:[a] -> error(in_second);
        throw:_ -> ok
    end.
