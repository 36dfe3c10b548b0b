%% Counts which clauses of a module are reached: clauses of functions,
%% funs, `case', `if', `receive', `try' and `catch' in the source.
-module(clause_counts).

-export([load/1, reached/0, all/0, reset/0]).

-define(KEY, ?MODULE).

%% Compiles a source so that it counts, and loads it.
-spec load(file:name()) -> module().
load(Source) ->
    {ok, Forms} = epp:parse_file(Source, [{includes, ["."]}]),
    {Counting, Count} = lists:mapfoldl(fun form/2, 0, Forms),
    {ok, Module, Code} = compile:forms(Counting, []),
    {module, Module} = code:load_binary(Module, Source, Code),
    ok = persistent_term:put(?KEY, counters:new(max(1, Count), [])),
    Module.

%% The numbers of the reached clauses.
-spec reached() -> [pos_integer()].
reached() ->
    Counters = persistent_term:get(?KEY),
    #{size := Size} = counters:info(Counters),
    [N || N <- lists:seq(1, Size), counters:get(Counters, N) > 0].

%% How many clauses there are.
-spec all() -> pos_integer().
all() ->
    #{size := Size} = counters:info(persistent_term:get(?KEY)),
    Size.

-spec reset() -> ok.
reset() ->
    #{size := Size} = counters:info(persistent_term:get(?KEY)),
    persistent_term:put(?KEY, counters:new(Size, [])).

-spec form(erl_parse:abstract_form(), non_neg_integer()) ->
    {erl_parse:abstract_form(), non_neg_integer()}.
form({function, _, _, _, _} = Function, Count) ->
    walk(Function, Count);
form(Other, Count) ->
    {Other, Count}.

-spec walk(Part, non_neg_integer()) -> {Part, non_neg_integer()}.
walk({clause, Place, Patterns, Guards, Body}, Before) ->
    Number = Before + 1,
    {Walked, Count} = walk(Body, Number),
    {{clause, Place, Patterns, Guards, [note(Number) | Walked]}, Count};
walk(Tuple, Count) when is_tuple(Tuple) ->
    {Parts, After} = walk(tuple_to_list(Tuple), Count),
    {list_to_tuple(Parts), After};
walk([Head | Tail], Count) ->
    {First, Between} = walk(Head, Count),
    {Rest, After} = walk(Tail, Between),
    {[First | Rest], After};
walk(Other, Count) ->
    {Other, Count}.

%% The expression that counts.
-spec note(pos_integer()) -> erl_parse:abstract_expr().
note(Number) ->
    Counters = call(persistent_term, get, [{atom, 0, ?KEY}]),
    call(counters, add, [Counters, {integer, 0, Number}, {integer, 0, 1}]).

-spec call(module(), atom(), [erl_parse:abstract_expr()]) ->
    erl_parse:abstract_expr().
call(Module, Name, Arguments) ->
    {call, 0, {remote, 0, {atom, 0, Module}, {atom, 0, Name}}, Arguments}.
