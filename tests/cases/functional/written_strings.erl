%% options: --term-depth 6
%% Strings that are changed, joined and put in order.
-module(written_strings).
-export([
    digits/1, longest/1, palindrome/1, replaced/1, reversed/1, shifted/1,
    sorted/1, clean_join/1, clean_upper/1
]).

%% finds: error sum
-spec digits([$0..$9]) -> ok.
digits([_, _, _, _] = Text) ->
    case lists:sum([C - $0 || C <- Text]) of
        35 -> error(sum);
        _ -> ok
    end;
digits(_) ->
    ok.

%% finds: error longest
-spec longest([string()]) -> ok.
longest(Words) ->
    case lists:max([0 | [length(Word) || Word <- Words]]) of
        4 when length(Words) =:= 2, hd(Words) =:= "abc" -> error(longest);
        _ -> ok
    end.

%% finds: error palindrome
-spec palindrome(string()) -> ok.
palindrome(Text) when length(Text) =:= 5 ->
    case lists:reverse(Text) of
        Text when hd(Text) =/= hd(tl(Text)) -> error(palindrome);
        _ -> ok
    end;
palindrome(_) ->
    ok.

%% finds: error replaced
-spec replaced(string()) -> ok.
replaced(Text) ->
    case lists:flatten(string:replace(Text, "ab", "", all)) of
        "ab" -> error(replaced);
        _ -> ok
    end.

%% finds: error {number,21}
-spec reversed(string()) -> ok.
reversed([_, _] = Text) ->
    try list_to_integer(lists:reverse(Text)) of
        21 -> error({number, 21});
        _ -> ok
    catch
        error:badarg -> ok
    end;
reversed(_) ->
    ok.

%% finds: error shifted
-spec shifted([$a..$z]) -> ok.
shifted(Text) ->
    case [(C - $a + 3) rem 26 + $a || C <- Text] of
        "fun" -> error(shifted);
        _ -> ok
    end.

%% finds: error anagram
-spec sorted(string()) -> ok.
sorted(Text) ->
    case lists:sort(Text) of
        "act" when Text =/= "act", Text =/= "cat" -> error(anagram);
        _ -> ok
    end.

%% clean
-spec clean_join([[$a..$c]]) -> ok.
clean_join(Words) ->
    Text = lists:flatten(lists:join(",", Words)),
    true = length(Text) >= length(Words) - 1,
    ok.

%% clean
-spec clean_upper([$a..$z]) -> ok.
clean_upper(Text) ->
    Upper = string:to_upper(Text),
    Text = string:to_lower(Upper),
    ok.
