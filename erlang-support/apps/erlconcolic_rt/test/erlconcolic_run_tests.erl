%%% Tests of runs: their outcomes, limits and logs.
-module(erlconcolic_run_tests).

%% What `catch` gives is tested here.
-compile(nowarn_deprecated_catch).

-include_lib("eunit/include/eunit.hrl").

-import(erlconcolic_log_reader, [items/2]).

%% Programs, called as instrumented code would be.
-export([call/1, raise/2, forked/1]).

-define(OUT, erlconcolic_out).

%% Outcomes.

returns_the_value_test() ->
    [begin
         #{outcome := {ok, Text}} = run(erlang, hd, [[Value]]),
         ?assertEqual(Expected, Text)
     end || {Value, Expected} <-
                [{#{a => [1, 2.5], "b" => <<"c">>},
                  <<"#{a => [1,2.5],\"b\" => <<\"c\">>}">>},
                 {'ä λ', <<"'ä λ'"/utf8>>},
                 {"a\n\"b\"", <<"\"a\\n\\\"b\\\"\"">>},
                 {<<1:3>>, <<"<<1:3>>">>}]].

text_of_a_long_value_is_one_line_test() ->
    Value = lists:seq(1000, 3000),
    #{outcome := {ok, Text}} = run(erlang, hd, [[Value]]),
    {ok, Tokens, _} = erl_scan:string(binary_to_list(Text) ++ "."),
    ?assertEqual({ok, Value}, erl_parse:parse_term(Tokens)),
    ?assertEqual(nomatch, binary:match(Text, <<"\n">>)).

raise(Class, Reason) ->
    Raised = ?OUT:opaque(7, erlang, Class, [Reason]),
    {Raised}.

returns_the_exception_test() ->
    [begin
         #{outcome := {exception, Class, <<"{'λ',1}"/utf8>>, Stack}} =
             run(?MODULE, raise, [Class, {'λ', 1}]),
         [#{file := File, line := Line} | _] =
             [Frame || #{module := ?MODULE, function := raise, arity := 2}
                           = Frame <- Stack],
         ?assertEqual(<<"erlconcolic_run_tests.erl">>,
                      filename:basename(File)),
         ?assert(Line > 0),
         ?assertEqual([], [Module || #{module := Module} <- Stack,
                                     Module =:= erlconcolic_out
                                         orelse Module =:= erlconcolic_run])
     end || Class <- [error, exit, throw]].

returns_the_arity_of_a_frame_with_arguments_test() ->
    #{outcome := {exception, error, <<"undef">>, [Frame | _]}} =
        run(no_such_module, f, [1, 2]),
    ?assertEqual(#{module => no_such_module, function => f, arity => 2,
                   file => <<>>, line => 0}, Frame).

accepts_any_raised_stack_test() ->
    Fun = fun(X) -> X end,
    Stack = [{Fun, [1]}, {Fun, 1, [{line, 3}]}, {m, f, [1]},
             {m, g, 0, [{file, "λ"}, {line, -1}]}, {m, h, 0, [{file, x}]}],
    #{outcome := {exception, error, <<"x">>, Frames}} =
        call_in_run(fun() -> erlang:raise(error, x, Stack) end),
    ?assertMatch([#{module := ?MODULE, arity := 1, line := 0},
                  #{module := ?MODULE, arity := 1, line := 3},
                  #{module := m, function := f, arity := 1},
                  #{function := g, arity := 0, file := <<"λ"/utf8>>,
                    line := 0},
                  #{function := h, file := <<>>}], Frames).

timeout_ends_the_run_test() ->
    Loop = fun Loop() -> erlconcolic_emit:out(5, ok), Loop() end,
    #{outcome := Outcome, logs := #{0 := Log}} =
        call_in_run(Loop, #{timeout => 100}),
    ?assertEqual(timeout, Outcome),
    ?assertEqual(binary:copy(<<5>>, byte_size(Log)), Log).

log_is_whole_after_a_timeout_test() ->
    Body = fun() ->
                   [erlconcolic_emit:out(N, ok) || N <- lists:seq(1, 20)],
                   receive never -> ok end
           end,
    ?assertMatch(#{outcome := timeout, logs := #{0 := <<1, 2, 3, 4, 5, 6, 7, 8,
                                                         9, 10, 11, 12, 13, 14,
                                                         15, 16, 17, 18, 19,
                                                         20>>}},
                 call_in_run(Body, #{timeout => 50})).

heap_limit_ends_the_run_test() ->
    Grow = fun Grow(List) -> Grow([List | List]) end,
    Body = fun() ->
                   [erlconcolic_emit:out(5, ok) || _ <- lists:seq(1, 1000),
                                                   _ <- lists:seq(1, 100)],
                   Grow([])
           end,
    #{outcome := Outcome, logs := #{0 := Log}} = call_in_run(Body),
    ?assertEqual(killed, Outcome),
    ?assertEqual(binary:copy(<<5>>, byte_size(Log)), Log),
    ?assert(byte_size(Log) >= 65536).

%% Its memory may not be free yet when the next run is checked.
a_node_that_used_much_memory_is_not_used_again_test_() ->
    {timeout, 60, ?_test(
        [?assertMatch(#{outcome := {ok, _}, spoiled := IsMuch},
                      call_in_run(fun() -> binaries(Count) end))
         || {Count, IsMuch} <- [{0, false}, {4, true}]])}.

%% Holds Count times 100 MB for a while.
binaries(Count) ->
    Binaries = [<<N, 0:800000000>> || N <- lists:seq(1, Count)],
    receive after 200 -> length(Binaries) end.

heap_limit_does_not_count_the_text_of_the_result_test() ->
    Value = lists:seq(1, 20000),
    #{outcome := {ok, Text}} =
        call_in_run(fun() -> Value end, #{max_heap => 150000}),
    ?assert(byte_size(Text) > 100000).

exit_by_a_signal_ends_the_run_test() ->
    ?assertMatch(#{outcome := {exception, exit, <<"killed">>, []}},
                 call_in_run(fun() -> exit(self(), kill) end)),
    ?assertMatch(#{outcome := {exception, exit, <<"killed">>, []}},
                 call_in_run(fun() ->
                                     Parent = self(),
                                     spawn(fun() -> exit(Parent, kill) end),
                                     receive never -> ok end
                             end)),
    ?assertMatch(#{outcome := {exception, exit, <<"reason">>, []}},
                 call_in_run(fun() ->
                                     spawn_link(fun() -> exit(reason) end),
                                     receive never -> ok end
                             end)).

%% The emulator reports that a process has outgrown its heap after it has ended.
a_kill_is_not_taken_for_too_much_memory_test_() ->
    Grow = fun Grow(List) -> Grow([List | List]) end,
    Linked = fun() -> spawn_opt(fun() -> Grow([]) end,
                                [link, {max_heap_size,
                                        #{size => 100000, kill => true,
                                          error_logger => true}}]),
                      receive never -> ok end
             end,
    [{timeout, 60,
      ?_test([begin
                  ?assertMatch(#{outcome := killed},
                               call_in_run(fun() -> Grow([]) end)),
                  ?assertMatch(#{outcome := {exception, exit, <<"killed">>, _}},
                               call_in_run(fun() -> exit(self(), kill) end))
              end || _ <- lists:seq(1, 20)])},
     ?_assertMatch(#{outcome := killed}, call_in_run(Linked))].

killing_the_collector_ends_the_run_test() ->
    ?assertMatch(#{outcome := {exception, exit, <<"killed">>, []}},
                 call_in_run(fun() ->
                                     exit(group_leader(), kill),
                                     receive never -> ok end
                             end)).

only_kill_ends_the_collector_test() ->
    ?assertMatch(#{outcome := {ok, <<"true">>}},
                 call_in_run(fun() -> exit(group_leader(), reason) end)).

%% Output.

output_is_captured_test() ->
    Body = fun() ->
                   io:format("~ts ~w~n", ["λ", 1]),
                   spawn_monitor(fun() -> io:put_chars("from another") end),
                   receive {'DOWN', _, _, _, normal} -> ok end,
                   {io:get_line("? "), io:read("? ")}
           end,
    ?assertMatch(#{outcome := {ok, <<"{eof,eof}">>},
                   output := <<"λ 1\nfrom another"/utf8>>}, call_in_run(Body)).

%% Processes.

%% A process of the program, spawned from instrumented code.
forked(N) ->
    case ?OUT:enter_fun(3, 1, [N]) of
        inside -> erlconcolic_emit:out(N, ok);
        bracket -> ?OUT:bracket(fun() -> erlconcolic_emit:out(N, ok) end)
    end.

spawned_processes_have_their_own_logs_test() ->
    Body = fun() ->
                   [begin
                        {_, Monitor} = ?OUT:opaque(7, erlang, spawn_monitor,
                                                   [?MODULE, forked, [N]]),
                        receive {'DOWN', Monitor, _, _, normal} -> ok end
                    end || N <- [21, 22]],
                   erlconcolic_emit:out(23, ok)
           end,
    #{outcome := {ok, _}, processes := 3,
      logs := #{0 := Run, 1 := One, 2 := Two}} = call_in_run(Body),
    ?assertMatch([{7, {_, _}}, {7, {_, _}}, 23], items(Run, [7])),
    ?assertEqual([{enter, 3, 1, [21]}, 21], items(One, [])),
    ?assertEqual([{enter, 3, 1, [22]}, 22], items(Two, [])).

processes_are_numbered_in_the_order_of_their_first_log_test() ->
    Body = fun() ->
                   Waiting = [spawn_monitor(fun() -> waits(N) end)
                              || N <- [21, 22, 23]],
                   [begin
                        Pid ! continue,
                        receive {'DOWN', Monitor, _, _, normal} -> ok end
                    end || {Pid, Monitor} <- lists:reverse(Waiting)],
                   erlconcolic_emit:out(24, ok)
           end,
    #{processes := 4, logs := Logs} = call_in_run(Body),
    ?assertEqual([{0, [24]},
                  {1, [{enter, 3, 1, [23]}, 23]},
                  {2, [{enter, 3, 1, [22]}, 22]},
                  {3, [{enter, 3, 1, [21]}, 21]}],
                 [{Index, items(Log, [])}
                  || {Index, Log} <- lists:sort(maps:to_list(Logs))]).

waits(N) ->
    receive continue -> forked(N) end.

%% The run ends while it waits.
log_of_a_spawned_process_is_whole_test() ->
    Numbers = [N rem 100 + 2 || N <- lists:seq(1, 1000)],
    Body = fun() ->
                   Self = self(),
                   spawn(fun() ->
                                 bracket = ?OUT:enter(3, 1, []),
                                 ?OUT:bracket(
                                     fun() ->
                                             [erlconcolic_emit:out(N, ok)
                                              || N <- Numbers],
                                             Self ! done,
                                             receive never -> ok end
                                     end)
                         end),
                   receive done -> ok end
           end,
    #{logs := #{1 := Log}} = call_in_run(Body),
    ?assertEqual([{enter, 3, 1, []} | Numbers], items(Log, [])).

no_process_is_left_test() ->
    Name = list_to_atom(erlconcolic_fixture:unique_name("erlconcolic_left")),
    Body = fun() ->
                   Self = self(),
                   spawn(fun() ->
                                 process_flag(trap_exit, true),
                                 register(Name, self()),
                                 group_leader(whereis(init), self()),
                                 Self ! done,
                                 receive never -> ok end
                         end),
                   receive done -> ok end
           end,
    ?assertMatch(#{outcome := {ok, _}}, call_in_run(Body)),
    ?assertEqual(undefined, whereis(Name)).

processes_that_flee_are_caught_test() ->
    Table = ets:new(?MODULE, [public]),
    true = ets:insert(Table, {hops, 0}),
    Flee = fun Flee() ->
                   ets:update_counter(Table, hops, 1),
                   spawn(Flee)
           end,
    ?assertMatch(#{outcome := {ok, _}},
                 call_in_run(fun() -> [spawn(Flee) || _ <- [1, 2, 3]], ok end)),
    Hops = ets:lookup(Table, hops),
    receive after 20 -> ok end,
    ?assertEqual(Hops, ets:lookup(Table, hops)).

%% The sandbox.

blocked_calls_end_the_run_test() ->
    [?assertMatch(#{outcome := {blocked, Mfa}},
                  call_in_run(fun() ->
                                      erlconcolic_emit:out(5, ok),
                                      catch ?OUT:opaque(7, M, F, Args),
                                      erlconcolic_emit:out(6, ok)
                              end))
     || {M, F, Args} <- [{erlang, halt, []},
                         {erlang, halt, [1]},
                         {erlang, open_port, [{spawn, "true"}, []]},
                         {gen_tcp, listen, [0, []]},
                         {code, load_binary, [m, "m.beam", <<>>]},
                         {init, stop, []}],
        Mfa <- [{M, F, length(Args)}]].

log_before_a_blocked_call_is_whole_test() ->
    #{logs := Logs} =
        call_in_run(fun() ->
                            erlconcolic_emit:out(5, ok),
                            ?OUT:opaque(7, erlang, halt, [])
                    end),
    ?assertEqual(#{0 => <<5>>}, Logs).

blocked_calls_are_not_made_test() ->
    Calls = [fun(Name) -> ?OUT:opaque(7, file, delete, [Name]) end,
             fun(Name) -> ?OUT:apply(7, file, delete, [Name]) end,
             fun(Name) -> ?OUT:apply(7, fun file:delete/1, [Name]) end,
             fun(Name) -> ?OUT:opaque(7, erlang, apply,
                                      [file, delete, [Name]])
             end,
             fun(Name) -> ?OUT:opaque(7, lists, foreach,
                                      [fun file:delete/1, [Name]])
             end],
    erlconcolic_fixture:in_folder([{"file", "text"}], fun(Folder) ->
        Name = filename:join(Folder, "file"),
        [begin
             ?assertMatch(#{outcome := {blocked, {file, delete, 1}}},
                          call_in_run(fun() -> Call(Name) end)),
             ?assert(filelib:is_regular(Name))
         end || Call <- Calls]
    end).

allowed_calls_are_made_test() ->
    erlconcolic_fixture:in_folder([{"a", ""}, {"b", ""}], fun(Folder) ->
        [begin
             Name = filename:join(Folder, File),
             ?assertMatch(#{outcome := {ok, <<"ok">>}},
                          call_in_run(fun() ->
                                              ?OUT:opaque(7, file, delete,
                                                          [Name])
                                      end, #{allow => [Allow]})),
             ?assertNot(filelib:is_regular(Name))
         end || {File, Allow} <- [{"a", file}, {"b", {file, delete, 1}}]]
    end).

blocked_call_of_a_spawned_process_ends_the_run_test() ->
    Body = fun() ->
                   spawn(fun() ->
                                 bracket = ?OUT:enter(3, 1, []),
                                 ?OUT:opaque(7, erlang, halt, [])
                         end),
                   receive never -> ok end
           end,
    #{outcome := Outcome, logs := Logs} = call_in_run(Body),
    ?assertEqual({blocked, {erlang, halt, 0}}, Outcome),
    ?assertEqual([{enter, 3, 1, []}], items(maps:get(1, Logs), [])).

%% Without a log.

records_nothing_unless_asked_to_test() ->
    Body = fun() ->
                   inside = ?OUT:enter(3, 1, [a]),
                   erlconcolic_emit:out(5, ok),
                   {_, Monitor} = spawn_monitor(?MODULE, forked, [2]),
                   receive {'DOWN', Monitor, _, _, Reason} -> Reason end
           end,
    ?assertMatch(#{outcome := {ok, <<"normal">>}, logs := Logs,
                   processes := 1} when map_size(Logs) =:= 0,
                 call_in_run(Body, #{record => false})).

blocks_calls_without_a_log_test() ->
    ?assertMatch(#{outcome := {blocked, {erlang, halt, 0}}},
                 call_in_run(fun() -> ?OUT:opaque(7, erlang, halt, []) end,
                             #{record => false})).

%% EUnit tests have group leaders of their own.
a_child_with_another_leader_logs_to_the_run_test() ->
    Leader = group_leader(),
    Body = fun() ->
                   {_, Monitor} =
                       spawn_monitor(fun() ->
                                             group_leader(Leader, self()),
                                             bracket = ?OUT:enter(3, 1, []),
                                             ?OUT:bracket(fun() -> ok end)
                                     end),
                   receive {'DOWN', Monitor, _, _, _} -> ok end
           end,
    #{logs := Logs} = call_in_run(Body),
    ?assertMatch(#{1 := <<0, 3, 1, 1, _/binary>>}, Logs).

many_runs_at_once_test() ->
    Runs = [spawn_monitor(
                fun() ->
                        #{outcome := {ok, Text}, logs := #{0 := Log}} =
                            call_in_run(fun() ->
                                                erlconcolic_emit:out(N, N)
                                        end),
                        {N, <<N>>} = {binary_to_integer(Text), Log}
                end) || N <- lists:seq(2, 101)],
    [receive
         {'DOWN', Monitor, process, Pid, Reason} ->
             ?assertEqual(normal, Reason)
     end || {Pid, Monitor} <- Runs].

%% Helpers.

call(Body) ->
    Body().

call_in_run(Body) ->
    call_in_run(Body, #{}).

call_in_run(Body, Options) ->
    run(?MODULE, call, [Body], Options).

run(Module, Function, Args) ->
    run(Module, Function, Args, #{}).

%% The answer, and the logs by the index of the process.
run(Module, Function, Args, Options) ->
    Request = #{module => Module, function => Function, arguments => Args,
                timeout => 10000, max_heap => 1000000, allow => [],
                record => true},
    Self = self(),
    Ref = make_ref(),
    Send = fun(Part) -> Self ! {Ref, Part} end,
    {ok, #{logs := Last} = Answer} =
        erlconcolic_run:run(maps:merge(Request, Options), Send),
    lists:foreach(Send, Last),
    Answer#{logs => logs(Ref, #{})}.

logs(Ref, Logs) ->
    receive
        {Ref, {log, Index, Bytes}} ->
            Before = maps:get(Index, Logs, <<>>),
            logs(Ref, Logs#{Index => <<Before/binary, Bytes/binary>>})
    after 0 ->
        Logs
    end.
