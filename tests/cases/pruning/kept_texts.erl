%% Texts, atoms and numbers that are made from lists.
-module(kept_texts).
-export([
    as_atom/1, as_integer/1, as_text/1, binary_of/1, by_name/2,
    clean_as_atom/1, letters_of/2, on/1, off/1, text_order/2,
    two_words/1
]).

%% An atom that is made from what was collected.
%% finds all at depth 4: error ab; error ba
-spec as_atom([a | b]) -> ok.
as_atom(List) -> as_atom(List, []).

as_atom([], Seen) ->
    case list_to_atom(lists:reverse(Seen)) of
        ab -> error(ab);
        bba -> error(ba);
        _ -> ok
    end;
as_atom([a | Rest], Seen) -> as_atom(Rest, [$a | Seen]);
as_atom([b | Rest], Seen) -> as_atom(Rest, [$b | Seen]).

%% No text is this atom.
%% clean at depth 4: complete
-spec clean_as_atom([a | b]) -> ok.
clean_as_atom(List) -> clean_as_atom(List, []).

clean_as_atom([], Seen) ->
    case list_to_atom(lists:reverse(Seen)) of
        abc -> error(abc);
        _ -> ok
    end;
clean_as_atom([a | Rest], Seen) -> clean_as_atom(Rest, [$a | Seen]);
clean_as_atom([b | Rest], Seen) -> clean_as_atom(Rest, [$b | Seen]).

%% A number that is made from digits.
%% finds all at depth 4: error twelve
-spec as_integer([one | two]) -> ok.
as_integer(List) -> as_integer(List, "").

as_integer([], "") -> ok;
as_integer([], Digits) ->
    case list_to_integer(lists:reverse(Digits)) of
        12 -> error(twelve);
        _ -> ok
    end;
as_integer([one | Rest], Digits) -> as_integer(Rest, [$1 | Digits]);
as_integer([two | Rest], Digits) -> as_integer(Rest, [$2 | Digits]).

%% The text of a counter.
%% finds all at depth 4: error two
-spec as_text([a | b]) -> ok.
as_text(List) -> as_text(List, 0).

as_text([], N) ->
    case integer_to_list(N) of
        "2" -> error(two);
        _ -> ok
    end;
as_text([a | Rest], N) -> as_text(Rest, N + 1);
as_text([b | Rest], N) -> as_text(Rest, N).

%% The same letters, nested in different ways, are one text.
%% finds all at depth 4: error aab
-spec binary_of([a | b]) -> ok.
binary_of(List) -> binary_of(List, []).

binary_of([], Text) ->
    case iolist_to_binary(Text) of
        <<"aab">> -> error(aab);
        _ -> ok
    end;
binary_of([a | Rest], Text) -> binary_of(Rest, [Text | "a"]);
binary_of([b | Rest], Text) -> binary_of(Rest, [Text, <<"b">>]).

%% The name of a function that is called.
%% finds all at depth 2: error on; error off
-spec by_name(boolean(), a | b) -> ok.
by_name(Choice, Kind) ->
    Name = name(Choice),
    ?MODULE:Name(Kind).

name(true) -> on;
name(false) -> off.

-spec on(a | b) -> ok.
on(a) -> error(on);
on(b) -> ok.

-spec off(a | b) -> ok.
off(a) -> ok;
off(b) -> error(off).

%% The letters of an atom.
%% finds all at depth 2: error is_on; error is_off
-spec letters_of(boolean(), a | b) -> ok.
letters_of(Choice, Kind) ->
    Name = name(Choice),
    case {Kind, atom_to_list(Name)} of
        {a, [_, $n]} -> error(is_on);
        {b, [_, $f | _]} -> error(is_off);
        _ -> ok
    end.

%% The order of two texts.
%% finds all at depth 2: error before; error behind
-spec text_order(boolean(), a | b) -> ok.
text_order(Choice, Kind) ->
    Text = text(Choice),
    case Kind of
        a when Text < "b" -> error(before);
        b when Text > "b" -> error(behind);
        _ -> ok
    end.

text(true) -> "azz";
text(false) -> "ba".

%% One word is finished while the next one is collected.
%% finds all at depth 5: error a_then_ab
-spec two_words([a | b | space]) -> ok.
two_words([_, _, _, _] = List) -> two_words(List, [], []);
two_words(_) -> ok.

two_words([], Word, ["a"]) when Word =:= "ba" -> error(a_then_ab);
two_words([], _, _) -> ok;
two_words([space | Rest], Word, Words) ->
    two_words(Rest, [], [lists:reverse(Word) | Words]);
two_words([a | Rest], Word, Words) -> two_words(Rest, [$a | Word], Words);
two_words([b | Rest], Word, Words) -> two_words(Rest, [$b | Word], Words).
