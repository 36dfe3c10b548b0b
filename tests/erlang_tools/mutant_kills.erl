%% Counts how many mutants of a module the tests of a suite catch, and how many
%% random inputs of PropEr catch. A mutant is killed if one test fails, or if one
%% input has another outcome than before, or takes too long.
-module(mutant_kills).

-export([main/1]).

-type outcome() :: {ok, term()} | {error | exit | throw, term()}.

%% A call, and how it has to end.
-type check() :: {fun(() -> term()), fun((outcome()) -> boolean())}.

-define(LIMITS, [100, 1000, 10000]).
%% The most mutants of a module that are tried.
-define(MOST, 80).
%% The time limit of the original, and the least time limit of a mutant.
-define(PATIENCE, 120000).
-define(LEAST, 1000).
-define(HEAP_WORDS, 64 * 1024 * 1024).
-define(SEED, {1, 2, 3}).

%% The arguments are a source, the module of its tests, and the tested
%% functions as `name/arity'. Prints the numbers of mutants, of tests, of
%% mutants killed by the tests, and of mutants killed by as many random inputs.
-spec main([string()]) -> no_return().
main([Source, Suite | Functions]) ->
    {Module, Original, Mutants} = programs(Source),
    load(Module, Original),
    Tests = tests(list_to_atom(Suite)),
    Random = random(Module, [function(Text) || Text <- Functions]),
    Timed = [timed(Tests), timed(Random)],
    Kills = [kills(Module, Mutant, Timed) || Mutant <- Mutants],
    BySuite = length([killed || {{by, _}, _} <- Kills]),
    ByRandom = [length([killed || {_, {by, Number}} <- Kills, Number =< Limit])
                || Limit <- ?LIMITS],
    Figures = [length(Mutants), length(Tests), BySuite | ByRandom],
    io:format("~s~n", [lists:join(" ", [integer_to_list(N) || N <- Figures])]),
    halt(0).

-spec function(string()) -> {atom(), arity()}.
function(Text) ->
    [Name, Arity] = string:split(Text, "/"),
    {list_to_atom(Name), list_to_integer(Arity)}.

%% The module and its mutants that compile to different code.
-spec programs(file:name()) -> {module(), binary(), [binary()]}.
programs(Source) ->
    {ok, Forms} = epp:parse_file(Source, []),
    {ok, Module, Original} = compiled(Forms),
    All = [Code || Mutant <- mutation:mutants(Forms),
                   {ok, _, Code} <- [compiled(Mutant)]],
    Known = [{md5(Code), Code} || Code <- [Original | All]],
    [_ | Mutants] = first_of_each(Known, #{}),
    {Module, Original, some(Mutants)}.

-spec compiled([erl_parse:abstract_form()]) ->
    {ok, module(), binary()} | error.
compiled(Forms) ->
    compile:forms(Forms, []).

-spec md5(binary()) -> binary().
md5(Code) ->
    {ok, {_, Md5}} = beam_lib:md5(Code),
    Md5.

-spec first_of_each([{Key, binary()}], #{Key => []}) -> [binary()].
first_of_each([], _) ->
    [];
first_of_each([{Key, _} | Rest], Seen) when is_map_key(Key, Seen) ->
    first_of_each(Rest, Seen);
first_of_each([{Key, Code} | Rest], Seen) ->
    [Code | first_of_each(Rest, Seen#{Key => []})].

%% At most this many, evenly spread.
-spec some([binary()]) -> [binary()].
some(Mutants) ->
    Count = length(Mutants),
    Wanted = min(Count, ?MOST),
    [lists:nth(1 + Index * Count div Wanted, Mutants)
     || Index <- lists:seq(0, Wanted - 1)].

-spec load(module(), binary()) -> ok.
load(Module, Code) ->
    {module, Module} = code:load_binary(Module, "mutant", Code),
    _ = code:purge(Module),
    ok.

%% Checks with the time limit of a mutant: ten times the time of the original,
%% which passes all of them.
-spec timed([check()]) -> {[check()], Milliseconds :: pos_integer()}.
timed(Checks) ->
    {Microseconds, none} =
        timer:tc(fun() -> killed_by({Checks, ?PATIENCE}) end),
    {Checks, max(?LEAST, Microseconds div 100)}.

-spec kills(module(), binary(), [{[check()], pos_integer()}]) ->
    {none | {by, pos_integer()}, none | {by, pos_integer()}}.
kills(Module, Mutant, [Tests, Random]) ->
    ok = load(Module, Mutant),
    {killed_by(Tests), killed_by(Random)}.

%% All tests of a module; they have to return.
-spec tests(module()) -> [check()].
tests(Suite) ->
    Returns = fun({Class, _}) -> Class =:= ok end,
    [{fun() -> Suite:Name() end, Returns}
     || {Name, 0} <- Suite:module_info(exports),
        lists:suffix("_test", atom_to_list(Name))].

%% Random inputs for each function in turn; their outcomes must stay the same.
-spec random(module(), [{atom(), arity()}]) -> [check()].
random(Module, Functions) ->
    Most = lists:max(?LIMITS),
    Count = length(Functions),
    {Checks, _} =
        lists:mapfoldl(
          fun(Number, Seed) ->
                  {Name, Arity} = lists:nth(1 + Number rem Count, Functions),
                  Type = mutant_inputs:arguments(Module, Name, Arity),
                  Size = 1 + Number div Count rem 42,
                  {ok, Arguments} = proper_gen:pick(Type, Size, Seed),
                  {check(Module, Name, Arguments), next(Seed)}
          end, ?SEED, lists:seq(1, Most)),
    Checks.

-spec next({integer(), integer(), integer()}) ->
    {integer(), integer(), integer()}.
next({A, B, C}) ->
    {A + 1, B + 7, C + 13}.

-spec check(module(), atom(), [term()]) -> check().
check(Module, Name, Arguments) ->
    Call = fun() -> apply(Module, Name, Arguments) end,
    Before = outcome(Call),
    {Call, fun(Outcome) -> Outcome =:= Before end}.

-spec outcome(fun(() -> term())) -> outcome().
outcome(Call) ->
    try
        {ok, Call()}
    catch
        Class:Reason -> {Class, Reason}
    end.

%% The number of the first check that fails. A separate process runs them, and
%% reports its progress in case it has to be killed.
-spec killed_by({[check()], Milliseconds :: pos_integer()}) ->
    none | {by, pos_integer()}.
killed_by({Checks, Milliseconds}) ->
    Reached = counters:new(1, []),
    Heap = #{size => ?HEAP_WORDS, kill => true, error_logger => false},
    {Pid, Monitor} =
        spawn_opt(fun() -> exit({done, first_failing(Checks, Reached)}) end,
                  [monitor, {max_heap_size, Heap}]),
    receive
        {'DOWN', Monitor, process, Pid, {done, Answer}} ->
            Answer;
        {'DOWN', Monitor, process, Pid, _} ->
            {by, counters:get(Reached, 1)}
    after Milliseconds ->
            true = exit(Pid, kill),
            receive
                {'DOWN', Monitor, process, Pid, {done, Answer}} -> Answer;
                {'DOWN', Monitor, process, Pid, _} ->
                    {by, counters:get(Reached, 1)}
            end
    end.

-spec first_failing([check()], counters:counters_ref()) ->
    none | {by, pos_integer()}.
first_failing([], _Reached) ->
    none;
first_failing([{Call, IsRight} | Checks], Reached) ->
    ok = counters:add(Reached, 1, 1),
    case IsRight(outcome(Call)) of
        true -> first_failing(Checks, Reached);
        false -> {by, counters:get(Reached, 1)}
    end.
