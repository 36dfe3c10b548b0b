%% Random testing with PropEr for a limited time, compared with inputs of another
%% tool: how many bugs and clauses each finds. Both are counted
%% here, in the same way, on the same code.
-module(random_testing).

-export([main/1]).

%% Two bugs differ by class, first word of the reason, or innermost place.
-type bug() :: {atom(), term(), {file:name(), pos_integer()} | none}
             | timeout | killed.

-define(BUGS, random_testing_bugs).
%% The exit status if PropEr cannot make inputs of the type.
-define(UNABLE, 3).
-define(MOST_OF_OTHERS, 60000).
%% How long one input may run after the time for all is over.
-define(PATIENCE, 2000).
-define(HEAP_WORDS, 64 * 1024 * 1024).
%% PropEr makes this many inputs, small ones first; then it starts again.
-define(ROUND, 500).

%% The arguments are a source, a function as `name/arity', milliseconds, and a
%% file with argument lists, one on each line. Prints the numbers of random inputs, of bugs and clauses of the
%% file, of bugs and clauses of the random inputs, and of clauses of both together.
-spec main([string()]) -> no_return().
main([Source, Function, Milliseconds, File]) ->
    _ = ets:new(?BUGS, [named_table, public]),
    ok = logger:set_primary_config(level, none),
    Module = clause_counts:load(Source),
    [Name, Arity] = string:split(Function, "/"),
    Entry = {Module, list_to_atom(Name), list_to_integer(Arity)},
    {_, OwnBugs, OwnClauses} =
        counted(fun(Tried) -> given(Entry, File, Tried) end, ?MOST_OF_OTHERS),
    Budget = list_to_integer(Milliseconds),
    Inputs = inputs(Source, Entry),
    {Tried, Bugs, Clauses} =
        counted(fun(Count) -> random(Entry, Inputs, Count) end, Budget),
    Both = ordsets:union(OwnClauses, Clauses),
    Figures = [Tried, OwnBugs, length(OwnClauses), Bugs, length(Clauses),
               length(Both)],
    io:format("~s~n", [lists:join(" ", [integer_to_list(N) || N <- Figures])]),
    halt(0).

%% Runs something for a time and starts it again if it ends early. Returns inputs,
%% bugs and clauses.
-spec counted(fun((counters:counters_ref()) -> done), pos_integer()) ->
    {non_neg_integer(), non_neg_integer(), [pos_integer()]}.
counted(Work, Milliseconds) ->
    ok = clause_counts:reset(),
    true = ets:delete_all_objects(?BUGS),
    Tried = counters:new(1, []),
    ok = work(Work, Tried, now_ms() + Milliseconds),
    {counters:get(Tried, 1), ets:info(?BUGS, size), clause_counts:reached()}.

%% An input that never returns, or uses all memory, is a bug; the rest of the
%% time is for others.
-spec work(fun((counters:counters_ref()) -> done), counters:counters_ref(),
           integer()) -> ok.
work(Work, Tried, Deadline) ->
    Heap = #{size => ?HEAP_WORDS, kill => true, error_logger => false},
    Run = fun() -> put(deadline, Deadline), exit(Work(Tried)) end,
    {Pid, Monitor} = spawn_opt(Run, [monitor, {max_heap_size, Heap}]),
    receive
        {'DOWN', Monitor, process, Pid, done} ->
            ok;
        {'DOWN', Monitor, process, Pid, killed} ->
            note(killed),
            work(Work, Tried, Deadline);
        {'DOWN', Monitor, process, Pid, Reason} ->
            io:format("~p~n", [Reason]),
            halt(?UNABLE)
    after max(0, Deadline - now_ms()) + ?PATIENCE ->
            true = exit(Pid, kill),
            note(timeout)
    end.

-spec now_ms() -> integer().
now_ms() ->
    erlang:monotonic_time(millisecond).

-spec is_over() -> boolean().
is_over() ->
    now_ms() >= get(deadline).

%% All inputs of the file once, continued after one that took too much.
-spec given(mfa(), file:name(), counters:counters_ref()) -> done.
given(Entry, File, Tried) ->
    {ok, Text} = file:read_file(File),
    Lines = string:lexemes(unicode:characters_to_list(Text), "\n"),
    Rest = lists:nthtail(counters:get(Tried, 1), Lines),
    lists:foreach(fun(Line) -> run(Entry, value(Line), Tried) end, Rest),
    done.

-spec value(string()) -> [term()].
value(Line) ->
    {ok, Tokens, _} = erl_scan:string(Line ++ "."),
    {ok, Expressions} = erl_parse:parse_exprs(Tokens),
    {value, Value, _} = erl_eval:exprs(Expressions, []),
    Value.

%% Random inputs until the time is over.
-spec random(mfa(), [proper_types:raw_type()], counters:counters_ref()) -> done.
random(Entry, Inputs, Tried) ->
    Check = fun(Arguments) ->
                    run(Entry, Arguments, Tried),
                    not is_over()
            end,
    Options = [quiet, noshrink, {numtests, ?ROUND}],
    Property = proper:forall(Inputs, Check),
    rounds(fun() -> proper:quickcheck(Property, Options) end).

-spec rounds(fun(() -> term())) -> done.
rounds(Round) ->
    case Round() of
        true ->
            rounds(Round);
        false ->
            done;
        {error, Reason} ->
            exit(Reason)
    end.

-spec run(mfa(), [term()], counters:counters_ref()) -> ok.
run({Module, Name, _}, Arguments, Tried) ->
    ok = counters:add(Tried, 1, 1),
    try apply(Module, Name, Arguments) of
        _ -> ok
    catch
        exit:normal -> ok;
        exit:shutdown -> ok;
        exit:{shutdown, _} -> ok;
        Class:Reason:Stack -> note({Class, tag(Reason), place(Stack)})
    end.

-spec note(bug()) -> ok.
note(Bug) ->
    true = ets:insert(?BUGS, {Bug}),
    ok.

-spec tag(term()) -> term().
tag(Reason) when is_tuple(Reason), tuple_size(Reason) > 0 ->
    element(1, Reason);
tag(Reason) ->
    Reason.

-spec place(erlang:raise_stacktrace()) -> {file:name(), pos_integer()} | none.
place(Stack) ->
    Places = [{proplists:get_value(file, Location), Line}
              || {_, _, _, Location} <- Stack,
                 {line, Line} <- Location, Line > 0],
    case Places of
        [Innermost | _] -> Innermost;
        [] -> none
    end.

%% The types of the arguments, from the spec.
-spec inputs(file:name(), mfa()) -> [proper_types:raw_type()].
inputs(Source, {Module, Name, Arity}) ->
    {ok, Forms} = epp:parse_file(Source, []),
    [Spec | _] = [Type || {attribute, _, spec, {{N, A}, [Type | _]}} <- Forms,
                          {N, A} =:= {Name, Arity}],
    {type, _, 'fun', [{type, _, product, Arguments}, _]} = plain(Spec),
    [type(Module, Argument) || Argument <- Arguments].

%% Without the constraints of `when', with variables replaced by their types.
-spec plain(tuple()) -> tuple().
plain({type, _, bounded_fun, [Fun, Constraints]}) ->
    Known = [{Name, Type}
             || {type, _, constraint, [_, [{var, _, Name}, Type]]}
                    <- Constraints],
    written_out(Fun, maps:from_list(Known));
plain(Fun) ->
    Fun.

-spec written_out(term(), #{atom() => term()}) -> term().
written_out({var, _, Name}, Known) when is_map_key(Name, Known) ->
    written_out(map_get(Name, Known), Known);
written_out(Tuple, Known) when is_tuple(Tuple) ->
    list_to_tuple(written_out(tuple_to_list(Tuple), Known));
written_out([Head | Tail], Known) ->
    [written_out(Head, Known) | written_out(Tail, Known)];
written_out(Other, _) ->
    Other.

-spec type(module(), erl_parse:abstract_type()) -> proper_types:raw_type().
type(Module, Type) ->
    Text = lists:flatten(erl_pp:attribute(
        {attribute, 1, type, {t, Type, []}})),
    [_, Right] = string:split(Text, "::"),
    proper_types:native_type(Module, string:trim(Right, both, ". \n")).
