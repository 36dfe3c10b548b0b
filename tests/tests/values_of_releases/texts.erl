%% Texts that must be those of atoms.
-module(texts).
-export([of_list/1, of_binary/1, existing/1, existing_binary/1, joined/2,
         of_input/2]).

-spec of_list(string()) -> ok.
of_list(Text) ->
    case list_to_atom(Text) of
        hello -> error(found);
        _ -> ok
    end.

-spec of_binary(binary()) -> ok.
of_binary(Text) ->
    case binary_to_atom(Text) of
        hello -> error(found);
        _ -> ok
    end.

-spec existing(string()) -> ok.
existing(Text) ->
    case list_to_existing_atom(Text) of
        hello -> error(found);
        _ -> ok
    end.

-spec existing_binary(binary()) -> ok.
existing_binary(Text) ->
    case binary_to_existing_atom(Text, utf8) of
        hello -> error(found);
        _ -> ok
    end.

-spec joined(atom(), atom()) -> ok.
joined(A, B) ->
    case list_to_atom(atom_to_list(A) ++ "_" ++ atom_to_list(B)) of
        foo_bar -> error(found);
        _ -> ok
    end.

-spec of_input(string(), atom()) -> ok.
of_input(Text, Atom) when length(Text) > 3 ->
    case list_to_atom(Text) of
        Atom -> error(found);
        _ -> ok
    end;
of_input(_, _) ->
    ok.
