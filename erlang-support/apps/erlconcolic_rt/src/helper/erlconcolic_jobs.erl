%%% Runs commands in the order in which they come, each in its own process and
%%% at most a fixed number at once. Every command gets exactly one answer, also
%%% when its process crashes or is killed, and may send parts before it. Some
%%% commands run alone: `configure' makes the context for the commands after it,
%%% `follow', `alias' and `missing' change the functions that runs call, and
%%% after a `run' the node is restored.
%%%
%%% The state belongs to one process, which passes every `DOWN' message that it
%%% receives to ended/3.
-module(erlconcolic_jobs).

-export([new/1, add/3, ended/3]).

-export_type([jobs/0, id/0, command/0, result/0, part/0, run/0, answer/0]).

-type id() :: integer().
-type command() ::
    {configure, term()} | {follow, term()} | {alias, term()}
  | {missing, term()} | {run, term()} | term().
-type result() :: {ok, term()} | {error, [erlconcolic_message:message()]}.
-type part() :: fun((Part :: term()) -> term()).
-type run() ::
    fun((command(), Context :: term(), part()) ->
            result() | {context, NewContext :: term(), result()}).
-type answer() :: fun((id(), result() | {part, term()}) -> term()).

-record(jobs,
        {limit :: pos_integer(),
         run :: run(),
         answer :: answer(),
         context :: term(),
         waiting = queue:new() :: queue:queue({id(), command()}),
         running = #{} :: #{reference() => {id(), command()}}}).

-opaque jobs() :: #jobs{}.

%% How many words the heap of a command has at first, so that it is hardly ever
%% collected in a short run.
-define(HEAP, 6772).

-spec new(#{limit := pos_integer(), run := run(), answer := answer(),
            context := term()}) -> jobs().
new(#{limit := Limit, run := Run, answer := Answer, context := Context}) ->
    #jobs{limit = Limit, run = Run, answer = Answer, context = Context}.

-spec add(id(), command(), jobs()) -> jobs().
add(Id, Command, #jobs{waiting = Waiting} = Jobs) ->
    start_waiting(Jobs#jobs{waiting = queue:in({Id, Command}, Waiting)}).

%% The process of this monitor has ended.
-spec ended(reference(), term(), jobs()) -> jobs().
ended(Monitor, Reason, #jobs{running = Running} = Jobs) ->
    case maps:take(Monitor, Running) of
        {{Id, Command}, Rest} ->
            NewJobs = Jobs#jobs{running = Rest},
            start_waiting(finish(Id, Command, Reason, NewJobs));
        error ->
            Jobs
    end.

-spec finish(id(), command(), term(), jobs()) -> jobs().
finish(_Id, {configure, _}, {context, Context}, Jobs) ->
    Jobs#jobs{context = Context};
finish(_Id, _Command, normal, Jobs) ->
    Jobs;
finish(Id, Command, Reason, #jobs{answer = Answer} = Jobs) ->
    Text = io_lib:format("the command was terminated by ~tp", [Reason]),
    _ = Answer(Id, failed(Command, Text)),
    Jobs.

-spec start_waiting(jobs()) -> jobs().
start_waiting(#jobs{waiting = Waiting} = Jobs) ->
    case queue:peek(Waiting) of
        {value, {_, Command} = Job} ->
            case may_start(Command, Jobs) of
                true ->
                    Rest = queue:drop(Waiting),
                    start_waiting(start(Job, Jobs#jobs{waiting = Rest}));
                false ->
                    Jobs
            end;
        empty ->
            Jobs
    end.

-spec may_start(command(), jobs()) -> boolean().
may_start(Command, #jobs{limit = Limit, running = Running}) ->
    case runs_alone(Command) of
        true ->
            map_size(Running) =:= 0;
        false ->
            map_size(Running) < Limit
                andalso not lists:any(fun({_, Other}) -> runs_alone(Other) end,
                                      maps:values(Running))
    end.

-spec runs_alone(command()) -> boolean().
runs_alone({configure, _}) -> true;
runs_alone({follow, _}) -> true;
runs_alone({alias, _}) -> true;
runs_alone({missing, _}) -> true;
runs_alone({run, _}) -> true;
runs_alone({eunit, _}) -> true;
runs_alone(_) -> false.

-spec start({id(), command()}, jobs()) -> jobs().
start(Job, #jobs{run = Run, answer = Answer, context = Context} = Jobs) ->
    Work = fun() -> work(Job, Context, Run, Answer) end,
    {_, Monitor} = spawn_opt(Work, [monitor, {min_heap_size, ?HEAP}]),
    Jobs#jobs{running = (Jobs#jobs.running)#{Monitor => Job}}.

%% Commands print to standard error. The new context is the exit reason of a
%% `configure', so that it is in place before the next command starts.
-spec work({id(), command()}, term(), run(), answer()) -> term().
work({Id, Command}, Context, Run, Answer) ->
    group_leader(whereis(standard_error), self()),
    Part = fun(Term) -> Answer(Id, {part, Term}) end,
    try Run(Command, Context, Part) of
        {context, NewContext, Result} ->
            _ = Answer(Id, Result),
            exit({context, NewContext});
        Result ->
            Answer(Id, Result)
    catch
        Class:Reason:Stack ->
            Text = erl_error:format_exception(Class, Reason, Stack),
            Answer(Id, failed(Command, Text))
    end.

-spec failed(command(), unicode:chardata()) -> result().
failed(Command, Text) ->
    {error, [erlconcolic_message:internal_error(subject(Command), Text)]}.

-spec subject(command()) -> binary().
subject({to_core, Path}) when is_binary(Path) -> Path;
subject(_) -> <<>>.
