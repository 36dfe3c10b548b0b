%% Checks that random calls find wrong variants and accept right ones.
%%
%% Changes one place in modules of the standard library and compiles
%% their abstract code. Every change must be found, and modules compiled
%% without a change must pass. Starts nodes as a user of `random_calls'
%% would.
-module(random_self_test).

-export([run/1]).

%% The place of a change in a module.
-type change() ::
        {operator, module(), {atom(), arity()}, Old :: atom(), New :: atom()}
      | {atom, module(), {atom(), arity()}, Old :: atom(), New :: atom()}
      | {function, module(), Text :: string()}
      | {unexported, module(), {atom(), arity()}}
      | {no_beam, module()}.

-define(SEED, "7").
-define(CALLS, "50").
-define(SECONDS, "15").
-define(MODULES, [gb_trees, queue, lists, orddict, base64]).

%% How many changes may have no place in the modules of a release.
-define(MOST_MISSING, 1).

%% The folder for files; if empty, a temporary folder.
-spec run([file:filename()]) -> same | different.
run([Folder]) ->
    ok = filelib:ensure_dir(filename:join(Folder, "x")),
    Calls = filename:join(Folder, "calls"),
    Names = [atom_to_list(Module) || Module <- ?MODULES],
    {0, _} = in_node(["generate", Calls, ?SEED, ?CALLS | Names]),
    _ = [{0, _} = in_node(["evaluate", Calls, "none",
                           filename:join(Folder, Name)])
         || Name <- ["original", "again"]],
    {Missing, Here} = lists:partition(fun({_, Beam}) -> Beam =:= none end,
                                      [{It, beam(It)} || It <- changes()]),
    true = length(Missing) =< ?MOST_MISSING,
    io:format("not in this release: ~0p~n", [[It || {It, _} <- Missing]]),
    Verdicts = side_by_side(fun(Change) -> check(Folder, Change) end,
                            [unchanged | Here]),
    case lists:all(fun(Right) -> Right end, Verdicts) of
        true -> same;
        false -> different
    end;
run([]) ->
    Name = "random_self_test." ++ os:getpid(),
    Folder = filename:join(os:getenv("TMPDIR", "/tmp"), Name),
    Result = run([Folder]),
    ok = file:del_dir_r(Folder),
    Result.

-spec changes() -> [change()].
changes() ->
    [{operator, gb_trees, {insert_1, 4}, '<', '>'},
     {operator, gb_trees, {iterator_from, 3}, '<', '=<'},
     {operator, queue, {len, 1}, '+', '-'},
     {atom, queue, {get, 1}, empty, full},
     {atom, queue, {peek, 1}, empty, error},
     {operator, lists, {sublist_2, 2}, '-', '+'},
     {operator, lists, {merge2_1, 4}, '=<', '<'},
     {operator, orddict, {merge, 3}, '>', '<'},
     {function, lists, "max([H|_]) -> H."},
     {function, lists, "any(P, L) -> [] =/= [X || X <- L, P(X)]."},
     {function, lists, "append(A, B) -> [_ | _] = A, A ++ B."},
     {function, queue, "len({[], []}) -> len({[], []}); len(_) -> 1."},
     {function, queue, "reverse(Q) -> [reverse(Q)]."},
     {function, base64, "decode(B) -> throw(B)."},
     {function, lists, "reverse(_) -> exit(broken)."},
     {unexported, orddict, {merge, 3}},
     {no_beam, queue}].

%% Applies a function to all elements, as many in parallel as there are
%% schedulers.
-spec side_by_side(fun((A) -> B), [A]) -> [B].
side_by_side(Function, List) ->
    Count = min(length(List), erlang:system_info(schedulers_online)),
    {Now, Later} = lists:split(Count, List),
    Self = self(),
    Start = fun(Element) ->
                    spawn_monitor(fun() ->
                                      Self ! {self(), Function(Element)}
                                  end)
            end,
    Started = [Start(Element) || Element <- Now],
    Results = [result(Pid, Monitor) || {Pid, Monitor} <- Started],
    case Later of
        [] -> Results;
        _ -> Results ++ side_by_side(Function, Later)
    end.

-spec result(pid(), reference()) -> term().
result(Pid, Monitor) ->
    receive
        {Pid, Result} ->
            true = demonitor(Monitor, [flush]),
            Result;
        {'DOWN', Monitor, process, Pid, Reason} ->
            error(Reason)
    end.

-spec check(file:filename(), unchanged | {change(), binary()}) -> boolean().
check(Folder, unchanged) ->
    Beams = [{Module, compiled(forms(Module))} || Module <- ?MODULES],
    {Status, Text} = status(Folder, "unchanged", Beams),
    report(Status =:= 0, unchanged, Status, Text);
check(Folder, {Change, Beam}) ->
    Name = integer_to_list(erlang:phash2(Change)),
    {Status, Text} = status(Folder, Name, [{element(2, Change), Beam}]),
    report(Status =/= 0, Change, Status, Text).

-spec report(boolean(), term(), integer(), string()) -> boolean().
report(true, Change, Status, _) ->
    io:format("ok (~b) ~0p~n", [Status, Change]),
    true;
report(false, Change, Status, Text) ->
    io:format("WRONG (~b) ~0p~n~ts~n", [Status, Change, Text]),
    false.

%% The exit status of the comparison, or of the evaluation if that fails.
-spec status(file:filename(), string(), [{module(), binary()}]) ->
          {integer(), string()}.
status(Folder, Name, Beams) ->
    Variant = filename:join(Folder, Name),
    ok = filelib:ensure_dir(filename:join(Variant, "x")),
    [ok = file:write_file(filename:join(Variant, atom_to_list(M) ++ ".beam"),
                          Beam)
     || {M, Beam} <- Beams],
    [Calls, Original, Again, Results]
        = [filename:join(Folder, File)
           || File <- ["calls", "original", "again", Name ++ ".results"]],
    case in_node(["evaluate", Calls, Variant, Results, ?SECONDS]) of
        {0, _} -> in_node(["compare", Calls, Original, Results, Again]);
        Failure -> Failure
    end.

%% The changed module; `none' if this release has nothing to change there.
-spec beam(change()) -> binary() | none.
beam({no_beam, _}) ->
    <<"FOR1 but nothing else">>;
beam({unexported, Module, Function}) ->
    compiled([without_export(Form, Function) || Form <- forms(Module)]);
beam({function, Module, Text}) ->
    {ok, Tokens, _} = erl_scan:string(Text),
    {ok, New} = erl_parse:parse_form(Tokens),
    compiled(replaced(New, forms(Module)));
beam({Kind, Module, Function, Old, New}) ->
    Forms = forms(Module),
    Changed = [changed(Form, Function, {Kind, Old, New}) || Form <- Forms],
    case Changed of
        Forms -> none;
        _ -> compiled(Changed)
    end.

-spec forms(module()) -> [term()].
forms(Module) ->
    {ok, {_, [{abstract_code, {raw_abstract_v1, Forms}}]}}
        = beam_lib:chunks(code:which(Module), [abstract_code]),
    Forms.

-spec compiled([term()]) -> binary().
compiled(Forms) ->
    {ok, _, Beam} = compile:forms(Forms, []),
    Beam.

-spec without_export(term(), {atom(), arity()}) -> term().
without_export({attribute, Anno, export, Functions}, Function) ->
    {attribute, Anno, export, Functions -- [Function]};
without_export(Form, _) ->
    Form.

-spec replaced(term(), [term()]) -> [term()].
replaced({function, _, Name, Arity, _} = New, Forms) ->
    lists:map(fun({function, _, N, A, _}) when N =:= Name, A =:= Arity -> New;
                 (Form) -> Form
              end, Forms).

-spec changed(term(), {atom(), arity()}, tuple()) -> term().
changed({function, Anno, Name, Arity, Clauses}, {Name, Arity}, Change) ->
    {function, Anno, Name, Arity, inside(Clauses, Change)};
changed(Form, _, _) ->
    Form.

-spec inside(term(), tuple()) -> term().
inside({op, Anno, Old, Left, Right}, {operator, Old, New} = Change) ->
    {op, Anno, New, inside(Left, Change), inside(Right, Change)};
inside({atom, Anno, Old}, {atom, Old, New}) ->
    {atom, Anno, New};
inside(Tuple, Change) when is_tuple(Tuple) ->
    list_to_tuple(inside(tuple_to_list(Tuple), Change));
inside([Head | Tail], Change) ->
    [inside(Head, Change) | inside(Tail, Change)];
inside(Term, _) ->
    Term.

-spec in_node([string()]) -> {integer(), string()}.
in_node(Arguments) ->
    Erl = filename:join([code:root_dir(), "bin", "erl"]),
    Ebin = filename:dirname(code:which(?MODULE)),
    Port = open_port({spawn_executable, Erl},
                     [{args, ["-noshell", "-pa", Ebin, "-run", "random_calls",
                              "main" | Arguments]},
                      exit_status, stderr_to_stdout, hide]),
    collect(Port, []).

-spec collect(port(), [string()]) -> {integer(), string()}.
collect(Port, Output) ->
    receive
        {Port, {data, Data}} ->
            collect(Port, [Data | Output]);
        {Port, {exit_status, Status}} ->
            {Status, lists:append(lists:reverse(Output))}
    end.
