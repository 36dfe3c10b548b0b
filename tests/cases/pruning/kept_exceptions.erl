%% Exceptions: what they carry, who catches them, and what is left then.
-module(kept_exceptions).
-export([
    after_clause/2, caught_value/2, class/2, class_of_finding/2,
    clean_reason/2, counted_throw/1, handler_variable/2, inner_or_outer/2,
    kept_before_throw/1, matched_value/2, of_clauses/2, passed_on/2,
    protected/2, raised_again/2, reason_of_finding/2, reason_part/2,
    tagged_finding/2, which_error/2
]).

%% A variable that only an `after` looks at.
%% finds all at depth 2: error first; error second
-spec after_clause(boolean(), a | b) -> ok.
after_clause(Choice, Kind) ->
    Name = name(Choice),
    try
        decided(Kind)
    after
        in_after(Name, Kind)
    end.

name(true) -> first;
name(false) -> second.

decided(a) -> ok;
decided(b) -> ok.

in_after(first, a) -> error(first);
in_after(second, b) -> error(second);
in_after(_, _) -> ok.

%% `catch` makes the same of a return and of a throw, but not of an error.
%% finds all at depth 2: error plain; error exited
-spec caught_value(return | throw | fail, a | b) -> ok.
caught_value(How, Kind) ->
    Value = (catch leave(How)),
    case {Kind, Value} of
        {a, {left, _}} when How =/= return -> error(plain);
        {b, {'EXIT', {{left, _}, _}}} -> error(exited);
        _ -> ok
    end.

leave(return) -> {left, 1};
leave(throw) -> throw({left, 1});
leave(fail) -> error({left, 1}).

%% The class of an exception that is caught.
%% finds all at depth 2: error thrown; error failed; error exited
-spec class(throw | error | exit, a | b | c) -> ok.
class(Class, Kind) ->
    Caught = class_of(Class),
    case {Kind, Caught} of
        {a, throw} -> error(thrown);
        {b, error} -> error(failed);
        {c, exit} -> error(exited);
        _ -> ok
    end.

class_of(Class) ->
    try
        stop(Class)
    catch
        Caught:stop -> Caught
    end.

stop(throw) -> throw(stop);
stop(error) -> error(stop);
stop(exit) -> exit(stop).

%% The class is part of a finding, and decided before.
%% finds all at depth 2: exit bad; throw bad
-spec class_of_finding(exit | throw, a | b) -> ok.
class_of_finding(Class, Kind) ->
    Known = known(Class),
    case Kind of
        a -> ok;
        b -> erlang:raise(Known, bad, [])
    end.

known(exit) -> exit;
known(throw) -> throw.

%% A counter comes up with the exception.
%% finds all at depth 4: error third
-spec counted_throw([a | stop]) -> ok.
counted_throw(List) ->
    try
        search(List, 1)
    of
        none -> ok
    catch
        throw:{found, 3} -> error(third);
        throw:{found, _} -> ok
    end.

search([stop | _], N) -> throw({found, N});
search([a | Rest], N) -> search(Rest, N + 1);
search([], _) -> none.

%% A variable that only a handler looks at.
%% finds all at depth 2: error first; error second
-spec handler_variable(boolean(), 0..3) -> integer().
handler_variable(Choice, N) ->
    Name = name(Choice),
    try
        12 div (N - 1)
    catch
        error:badarith -> handle(Name)
    end.

handle(Name) -> error(Name).

%% Whether the inner or the outer `try` catches it.
%% finds all at depth 2: error inner; error outer
-spec inner_or_outer(x | y, a | b) -> ok.
inner_or_outer(Thrown, Kind) ->
    Where =
        try
            inner(Thrown)
        catch
            throw:y -> outer
        end,
    case {Kind, Where} of
        {a, inner} -> error(inner);
        {b, outer} -> error(outer);
        _ -> ok
    end.

inner(Thrown) ->
    try
        thrown(Thrown)
    catch
        throw:x -> inner
    end.

thrown(x) -> throw(x);
thrown(y) -> throw(y).

%% A throw loses what the loop counted; what was counted before stays.
%% finds all at depth 5: error kept
-spec kept_before_throw([a | mark | fail]) -> ok.
kept_before_throw(List) -> rounds(List, 0).

rounds(List, N) ->
    try until_mark(List, N) of
        {mark, Rest, M} -> rounds(Rest, M);
        {done, 2} -> ok;
        {done, _} -> ok
    catch
        throw:failed when N =:= 2 -> error(kept);
        throw:failed -> ok
    end.

until_mark([a | Rest], N) -> until_mark(Rest, N + 1);
until_mark([mark | Rest], N) -> {mark, Rest, N};
until_mark([fail | _], _) -> throw(failed);
until_mark([], N) -> {done, N}.

%% The value that did not match is part of the reason.
%% finds all at depth 2: error one; error two
-spec matched_value(1..2, a | b) -> ok.
matched_value(N, Kind) ->
    Reason =
        try
            ok = number(N)
        catch
            error:{badmatch, Value} -> Value
        end,
    case {Kind, Reason} of
        {a, 1} -> error(one);
        {b, 2} -> error(two);
        _ -> ok
    end.

number(1) -> 1;
number(2) -> 2.

%% What is raised in the clauses after `of` is not caught there.
%% finds all at depth 2: error first; error second
-spec of_clauses(boolean(), a | b) -> ok.
of_clauses(Choice, Kind) ->
    Name = name(Choice),
    try decided(Kind) of
        ok when Name =:= second, Kind =:= b -> error(second);
        ok when Name =:= first, Kind =:= a -> error(first);
        ok -> ok
    catch
        error:_ -> ok
    end.

%% One handler passes an exception on, and the next one looks at its reason.
%% finds all at depth 2: error one; error two
-spec passed_on(boolean(), a | b) -> ok.
passed_on(Choice, Kind) ->
    try
        passing(Choice, Kind)
    catch
        throw:{code, 1} -> error(one);
        throw:{code, 2} -> error(two);
        throw:_ -> ok
    end.

passing(Choice, Kind) ->
    Code = code(Choice),
    try
        thrown(Code, Kind)
    catch
        error:badarg -> ok
    end.

thrown(Code, a) -> throw({code, Code});
thrown(_, b) -> ok.

code(true) -> 1;
code(false) -> 2.

%% The same function, with and without somebody who catches.
%% finds all at depth 2: error unprotected; error caught
-spec protected(boolean(), 0..3) -> ok.
protected(true, N) ->
    try
        check(N)
    catch
        error:unprotected -> error(caught)
    end;
protected(false, N) ->
    check(N).

check(2) -> error(unprotected);
check(_) -> ok.

%% An exception that is raised again keeps its reason.
%% finds all at depth 2: error first; error second
-spec raised_again(boolean(), a | b) -> ok.
raised_again(Choice, Kind) ->
    try
        again(Choice)
    catch
        throw:Reason -> compare(Reason, Kind)
    end.

again(Choice) ->
    try
        throw(name(Choice))
    catch
        Class:Reason:Stack -> erlang:raise(Class, Reason, Stack)
    end.

compare(first, a) -> error(first);
compare(second, b) -> error(second);
compare(_, _) -> ok.

%% The reason is part of a finding, and decided before.
%% finds all at depth 2: error first; error second
-spec reason_of_finding(boolean(), a | b) -> ok.
reason_of_finding(Choice, Kind) ->
    Name = name(Choice),
    case Kind of
        a -> ok;
        b -> error(Name)
    end.

%% One part of a reason, caught far above.
%% finds all at depth 2: error first; error second
-spec reason_part(boolean(), a | b) -> ok.
reason_part(Choice, Kind) ->
    try
        between(Choice)
    catch
        throw:{stop, {Name, _}} -> compare(Name, Kind)
    end.

between(Choice) ->
    ok = below(name(Choice)),
    ok.

below(Name) -> throw({stop, {Name, 1}}).

%% All that is looked at is that there is a reason.
%% clean at depth 2: complete
-spec clean_reason(boolean(), a | b) -> ok.
clean_reason(Choice, Kind) ->
    try
        between(Choice)
    catch
        throw:{stop, {Name, _}} when is_atom(Name) -> decided(Kind)
    end.

%% The first word of a reason that is a tuple.
%% finds all at depth 2: error {first,_}; error {second,_}
-spec tagged_finding(boolean(), a | b) -> ok.
tagged_finding(Choice, Kind) ->
    Name = name(Choice),
    case Kind of
        a -> ok;
        b -> error({Name, 1})
    end.

%% Which built-in raised, and what.
%% finds all at depth 2: error arithmetic; error argument
-spec which_error(boolean(), a | b) -> ok.
which_error(Choice, Kind) ->
    Reason =
        try
            broken(Choice)
        catch
            error:Caught -> Caught
        end,
    case {Kind, Reason} of
        {a, badarith} -> error(arithmetic);
        {b, badarg} -> error(argument);
        _ -> ok
    end.

broken(true) -> 1 + name(true);
broken(false) -> atom_to_list(1 + size(name(false))).
