%% Checks by random calls that a variant build of some modules (other beams
%% with the same names) behaves like the original.
%%
%% Steps, each in a node of its own, started as
%% `erl -noshell -pa DIR -run random_calls main COMMAND ARGUMENT...':
%%
%%   generate CALLS SEED COUNT MODULE...
%%       writes COUNT argument lists for every exported function of the
%%       modules, most of them valid for their specs, the others damaged;
%%   evaluate CALLS VARIANT RESULTS [SECONDS]
%%       makes the calls and writes their outcomes. VARIANT is a folder whose
%%       beams first replace the modules of the same names, or `none';
%%   compare CALLS ORIGINAL VARIANT ORIGINAL-AGAIN
%%       compares results; the second run of the original shows which calls
%%       differ every time;
%%   list CALLS FILE COUNT
%%       writes the first COUNT calls of every function for `random_logs';
%%   self_test [FOLDER]
%%       checks that wrong variants are found.
%%
%% The node ends with status 0, 1 if there are differences, 2 if a step
%% failed, 3 if an evaluation took longer than SECONDS (600 by default).
-module(random_calls).

-export([main/1, generate/4, evaluate/3, evaluate/4, compare/4, self_test/0]).

-export_type([calls/0]).

%% The contents of a calls file.
-type calls() :: #{seed := integer(),
                   modules := [{module(), [{atom(), arity()}]}],
                   excluded := [{mfa(), Reason :: string()}],
                   calls := [{mfa(), [Arguments :: [term()]]}]}.

-define(SECONDS, 600).
-define(WELL_TYPED, 70).

-spec main([string()]) -> no_return().
main(Arguments) ->
    try command(Arguments) of
        same -> halt(0);
        different -> halt(1)
    catch
        Class:Reason:Stack ->
            erlang:display({random_calls, Arguments, Class, Reason, Stack}),
            halt(2)
    end.

-spec command([string()]) -> same | different.
command(["generate", File, Seed, Count | Modules]) ->
    ok = generate(File, list_to_integer(Seed), list_to_integer(Count),
                  [list_to_atom(Module) || Module <- Modules]),
    same;
command(["evaluate", Calls, Variant, Results]) ->
    ok = evaluate(Calls, variant(Variant), Results),
    same;
command(["evaluate", Calls, Variant, Results, Seconds]) ->
    ok = evaluate(Calls, variant(Variant), Results, list_to_integer(Seconds)),
    same;
command(["compare", Calls, Original, Variant, Again]) ->
    compare(Calls, Original, Variant, Again);
command(["list", Calls, File, Count]) ->
    ok = random_logs:write(Calls, File, list_to_integer(Count)),
    same;
command(["self_test" | Folder]) ->
    random_self_test:run(Folder).

-spec variant(string()) -> file:filename() | none.
variant("none") -> none;
variant(Folder) -> Folder.

-spec evaluate(file:filename(), file:filename() | none, file:filename()) -> ok.
evaluate(Calls, Variant, Results) ->
    evaluate(Calls, Variant, Results, ?SECONDS).

-spec evaluate(file:filename(), file:filename() | none, file:filename(),
               pos_integer()) -> ok.
evaluate(Calls, Variant, Results, Seconds) ->
    random_evaluation:run(Calls, Variant, Results, Seconds).

-spec compare(file:filename(), file:filename(), file:filename(),
              file:filename()) -> same | different.
compare(Calls, Original, Variant, Again) ->
    random_comparison:run(Calls, Original, Variant, Again).

-spec self_test() -> same | different.
self_test() ->
    random_self_test:run([]).

-spec generate(file:filename(), integer(), pos_integer(), [module()]) -> ok.
generate(File, Seed, Count, Modules) ->
    ok = random_types:open(),
    Exports = [{Module, exports(Module)} || Module <- Modules],
    Functions = [{Module, Name, Arity} || {Module, Names} <- Exports,
                                          {Name, Arity} <- Names],
    Excluded = [{Function, Reason} || Function <- Functions,
                                      {true, Reason} <- [excluded(Function)]],
    Called = [Function || Function <- Functions,
                          not lists:keymember(Function, 1, Excluded)],
    Calls = [{Function, arguments(Seed, Count, Function)}
             || Function <- Called],
    ok = random_types:close(),
    Contents = #{seed => Seed, modules => Exports, excluded => Excluded,
                 calls => Calls},
    ok = file:write_file(File, term_to_binary(Contents, [{compressed, 1}])).

-spec exports(module()) -> [{atom(), arity()}].
exports(Module) ->
    case code:ensure_loaded(Module) of
        {module, Module} -> lists:sort(Module:module_info(exports));
        {error, Reason} -> error({cannot_load, Module, Reason})
    end.

-spec excluded(mfa()) -> {true, string()} | false.
excluded({Module, Name, Arity}) ->
    random_limits:excluded(Module, Name, Arity).

-spec arguments(integer(), pos_integer(), mfa()) -> [[term()]].
arguments(Seed, Count, Function) ->
    [numbered_arguments(Seed, Function, Number)
     || Number <- lists:seq(1, Count)].

-spec numbered_arguments(integer(), mfa(), pos_integer()) -> [term()].
numbered_arguments(Seed, {Module, Name, Arity} = Function, Number) ->
    ok = random_terms:seed(Seed, {Function, Number}),
    Typed = typed_arguments(Function),
    Arguments = case random_terms:chance(?WELL_TYPED) of
                    true -> Typed;
                    false -> damaged(Typed)
                end,
    case random_limits:largest_integer(Module, Name, Arity) of
        infinity -> Arguments;
        Limit -> random_terms:clamp(Arguments, Limit)
    end.

-spec typed_arguments(mfa()) -> [term()].
typed_arguments({Module, Name, Arity}) ->
    case random_domains:arguments(Module, Name, Arity) of
        {ok, Arguments} -> Arguments;
        none -> random_values:arguments(Module, Name, Arity)
    end.

%% Replaces one argument, or something inside it.
-spec damaged([term()]) -> [term()].
damaged([]) ->
    [];
damaged(Arguments) ->
    Index = rand:uniform(length(Arguments)),
    {Front, [Argument | Rear]} = lists:split(Index - 1, Arguments),
    Other = case random_terms:chance(40) of
                true -> random_terms:any();
                false -> random_terms:mutate(Argument)
            end,
    Front ++ [Other | Rear].
