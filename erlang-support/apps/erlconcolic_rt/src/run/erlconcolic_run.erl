%%% Runs a function, watched by a collector, and reports how it ended.
-module(erlconcolic_run).

-export([run/2]).

-export_type([request/0, answer/0, outcome/0, frame/0]).

-type request() ::
    #{module := module(),
      function := atom(),
      %% If `funs' is true, as erlconcolic_table_fun encodes them.
      arguments := [term()],
      funs => boolean(),
      %% If a list, the arguments are encoded, and their recipes are values that
      %% the run makes first, see erlconcolic_recipe.
      recipes => none | erlconcolic_recipe:excluded(),
      timeout := Milliseconds :: non_neg_integer(),
      max_heap := Words :: non_neg_integer(),
      allow := erlconcolic_sandbox:allow(),
      record := boolean(),
      %% Whether processes are controlled; `none' if it is missing. The others
      %% are for `all'.
      schedules => all | none,
      schedule => [{path() | {From :: path(), To :: path()},
                    Steps :: pos_integer()}],
      max_steps => pos_integer(),
      time => quiet | any,
      delivery => instant | any,
      %% Whether a run of one process is told without its gate.
      brief => boolean(),
      %% If processes are not controlled, see erlconcolic_trial.
      trial => erlconcolic_trial:options()}.

%% The numbers of the spawns that led to a process.
-type path() :: [non_neg_integer()].

-type answer() ::
    #{outcome := outcome(), output := binary(), processes := pos_integer(),
      logs := [erlconcolic_collector:part()], spoiled := boolean(),
      %% If processes are controlled: the leases as in docs/trace-format.md,
      %% whether the schedule could be followed, the processes by index, and
      %% names of what nobody controls.
      leases => binary(), followed => boolean(), members => [map()],
      uncontrolled => [mfa()],
      %% In a trial: how processes ended that did not end normally.
      exits => [outcome()]}.

%% Terms are Erlang source in UTF-8, cut if they are very large. A run is killed
%% when it exceeds its memory limit. If the program kills itself, that is an
%% exception.
-type outcome() ::
    {ok, Text :: binary()}
  | {exception, Class :: atom(), Text :: binary(), [frame()]}
  | timeout
  | killed
  | {blocked, mfa()}
  | {deadlock, [{Path :: [non_neg_integer()], [frame()]}]}
  | steps.

-type frame() ::
    #{module := module(), function := atom(), arity := arity(),
      file := binary(), line := non_neg_integer()}.

-define(MAX_FRAMES, 100).
-define(MAX_NAME, 4096).
-define(MAX_STEPS, 1000).

%% Passes on parts of logs as they come. The parts that come after the program
%% has returned are in the answer.
-spec run(request(), fun((erlconcolic_collector:part()) -> term())) ->
    {ok, answer()}.
run(#{module := Module, function := Function, arguments := Args,
      timeout := Timeout, max_heap := MaxHeap, allow := Allow,
      record := Record} = Request, Part) ->
    Settings = #{allow => Allow, record => Record, timeout => Timeout,
                 max_heap => #{size => MaxHeap, kill => true,
                               error_logger => true},
                 describe => fun describe/1,
                 enter => fun erlconcolic_out:enter_body/5},
    Make = make(Args, Request),
    IsTrial = is_map_key(trial, Request),
    Body = fun() ->
                   ok = execute(Module, Function, Make),
                   stay(IsTrial orelse erlconcolic_lease:has_others())
           end,
    #{outcome := Outcome} = Result =
        erlconcolic_collector:collect(maps:merge(Settings, gate(Request)),
                                      Body, Part),
    {ok, Result#{outcome := outcome(Outcome)}}.

-spec gate(request()) ->
    #{gate => erlconcolic_gate:options(), trial => erlconcolic_trial:options()}.
gate(#{schedules := all, timeout := Timeout} = Request) ->
    Patience = 1 + Timeout div (2 * erlconcolic_collector:weighing()),
    #{gate => maps:merge(#{schedule => [], max_steps => ?MAX_STEPS,
                           time => quiet, delivery => instant,
                           brief => false, patience => Patience},
                         maps:with([schedule, max_steps, time, delivery,
                                    brief], Request))};
gate(#{} = Request) ->
    maps:with([trial], Request).

%% A function that makes the arguments in the process of the run: tables of ETS
%% belong to the process that makes them.
-spec make(erlconcolic_table_fun:wire(), request()) -> fun(() -> [term()]).
make(Args, #{recipes := Excluded}) when is_list(Excluded) ->
    fun() -> erlconcolic_recipe:build(Args, Excluded) end;
make(Args, #{funs := true}) ->
    Made = erlconcolic_table_fun:from_wire(Args),
    fun() -> Made end;
make(Args, #{}) ->
    fun() -> Args end.

-spec outcome(erlconcolic_collector:outcome()) -> outcome().
outcome({outcome, Outcome}) -> Outcome;
outcome(outgrown) -> killed;
outcome({down, Reason}) -> exception(exit, Reason, []);
outcome({blocked, Mfa}) -> {blocked, Mfa};
outcome({deadlock, Waiting}) ->
    {deadlock, [{Path, frames(Stack)} || {Path, Stack} <- Waiting]};
outcome(steps) -> steps;
outcome(timeout) -> timeout.

%% Lifts the heap limit at the end: the text of the result may need more memory
%% than the program.
-spec execute(module(), atom(), fun(() -> [term()])) -> ok.
execute(Module, Function, Make) ->
    Collector = group_leader(),
    ok = erlconcolic_out:start(Collector),
    _ = erlconcolic_follow:is_followed(Module) orelse erlconcolic_watch:on(),
    Result = try
                 {ok, erlang:apply(Module, Function, Make())}
             catch
                 Class:Reason:Stack -> {Class, Reason, Stack}
             end,
    ok = erlconcolic_lease:last_step(),
    Collector ! {erlconcolic_returned, self()},
    _ = process_flag(max_heap_size, 0),
    ok = erlconcolic_out:finish(),
    Report = erlconcolic_lease:report(),
    Collector ! {erlconcolic_outcome, self(), describe(Result), Report},
    ok.

%% The process of the entry function stays while others go on.
-spec stay(boolean()) -> ok.
stay(false) -> ok;
stay(true) -> receive after infinity -> ok end.

-spec describe({ok, term()} | {atom(), term(), [term()]}) -> outcome().
describe({ok, Value}) ->
    {ok, text(Value)};
describe({Class, Reason, Stack}) ->
    exception(Class, Reason, Stack).

-spec exception(atom(), term(), [term()]) -> outcome().
exception(Class, Reason, Stack) ->
    {exception, Class, text(Reason), frames(Stack)}.

-spec text(term()) -> binary().
text(Term) ->
    case erlconcolic_cut_text:is_large(Term) of
        true -> erlconcolic_cut_text:text(Term);
        false -> erlconcolic_text:text(Term)
    end.

%% erlang:raise/3 accepts any stack, so frames may be malformed.
-spec frames([term()]) -> [frame()].
frames(Stack) ->
    Frames = erlconcolic_stack:frames(lists:sublist(Stack, ?MAX_FRAMES)),
    lists:flatmap(fun frame/1, Frames).

%% erlang:raise/3 takes several forms.
-spec frame(term()) -> [frame()].
frame({Module, Function, Arity, Location}) when is_atom(Module) ->
    [new_frame(Module, Function, Arity, Location)];
frame({Module, Function, Arity}) when is_atom(Module) ->
    [new_frame(Module, Function, Arity, [])];
frame({Fun, Args, Location}) when is_function(Fun) ->
    {module, Module} = erlang:fun_info(Fun, module),
    {name, Name} = erlang:fun_info(Fun, name),
    [new_frame(Module, Name, Args, Location)];
frame({Fun, Args}) when is_function(Fun) ->
    frame({Fun, Args, []});
frame(_) ->
    [].

-spec new_frame(module(), atom(), arity() | [term()], term()) -> frame().
new_frame(Module, Function, Args, Location) when is_list(Args) ->
    new_frame(Module, Function, length(Args), Location);
new_frame(Module, Function, Arity, Location) ->
    #{module => Module, function => Function, arity => Arity,
      file => file(Location), line => line(Location)}.

-spec file(term()) -> binary().
file(Location) ->
    try
        File = unicode:characters_to_binary(value(file, Location, "")),
        true = byte_size(File) =< ?MAX_NAME,
        File
    catch
        error:_ -> <<>>
    end.

-spec line(term()) -> non_neg_integer().
line(Location) ->
    case value(line, Location, 0) of
        Line when is_integer(Line), Line >= 0 -> Line;
        _ -> 0
    end.

-spec value(atom(), term(), term()) -> term().
value(Key, Location, Default) ->
    try lists:keyfind(Key, 1, Location) of
        {_, Value} -> Value;
        _ -> Default
    catch
        error:_ -> Default
    end.
