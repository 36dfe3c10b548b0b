%% Loops: what happens only in a later round, and what two loops share.
-module(kept_loops).
-export([
    alternating/1, clean_machine/1, counted_down/2, fuel/1, hidden_state/1,
    inner_loop/1, last_seen/1, machine/1, restarted/1, second_loop/2,
    shared_list/1, third_round/1, two_lists/2, two_phases/1, until_quiet/1
]).

%% A mode that changes in each round.
%% finds all at depth 4: error b_in_first; error a_in_second
-spec alternating([a | b | c]) -> ok.
alternating(List) -> alternating(List, first, 0).

alternating([b | _], first, 2) -> error(b_in_first);
alternating([a | _], second, 1) -> error(a_in_second);
alternating([_ | Rest], first, N) -> alternating(Rest, second, N + 1);
alternating([_ | Rest], second, N) -> alternating(Rest, first, N + 1);
alternating([], _, _) -> ok.

%% A loop over a number, with a flag that changes.
%% finds all at depth 2: error on; error off
-spec counted_down(0..5, a | b) -> ok.
counted_down(N, Kind) -> counted_down(N, Kind, off, 0).

counted_down(0, a, on, Rounds) when Rounds > 2 -> error(on);
counted_down(0, b, off, Rounds) when Rounds > 3 -> error(off);
counted_down(0, _, _, _) -> ok;
counted_down(N, Kind, on, R) -> counted_down(N - 1, Kind, off, R + 1);
counted_down(N, Kind, off, R) -> counted_down(N - 1, Kind, on, R + 1).

%% Fuel that some rounds use and others give back.
%% finds all at depth 5: error empty
-spec fuel([drive | fill]) -> ok.
fuel(List) -> fuel(List, 1).

fuel([drive | _], 0) -> error(empty);
fuel([drive | Rest], Fuel) -> fuel(Rest, Fuel - 1);
fuel([fill | Rest], Fuel) -> fuel(Rest, Fuel + 2);
fuel([], _) -> ok.

%% A state that nothing shows until the end.
%% finds all at depth 4: error primed
-spec hidden_state([a | b | stop]) -> ok.
hidden_state(List) -> hidden_state(List, idle).

hidden_state([stop | _], primed) -> error(primed);
hidden_state([stop | _], _) -> ok;
hidden_state([a | Rest], idle) -> hidden_state(Rest, warm);
hidden_state([b | Rest], warm) -> hidden_state(Rest, primed);
hidden_state([_ | Rest], _) -> hidden_state(Rest, idle);
hidden_state([], _) -> ok.

%% The outer loop counts what the inner loop ends with.
%% finds all at depth 5: error two_groups
-spec inner_loop([a | mark]) -> ok.
inner_loop(List) -> groups(List, 0).

groups([], 2) -> error(two_groups);
groups([], _) -> ok;
groups([mark | Rest], N) -> groups(Rest, N);
groups([a | Rest], N) -> groups(skip(Rest), N + 1).

skip([a | Rest]) -> skip(Rest);
skip(List) -> List.

%% The element before the last mark.
%% finds all at depth 4: error a_before_mark; error b_before_mark
-spec last_seen([a | b | mark]) -> ok.
last_seen(List) -> last_seen(List, none, none).

last_seen([], _, a) -> error(a_before_mark);
last_seen([], a, b) -> error(b_before_mark);
last_seen([], _, _) -> ok;
last_seen([mark | Rest], Last, _) -> last_seen(Rest, none, Last);
last_seen([a | Rest], _, Marked) -> last_seen(Rest, a, Marked);
last_seen([b | Rest], _, Marked) -> last_seen(Rest, b, Marked).

%% A machine with a state from which it does not come back.
%% finds all at depth 4: error broken
-spec machine([press | hold | free]) -> ok.
machine(List) -> machine(List, up, 0).

machine([press | _], down, 1) -> error(broken);
machine([press | Rest], up, N) -> machine(Rest, down, N);
machine([hold | Rest], down, N) -> machine(Rest, down, N + 1);
machine([free | Rest], down, _) -> machine(Rest, up, 0);
machine([_ | Rest], State, N) -> machine(Rest, State, N);
machine([], _, _) -> ok.

%% The same machine without the transition.
%% clean at depth 4: complete
-spec clean_machine([press | hold | free]) -> up | down.
clean_machine(List) -> clean_machine(List, up, 0).

clean_machine(_, up, 1) -> error(held_up);
clean_machine([press | Rest], up, N) -> clean_machine(Rest, down, N);
clean_machine([hold | Rest], down, _) -> clean_machine(Rest, down, 1);
clean_machine([free | Rest], down, _) -> clean_machine(Rest, up, 0);
clean_machine([_ | Rest], State, N) -> clean_machine(Rest, State, N);
clean_machine([], State, _) -> State.

%% The same loop twice, the second time in another mode.
%% finds all at depth 3: error only_in_second
-spec restarted([a | b]) -> ok.
restarted(List) ->
    N = count(List, 0),
    count(List, N).

count([b], 2) -> error(only_in_second);
count([a | Rest], N) -> count(Rest, N + 1);
count([b | Rest], N) -> count(Rest, N);
count([], N) -> N.

%% The second loop compares with what the first one found.
%% finds all at depth 3: error found_a; error found_b
-spec second_loop([a | b], [a | b]) -> ok.
second_loop(One, Two) -> compare_all(Two, first(One)).

first([X | _]) -> known(X);
first([]) -> none.

known(a) -> a;
known(b) -> b.

compare_all([b, a], a) -> error(found_a);
compare_all([a, b], b) -> error(found_b);
compare_all([_ | Rest], X) -> compare_all(Rest, X);
compare_all([], _) -> ok.

%% Two loops over one list, of which the first keeps a place in it.
%% finds all at depth 4: error same_rest
-spec shared_list([a | b | mark]) -> ok.
shared_list(List) ->
    Rest = behind_mark(List),
    case last_two(List) of
        Rest when Rest =/= [] -> error(same_rest);
        _ -> ok
    end.

behind_mark([mark | Rest]) -> Rest;
behind_mark([_ | Rest]) -> behind_mark(Rest);
behind_mark([]) -> [].

last_two([a, b]) -> [a, b];
last_two([_ | Rest]) -> last_two(Rest);
last_two([]) -> none.

%% The third round is different.
%% finds all at depth 4: error third
-spec third_round([a | b]) -> ok.
third_round(List) -> third_round(List, [one, two, three]).

third_round([b | _], [three]) -> error(third);
third_round([_ | Rest], [_ | Rounds]) -> third_round(Rest, Rounds);
third_round(_, _) -> ok.

%% Two lists at a time.
%% finds all at depth 3: error two_differ
-spec two_lists([a | b], [a | b]) -> ok.
two_lists(One, Two) -> two_lists(One, Two, 0).

two_lists([], [], 2) -> error(two_differ);
two_lists([a | As], [b | Bs], N) -> two_lists(As, Bs, N + 1);
two_lists([b | As], [a | Bs], N) -> two_lists(As, Bs, N + 1);
two_lists([_ | As], [_ | Bs], N) -> two_lists(As, Bs, N);
two_lists(_, _, _) -> ok.

%% The first phase counts up, the second one down.
%% finds all at depth 5: error uneven
-spec two_phases([a | turn | b]) -> ok.
two_phases(List) -> up(List, 0).

up([a | Rest], N) -> up(Rest, N + 1);
up([turn | Rest], N) -> down(Rest, N);
up(_, _) -> ok.

down([b | Rest], N) -> down(Rest, N - 1);
down([a], -1) -> error(uneven);
down(_, _) -> ok.

%% A loop that ends when nothing changes.
%% finds all at depth 4: error settled
-spec until_quiet([0..9]) -> ok.
until_quiet(List) -> until_quiet(List, {[], 0}).

until_quiet([], {[1, 5], 2}) -> error(settled);
until_quiet([], _) -> ok;
until_quiet([X | Rest], {[X | _] = Seen, N}) -> until_quiet(Rest, {Seen, N});
until_quiet([X | Rest], {Seen, N}) -> until_quiet(Rest, {[X | Seen], N + 1}).
