%%% Terms that a user writes as Erlang source, with funs that are tables:
%%% `fun(3) -> 42; (_) -> 0 end'. What is read is in the form in which terms
%%% with funs travel, see erlconcolic_table_fun.
-module(erlconcolic_term_reader).

-export([read/1]).

-type form() :: erl_parse:abstract_expr().
-type wire() :: erlconcolic_table_fun:wire().

%% More parameters than this no fun of ours has.
-define(MOST_PARAMETERS, 20).

%% The term that an expression is, or why it is none.
-spec read(form()) -> {ok, wire()} | {error, string()}.
read(Form) ->
    try
        {ok, term(Form)}
    catch
        throw:{no_table, Text} ->
            {error, Text};
        error:_ ->
            {error, "is not a term: variables and calls cannot stand here"}
    end.

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
term(Form) ->
    erl_parse:normalise(Form).

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
        false -> no_table("has a fun whose last clause is not for all others: "
                          "fun(3) -> 42; (_) -> 0 end")
    end;
default(_) ->
    no_table("has a fun whose last clause is more than one term").

-spec entry(erl_parse:abstract_clause()) -> {[wire()], wire()}.
entry({clause, _, Patterns, [], [Result]}) ->
    {lists:map(fun key/1, Patterns), term(Result)};
entry({clause, _, Parameters, [Tests], [Result]})
  when length(Parameters) =:= length(Tests) ->
    _ = are_variables(Parameters)
        orelse no_table("has a fun with patterns and a guard"),
    Keys = lists:zipwith(fun tested/2, Parameters, Tests),
    {Keys, term(Result)};
entry(_) ->
    no_table("has a fun with a clause that is no line of a table: "
             "fun(3) -> 42; (_) -> 0 end").

%% Patterns with maps match larger maps too.
-spec key(form()) -> wire().
key(Pattern) ->
    Key = plain(Pattern, "has a fun with a pattern that is no term"),
    _ = has(fun is_map/1, Key)
        andalso no_table("has a fun with maps in a pattern: write "
                         "fun(X) when X =:= #{} -> 1; (_) -> 0 end"),
    term(Pattern).

-spec tested(form(), form()) -> wire().
tested({var, _, Name}, {op, _, '=:=', {var, _, Name}, Value})
  when Name =/= '_' ->
    _ = plain(Value, "has a fun with a guard that is not X =:= term"),
    term(Value);
tested(_, _) ->
    no_table("has a fun with a guard that is not X =:= term").

%% A term without funs, which no table can look up.
-spec plain(form(), string()) -> term().
plain(Form, Otherwise) ->
    Term = try
               erl_parse:normalise(Form)
           catch
               error:_ -> no_table(Otherwise)
           end,
    _ = has(fun is_function/1, Term)
        andalso no_table("has a fun that looks for funs"),
    Term.

-spec are_variables([form()]) -> boolean().
are_variables(Parameters) ->
    Names = [Name || {var, _, Name} <- Parameters, Name =/= '_'],
    lists:all(fun(Parameter) -> element(1, Parameter) =:= var end, Parameters)
        andalso length(lists:usort(Names)) =:= length(Names).

%% Whether something is somewhere in a term.
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
