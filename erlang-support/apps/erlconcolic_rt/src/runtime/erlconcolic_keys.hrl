%%% The keys under which a process of a run keeps its state in its dictionary.
%%% Instrumented code has no other place that survives exceptions and calls of
%%% foreign code. The program does not see these keys, see
%%% erlconcolic_disguise.

%% The newest bytes of the log, see erlconcolic_log.
-define(PACKED, '$erlconcolic').

%% The bytes of the log before those, see erlconcolic_log.
-define(LOG, '$erlconcolic_log').

%% Where the log goes and how often it went there, see erlconcolic_log.
-define(RUN, '$erlconcolic_run').

%% Whether foreign code is running, see erlconcolic_out.
-define(OUTSIDE, '$erlconcolic_outside').
