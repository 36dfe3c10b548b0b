%% What a callback and the enter call behind it want, see
%% erlconcolic_play_actions.
-record(effects,
        {play :: erlconcolic_play:play(),
         callbacks :: erlconcolic_play_callbacks:callbacks(),
         postpone = false :: boolean(),
         %% Events to insert; the last one is first.
         inserted = [] :: [{Type :: term(), Content :: term()}],
         %% The last one is first.
         settings = [] :: [erlconcolic_play_timers:setting()]}).
