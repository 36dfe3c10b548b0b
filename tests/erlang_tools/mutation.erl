%% Mutants: for each place in a module, the programs that are wrong there and
%% nowhere else.
-module(mutation).

-export([mutants/1]).

-type form() :: erl_parse:abstract_form().
-type tree() :: term().

%% The functions of a module with one mistake each, in the order of the source.
-spec mutants([form()]) -> [[form()]].
mutants([]) ->
    [];
mutants([{function, _, _, _, _} = Function | Forms]) ->
    [[Wrong | Forms] || Wrong <- parts(Function)]
        ++ [[Function | Wrong] || Wrong <- mutants(Forms)];
mutants([Form | Forms]) ->
    [[Form | Wrong] || Wrong <- mutants(Forms)].

%% A tree with one mistake somewhere.
-spec variants(tree()) -> [tree()].
variants(Tree) ->
    mistakes(Tree) ++ parts(Tree).

-spec parts(tree()) -> [tree()].
parts({call, Place, {remote, _, _, _} = Called, Arguments}) ->
    [{call, Place, Called, Wrong} || Wrong <- parts(Arguments)];
parts({call, Place, {atom, _, _} = Called, Arguments}) ->
    [{call, Place, Called, Wrong} || Wrong <- parts(Arguments)];
parts({'fun', _, {function, _, _}}) ->
    [];
parts({record_field, Place, Name, Value}) ->
    [{record_field, Place, Name, Wrong} || Wrong <- variants(Value)];
parts({record_field, Place, Record, Type, Name}) ->
    [{record_field, Place, Wrong, Type, Name} || Wrong <- variants(Record)];
parts({bin_element, Place, Value, Size, Types}) ->
    [{bin_element, Place, Wrong, Size, Types} || Wrong <- variants(Value)];
parts(Tree) when is_tuple(Tree) ->
    [list_to_tuple(Wrong) || Wrong <- one_of(tuple_to_list(Tree))];
parts([{clause, _, _, _, _}, _ | _] = Clauses) ->
    without_one(Clauses) ++ one_of(Clauses);
parts([_ | _] = Trees) ->
    one_of(Trees);
parts(_) ->
    [].

%% One element of a list with a mistake.
-spec one_of([tree()]) -> [[tree()]].
one_of([]) ->
    [];
one_of([Tree | Trees]) ->
    [[Wrong | Trees] || Wrong <- variants(Tree)]
        ++ [[Tree | Wrong] || Wrong <- one_of(Trees)].

-spec without_one([tree()]) -> [[tree()]].
without_one([Clause]) ->
    [[] || _ <- [Clause]];
without_one([Clause | Clauses]) ->
    [Clauses | [[Clause | Rest] || Rest <- without_one(Clauses)]].

%% Mistakes that can replace a tree.
-spec mistakes(tree()) -> [tree()].
mistakes({op, Place, Operator, Left, Right}) ->
    [{op, Place, Other, Left, Right} || Other <- others(Operator)];
mistakes({integer, Place, Value}) ->
    [{integer, Place, Value + 1}];
mistakes({char, Place, Value}) ->
    [{char, Place, Value + 1}];
mistakes({atom, Place, true}) ->
    [{atom, Place, false}];
mistakes({atom, Place, false}) ->
    [{atom, Place, true}];
mistakes({atom, Place, _}) ->
    [{atom, Place, another}];
mistakes({clause, Place, Patterns, [_ | _] = Guard, Body}) ->
    [{clause, Place, Patterns, Wrong, Body} || Wrong <- negated(Guard)];
mistakes(_) ->
    [].

-spec others(atom()) -> [atom()].
others('<') -> ['=<'];
others('=<') -> ['<'];
others('>') -> ['>='];
others('>=') -> ['>'];
others('==') -> ['/='];
others('/=') -> ['=='];
others('=:=') -> ['=/='];
others('=/=') -> ['=:='];
others('+') -> ['-'];
others('-') -> ['+'];
others('*') -> ['+'];
others('div') -> ['rem'];
others('rem') -> ['div'];
others('andalso') -> ['orelse'];
others('orelse') -> ['andalso'];
others(_) -> [].

%% A guard with one of its tests negated.
-spec negated([[tree()]]) -> [[[tree()]]].
negated([]) ->
    [];
negated([Tests | Guard]) ->
    [[Wrong | Guard] || Wrong <- negated_tests(Tests)]
        ++ [[Tests | Wrong] || Wrong <- negated(Guard)].

-spec negated_tests([tree()]) -> [[tree()]].
negated_tests([]) ->
    [];
negated_tests([Test | Tests]) ->
    [[{op, element(2, Test), 'not', Test} | Tests]
     | [[Test | Wrong] || Wrong <- negated_tests(Tests)]].
