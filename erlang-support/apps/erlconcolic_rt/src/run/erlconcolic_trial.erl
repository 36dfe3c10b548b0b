%%% A trial: a run of code that nobody controls, in which processes get their
%%% turns in another order than usual. The number of a trial decides how many
%%% schedulers there are, how many other processes take their time, and which
%%% processes are suspended for a moment. The code is as it is.
%%%
%%% The collector of the run tells what its processes do. It goes on when the
%%% entry function has ended, until all processes wait or have ended, and it may
%%% find out that all processes of the run wait for each other.
-module(erlconcolic_trial).

-export([start/1, stop/1, flags/1, spawned/3, sent/2, exited/2, resume/1,
         look/3, waiting/2, exits/2]).

-export_type([options/0, trial/0]).

-type options() ::
    #{number := non_neg_integer(),
      %% Whether the run is over when all its processes seem to wait for ever.
      waits := boolean()}.

-record(trial,
        {waits :: boolean(),
         number :: non_neg_integer(),
         random :: rand:state(),
         schedulers :: pos_integer(),
         load :: [pid()],
         exits = [] :: [term()],
         %% What the processes were like at the last look, and how often in a
         %% row they were like this.
         seen = none :: term(),
         calm = 0 :: non_neg_integer(),
         %% Looks since the end of the entry function.
         late = 0 :: non_neg_integer()}).

-opaque trial() :: #trial{}.

%% The time between two looks, in milliseconds.
-define(LOOKING, 2).

%% How many looks show that processes wait for ever, that they wait after the
%% end of the entry function, and how many there are after that end.
-define(CALM, 50).
-define(SETTLED, 3).
-define(LATE, 250).

%% At most so many ends of processes are kept.
-define(MAX_EXITS, 20).

%% The longest time for which a process is suspended, in milliseconds.
-define(PAUSE, 3).

%% The most processes that take time from those of the run.
-define(MAX_LOAD, 4).

-spec start(options()) -> trial().
start(#{number := Number, waits := Waits}) ->
    Schedulers = erlang:system_info(schedulers),
    Before = erlang:system_flag(schedulers_online, 1 + Number rem Schedulers),
    Load = [spawn(fun spin/0) || _ <- lists:seq(1, Number rem ?MAX_LOAD)],
    _ = erlang:start_timer(?LOOKING, self(), look),
    #trial{waits = Waits, number = Number, schedulers = Before, load = Load,
           random = rand:seed_s(exsss, Number)}.

-spec spin() -> no_return().
spin() ->
    spin().

-spec stop(trial()) -> ok.
stop(#trial{schedulers = Schedulers, load = Load}) ->
    _ = erlang:system_flag(schedulers_online, Schedulers),
    Monitors = [monitor(process, Pid) || Pid <- Load],
    lists:foreach(fun(Pid) -> exit(Pid, kill) end, Load),
    lists:foreach(fun(Monitor) ->
                          receive {'DOWN', Monitor, process, _, _} -> ok end
                  end, Monitors).

%% What the collector traces.
-spec flags(options() | none) -> [send].
flags(#{number := Number}) when Number rem 2 =:= 1 -> [send];
flags(_) -> [].

%% A process of the run was started. The first trial leaves all as it is.
-spec spawned(By :: pid(), pid(), trial()) -> trial().
spawned(By, Pid, Trial) ->
    perhaps_suspend(Pid, 3, perhaps_suspend(By, 3, Trial)).

%% A process of the run has sent a message.
-spec sent(pid(), trial()) -> trial().
sent(Pid, Trial) ->
    perhaps_suspend(Pid, 4, Trial).

-spec perhaps_suspend(pid(), pos_integer(), trial()) -> trial().
perhaps_suspend(_Pid, _OneOf, #trial{number = 0} = Trial) ->
    Trial;
perhaps_suspend(Pid, OneOf, #trial{random = Random} = Trial) ->
    {Choice, AfterChoice} = rand:uniform_s(OneOf, Random),
    {Pause, AfterPause} = rand:uniform_s(?PAUSE, AfterChoice),
    _ = Choice =:= 1 andalso suspend(Pid, Pause),
    Trial#trial{random = AfterPause}.

-spec suspend(pid(), pos_integer()) -> term().
suspend(Pid, Pause) ->
    try erlang:suspend_process(Pid, [asynchronous]) of
        true -> erlang:start_timer(Pause, self(), {resume, Pid})
    catch
        error:badarg -> false
    end.

%% The process may have ended.
-spec resume(pid()) -> term().
resume(Pid) ->
    try erlang:resume_process(Pid)
    catch error:badarg -> false
    end.

%% A process of the run has ended.
-spec exited(term(), trial()) -> trial().
exited(normal, Trial) ->
    Trial;
exited(_Reason, #trial{exits = Exits} = Trial)
  when length(Exits) >= ?MAX_EXITS ->
    Trial;
exited(Reason, #trial{exits = Exits} = Trial) ->
    Trial#trial{exits = [Reason | Exits]}.

%% Some time has passed. These processes of the run are alive.
-spec look([pid()], HasEnded :: boolean(), trial()) ->
    {go_on | over | deadlock, trial()}.
look(Alive, HasEnded, Trial) ->
    #trial{seen = Before, calm = Calm, late = Late, waits = Waits} = Trial,
    Now = state(Alive),
    NewCalm = case Now =:= Before andalso Now =/= busy of
                  true -> Calm + 1;
                  false -> 0
              end,
    NewTrial = Trial#trial{seen = Now, calm = NewCalm,
                           late = case HasEnded of
                                      true -> Late + 1;
                                      false -> 0
                                  end},
    case HasEnded of
        true when NewCalm >= ?SETTLED; Late > ?LATE -> {over, NewTrial};
        false when Waits, NewCalm >= ?CALM -> {deadlock, NewTrial};
        _ ->
            _ = erlang:start_timer(?LOOKING, self(), look),
            {go_on, NewTrial}
    end.

%% How much each process has done, if all wait.
-spec state([pid()]) -> busy | [{pid(), non_neg_integer()}].
state(Pids) ->
    Infos = [{Pid, process_info(Pid, [status, reductions])} || Pid <- Pids],
    Living = [{Pid, Info} || {Pid, [_ | _] = Info} <- Infos],
    case [Pid || {Pid, [{status, Status}, _]} <- Living, Status =/= waiting] of
        [] -> lists:sort([{Pid, Reductions}
                          || {Pid, [_, {reductions, Reductions}]} <- Living]);
        _ -> busy
    end.

%% Who waits, with the stack; the program first. Nobody knows the paths of the
%% others.
-spec waiting(pid(), [pid()]) -> [{[non_neg_integer()], [term()]}].
waiting(Program, Alive) ->
    Others = lists:sort(Alive -- [Program]),
    Paths = [[0] | [[0, Number] || Number <- lists:seq(1, length(Others))]],
    [{Path, Stack}
     || {Path, Pid} <- lists:zip(Paths, [Program | Others]),
        {current_stacktrace, Stack} <-
            [process_info(Pid, current_stacktrace)]].

%% How processes ended that did not end normally. Describe makes a report of an
%% exception.
-spec exits(fun((tuple()) -> term()), trial()) -> [term()].
exits(Describe, #trial{exits = Exits}) ->
    [Describe(erlconcolic_exit_reason:exception(Reason))
     || Reason <- lists:reverse(Exits)].
