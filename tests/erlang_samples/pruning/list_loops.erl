%%% Loops over a list, of which few or no results are looked at.
-module(list_loops).

-export([machine/1, words/1, nesting/1, comprehension/1, merge/2]).

%% A lift with three states and a journal. It never moves with open doors.
-spec machine([call | arrive | enter | leave]) -> {atom(), [atom()]}.
machine(Events) -> machine(Events, waiting, []).

machine([], State, Journal) ->
    {State, lists:reverse(Journal)};
machine([Event | Rest], State, Journal) ->
    case next(Event, State) of
        stuck -> error(bug);
        State -> machine(Rest, State, [{ignored, Event} | Journal]);
        Next -> machine(Rest, Next, [Event | Journal])
    end.

next(call, waiting) -> moving;
next(arrive, moving) -> open;
next(enter, open) -> moving;
next(leave, open) -> waiting;
next(_, waiting) -> waiting;
next(_, moving) -> moving;
next(_, open) -> open;
next(_, _) -> stuck.

%% Names and numbers in a text, with an accumulator for the word that is being
%% read and one for all words.
-spec words([char()]) -> {ok, [string()]} | {unexpected, char()}.
words(Text) -> words(Text, [], []).

words([], Word, Words) -> {ok, lists:reverse(finished(Word, Words))};
words([$, | Rest], Word, Words) -> words(Rest, [], finished(Word, Words));
words([C | Rest], Word, Words) when C >= $A, C =< $Z ->
    words(Rest, [C + 32 | Word], Words);
words([C | Rest], Word, Words) when C >= $0, C =< $9 ->
    words(Rest, [C | Word], Words);
words([C | _], _, _) -> {unexpected, C}.

finished([], Words) -> Words;
finished(Word, Words) -> [lists:reverse(Word) | Words].

%% How deep blocks are nested, with a counter.
-spec nesting([char()]) -> closed | {open, pos_integer()} | unexpected.
nesting(Text) -> nesting(Text, 0).

nesting([], 0) -> closed;
nesting([], Level) when Level > 0 -> {open, Level};
nesting([], _) -> error(bug);
nesting([${ | Rest], Level) -> nesting(Rest, Level + 1);
nesting([$} | _], 0) -> unexpected;
nesting([$} | Rest], Level) -> nesting(Rest, Level - 1);
nesting([_ | Rest], Level) -> nesting(Rest, Level).

%% Each element of a list is checked by itself.
-spec comprehension([{width | height | atom(), integer()}]) -> [atom()].
comprehension(Settings) -> [checked(Setting) || Setting <- Settings].

checked({width, N}) when N > 0, N < 10000 -> width;
checked({height, N}) when N > 0 -> height;
checked({Name, _}) when Name =/= width -> Name;
checked(_) -> refused.

%% Two sorted lists as one. Each comparison matters for the ones behind it, so
%% there is little to gain.
-spec merge([integer()], [integer()]) -> [integer()].
merge(One, Other) -> merge(One, Other, []).

merge([A | As], [B | _] = Bs, Merged) when A =< B ->
    merge(As, Bs, [A | Merged]);
merge([_ | _] = As, [B | Bs], Merged) -> merge(As, Bs, [B | Merged]);
merge([], Bs, Merged) -> lists:reverse(Merged, Bs);
merge(As, [], Merged) -> lists:reverse(Merged, As).
