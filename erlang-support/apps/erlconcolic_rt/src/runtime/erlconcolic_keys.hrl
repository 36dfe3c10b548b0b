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

%% How many steps the process may take without asking, if it is controlled, and
%% what it has to tell, see erlconcolic_lease.
-define(LEASE, '$erlconcolic_lease').
-define(MEMBER, '$erlconcolic_member').

%% Whether the collector hears of what it starts, see erlconcolic_watch.
-define(WATCH, '$erlconcolic_watch').

%% The numbers of pids and references, see erlconcolic_marks.
-define(MARKS, '$erlconcolic_marks').

%% What compiled patterns were made of, see erlconcolic_patterns.
-define(PATTERNS, '$erlconcolic_patterns').
