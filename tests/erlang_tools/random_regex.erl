%% Random calls of functions of re: patterns from a grammar, subjects over a
%% small alphabet, options.
-module(random_regex).

-export([arguments/2]).

-spec arguments(atom(), 1..4) -> [term()].
arguments(compile, 1) -> [pattern(4)];
arguments(compile, 2) -> [pattern(4), some(compile_options())];
arguments(run, 2) -> [subject(), pattern(4)];
arguments(split, 2) -> [subject(), pattern(3)];
arguments(replace, 3) -> [subject(), pattern(3), replacement()];
arguments(run, 3) -> with_options([], run_options());
arguments(split, 3) -> with_options([], split_options());
arguments(replace, 4) -> with_options([replacement()], replace_options()).

%% A pattern is a text, or compiled.
-spec with_options([term()], [fun(() -> term())]) -> [term()].
with_options(Others, Own) ->
    {Subject, Pattern} = {subject(), pattern(4)},
    Compile = some(compile_options()),
    Options = [inside(Option(), Subject) || Option <- some(Own)],
    case rand:uniform(6) of
        1 -> [Subject, {compiled, Pattern, Compile}] ++ Others ++ [Options];
        _ -> [Subject, Pattern] ++ Others ++ [shuffled(Compile ++ Options)]
    end.

%% An offset behind the subject ends the process in some releases, without an
%% exception.
-spec inside(term(), term()) -> term().
inside({offset, Offset}, Subject) when is_list(Subject) ->
    {offset, min(Offset, length(Subject))};
inside({offset, Offset}, Subject) ->
    {offset, min(Offset, byte_size(Subject))};
inside(Option, _) ->
    Option.

-spec compile_options() -> [atom()].
compile_options() ->
    [caseless, dotall, multiline, unicode, extended, ungreedy, dollar_endonly,
     anchored].

-spec run_options() -> [fun(() -> term())].
run_options() ->
    [fun() -> global end, fun() -> notempty end, fun offset/0, fun capture/0,
     fun capture/0, fun strange/0].

-spec split_options() -> [fun(() -> term())].
split_options() ->
    [fun() -> {return, one_of([list, binary, iodata])} end,
     fun() -> {parts, one_of([0, 1, 2, 3, infinity])} end,
     fun() -> trim end, fun() -> group end, fun() -> notempty end,
     fun offset/0, fun strange/0].

-spec replace_options() -> [fun(() -> term())].
replace_options() ->
    [fun() -> {return, one_of([list, binary, iodata])} end,
     fun() -> global end, fun() -> global end, fun() -> notempty end,
     fun offset/0, fun strange/0].

-spec offset() -> term().
offset() -> {offset, one_of([0, 1, 2, 3, 9])}.

-spec strange() -> term().
strange() ->
    case rand:uniform(4) of
        1 -> one_of([{newline, crlf}, notbol, noteol, firstline, no_option,
                     {offset, -1}, {capture, strange}, {return, strange},
                     report_errors, notempty_atstart, {parts, -1}, trim,
                     ucp]);
        _ -> anchored
    end.

-spec capture() -> term().
capture() ->
    Which = one_of([all, first, all_but_first, none, [], all_names, [1], [0, 2],
                    [2, 9], [n1], ["n2", 1], [<<"n1">>, nobody]]),
    one_of([{capture, Which}, {capture, Which, index}, {capture, Which, list},
            {capture, Which, binary}]).

%% Usually small texts, sometimes deep or invalid.
-spec subject() -> term().
subject() ->
    Text = [letter() || _ <- lists:seq(1, rand:uniform(9) - 1)],
    case rand:uniform(20) of
        1 -> [Text, <<"ab">>, $a];
        2 -> [atom | Text];
        3 -> [one_of([16#FF, 16#D800, -1, 16#110000]) | Text];
        4 -> [16#20AC, 16#3B1 | Text];
        5 -> unicode:characters_to_binary([16#20AC, 16#E9 | Text]);
        6 -> list_to_binary([16#FF | Text]);
        N when N < 14 -> list_to_binary(Text);
        _ -> Text
    end.

-spec letter() -> char().
letter() -> lists:nth(rand:uniform(12), "aaabbbcAB1_\n").

-spec replacement() -> term().
replacement() ->
    Parts = ["&", "x", "\\1", "\\2", "\\g1", "\\g{2}", "\\&", "\\\\", "-",
             "\\0", "<>"],
    Text = lists:append([one_of(Parts) || _ <- lists:seq(1, rand:uniform(3))]),
    case rand:uniform(12) of
        1 -> "\\";
        2 -> [];
        3 -> [16#E9 | Text];
        N when N < 7 -> Text;
        _ -> unicode:characters_to_binary(Text)
    end.

%% A pattern; names are used once.
-spec pattern(pos_integer()) -> term().
pattern(Depth) ->
    Text = lists:flatten(alternatives(Depth)),
    {Named, _} = lists:mapfoldl(fun named/2, 1, Text),
    Flat = lists:flatten(Named),
    case rand:uniform(4) of
        1 -> unicode:characters_to_binary(Flat);
        _ -> Flat
    end.

-spec named(term(), pos_integer()) -> {term(), pos_integer()}.
named(name, Number) -> {[$n, $0 + Number rem 10], Number + 1};
named(C, Number) -> {C, Number}.

-spec alternatives(non_neg_integer()) -> term().
alternatives(Depth) ->
    case rand:uniform(4) of
        1 -> [sequence(Depth), $| | alternatives(Depth)];
        _ -> sequence(Depth)
    end.

-spec sequence(non_neg_integer()) -> term().
sequence(Depth) ->
    [quantified(Depth) || _ <- lists:seq(1, rand:uniform(4) - 1)].

-spec quantified(non_neg_integer()) -> term().
quantified(Depth) ->
    case rand:uniform(10) of
        N when N < 4 -> [unit(Depth), quantifier()];
        4 -> place(Depth);
        _ -> unit(Depth)
    end.

-spec quantifier() -> term().
quantifier() ->
    [one_of(["*", "+", "?", "{2}", "{1,}", "{0,2}", "{1,3}", "{0}", "{2,}"]),
     one_of(["", "", "", "?", "+"])].

-spec place(non_neg_integer()) -> term().
place(0) ->
    one_of(["^", "$", "\\b", "\\B", "\\A", "\\z", "\\Z"]);
place(Depth) ->
    case rand:uniform(8) of
        1 -> ["(?=", alternatives(Depth - 1), ")"];
        2 -> ["(?!", alternatives(Depth - 1), ")"];
        3 -> ["(?<=", one_of(["a", "[ab]b", "a|bc", "^", "(b)"]), ")"];
        4 -> ["(?<!", one_of(["a", "\\w", "ab|c", "(?:a|b)"]), ")"];
        5 -> one_of(["(?i)", "(?s)", "(?m)", "(?x)", "(?U)", "(?-i)", "(?#c)",
                     " ", "\\E"]);
        _ -> place(0)
    end.

-spec unit(non_neg_integer()) -> term().
unit(0) ->
    simple();
unit(Depth) ->
    Inner = fun() -> alternatives(Depth - 1) end,
    case rand:uniform(14) of
        1 -> ["(", Inner(), ")"];
        2 -> ["(", Inner(), ")"];
        3 -> ["(", Inner(), ")"];
        4 -> ["(?:", Inner(), ")"];
        5 -> ["(?>", Inner(), ")"];
        6 -> [one_of(["(?<", "(?P<"]), name, ">", Inner(), ")"];
        7 -> ["(?i:", Inner(), ")"];
        8 -> one_of(["\\1", "\\2", "\\g{1}", "\\g{-1}", "\\k<n1>", "(?P=n1)"]);
        _ -> simple()
    end.

-spec simple() -> term().
simple() ->
    case rand:uniform(4) of
        1 -> one_of(["[ab]", "[^a]", "[a-c]", "[[:alpha:]]", "[^\\w]", "[]a]",
                     "[^]\\n]", "[A-Z_]", "[[:^digit:]]", "[\\d\\n]", "[.]",
                     "[a-b1]", [$[, 16#E9, $]], "[^b-z]", "[\\x{61}-\\x62]"]);
        2 -> one_of([".", "\\d", "\\w", "\\s", "\\D", "\\W", "\\S", "\\n",
                     "\\x61", "\\x{62}", "\\h", "\\v", "\\N", "\\.", "\\pL",
                     "\\p{Lu}", [16#E9], "\\R", "\\K", "\\Qa.b\\E", "\\Q\\E",
                     "a{", "\\y", "#", " "]);
        _ -> one_of(["a", "b", "c", "ab", "aa", "A", "1", "_"])
    end.

-spec one_of([Element]) -> Element.
one_of(Elements) -> lists:nth(rand:uniform(length(Elements)), Elements).

%% Each with a probability of one in four.
-spec some([Element]) -> [Element].
some(Elements) -> [Element || Element <- Elements, rand:uniform(4) =:= 1].

-spec shuffled([Element]) -> [Element].
shuffled(Elements) ->
    [Element || {_, Element} <- lists:sort([{rand:uniform(), Element}
                                            || Element <- Elements])].
