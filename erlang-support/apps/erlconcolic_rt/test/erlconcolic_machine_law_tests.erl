%%% The law of erlconcolic_machine_law on random machines. ERLCONCOLIC_LAW names
%%% other seeds: `ERLCONCOLIC_LAW=1-20000'.
-module(erlconcolic_machine_law_tests).

-include_lib("eunit/include/eunit.hrl").

random_machines_test_() ->
    {timeout, 600,
     fun() ->
             {First, Last} = seeds(os:getenv("ERLCONCOLIC_LAW", "1-2000")),
             #{kept := Kept, skipped := Skipped, broken := Broken} =
                 erlconcolic_machine_law:check_many(First, Last),
             lists:foreach(fun show/1, lists:sublist(Broken, 3)),
             ?assertEqual([], Broken),
             ?assert(Skipped * 20 < Kept + 20)
     end}.

seeds(Text) ->
    [First, Last] = string:split(Text, "-"),
    {list_to_integer(First), list_to_integer(Last)}.

show(Seed) ->
    Machine = erlconcolic_random_machine:random(Seed),
    {Small, {Played, Real}} =
        erlconcolic_machine_law:quietly(
          fun() ->
                  Smaller = erlconcolic_machine_law:smaller(Machine),
                  {Smaller, erlconcolic_machine_law:both(Smaller, 40)}
          end),
    io:format(user, "seed ~p~n~p~nplayed: ~p~nreal: ~p~n",
              [Seed, Small, Played, Real]).

%% Cases that broke the law once.
kept_cases_test_() ->
    [{Name,
      {timeout, 60,
       ?_assertEqual(ok, erlconcolic_machine_law:quietly(
                           fun() ->
                                   erlconcolic_machine_law:check(machine(Case))
                           end))}}
     || {Name, Case} <- kept_cases()].

machine({Behaviour, Steps, Events}) ->
    #{behaviour => Behaviour, module => erlconcolic_scripted, steps => Steps,
      modes => #{erlconcolic_scripted =>
                     {[], {return, [handle_event_function, state_enter]}}},
      events => Events}.

kept_cases() ->
    [{"a server that stops before anybody can watch it",
      {gen_server,
       #{init => [{[], {return, {ok, a, 0}}}],
         event => [{[], {return, {stop, normal, b}}}]},
       []}},
     {"two absolute times that have passed",
      {gen_statem,
       #{init => [{[], {return, {ok, c, x,
                                 [{state_timeout, {'$absolute', -1}, y,
                                   {abs, true}},
                                  {{timeout, n}, {'$absolute', -1}, n,
                                   [{abs, true}]}]}}}]},
       []}},
     {"a reply to somebody who is gone, without a mailbox",
      {gen_statem,
       #{init => [{[], {return, {ok, b, x, [{reply, {'$from', 0}, y}]}}}]},
       [{call, x}]}},
     {"two replies to one call",
      {gen_server,
       #{init => [{[], {return, {ok, x}}}],
         call => [{[{reply, {'$from', 0}, first}],
                   {return, {reply, second, x}}}]},
       [{call, x}, {call, y}]}},
     {"a timer that is set later and takes less time",
      {gen_statem,
       #{init => [{[], {return, {ok, a, x,
                                 [{{timeout, long}, {'$time', 7}, l},
                                  {{timeout, short}, {'$time', 3}, s}]}}}],
         event => [{[], {return, {keep_state_and_data,
                                  [{{timeout, later}, {'$time', 6}, x}]}}}]},
       [timeout, timeout, timeout]}},
     {"a timer of the machine and one of the behaviour",
      {gen_statem,
       #{init => [{[{send_after, 3, m}],
                   {return, {ok, a, x,
                             [{state_timeout, {'$time', 5}, s},
                              {{timeout, n}, {'$time', 7}, n}]}}}]},
       [timeout, timeout, timeout, timeout]}},
     {"the end of a server in a call that has its reply",
      {gen_server,
       #{init => [{[], {return, {ok, x}}}],
         call => [{[], {return, {stop, bad, bye, y}}}],
         terminate => [{[], {error, worse}}]},
       [{call, x}]}}].
