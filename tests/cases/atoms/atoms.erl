%% Atoms and their texts.
-module(atoms).
-export([
    clean_round_trip/1, existing/1, first_letter/1, joined/1, length_of/1,
    made/1, tagged/2, text/1
]).

%% An atom as text and back.
%% clean
-spec clean_round_trip(atom()) -> ok.
clean_round_trip(Atom) ->
    Atom = list_to_atom(atom_to_list(Atom)),
    ok.

%% Only atoms that exist.
%% finds: error {command,_}
-spec existing([$a..$z]) -> ok.
existing(Text) ->
    try list_to_existing_atom(Text) of
        halt -> error({command, Text});
        _ -> ok
    catch
        error:badarg -> ok
    end.

%% finds: error {letter,_}
-spec first_letter(atom()) -> ok.
first_letter(Atom) ->
    case atom_to_list(Atom) of
        [$q, _ | _] -> error({letter, Atom});
        _ -> ok
    end.

%% finds: error {joined,_}
-spec joined(atom()) -> ok.
joined(Name) ->
    case list_to_atom(atom_to_list(Name) ++ "_sup") of
        shop_sup -> error({joined, Name});
        _ -> ok
    end.

%% finds: error {length,_}
-spec length_of(atom()) -> ok.
length_of(Atom) ->
    case length(atom_to_list(Atom)) of
        7 -> error({length, Atom});
        _ -> ok
    end.

%% finds: error {made,_}
-spec made([$a..$z]) -> ok.
made(Text) ->
    case list_to_atom(Text) of
        stop -> error({made, Text});
        _ -> ok
    end.

%% finds: error {tagged,_}
-spec tagged([$a..$z], integer()) -> ok.
tagged(Tag, N) ->
    case {list_to_atom(Tag), N} of
        {red, 255} -> error({tagged, Tag});
        _ -> ok
    end.

%% finds: error {text,_}
-spec text(atom()) -> ok.
text(Atom) ->
    case atom_to_list(Atom) of
        "open" -> error({text, Atom});
        _ -> ok
    end.
