%% Compares the results of random calls and prints the differences.
%%
%% A call is skipped if the two runs of the original differ, or if a run
%% exceeded its limits. But a variant that exceeds them where the original
%% was quick is a mismatch, unless the variant only had a
%% short time.
-module(random_comparison).

-export([run/4]).

-type verdict() :: same | skipped | {mismatch, [term()],
                                     random_evaluation:outcome(),
                                     random_evaluation:outcome()}.

-record(summary,
        {function :: mfa(),
         calls :: non_neg_integer(),
         values :: non_neg_integer(),
         skipped :: non_neg_integer(),
         mismatches :: [{[term()], random_evaluation:outcome(),
                         random_evaluation:outcome()}]}).

-define(QUICK, 20000).
-define(SHORT, 1000000).
-define(SKIPPED_NOTE, 2).
-define(SKIPPED_FAILURE, 20).
-define(SHOWN, 20).
-define(CHARACTERS, 3000).
-define(EASILY_SEEN, 150).

-spec run(file:filename(), file:filename(), file:filename(),
          file:filename()) -> same | different.
run(CallsFile, OriginalFile, VariantFile, AgainFile) ->
    #{modules := Modules, excluded := Excluded, calls := Calls} = Contents
        = read(CallsFile),
    [Original, Variant, Again]
        = [read(File) || File <- [OriginalFile, VariantFile, AgainFile]],
    Summaries = [summary(Function, Lists, [Original, Variant, Again])
                 || {Function, Lists} <- Calls],
    table([Module || {Module, _} <- Modules], Summaries, Excluded),
    lists:foreach(fun note/1, Summaries),
    Problems = missing(Contents, Variant) ++ too_many_skipped(Summaries),
    [io:format("FAILURE ~ts~n", [Problem]) || Problem <- Problems],
    [mismatches(Module, Summaries) || {Module, _} <- Modules],
    case Problems =:= [] andalso
        lists:all(fun(#summary{mismatches = M}) -> M =:= [] end, Summaries) of
        true -> same;
        false -> different
    end.

-spec read(file:filename()) -> map().
read(File) ->
    {ok, Binary} = file:read_file(File),
    binary_to_term(Binary).

-spec summary(mfa(), [[term()]], [map()]) -> #summary{}.
summary(Function, Lists, Runs) ->
    [Original, Variant, Again] = [outcomes(Function, Run) || Run <- Runs],
    Verdicts = verdicts(Lists, Original, Variant, Again),
    #summary{function = Function,
             calls = length(Lists),
             values = length([ok || {{value, _}, _} <- Original]),
             skipped = length([ok || skipped <- Verdicts]),
             mismatches = [{Arguments, First, Second}
                           || {mismatch, Arguments, First, Second}
                                  <- Verdicts]}.

-spec outcomes(mfa(), map()) ->
          [{random_evaluation:outcome(), non_neg_integer()}].
outcomes(Function, #{results := Results}) ->
    {Function, Outcomes} = lists:keyfind(Function, 1, Results),
    Outcomes.

-spec verdicts([term()], [term()], [term()], [term()]) -> [verdict()].
verdicts([], [], [], []) ->
    [];
verdicts([Arguments | Lists], [First | Original], [Second | Variant],
         [Third | Again]) ->
    [verdict(Arguments, First, Second, Third)
     | verdicts(Lists, Original, Variant, Again)].

-spec verdict([term()], Timed, Timed, Timed) -> verdict()
              when Timed :: {random_evaluation:outcome(), non_neg_integer()}.
verdict(_, {First, _}, _, {Again, _}) when First =/= Again ->
    skipped;
verdict(_, {First, _}, _, _) when First =:= timeout; First =:= killed ->
    skipped;
verdict(_, {First, _}, {First, _}, _) ->
    same;
verdict(_, _, {timeout, Time}, _) when Time < ?SHORT ->
    skipped;
verdict(_, {_, Time1}, {Stopped, _}, {_, Time2})
  when Stopped =:= timeout orelse Stopped =:= killed,
       Time1 >= ?QUICK orelse Time2 >= ?QUICK ->
    skipped;
verdict(Arguments, {First, _}, {Second, _}, _) ->
    {mismatch, Arguments, First, Second}.

-spec table([module()], [#summary{}],
            [{mfa(), string()}]) -> ok.
table(Modules, Summaries, Excluded) ->
    io:format("~-20s ~9s ~8s ~8s ~7s ~8s ~10s~n",
              ["module", "functions", "excluded", "calls", "values",
               "skipped", "mismatches"]),
    [row(atom_to_list(Module), of_module(Module, Summaries),
         [Excluded1 || {{M, Name, _} = Excluded1, _} <- Excluded,
                       M =:= Module, Name =/= module_info])
     || Module <- Modules],
    row("all", Summaries, [F || {{_, Name, _} = F, _} <- Excluded,
                                Name =/= module_info]).

-spec row(string(), [#summary{}], [mfa()]) -> ok.
row(Title, Summaries, Excluded) ->
    Calls = lists:sum([N || #summary{calls = N} <- Summaries]),
    Values = lists:sum([N || #summary{values = N} <- Summaries]),
    Skipped = lists:sum([N || #summary{skipped = N} <- Summaries]),
    Mismatches = lists:sum([length(M)
                            || #summary{mismatches = M} <- Summaries]),
    io:format("~-20s ~9b ~8b ~8b ~6b% ~8b ~10b~n",
              [Title, length(Summaries), length(Excluded), Calls,
               percent(Values, Calls), Skipped, Mismatches]).

-spec of_module(module(), [#summary{}]) -> [#summary{}].
of_module(Module, Summaries) ->
    [Summary || #summary{function = {M, _, _}} = Summary <- Summaries,
                M =:= Module].

-spec percent(non_neg_integer(), non_neg_integer()) -> non_neg_integer().
percent(_, 0) -> 0;
percent(Part, Whole) -> 100 * Part div Whole.

-spec note(#summary{}) -> ok.
note(#summary{function = Function, calls = Calls, skipped = Skipped})
  when Skipped * 100 > Calls * ?SKIPPED_NOTE ->
    io:format("note: ~ts: ~b of ~b calls skipped~n",
              [name(Function), Skipped, Calls]);
note(_) ->
    ok.

-spec too_many_skipped([#summary{}]) -> [iolist()].
too_many_skipped(Summaries) ->
    [io_lib:format("~ts: ~b of ~b calls skipped",
                   [name(Function), Skipped, Calls])
     || #summary{function = Function, calls = Calls, skipped = Skipped}
            <- Summaries,
        Skipped * 100 > Calls * ?SKIPPED_FAILURE].

%% Functions that were neither called nor skipped on purpose, and functions
%% that the variant lost or gained.
-spec missing(map(), map()) -> [iolist()].
missing(#{modules := Modules, excluded := Excluded, calls := Calls},
        #{modules := VariantModules}) ->
    Known = [Function || {Function, _} <- Excluded ++ Calls],
    Exported = functions(Modules),
    Variant = functions(VariantModules),
    [[name(Function), ": not called"] || Function <- Exported -- Known]
        ++ [[name(Function), ": not in the variant"]
            || Function <- Exported -- Variant]
        ++ [[name(Function), ": only in the variant"]
            || Function <- Variant -- Exported].

-spec functions([{module(), [{atom(), arity()}]}]) ->
          [mfa()].
functions(Modules) ->
    [{Module, Name, Arity} || {Module, Names} <- Modules,
                              {Name, Arity} <- Names].

-spec name(mfa()) -> iolist().
name({Module, Name, Arity}) ->
    io_lib:format("~tp:~tp/~b", [Module, Name, Arity]).

-spec mismatches(module(), [#summary{}]) -> ok.
mismatches(Module, Summaries) ->
    All = [{Function, Mismatch}
           || #summary{function = Function, mismatches = List}
                  <- of_module(Module, Summaries),
              Mismatch <- List],
    lists:foreach(fun mismatch/1, lists:sublist(All, ?SHOWN)),
    case length(All) - ?SHOWN of
        More when More > 0 -> io:format("~p: ~b more~n", [Module, More]);
        _ -> ok
    end.

-spec mismatch({mfa(), tuple()}) -> ok.
mismatch({{Module, Name, _}, {Arguments, First, Second}}) ->
    Texts = [text(First), text(Second)],
    io:format("MISMATCH ~ts~n    original ~ts~n    variant  ~ts~n",
              [call(Module, Name, Arguments) | Texts]),
    case string:length(Texts) > ?EASILY_SEEN of
        true ->
            {Part1, Part2} = difference(First, Second),
            io:format("    that is, ~ts and ~ts~n",
                      [text(Part1), text(Part2)]);
        false ->
            ok
    end.

%% The first and smallest parts that differ.
-spec difference(term(), term()) -> {term(), term()}.
difference([Head | Tail1], [Head | Tail2]) ->
    difference(Tail1, Tail2);
difference([Head1 | _], [Head2 | _]) ->
    difference(Head1, Head2);
difference(Tuple1, Tuple2)
  when is_tuple(Tuple1), is_tuple(Tuple2),
       tuple_size(Tuple1) =:= tuple_size(Tuple2) ->
    difference(tuple_to_list(Tuple1), tuple_to_list(Tuple2));
difference(Term1, Term2) ->
    {Term1, Term2}.

-spec text(term()) -> iolist().
text(Term) ->
    io_lib:format("~0tp", [Term], [{chars_limit, ?CHARACTERS}]).

-spec call(module(), atom(), [term()]) -> iolist().
call(Module, Name, Arguments) ->
    Texts = [argument(Argument) || Argument <- Arguments],
    io_lib:format("~tp:~tp(~ts)", [Module, Name, lists:join(", ", Texts)]).

-spec argument(term()) -> iolist().
argument({'$call', Module, Name, Arguments}) ->
    call(Module, Name, Arguments);
argument(Term) ->
    io_lib:format("~0tp", [Term]).
