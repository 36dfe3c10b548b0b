%% Frames behind which nothing is decided, and which fail all the same.
-module(kept_behind).
-export([
    called/2, clean_returned/2, divided/2, head/2, in_handler/2, in_put/2,
    matched/2, no_clause/2, raised/2, second_frame/2, thrown/2
]).

%% A fun that decides.
%% finds all at depth 2: error first; error second
-spec called(boolean(), a | b) -> ok.
called(Choice, Kind) ->
    Fun = decider(Choice),
    _ = decided(Kind),
    Fun(Kind).

decider(true) -> fun in_first/1;
decider(false) -> fun in_second/1.

in_first(a) -> error(first);
in_first(b) -> ok.

in_second(a) -> ok;
in_second(b) -> error(second).

decided(a) -> x;
decided(b) -> y.

%% The value is only returned.
%% clean at depth 2: complete
-spec clean_returned(boolean(), a | b) -> {atom(), atom()}.
clean_returned(Choice, Kind) ->
    Name = name(Choice),
    Letter = decided(Kind),
    {Name, Letter}.

name(true) -> first;
name(false) -> second.

%% A division by a number that was decided before.
%% finds all at depth 3: error badarith
-spec divided(0..3, [a | b]) -> integer().
divided(N, List) ->
    M = minus_two(N),
    walk(List),
    10 div M.

minus_two(0) -> -2;
minus_two(1) -> -1;
minus_two(2) -> 0;
minus_two(3) -> 1.

walk([a | Rest]) -> walk(Rest);
walk([b | Rest]) -> walk(Rest);
walk([]) -> ok.

%% The first element of a list that was made before.
%% finds all at depth 3: error badarg
-spec head(boolean(), [a | b]) -> x.
head(IsEmpty, List) ->
    Made = made(IsEmpty),
    walk(List),
    hd(Made).

made(false) -> [x];
made(true) -> [].

%% A handler that raises, with a value from before.
%% finds all at depth 2: error first; error second
-spec in_handler(boolean(), 0..3) -> integer().
in_handler(Choice, N) ->
    Name = name(Choice),
    try
        walk([a]),
        6 div N
    catch
        error:badarith -> error(Name)
    end.

%% What is put behind the call decides later.
%% finds all at depth 2: error first; error second
-spec in_put(boolean(), a | b) -> ok.
in_put(Choice, Kind) ->
    put(name, none),
    Letter = stored(Choice, Kind),
    case {get(name), Letter} of
        {first, x} -> error(first);
        {second, y} -> error(second);
        _ -> ok
    end.

stored(Choice, Kind) ->
    Name = name(Choice),
    Letter = decided(Kind),
    put(name, Name),
    Letter.

%% A match of a known value.
%% finds all at depth 3: error {badmatch,_}
-spec matched(boolean(), [a | b]) -> ok.
matched(Choice, List) ->
    Name = name(Choice),
    walk(List),
    second = Name,
    ok.

%% A function without a clause for the value.
%% finds all at depth 3: error function_clause
-spec no_clause(boolean(), [a | b]) -> ok.
no_clause(Choice, List) ->
    Name = name(Choice),
    walk(List),
    only_second(Name, List).

only_second(second, _) -> ok.

%% The reason itself.
%% finds all at depth 3: error first; error second
-spec raised(boolean(), [a | b]) -> no_return().
raised(Choice, List) ->
    Name = name(Choice),
    walk(List),
    error(Name).

%% Not the next frame looks at the value, but the one behind it.
%% finds all at depth 2: error first; error second
-spec second_frame(boolean(), a | b) -> ok.
second_frame(Choice, Kind) ->
    Name = name(Choice),
    {middle, Letter} = middle(Kind),
    compare(Name, Letter).

middle(Kind) ->
    Letter = decided(Kind),
    {middle, Letter}.

compare(first, x) -> error(first);
compare(second, y) -> error(second);
compare(_, _) -> ok.

%% A throw that is caught above by what it throws.
%% finds all at depth 2: error first; error second
-spec thrown(boolean(), a | b) -> ok.
thrown(Choice, Kind) ->
    try
        throws(Choice, Kind)
    catch
        throw:{first, x} -> error(first);
        throw:{second, y} -> error(second);
        throw:_ -> ok
    end.

throws(Choice, Kind) ->
    Name = name(Choice),
    Letter = decided(Kind),
    throw({Name, Letter}).
