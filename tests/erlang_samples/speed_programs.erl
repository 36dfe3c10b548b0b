%%% Programs for measuring the speed of native and instrumented code.
-module(speed_programs).

-export([programs/0]).
-export([sort/1, insert/1, count/1, tokenize/1, interpret/1, empty/0]).

%% The names and arguments of the programs.
programs() ->
    [{sort, numbers(10000)},
     {insert, numbers(10000)},
     {count, 1000000},
     {tokenize, text(100000)},
     {interpret, fibonacci(17)}].

%% The same unordered numbers every time.
numbers(N) ->
    numbers(N, 12345, []).

numbers(0, _, Numbers) -> Numbers;
numbers(N, Seed, Numbers) ->
    Next = (Seed * 1103515245 + 12345) band 16#7fffffff,
    numbers(N - 1, Next, [Next | Numbers]).

%% A list sort.
sort(List) ->
    lists:sum(lists:sort(List)).

%% Inserts into a balanced tree.
insert(List) ->
    Tree = lists:foldl(fun(Key, Tree) -> gb_trees:enter(Key, Key, Tree) end,
                       gb_trees:empty(), List),
    gb_trees:size(Tree).

%% A tail-recursive counter.
count(0) -> done;
count(N) -> count(N - 1).

%% A tokenizer: words, numbers, operators.
text(Size) ->
    Line = "total = price * 12 + (discount - 3) % a comment\n",
    lists:sublist(lists:append(lists:duplicate(Size div length(Line) + 1, Line)), Size).

tokenize(Text) ->
    length(tokens(Text, [])).

tokens([], Tokens) -> lists:reverse(Tokens);
tokens([C | Rest], Tokens) when C =:= $\s; C =:= $\n -> tokens(Rest, Tokens);
tokens([$% | Rest], Tokens) -> tokens(comment(Rest), Tokens);
tokens([C | _] = Text, Tokens) when C >= $0, C =< $9 ->
    {Number, Rest} = number(Text, 0),
    tokens(Rest, [{number, Number} | Tokens]);
tokens([C | _] = Text, Tokens) when C >= $a, C =< $z ->
    {Word, Rest} = word(Text, []),
    tokens(Rest, [{word, Word} | Tokens]);
tokens([C | Rest], Tokens) -> tokens(Rest, [{operator, C} | Tokens]).

comment([$\n | Rest]) -> Rest;
comment([_ | Rest]) -> comment(Rest);
comment([]) -> [].

number([C | Rest], Number) when C >= $0, C =< $9 -> number(Rest, Number * 10 + C - $0);
number(Rest, Number) -> {Number, Rest}.

word([C | Rest], Word) when C >= $a, C =< $z -> word(Rest, [C | Word]);
word(Rest, Word) -> {lists:reverse(Word), Rest}.

%% An interpreter of a small language with functions.
fibonacci(N) ->
    Body = {'if', {'<', {var, n}, {int, 2}},
            {var, n},
            {'+', {call, fib, [{'-', {var, n}, {int, 1}}]},
                  {call, fib, [{'-', {var, n}, {int, 2}}]}}},
    {[{fib, {[n], Body}}], {call, fib, [{int, N}]}}.

interpret({Functions, Expression}) ->
    eval(Expression, [], Functions).

eval({int, N}, _, _) -> N;
eval({var, Name}, Variables, _) -> value(Name, Variables);
eval({'+', A, B}, V, F) -> eval(A, V, F) + eval(B, V, F);
eval({'-', A, B}, V, F) -> eval(A, V, F) - eval(B, V, F);
eval({'<', A, B}, V, F) -> eval(A, V, F) < eval(B, V, F);
eval({'if', Condition, Then, Else}, V, F) ->
    case eval(Condition, V, F) of
        true -> eval(Then, V, F);
        false -> eval(Else, V, F)
    end;
eval({call, Name, Arguments}, V, F) ->
    {Parameters, Body} = value(Name, F),
    eval(Body, bind(Parameters, Arguments, V, F), F).

bind([], [], _, _) -> [];
bind([Name | Names], [Argument | Arguments], V, F) ->
    [{Name, eval(Argument, V, F)} | bind(Names, Arguments, V, F)].

value(Name, [{Name, Value} | _]) -> Value;
value(Name, [_ | Rest]) -> value(Name, Rest).

empty() -> ok.
