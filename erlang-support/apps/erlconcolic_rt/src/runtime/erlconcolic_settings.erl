%%% The settings of a run. Its collector keeps them in its process dictionary,
%%% where all processes of the run find them.
-module(erlconcolic_settings).

-export([keep/1, own/0, of_collector/1]).

-export_type([settings/0, max_heap/0]).

-type settings() ::
    #{allow := erlconcolic_sandbox:allow(),
      record := boolean(),
      timeout := Milliseconds :: non_neg_integer(),
      max_heap := max_heap(),
      %% Makes a report of an exception.
      describe => fun(({atom(), term(), [term()]}) -> term()),
      %% Calls a function that is followed, see erlconcolic_out.
      enter => fun((non_neg_integer(), non_neg_integer(), module(), atom(),
                    [term()]) -> term()),
      %% How processes are controlled, see erlconcolic_gate.
      gate => map(),
      %% If it is a trial, see erlconcolic_trial.
      trial => map(),
      %% The first lease of the process that calls the entry function, if
      %% processes are controlled.
      lease => pos_integer()}.
-type max_heap() ::
    #{size := non_neg_integer(), kill := boolean(), error_logger := boolean()}.

-define(KEY, '$erlconcolic_settings').

%% Makes this process a collector with these settings.
-spec keep(settings()) -> ok.
keep(Settings) ->
    put(?KEY, Settings),
    ok.

%% The settings of this process, which must be a collector.
-spec own() -> settings().
own() ->
    get(?KEY).

%% The settings of a process, if it is a collector.
-spec of_collector(pid()) -> {ok, settings()} | error.
of_collector(Pid) when node(Pid) =:= node() ->
    case process_info(Pid, dictionary) of
        {dictionary, Dictionary} ->
            case lists:keyfind(?KEY, 1, Dictionary) of
                {_, Settings} -> {ok, Settings};
                false -> error
            end;
        undefined ->
            error
    end;
of_collector(_Pid) ->
    error.
