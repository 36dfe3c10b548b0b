%% options: --term-depth 7
%% Conditions on results of `string`.
-module(with_string).
-export([
    centred/1, equal/2, found_at/1, joined/1, length_of/1, lower/1, padded/1,
    pieces/1, replaced/1, slices/1, to_number/1, tokens/1, trimmed/1, words/1
]).

%% finds: error centred
-spec centred([$a..$z]) -> ok.
centred(Text) ->
    case string:centre(Text, 6, $.) of
        "..me.." -> error(centred);
        _ -> ok
    end.

%% finds: error same
-spec equal([$a..$z], [$a..$z]) -> ok.
equal(A, B) when length(A) =:= 2, hd(A) > $p ->
    case string:equal(A, string:to_lower([$X | B])) of
        true -> error(same);
        false -> ok
    end;
equal(_, _) ->
    ok.

%% finds: error {found,3}
-spec found_at(string()) -> ok.
found_at(Text) ->
    case string:str(Text, "ox") of
        3 -> error({found, 3});
        _ -> ok
    end.

%% finds: error {joined,_}
-spec joined([string()]) -> ok.
joined([_, _] = Texts) ->
    case string:join(Texts, ", ") of
        "to, be" = Text -> error({joined, Text});
        _ -> ok
    end;
joined(_) ->
    ok.

%% finds: error {length,_}
-spec length_of([$a..$z]) -> ok.
length_of(Text) ->
    case string:length(Text) of
        4 when hd(Text) =:= $q -> error({length, 4});
        _ -> ok
    end.

%% finds: error lower
-spec lower([$A..$Z]) -> ok.
lower(Text) ->
    case string:to_lower(Text) of
        "xyz" -> error(lower);
        _ -> ok
    end.

%% finds: error padded
-spec padded([$0..$9]) -> ok.
padded(Text) ->
    case string:right(Text, 4, $0) of
        "0042" when length(Text) =:= 2 -> error(padded);
        _ -> ok
    end.

%% finds: error pieces
-spec pieces(string()) -> ok.
pieces(Text) ->
    case string:split(Text, "=") of
        ["key", [_ | _]] -> error(pieces);
        _ -> ok
    end.

%% finds: error replaced
-spec replaced([a | $a..$z]) -> ok.
replaced(Text) when length(Text) =:= 3 ->
    case lists:flatten([string:chars($-, 2) | Text]) of
        "--cat" -> error(replaced);
        _ -> ok
    end;
replaced(_) ->
    ok.

%% finds: error slices
-spec slices([$a..$z]) -> ok.
slices(Text) ->
    case string:slice(Text, 1, 2) of
        "hi" -> error(slices);
        _ -> ok
    end.

%% finds: error {number,_}
-spec to_number(string()) -> ok.
to_number(Text) ->
    case string:to_integer(Text) of
        {59, [_ | _] = Rest} -> error({number, Rest});
        _ -> ok
    end.

%% finds: error tokens
-spec tokens(string()) -> ok.
tokens(Text) ->
    case string:tokens(Text, "/") of
        ["a", "b"] -> error(tokens);
        _ -> ok
    end.

%% finds: error trimmed
-spec trimmed(string()) -> ok.
trimmed(Text) ->
    case string:strip(Text) of
        "no" when length(Text) =:= 4 -> error(trimmed);
        _ -> ok
    end.

%% finds: error {words,3}
-spec words(string()) -> ok.
words(Text) ->
    case string:words(Text) of
        3 -> error({words, 3});
        _ -> ok
    end.
