%%% What tests of controlled processes write.

-define(OUT, erlconcolic_out).

%% A receive as the instrumenter writes it.
-define(RECEIVE(Pattern, Body, Time, Action),
        (fun Again() ->
             Wait = erlconcolic_lease:wait_time(Time),
             receive
                 Pattern -> Body
             after Wait ->
                 case erlconcolic_lease:timed_out(Time, []) of
                     again -> Again();
                     timeout -> Action
                 end
             end
         end)()).
-define(RECEIVE(Pattern, Body), ?RECEIVE(Pattern, Body, infinity, none)).
