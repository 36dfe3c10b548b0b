%%% Tests of the order, the limit and the answers of jobs. The commands here
%%% are funs, which are called with the context.
-module(erlconcolic_jobs_tests).

-include_lib("eunit/include/eunit.hrl").

answers_a_command_test() ->
    Jobs = erlconcolic_jobs:add(7, fun(_) -> {ok, done} end, new(1)),
    ?assertEqual({ok, done}, answer(7)),
    ended(Jobs).

sends_parts_before_the_answer_test() ->
    Jobs = erlconcolic_jobs:add(7, {parts, [one, two]}, new(1)),
    ?assertEqual([{part, one}, {part, two}, {ok, sent}],
                 [answer(7) || _ <- [1, 2, 3]]),
    ended(Jobs).

answers_when_a_command_crashes_test() ->
    Jobs = erlconcolic_jobs:add(1, fun(_) -> error(my_reason) end, new(1)),
    {error, [{error, <<>>, 0, 0, Text}]} = answer(1),
    ?assertMatch({0, _}, binary:match(Text, <<"internal error: ">>)),
    ?assertNotEqual(nomatch, binary:match(Text, <<"my_reason">>)),
    ended(Jobs).

answers_when_a_command_is_killed_test() ->
    Jobs = erlconcolic_jobs:add(1, fun(_) -> exit(self(), kill) end, new(1)),
    _ = ended(Jobs),
    ?assertEqual({error, [{error, <<>>, 0, 0,
                           <<"internal error: the command was terminated by "
                             "killed">>}]},
                 answer(1)).

names_the_file_when_a_command_crashes_test() ->
    Run = fun(_, _, _) -> error(oops) end,
    Jobs = erlconcolic_jobs:add(1, {to_core, <<"a.erl">>}, new(1, Run)),
    ?assertMatch({error, [{error, <<"a.erl">>, 0, 0, _}]}, answer(1)),
    ended(Jobs).

runs_at_most_the_limit_at_once_in_order_test() ->
    Jobs0 = add_blocked([1, 2, 3, 4], new(2)),
    [One, Two] = [started(Id) || Id <- [1, 2]],
    ?assertEqual(2, running()),
    Two ! go,
    ?assertEqual({ok, 2}, answer(2)),
    Jobs1 = ended(Jobs0),
    Three = started(3),
    ?assertEqual(2, running()),
    One ! go,
    ?assertEqual({ok, 1}, answer(1)),
    Jobs2 = ended(Jobs1),
    Four = started(4),
    [Pid ! go || Pid <- [Three, Four]],
    _ = ended(ended(Jobs2)),
    ?assertEqual([{ok, 3}, {ok, 4}], [answer(3), answer(4)]).

crash_makes_room_for_the_next_test() ->
    Crash = fun(_) -> error(oops) end,
    Jobs0 = erlconcolic_jobs:add(1, Crash, new(1)),
    Jobs1 = add_blocked([2], Jobs0),
    ?assertMatch({error, _}, answer(1)),
    Jobs2 = ended(Jobs1),
    started(2) ! go,
    ?assertEqual({ok, 2}, answer(2)),
    ended(Jobs2).

configure_runs_alone_and_makes_the_context_test() ->
    Configure = fun(_) -> {context, new_context, {ok, configured}} end,
    Context = fun(Context) -> {ok, Context} end,
    Jobs0 = add_blocked([1], new(4)),
    Jobs1 = erlconcolic_jobs:add(2, {configure, Configure}, Jobs0),
    Jobs2 = erlconcolic_jobs:add(3, Context, Jobs1),
    ?assertEqual(1, running()),
    started(1) ! go,
    ?assertEqual({ok, 1}, answer(1)),
    Jobs3 = ended(Jobs2),
    ?assertEqual(1, running()),
    ?assertEqual({ok, configured}, answer(2)),
    Jobs4 = ended(Jobs3),
    ?assertEqual({ok, new_context}, answer(3)),
    ended(Jobs4).

failed_configure_keeps_the_context_test() ->
    Jobs0 = erlconcolic_jobs:add(1, {configure, fun(_) -> error(oops) end},
                                 new(1)),
    Jobs1 = erlconcolic_jobs:add(2, fun(Context) -> {ok, Context} end, Jobs0),
    Jobs2 = ended(Jobs1),
    ?assertMatch({error, _}, answer(1)),
    ?assertEqual({ok, old_context}, answer(2)),
    ended(Jobs2).

output_goes_to_standard_error_test() ->
    Jobs = erlconcolic_jobs:add(1, fun(_) -> {ok, group_leader()} end, new(1)),
    ?assertEqual({ok, whereis(standard_error)}, answer(1)),
    ended(Jobs).

-spec new(pos_integer()) -> erlconcolic_jobs:jobs().
new(Limit) ->
    new(Limit, fun({configure, Fun}, Context, _) -> Fun(Context);
                  ({parts, Parts}, _, Part) -> lists:foreach(Part, Parts),
                                               {ok, sent};
                  (Fun, Context, _) -> Fun(Context)
               end).

-spec new(pos_integer(), erlconcolic_jobs:run()) -> erlconcolic_jobs:jobs().
new(Limit, Run) ->
    Test = self(),
    erlconcolic_jobs:new(
        #{limit => Limit,
          run => Run,
          answer => fun(Id, Result) -> Test ! {answer, Id, Result} end,
          context => old_context}).

%% Commands that report their start, wait, and return their number.
-spec add_blocked([integer()], erlconcolic_jobs:jobs()) ->
    erlconcolic_jobs:jobs().
add_blocked(Ids, Jobs) ->
    Test = self(),
    Wait = fun(Id) ->
                   Test ! {started, Id, self()},
                   receive go -> {ok, Id} end
           end,
    lists:foldl(fun(Id, Acc) ->
                        erlconcolic_jobs:add(Id, fun(_) -> Wait(Id) end, Acc)
                end, Jobs, Ids).

-spec started(integer()) -> pid().
started(Id) ->
    receive {started, Id, Pid} -> Pid end.

%% Every running command has a process that this one monitors.
-spec running() -> non_neg_integer().
running() ->
    {monitors, Monitors} = process_info(self(), monitors),
    length(Monitors).

-spec answer(integer()) -> erlconcolic_jobs:result().
answer(Id) ->
    receive {answer, Id, Result} -> Result end.

%% Waits until one process has ended.
-spec ended(erlconcolic_jobs:jobs()) -> erlconcolic_jobs:jobs().
ended(Jobs) ->
    receive
        {'DOWN', Monitor, process, _, Reason} ->
            erlconcolic_jobs:ended(Monitor, Reason, Jobs)
    end.
