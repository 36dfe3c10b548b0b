%%% Reads terms that a user writes as Erlang source, with funs that are tables:
%%% `fun(3) -> 42; (_) -> 0 end', and calls that make values, see
%%% erlconcolic_recipe. The result is encoded, see erlconcolic_table_fun.
-module(erlconcolic_term_reader).

-export([read/1]).

-type form() :: erl_parse:abstract_expr().
-type wire() :: erlconcolic_table_fun:wire().

%% Table funs have at most this many parameters.
-define(MOST_PARAMETERS, 20).
%% No fun has more.
-define(MOST_ARITY, 255).
%% Inputs have no longer bit strings than this.
-define(MOST_BITS, 65536 * 8).
%% Deeper terms could not be sent.
-define(MOST_LEVELS, 300).

%% The term that an expression denotes, or why it is not a term.
-spec read(form()) -> {ok, wire()} | {error, string()}.
read(Form) ->
    try
        check_bounds(Form, ?MOST_LEVELS),
        {ok, term(computed(Form))}
    catch
        throw:{no_table, Text} ->
            {error, Text};
        error:_ ->
            {error, "is not a term: only values and calls of m:f(...) are "
                    "allowed"}
    end.

%% The same expression, or part of one, with its integers computed: reports
%% write long ones as `1 bsl 1023 - 1'.
-spec computed(term()) -> term().
computed({op, Anno, Operator, Left, Right}) ->
    operation(Anno, Operator, computed(Left), computed(Right));
computed({op, Anno, Operator, Operand}) ->
    case {Operator, computed(Operand)} of
        {'-', {integer, _, Value}} -> {integer, Anno, -Value};
        {_, Computed} -> {op, Anno, Operator, Computed}
    end;
computed(Form) when is_tuple(Form) ->
    list_to_tuple(computed(tuple_to_list(Form)));
computed([First | Rest]) ->
    [computed(First) | computed(Rest)];
computed(Other) ->
    Other.

-spec operation(erl_anno:anno(), atom(), form(), form()) -> form().
operation(Anno, Operator, {integer, _, Left}, {integer, _, Right}) ->
    case Operator of
        '+' -> {integer, Anno, Left + Right};
        '-' -> {integer, Anno, Left - Right};
        'bsl' -> {integer, Anno, shifted(Left, Right)};
        _ -> no_table("has an operator other than +, - and bsl")
    end;
operation(Anno, Operator, Left, Right) ->
    {op, Anno, Operator, Left, Right}.

-spec shifted(integer(), integer()) -> integer().
shifted(Value, Shift) when Shift >= 0, Shift =< ?MOST_BITS ->
    _ = erlang:external_size(Value) * 8 =< ?MOST_BITS
        orelse no_table("has an integer of more than 131072 bytes"),
    Value bsl Shift;
shifted(_Value, _Shift) ->
    no_table("shifts an integer by a negative or huge number").

%% A short text can denote a term that is too large for any memory.
-spec check_bounds(form(), non_neg_integer()) -> ok.
check_bounds(_, 0) ->
    no_table("is nested more than 300 levels deep");
check_bounds({cons, _, Head, Tail}, Levels) ->
    check_bounds(Head, Levels - 1),
    check_bounds(Tail, Levels);
check_bounds({bin, _, Segments}, _) ->
    _ = lists:sum(lists:map(fun bits/1, Segments)) =< ?MOST_BITS
        orelse no_table("has a bit string of more than 65536 bytes"),
    ok;
check_bounds({Kind, _, Parts}, Levels) when Kind =:= tuple; Kind =:= map ->
    check_all(Parts, Levels - 1);
check_bounds({map_field_assoc, _, Key, Value}, Levels) ->
    check_all([Key, Value], Levels);
check_bounds({'fun', _, {clauses, Clauses}}, Levels) ->
    check_all(Clauses, Levels - 1);
check_bounds({clause, _, Patterns, Guards, Body}, Levels) ->
    check_all(Patterns ++ lists:append(Guards) ++ Body, Levels);
check_bounds({call, _, Function, Args}, Levels) ->
    check_all([Function | Args], Levels - 1);
check_bounds({block, _, Parts}, Levels) ->
    check_all(Parts, Levels - 1);
check_bounds({match, _, _, Value}, Levels) ->
    check_bounds(Value, Levels);
check_bounds({op, _, _, Left, Right}, Levels) ->
    check_all([Left, Right], Levels - 1);
check_bounds(_, _) ->
    ok.

-spec check_all([form()], non_neg_integer()) -> ok.
check_all(Forms, Levels) ->
    lists:foreach(fun(Form) -> check_bounds(Form, Levels) end, Forms).

%% The least number of bits of a segment, 0 if its value says how many.
-spec bits(erl_parse:af_binelement(form())) -> non_neg_integer().
bits({bin_element, _, Value, {integer, _, Size}, Types}) ->
    Size * unit(Types) * elements(Value);
bits(_) ->
    0.

-spec unit(default | [term()]) -> pos_integer().
unit(default) -> 1;
unit(Types) -> lists:max([1 | [Unit || {unit, Unit} <- Types]]).

-spec elements(form()) -> non_neg_integer().
elements({string, _, Text}) -> length(Text);
elements(_) -> 1.

-spec term(form()) -> wire().
term({cons, _, Head, Tail}) ->
    [term(Head) | term(Tail)];
term({tuple, _, Elements}) ->
    erlconcolic_table_fun:tuple_to_wire(lists:map(fun term/1, Elements));
term({map, _, Pairs}) ->
    maps:from_list([{term(Key), term(Value)}
                    || {map_field_assoc, _, Key, Value} <- Pairs]);
term({'fun', _, {clauses, Clauses}}) ->
    table(Clauses);
term({call, _, {remote, _, {atom, _, Module}, {atom, _, Function}}, Args}) ->
    recipe(value, Module, Function, lists:map(fun term/1, Args));
term({call, _, {atom, _, element},
      [{integer, _, 2}, {call, _, Called, Args}]}) ->
    {remote, _, {atom, _, Module}, {atom, _, Function}} = Called,
    recipe(ok, Module, Function, lists:map(fun term/1, Args));
term({call, _, {'fun', _, {clauses, [{clause, _, [Variable], [], Body}]}},
      [Value]}) ->
    changed(Variable, term(Value), Body);
term({block, _, [{match, _, Variable, Value} | Body]}) ->
    changed(Variable, term(Value), Body);
term(Form) ->
    erl_parse:normalise(Form).

-spec recipe(erlconcolic_recipe:kind(), module(), atom(), [wire()]) -> wire().
recipe(Kind, Module, Function, Args) ->
    case erlconcolic_recipe:tag(Kind, Module, Function) of
        {ok, Tag} -> list_to_tuple([Tag | Args]);
        none -> no_table("has a call of a function with a name that is too odd")
    end.

%% A value after calls that change it: `begin X = V, m:f(X, 1), X end'.
-spec changed(form(), wire(), [form()]) -> wire().
changed({var, _, Name}, Value, Body) ->
    {var, _, Name} = lists:last(Body),
    lists:foldl(fun(Call, Before) -> changed_by(Call, Name, Before) end,
                Value, lists:droplast(Body)).

-spec changed_by(form(), Variable :: atom(), wire()) -> wire().
changed_by({call, _, {remote, _, {atom, _, Module}, {atom, _, Function}}, Args},
           Name, Value) ->
    {Before, [_ | After]} =
        lists:splitwith(fun({var, _, Other}) -> Other =/= Name;
                           (_) -> true
                        end, Args),
    Others = [lists:map(fun term/1, Part) || Part <- [Before, After]],
    [First, Last] = Others,
    recipe({effect, length(Before) + 1}, Module, Function,
           First ++ [Value | Last]).

-spec table([erl_parse:abstract_clause()]) -> wire().
table(Clauses) ->
    {clause, _, Parameters, _, _} = Last = lists:last(Clauses),
    Arity = length(Parameters),
    _ = Arity =< ?MOST_PARAMETERS
        orelse no_table("has a fun with more than 20 parameters"),
    {'$erlconcolic', 'fun', Arity,
     [entry(Clause) || Clause <- lists:droplast(Clauses)],
     default(Last)}.

-spec default(erl_parse:abstract_clause()) -> wire().
default({clause, _, Parameters, [], [Result]}) ->
    case are_variables(Parameters) of
        true -> term(Result);
        false -> no_table("has a fun whose last clause does not match all "
                          "other arguments: fun(3) -> 42; (_) -> 0 end")
    end;
default(_) ->
    no_table("has a fun whose last clause is not a single term").

-spec entry(erl_parse:abstract_clause()) -> {[wire()], wire()}.
entry({clause, _, Patterns, Guards, [Result]}) when length(Guards) =< 1 ->
    Tested = lists:map(fun tested/1, lists:append(Guards)),
    Names = lists:append(lists:map(fun names/1, Patterns)),
    _ = lists:sort(Names) =:= lists:sort([Name || {Name, _} <- Tested])
        andalso length(lists:usort(Names)) =:= length(Names)
        orelse no_table("has a fun with a variable that is not in one place "
                        "of a pattern and one test of the guard"),
    Values = maps:from_list(Tested),
    {[key(Pattern, Values) || Pattern <- Patterns], term(Result)};
entry(_) ->
    no_table("has a fun with a clause that is not of the form "
             "fun(3) -> 42; (_) -> 0 end").

%% The variables in a pattern.
-spec names(form()) -> [atom()].
names({var, _, Name}) ->
    [Name];
names({cons, _, Head, Tail}) ->
    names(Head) ++ names(Tail);
names({tuple, _, Elements}) ->
    lists:append(lists:map(fun names/1, Elements));
names(_) ->
    [].

%% What a pattern matches, given what its variables match. Patterns with maps
%% match larger maps too.
-spec key(form(), #{atom() => wire()}) -> wire().
key({var, _, Name}, Values) ->
    maps:get(Name, Values);
key({cons, _, Head, Tail}, Values) ->
    [key(Head, Values) | key(Tail, Values)];
key({tuple, _, Elements}, Values) ->
    Keys = [key(Element, Values) || Element <- Elements],
    erlconcolic_table_fun:tuple_to_wire(Keys);
key(Pattern, _Values) ->
    Key = plain(Pattern, "has a fun with a pattern that is not a term"),
    _ = has(fun is_map/1, Key)
        andalso no_table("has a fun with maps in a pattern: write "
                         "fun(X) when X =:= #{} -> 1; (_) -> 0 end"),
    term(Pattern).

%% A variable, and what the guard says that it matches.
-spec tested(form()) -> {atom(), wire()}.
tested({op, _, '=:=', {var, _, Name}, Value}) when Name =/= '_' ->
    _ = plain(Value, "has a fun with a guard that is not X =:= term"),
    {Name, term(Value)};
tested({call, _, {atom, _, is_function}, [{var, _, Name}, {integer, _, Arity}]})
  when Name =/= '_', Arity =< ?MOST_ARITY ->
    {Name, {'$erlconcolic', 'fun', Arity, [], []}};
tested(_) ->
    no_table("has a fun with a guard that is not X =:= term or "
             "is_function(F, 1)").

%% A term without funs: a table knows no more of funs than how many parameters
%% they have.
-spec plain(form(), string()) -> term().
plain(Form, Otherwise) ->
    Term = try
               erl_parse:normalise(Form)
           catch
               error:_ -> no_table(Otherwise)
           end,
    _ = has(fun is_function/1, Term)
        andalso no_table("has a fun with a fun in a pattern or guard"),
    Term.

-spec are_variables([form()]) -> boolean().
are_variables(Parameters) ->
    Names = [Name || {var, _, Name} <- Parameters, Name =/= '_'],
    lists:all(fun(Parameter) -> element(1, Parameter) =:= var end, Parameters)
        andalso length(lists:usort(Names)) =:= length(Names).

%% Whether a term contains a term with some property.
-spec has(fun((term()) -> boolean()), term()) -> boolean().
has(Is, [Head | Tail]) ->
    has(Is, Head) orelse has(Is, Tail);
has(Is, Tuple) when is_tuple(Tuple) ->
    has(Is, tuple_to_list(Tuple));
has(Is, Map) when is_map(Map) ->
    Is(Map) orelse has(Is, maps:to_list(Map));
has(Is, Term) ->
    Is(Term).

-spec no_table(string()) -> no_return().
no_table(Text) ->
    throw({no_table, Text}).
