%%% Tests of the functions that instrumented code calls.
-module(erlconcolic_out_tests).

-include_lib("eunit/include/eunit.hrl").

-import(erlconcolic_log_reader, [logged/1, items/2]).

%% Some code is called by name.
-export([followed/2, raising/1, own_fun/1]).

-define(OUT, erlconcolic_out).

gives_the_value_and_logs_a_byte_test() ->
    ?assertEqual({{ok, [value, ok]}, <<5, 127>>},
                 logged(fun() ->
                                [erlconcolic_emit:out(5, value),
                                 erlconcolic_emit:out(127, ok)]
                        end)).

logs_numbers_of_each_size_in_order_test() ->
    Numbers = [2, 127, 128, 16383, 16384, 2097151],
    Out = fun(2) -> erlconcolic_emit:out(2, ok);
             (127) -> erlconcolic_emit:out(127, ok);
             (128) -> erlconcolic_emit:out2(16#8100, ok);
             (16383) -> erlconcolic_emit:out2(16#ff7f, ok);
             (16384) -> erlconcolic_emit:out3(16#818000, ok);
             (2097151) -> erlconcolic_emit:out3(16#ffff7f, ok)
          end,
    Many = [lists:nth(1 + N * N rem 6, Numbers) || N <- lists:seq(1, 1000)],
    {{ok, ok}, Log} = logged(fun() -> lists:foreach(Out, Many) end),
    ?assertEqual(Many, items(Log, [])).

%% Every number of packed bytes before each kind of item.
keeps_the_order_of_all_kinds_of_items_test() ->
    Kinds = [fun() -> erlconcolic_emit:out(2, ok) end,
             fun() -> erlconcolic_emit:out2(16#8100, ok) end,
             fun() -> erlconcolic_emit:out3(16#818000, ok) end,
             fun() -> inside = ?OUT:enter_fun(3, 4, []) end,
             fun() -> inside = ?OUT:enter_fun(300, 4, []) end,
             fun() -> inside = ?OUT:enter(1, 70000, [a]) end,
             fun() -> v = ?OUT:value(9, v) end,
             fun() -> ok = ?OUT:raised(3, 200, throw, x) end],
    Expected = [2, 128, 16384, {enter, 3, 4}, {enter, 300, 4},
                {enter, 1, 70000, [a]}, {9, v}, {raised, 3, 200, {throw, x}}],
    [begin
         {{ok, _}, Log} =
             logged(fun() ->
                            [erlconcolic_emit:out(2, ok)
                             || _ <- lists:seq(1, Packed)],
                            Kind(),
                            erlconcolic_emit:out(3, ok)
                    end),
         ?assertEqual(lists:duplicate(Packed, 2) ++ [Item, 3],
                      items(Log, [9]))
     end || Packed <- lists:seq(0, 8),
            {Kind, Item} <- lists:zip(Kinds, Expected)].

logs_numbers_of_any_size_with_a_payload_test() ->
    [begin
         {{ok, x}, Log} = logged(fun() -> ?OUT:value(Number, x) end),
         ?assertEqual([{Number, x}], items(Log, [Number]))
     end || Number <- [2, 127, 128, 16383, 16384, 1 bsl 21, 1 bsl 40]].

logs_payloads_of_any_size_test() ->
    [begin
         Term = binary:copy(<<"x">>, Size),
         {{ok, Term}, Log} =
             logged(fun() -> ?OUT:opaque(7, binary, copy, [<<"x">>, Size])
                    end),
         ?assertEqual([{7, Term}], items(Log, [7]))
     end || Size <- [0, 100, 121, 122, 20000, 65536, 1000000]].

%% Nothing is lost, and parts are sent as they are made.
ten_million_calls_test_() ->
    {timeout, 60, fun() ->
        Count = 10000000,
        Self = self(),
        {Pid, Monitor} =
            spawn_monitor(fun() ->
                                  ok = ?OUT:start(Self),
                                  out_many(Count),
                                  ok = ?OUT:finish()
                          end),
        ?assertEqual(Count, sum_up(Pid, Monitor, 0, erlang:memory(binary)))
    end}.

out_many(0) -> ok;
out_many(N) ->
    ok = erlconcolic_emit:out(N rem 127 + 1, ok),
    out_many(N - 1).

sum_up(Pid, Monitor, Size, Memory) ->
    receive
        {erlconcolic_start, Pid} ->
            sum_up(Pid, Monitor, Size, Memory);
        {erlconcolic_log, Pid, Bytes} ->
            ?assert(byte_size(Bytes) < 70000),
            ?assertEqual((10000000 - Size) rem 127 + 1, binary:first(Bytes)),
            NewSize = Size + byte_size(Bytes),
            ?assertEqual((10000001 - NewSize) rem 127 + 1, binary:last(Bytes)),
            sum_up(Pid, Monitor, NewSize, Memory);
        {erlconcolic_sync, Pid, Ref} ->
            ?assert(erlang:memory(binary) - Memory < 20000000),
            Pid ! {erlconcolic_synced, Ref},
            sum_up(Pid, Monitor, Size, Memory);
        {'DOWN', Monitor, process, Pid, normal} ->
            Size
    end.

logs_nothing_without_a_collector_test() ->
    Parent = self(),
    {Pid, Monitor} =
        spawn_monitor(
            fun() ->
                    ok = erlconcolic_emit:out(5, ok),
                    inside = ?OUT:enter(1, 2, [a]),
                    inside = ?OUT:enter_fun(1, 2, [a]),
                    [2] = ?OUT:opaque(3, lists, map,
                                      [fun(X) -> own_fun(X) end, [1]]),
                    ok = ?OUT:raised(3, 4, error, x),
                    v = ?OUT:value(3, v),
                    ok = ?OUT:finish(),
                    Parent ! {seen, erlang:process_info(self(), messages)}
            end),
    receive
        {'DOWN', Monitor, process, Pid, Reason} -> ?assertEqual(normal, Reason)
    end,
    ?assertEqual({seen, {messages, []}}, receive Message -> Message end).

%% Foreign code.

opaque_logs_the_value_test() ->
    {Result, Log} = logged(fun() -> ?OUT:opaque(200, lists, sum, [[1, 2]]) end),
    ?assertEqual({ok, 3}, Result),
    ?assertEqual([{200, 3}], items(Log, [200])).

opaque_logs_and_keeps_the_exception_test() ->
    [begin
         {Result, Log} =
             logged(fun() -> ?OUT:opaque(7, ?MODULE, raising, [Class]) end),
         ?assertEqual({Class, reason}, Result),
         ?assertEqual([{8, {Class, reason}}], items(Log, [7, 8]))
     end || Class <- [error, exit, throw]].

opaque_keeps_the_stack_test() ->
    {{ok, Stack}, _} =
        logged(fun() ->
                       try ?OUT:opaque(7, ?MODULE, raising, [error])
                       catch error:reason:Stack -> Stack
                       end
               end),
    ?assertMatch([{?MODULE, raising, 1, [{file, _}, {line, _}]} | _], Stack).

opaque_raises_the_same_as_a_call_test() ->
    [?assertEqual({outcome(fun() -> erlang:apply(M, F, Args) end)},
                  {element(1, logged(fun() -> ?OUT:opaque(7, M, F, Args)
                                     end))})
     || {M, F, Args} <- [{no_such_module, f, []},
                         {lists, no_such_function, [1]},
                         {lists, map, [1, 2]},
                         {erlang, '+', [a, 1]},
                         {erlang, apply, [x, [1]]},
                         {erlang, apply, [lists, sum, [[1]]]}]].

%% Callbacks.

own_fun(X) ->
    case ?OUT:enter_fun(3, 1, [X]) of
        inside -> own_fun_body(X);
        bracket -> ?OUT:bracket(fun() -> own_fun_body(X) end)
    end.

own_fun_body(X) when is_list(X) ->
    erlconcolic_emit:out(11, ok),
    Result = ?OUT:opaque(21, lists, map, [fun own_fun/1, X]),
    erlconcolic_emit:out(12, Result);
own_fun_body(X) ->
    erlconcolic_emit:out(13, X + 1).

callbacks_from_foreign_code_are_logged_test() ->
    {{ok, [2, 3]}, Log} =
        logged(fun() -> ?OUT:opaque(31, lists, map, [fun own_fun/1, [1, 2]])
               end),
    ?assertEqual([{enter, 3, 1, [1]}, 13, {enter, 3, 1, [2]}, 13,
                  {31, [2, 3]}], items(Log, [31])).

callbacks_can_be_nested_test() ->
    {{ok, [[2, [3]], 4]}, Log} = logged(fun() -> own_fun([[1, [2]], 3]) end),
    ?assertEqual([{enter, 3, 1}, 11,
                  {enter, 3, 1, [[1, [2]]]}, 11,
                  {enter, 3, 1, [1]}, 13,
                  {enter, 3, 1, [[2]]}, 11,
                  {enter, 3, 1, [2]}, 13,
                  {21, [3]}, 12,
                  {21, [2, [3]]}, 12,
                  {enter, 3, 1, [3]}, 13,
                  {21, [[2, [3]], 4]}, 12], items(Log, [21, 22])).

exceptions_cross_foreign_code_test() ->
    Catch = fun() ->
                    try own_fun([1, [a]])
                    catch Class:Reason -> ?OUT:raised(3, 4, Class, Reason)
                    end,
                    own_fun(1)
            end,
    {{ok, 2}, Log} = logged(Catch),
    ?assertEqual([{enter, 3, 1}, 11,
                  {enter, 3, 1, [1]}, 13,
                  {enter, 3, 1, [[a]]}, 11,
                  {enter, 3, 1, [a]},
                  {22, {error, badarith}},
                  {22, {error, badarith}},
                  {raised, 3, 4, {error, badarith}},
                  {enter, 3, 1}, 13], items(Log, [21, 22])).

bracket_keeps_the_exception_test() ->
    {{ok, Caught}, _} =
        logged(fun() ->
                       try ?OUT:bracket(fun() -> raising(throw) end)
                       catch Class:Reason:Stack -> {Class, Reason, Stack}
                       end
               end),
    ?assertMatch({throw, reason, [{?MODULE, raising, 1, _} | _]}, Caught).

%% Computed calls.

followed(X, Y) ->
    erlconcolic_emit:out(50, {X, Y}).

raising(error) -> error(reason);
raising(exit) -> exit(reason);
raising(throw) -> throw(reason).

with_followed(Test) ->
    ok = erlconcolic_follow:follow(
             [#{name => original, loaded_as => ?MODULE, number => 6,
                functions => [{f, 2, followed, 9}]}]),
    try Test() after erlconcolic_follow:follow([]) end.

apply_calls_followed_functions_test() ->
    with_followed(
        fun() ->
                [begin
                     {Result, Log} = logged(Call),
                     ?assertEqual({ok, {a, b}}, Result),
                     ?assertEqual([{enter, 6, 9}, 50], items(Log, [7]))
                 end || Call <-
                            [fun() -> ?OUT:apply(7, original, f, [a, b]) end,
                             fun() -> ?OUT:apply(7, fun original:f/2, [a, b])
                             end]]
        end).

apply_calls_followed_funs_test() ->
    with_followed(
        fun() ->
                {Result, Log} =
                    logged(fun() -> ?OUT:apply(7, fun(X) -> own_fun(X) end,
                                               [1])
                           end),
                ?assertEqual({ok, 2}, Result),
                ?assertEqual([{enter, 3, 1}, 13], items(Log, [7]))
        end).

%% A loop through computed calls must not grow the stack.
apply_of_a_followed_function_is_a_tail_call_test() ->
    with_followed(
        fun() ->
                {{ok, Depth}, _} =
                    logged(fun() ->
                                   Loop = fun Loop(0) -> stack_size();
                                              Loop(N) ->
                                                  ?OUT:apply(7, Loop, [N - 1])
                                          end,
                                   Loop(0) - Loop(1000)
                           end),
                ?assertEqual(0, Depth)
        end).

stack_size() ->
    {stack_size, Size} = process_info(self(), stack_size),
    Size.

apply_of_others_is_opaque_test() ->
    Fun = fun lists:sum/1,
    [begin
         {Result, Log} = logged(Call),
         ?assertEqual({ok, 3}, Result),
         ?assertEqual([{7, 3}], items(Log, [7]))
     end || Call <- [fun() -> ?OUT:apply(7, lists, sum, [[1, 2]]) end,
                     fun() -> ?OUT:apply(7, Fun, [[1, 2]]) end,
                     fun() -> ?OUT:apply(7, fun(X) -> lists:sum(X) end,
                                         [[1, 2]])
                     end]].

apply_raises_the_same_as_erlang_apply_test() ->
    with_followed(
        fun() ->
                [check_apply(Args)
                 || Args <- [[not_a_fun, []],
                             [fun lists:sum/1, []],
                             [fun(X) -> X end, [1, 2]],
                             [fun(X) -> X end, not_a_list],
                             [fun(X) -> X end, [1 | 2]],
                             [fun no_such:f/1, [1]],
                             [{lists, sum}, [[1]]],
                             [lists, sum, [1 | 2]],
                             [lists, sum, x],
                             [lists, no_such, [1]],
                             [1, sum, [1]],
                             [{lists, x}, sum, [1]],
                             [lists, "sum", [1]]]]
        end).

check_apply(Args) ->
    Expected = outcome(fun() -> erlang:apply(erlang, apply, Args) end),
    {Result, Log} =
        logged(fun() -> erlang:apply(?OUT, apply, [7 | Args]) end),
    ?assertEqual({Args, Expected}, {Args, Result}),
    ?assertEqual([{8, Expected}], items(Log, [7, 8])).

outcome(Body) ->
    try {ok, Body()} catch Class:Reason -> {Class, Reason} end.

a_second_follow_replaces_the_first_test() ->
    with_followed(
        fun() ->
                ?assertMatch({?MODULE, followed, 6, 9},
                             erlconcolic_follow:function(original, f, 2)),
                ?assertEqual(none, erlconcolic_follow:function(original, f, 1)),
                ?assert(erlconcolic_follow:is_followed(?MODULE)),
                ?assertNot(erlconcolic_follow:is_followed(original)),
                ok = erlconcolic_follow:follow([]),
                ?assertEqual(none, erlconcolic_follow:function(original, f, 2)),
                ?assertNot(erlconcolic_follow:is_followed(?MODULE))
        end).

%% The process dictionary.

program_does_not_see_our_keys_test() ->
    Call = fun(F, Args) -> ?OUT:opaque(7, erlang, F, Args) end,
    {{ok, ok}, Log} =
        logged(fun() ->
                       undefined = Call(put, [k, v]),
                       undefined = Call(put, [f, false]),
                       [{f, false}, {k, v}] = lists:sort(Call(get, [])),
                       [f, k] = lists:sort(Call(get_keys, [])),
                       [f] = Call(get_keys, [false]),
                       v = Call(get, [k]),
                       Self = self(),
                       {dictionary, [_, _]} =
                           Call(process_info, [Self, dictionary]),
                       [{status, running}, {dictionary, [_, _]}] =
                           Call(process_info, [Self, [status, dictionary]]),
                       {dictionary, [_, _]} =
                           lists:keyfind(dictionary, 1,
                                         Call(process_info, [Self])),
                       ok
               end),
    ?assertMatch([{7, undefined}, {7, undefined}, {7, [_, _]} | _],
                 items(Log, [7])).

program_cannot_erase_our_keys_test() ->
    {{ok, Erased}, Log} =
        logged(fun() ->
                       put(k, v),
                       Erased = ?OUT:opaque(7, erlang, erase, []),
                       undefined = get(k),
                       erlconcolic_emit:out(5, Erased)
               end),
    ?assertEqual([{k, v}], Erased),
    ?assertEqual([{7, [{k, v}]}, 5], items(Log, [7])).

dictionary_of_another_process_has_no_keys_of_ours_test() ->
    {{ok, Info}, _} =
        logged(fun() ->
                       Self = self(),
                       {Pid, Monitor} =
                           spawn_monitor(fun() ->
                                                 ok = ?OUT:start(Self),
                                                 put(k, v),
                                                 Self ! ready,
                                                 receive stop -> ok end
                                         end),
                       receive ready -> ok end,
                       Info = ?OUT:opaque(7, erlang, process_info,
                                          [Pid, dictionary]),
                       Pid ! stop,
                       receive {'DOWN', Monitor, _, _, _} -> Info end
               end),
    ?assertEqual({dictionary, [{k, v}]}, Info).
