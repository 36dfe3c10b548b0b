%%% Watches one run. The collector is the group leader of the processes of the
%%% run, so they know it, and their tracer, so it knows them. It receives
%%%
%%% {erlconcolic_start, Pid}           a process has begun a log
%%% {erlconcolic_log, Pid, Bytes}      the next part of a log
%%% {erlconcolic_sync, Pid, Ref}       answered after all parts sent before it
%%% {erlconcolic_blocked, Pid, Mfa}    a call was refused
%%% {erlconcolic_spoils, Pid}          a call leaves something in the node
%%% {erlconcolic_returned, Pid}        the program has returned
%%% {erlconcolic_outcome, Pid, Term, Report}
%%%                                    the result of the run, and what
%%%                                    erlconcolic_lease:report/0 gave
%%% {erlconcolic_contact, ...}         for the gate, see erlconcolic_lease
%%%
%%% requests of the IO protocol, trace messages, and what the emulator logs: it
%%% tells which processes have outgrown their heaps. When the run has ended, it
%%% takes the rest of all logs and kills all processes of the run.
%%%
%%% Processes with a log are numbered: 0 is the process that calls the entry
%%% function, the others follow in the order in which they are spawned, if they
%%% are controlled, or their first messages (erlconcolic_start) arrive.
%%%
%%% If there is a gate, the run goes on until no controlled process can. If it
%%% is a trial, see erlconcolic_trial, it goes on until all processes wait.
-module(erlconcolic_collector).

-export([collect/3, weighing/0]).

-export_type([part/0, outcome/0, result/0]).

-type settings() :: erlconcolic_settings:settings().
-type max_heap() :: erlconcolic_settings:max_heap().
-type part() :: {log, ProcessIndex :: non_neg_integer(), binary()}.
-type outcome() ::
    {outcome, term()} | timeout | outgrown | {down, term()} | {blocked, mfa()}
  | {deadlock, [{Path :: [non_neg_integer()], Stack :: [term()]}]} | steps.
-type result() ::
    #{outcome := outcome(), output := binary(), processes := pos_integer(),
      logs := [part()], spoiled := boolean(),
      leases => binary(), followed => boolean(), members => [map()],
      uncontrolled => [mfa()], exits => [term()]}.

-record(state,
        {program :: pid(),
         monitor :: reference(),
         part :: fun((part()) -> term()),
         indices :: #{pid() => non_neg_integer()},
         alive :: erlconcolic_reaper:pids(),
         has_returned = false :: boolean(),
         held = [] :: [part()],
         log_size = 0 :: non_neg_integer(),
         spoiled = false :: boolean(),
         outgrown = false :: boolean(),
         callers = #{} :: #{pid() => Request :: {pid(), term()}},
         output = erlconcolic_output:new() :: erlconcolic_output:output(),
         deadline :: reference(),
         gate = off :: off | untold | erlconcolic_gate:gate(),
         trial = none :: none | erlconcolic_trial:trial(),
         %% What processes were started for, if there is no gate.
         started = #{} :: #{mfa() => []},
         %% How the entry function ended.
         ended = no :: no | outcome()}).

%% Bytes of all logs of a run. Later ones are dropped.
-define(MAX_LOGS, 67108864).

%% Logs of other processes than the first are held back up to so many bytes.
-define(MAX_HELD, 1048576).

%% How often it checks the memory of the node, in milliseconds, and how much the
%% node itself may use besides the run, in bytes.
-define(WEIGHING, 25).
-define(OWN_MEMORY, 536870912).

%% How long the result of the program may take to become a message, and how long
%% a process may take to answer, in milliseconds.
-define(GRACE, 5000).
-define(PATIENCE, 500).

%% How often it checks for messages that nobody controls, and how long other
%% processes may run after the end of the entry function, in milliseconds.
-define(POLLING, 1).
-define(LEFT_OVER, 1000).

%% How many words its heap has at first, so that it is hardly ever collected in
%% a short run.
-define(HEAP, 17711).

%% The same for the process of the entry function, which keeps what is new of
%% others until it tells.
-define(PROGRAM_HEAP, 4181).

%% How often it tries to read a log that is being flushed.
-define(TRIES, 10).

%% How often the gate hears that time has passed, in milliseconds.
-spec weighing() -> pos_integer().
weighing() ->
    ?WEIGHING.

%% Runs Body in a process of its own, with index 0, and returns the outcome that
%% it sent, or why it sent none.
-spec collect(settings(), fun(() -> term()), fun((part()) -> term())) ->
    result().
collect(Settings, Body, Part) ->
    Caller = self(),
    Serve = fun() -> Caller ! {self(), serve(Settings, Body, Part)} end,
    {Pid, Monitor} = spawn_opt(Serve, [monitor, {min_heap_size, ?HEAP}]),
    receive
        {Pid, Result} ->
            receive {'DOWN', Monitor, process, Pid, _} -> Result end;
        {'DOWN', Monitor, process, Pid, Reason} ->
            erlconcolic_reaper:kill_led_by(Pid),
            crashed(Reason)
    end.

%% Only its own program can kill a collector.
-spec crashed(term()) -> result().
crashed(killed) ->
    #{outcome => {down, killed}, output => <<>>, processes => 1, logs => [],
      spoiled => false};
crashed(Reason) ->
    error({collector_crashed, Reason}).

-spec serve(settings(), fun(() -> term()), fun((part()) -> term())) ->
    result().
serve(#{timeout := Timeout} = Settings, Body, Part) ->
    process_flag(trap_exit, true),
    %% A program may raise its own priority, but not above this one.
    process_flag(priority, max),
    _ = erlang:system_flag(system_logger, self()),
    {Program, Monitor, Gate} = spawn_program(Body, Settings),
    Deadline = erlang:start_timer(Timeout, self(), timeout),
    _ = erlang:start_timer(?WEIGHING, self(), weigh),
    {Outcome, State} = loop(#state{program = Program, monitor = Monitor,
                                   part = Part, deadline = Deadline,
                                   indices = #{Program => 0},
                                   alive = #{Program => []}, gate = Gate,
                                   trial = start_trial(Settings)}),
    NewState = kill_all(take_rest(take_spawns(State))),
    add_result(NewState,
               #{outcome => Outcome,
                 output => erlconcolic_output:text(NewState#state.output),
                 processes => map_size(NewState#state.indices),
                 logs => lists:reverse(NewState#state.held),
                 spoiled => NewState#state.spoiled}).

-spec start_trial(settings()) -> none | erlconcolic_trial:trial().
start_trial(#{trial := Options}) -> erlconcolic_trial:start(Options);
start_trial(#{}) -> none.

-spec add_result(#state{}, result()) -> result().
add_result(#state{gate = untold}, Result) ->
    Result#{uncontrolled => []};
add_result(#state{gate = off, trial = none, started = Started}, Result) ->
    Result#{uncontrolled => lists:sort(maps:keys(Started))};
add_result(#state{gate = off, trial = Trial}, Result) ->
    #{describe := Describe} = erlconcolic_settings:own(),
    ok = erlconcolic_trial:stop(Trial),
    Result#{exits => erlconcolic_trial:exits(Describe, Trial)};
add_result(#state{gate = Gate}, Result) ->
    #{describe := Describe} = erlconcolic_settings:own(),
    maps:merge(Result, erlconcolic_gate_result:result(Describe, Gate)).

%% Keeps the settings, with the first lease of the program if there is a gate.
-spec spawn_program(fun(() -> term()), settings()) ->
    {pid(), reference(), off | erlconcolic_gate:gate()}.
spawn_program(Body, #{gate := Options} = Settings) ->
    {Lease, Gate} = erlconcolic_gate:new(Options),
    %% All processes of the run get a copy of what is kept.
    Kept = maps:remove(gate, Settings),
    ok = erlconcolic_settings:keep(Kept#{lease => Lease}),
    {Program, Monitor} = spawn_monitored(Body, Settings),
    {Program, Monitor,
     erlconcolic_gate:admit({Program, Monitor}, Lease, Gate)};
spawn_program(Body, Settings) ->
    ok = erlconcolic_settings:keep(Settings),
    {Program, Monitor} = spawn_monitored(Body, Settings),
    {Program, Monitor, off}.

-spec spawn_monitored(fun(() -> term()), settings()) -> {pid(), reference()}.
spawn_monitored(Body, #{max_heap := MaxHeap}) ->
    Program = spawn_traced(Body, [], MaxHeap),
    {Program, monitor(process, Program)}.

%% The collector leads and traces this process from its start.
-spec spawn_traced(fun(() -> term()), [erlang:spawn_opt_option()],
                   max_heap()) -> pid().
spawn_traced(Body, SpawnOptions, MaxHeap) ->
    Collector = self(),
    Start = make_ref(),
    {HasRoom, NewOptions} =
        erlconcolic_spawn:with_room(?PROGRAM_HEAP, SpawnOptions),
    Pid = spawn_opt(fun() ->
                            ok = erlconcolic_spawn:forget_room(HasRoom),
                            _ = process_flag(max_heap_size, MaxHeap),
                            group_leader(Collector, self()),
                            receive Start -> Body() end
                    end, NewOptions),
    Options = maps:get(trial, erlconcolic_settings:own(), none),
    1 = erlang:trace(Pid, true, [procs, set_on_spawn
                                 | erlconcolic_trial:flags(Options)]),
    Pid ! Start,
    Pid.

-spec loop(#state{}) -> {outcome(), #state{}}.
loop(#state{program = Program, monitor = Monitor, deadline = Deadline,
            output = Output, callers = Callers} = State) ->
    receive
        {erlconcolic_log, Pid, Bytes} ->
            loop(log(Pid, Bytes, State));
        {erlconcolic_start, Pid} ->
            loop(number(Pid, State));
        {erlconcolic_sync, Pid, Ref} ->
            Pid ! {erlconcolic_synced, Ref},
            loop(State);
        {io_request, From, ReplyAs, Request} when is_pid(From) ->
            case erlconcolic_output:calls(Request) of
                [] ->
                    {Reply, NewOutput} =
                        erlconcolic_output:request(Request, Output),
                    From ! {io_reply, ReplyAs, Reply},
                    loop(State#state{output = NewOutput});
                Calls ->
                    call_for(From, ReplyAs, Request, Calls, State)
            end;
        {erlconcolic_returned, Program} ->
            _ = erlang:cancel_timer(Deadline),
            NewDeadline = erlang:start_timer(?GRACE, self(), timeout),
            loop(State#state{deadline = NewDeadline, has_returned = true});
        {erlconcolic_outcome, Program, Outcome, Report} ->
            entry_ended(Outcome, Report, State);
        {erlconcolic_contact, _, _, _, _, _} = Contact ->
            contact(Contact, State);
        {timeout, _, poll} ->
            judged(erlconcolic_turns:poll(State#state.gate), State);
        {erlconcolic_blocked, _, Mfa} ->
            end_with({blocked, Mfa}, State);
        {erlconcolic_spoils, _} ->
            loop(State#state{spoiled = true});
        {timeout, _, weigh} ->
            weigh(State);
        {'EXIT', Caller, Reason} when is_map_key(Caller, Callers) ->
            called(Caller, Reason, State);
        {log, _, Format, _, _} ->
            loop(logged(Format, State));
        {'DOWN', Monitor, process, Program, Reason} ->
            program_down(Reason, State);
        {'DOWN', _, process, Pid, Reason} ->
            down(Pid, Reason, State);
        {timeout, Deadline, timeout} ->
            end_with(timeout, State);
        {timeout, _, look} ->
            look(State);
        {timeout, _, {resume, Pid}} ->
            _ = erlconcolic_trial:resume(Pid),
            loop(State);
        Message ->
            loop(traced(Message, State))
    end.

%% The heap limit does not count binaries and messages, and a program can change
%% it. The memory of a run is freed a while after its end and would count for
%% the next run, so a node that used much is not used again.
-spec weigh(#state{}) -> {outcome(), #state{}}.
weigh(#state{spoiled = Spoiled} = State) ->
    #{max_heap := #{size := Words}} = erlconcolic_settings:own(),
    Limit = Words * erlang:system_info(wordsize) + ?OWN_MEMORY,
    Memory = erlang:memory(total),
    NewState = State#state{spoiled = Spoiled orelse Memory > Limit div 2},
    case Memory > Limit of
        true ->
            end_with(outgrown, NewState);
        false ->
            _ = erlang:start_timer(?WEIGHING, self(), weigh),
            tick(NewState)
    end.

-spec tick(#state{}) -> {outcome(), #state{}}.
tick(#state{gate = off} = State) ->
    loop(State);
tick(#state{gate = Gate} = State) ->
    judged(erlconcolic_gate:tick(Gate), State).

%% If the entry function has ended, its outcome is that of the run.
-spec end_with(outcome(), #state{}) -> {outcome(), #state{}}.
end_with(Outcome, #state{ended = no} = State) -> {Outcome, State};
end_with(_Outcome, #state{ended = Ended} = State) -> {Ended, State}.

%% The entry function has ended. If there is a gate, others may go on.
-spec entry_ended(term(), erlconcolic_lease:report(), #state{}) ->
    {outcome(), #state{}}.
entry_ended(Outcome, _Report, #state{gate = off, trial = none} = State) ->
    {{outcome, Outcome}, State};
entry_ended(Outcome, _Report, #state{gate = off} = State) ->
    loop(left_over(State#state{ended = {outcome, Outcome}}));
entry_ended(Outcome, Report, #state{gate = Gate} = State) ->
    case erlconcolic_gate:is_untold(Report, Gate) of
        true -> {{outcome, Outcome}, State#state{gate = untold}};
        false -> others_go_on(Outcome, Report, State)
    end.

-spec others_go_on(term(), erlconcolic_lease:report(), #state{}) ->
    {outcome(), #state{}}.
others_go_on(Outcome, Report, #state{gate = Gate} = State) ->
    How = case Outcome of
              {ok, _} -> normal;
              _ -> Outcome
          end,
    judged(erlconcolic_gate:entry_ended(Report, How, Gate),
           left_over(with_born(Report,
                               State#state{ended = {outcome, Outcome}}))).

-spec with_born(erlconcolic_lease:report(), #state{}) -> #state{}.
with_born({_, {[], _}}, State) ->
    State;
with_born({_, {Born, _}}, #state{indices = Indices} = State) ->
    New = maps:from_list([{Pid, Index} || #{pid := Pid, index := Index} <-
                                              Born]),
    State#state{indices = maps:merge(Indices, New)};
with_born(none, State) ->
    State.

-spec left_over(#state{}) -> #state{}.
left_over(#state{deadline = Deadline} = State) ->
    #{timeout := Timeout} = erlconcolic_settings:own(),
    _ = erlang:cancel_timer(Deadline),
    LeftOver = erlang:start_timer(min(Timeout, ?LEFT_OVER), self(), timeout),
    State#state{deadline = LeftOver}.

-spec program_down(term(), #state{}) -> {outcome(), #state{}}.
program_down(Reason, #state{gate = off, trial = none} = State) ->
    {ended(Reason, State), State};
program_down(Reason, #state{gate = off, ended = no} = State) ->
    loop(left_over(State#state{ended = ended(Reason, State)}));
program_down(_Reason, #state{gate = off} = State) ->
    loop(State);
program_down(Reason, #state{program = Program} = State) ->
    down(Program, Reason, State).

-spec down(pid(), term(), #state{}) -> {outcome(), #state{}}.
down(_Pid, _Reason, #state{gate = off} = State) ->
    loop(State);
down(Pid, Reason, #state{gate = Gate} = State) ->
    case erlconcolic_gate:is_member(Pid, Gate) of
        true -> judged(erlconcolic_gate:down(Pid, Reason, Gate), State);
        false -> loop(State)
    end.

-spec contact(erlconcolic_gate:contact(), #state{}) -> {outcome(), #state{}}.
contact({_, Index, _, Left, News, Why} = Contact, State) ->
    #state{gate = Gate, indices = Indices} = State,
    Logged = last_log(Index, Why, State),
    judged(erlconcolic_gate:contact(Contact, map_size(Indices) - 1, Gate),
           with_born({Left, News}, Logged)).

%% A process that ends tells the rest of its log.
-spec last_log(non_neg_integer(), erlconcolic_lease:why(), #state{}) ->
    #state{}.
last_log(Index, {ended, _, _, Log}, State) when Log =/= <<>> ->
    add_log(Index, Log, State);
last_log(_Index, _Why, State) ->
    State.

%% What the gate has decided.
-spec judged({erlconcolic_gate:verdict(), erlconcolic_gate:gate()}, #state{}) ->
    {outcome(), #state{}}.
judged({Verdict, Gate}, State) ->
    NewState = with_entry(take_logs(State#state{gate = Gate})),
    case Verdict of
        running ->
            loop(NewState);
        idle ->
            _ = erlang:start_timer(?POLLING, self(), poll),
            loop(NewState);
        {over, done} ->
            {NewState#state.ended, NewState};
        {over, deadlock} ->
            {{deadlock, erlconcolic_gate_result:waiting(Gate)}, NewState};
        {over, steps} ->
            end_with(steps, NewState)
    end.

%% The rests of logs that the gate has kept.
-spec take_logs(#state{}) -> #state{}.
take_logs(#state{gate = Gate} = State) ->
    case erlconcolic_gate:take_logs(Gate) of
        {[], _} -> State;
        {Logs, NewGate} ->
            lists:foldl(fun({Pid, Rest}, It) -> log_rest(Pid, Rest, It) end,
                        State#state{gate = NewGate}, Logs)
    end.

%% Looks at the processes of a trial.
-spec look(#state{}) -> {outcome(), #state{}}.
look(#state{trial = Trial, alive = Alive, ended = Ended} = State) ->
    Pids = maps:keys(Alive),
    {Verdict, NewTrial} = erlconcolic_trial:look(Pids, Ended =/= no, Trial),
    NewState = State#state{trial = NewTrial},
    case Verdict of
        go_on -> loop(NewState);
        over -> {Ended, NewState};
        deadlock ->
            #state{program = Program} = State,
            {{deadlock, erlconcolic_trial:waiting(Program, Pids)}, NewState}
    end.

%% The process of the entry function may have ended without notice.
-spec with_entry(#state{}) -> #state{}.
with_entry(#state{ended = no, gate = Gate} = State) ->
    case erlconcolic_gate:entry_down(Gate) of
        {ok, Reason} -> left_over(State#state{ended = ended(Reason, State)});
        no -> State
    end;
with_entry(State) ->
    State.

%% The program may ask to print the result of a call, which can take any time
%% and memory. So a process of the run makes the call.
-spec call_for(pid(), term(), term(), [{term(), term(), term()}], #state{}) ->
    {outcome(), #state{}}.
call_for(From, ReplyAs, Request, Calls, State) ->
    #{allow := Allow, max_heap := MaxHeap} = erlconcolic_settings:own(),
    Checks = [erlconcolic_sandbox:check_call(M, F, Args, Allow)
              || {M, F, Args} <- Calls],
    case [Mfa || {blocked, Mfa} <- Checks] of
        [Mfa | _] ->
            end_with({blocked, Mfa}, State);
        [] ->
            Spoiled = State#state.spoiled orelse lists:member(spoils, Checks),
            loop(start_caller(From, ReplyAs, Request, MaxHeap,
                              State#state{spoiled = Spoiled}))
    end.

-spec start_caller(pid(), term(), term(), max_heap(), #state{}) -> #state{}.
start_caller(From, ReplyAs, Request, MaxHeap, State) ->
    #state{alive = Alive, callers = Callers} = State,
    Collector = self(),
    Call = fun() ->
                   Plain = erlconcolic_output:without_calls(Request),
                   Collector ! {io_request, From, ReplyAs, Plain}
           end,
    Caller = spawn_traced(Call, [link], MaxHeap),
    State#state{alive = Alive#{Caller => []},
                callers = Callers#{Caller => {From, ReplyAs}}}.

-spec called(pid(), term(), #state{}) -> {outcome(), #state{}}.
called(_Caller, killed, State) ->
    end_with(ended(killed, State), State);
called(Caller, Reason, #state{alive = Alive, callers = Callers} = State) ->
    {{From, ReplyAs}, Rest} = maps:take(Caller, Callers),
    _ = Reason =:= normal
        orelse (From ! {io_reply, ReplyAs, {error, put_chars}}),
    loop(State#state{alive = maps:remove(Caller, Alive), callers = Rest}).

%% How a process ended. One that outgrew its heap is killed, as by exit/2.
-spec ended(term(), #state{}) -> outcome().
ended(killed, State) ->
    case take_logged(State) of
        #state{outgrown = true} -> outgrown;
        #state{} -> {down, killed}
    end;
ended(Reason, _State) ->
    {down, Reason}.

%% The emulator delivers what it logs in order, but later than the end of the
%% process. So this makes it log one more thing, and waits for that.
-spec take_logged(#state{}) -> #state{}.
take_logged(State) ->
    Last = spawn(erlang, error, [last_of_log]),
    take_logged(Last, State).

-spec take_logged(pid(), #state{}) -> #state{}.
take_logged(Last, State) ->
    receive
        {log, _, _, [Last | _], _} -> State;
        {log, _, Format, _, _} -> take_logged(Last, logged(Format, State))
    after ?GRACE ->
        State
    end.

-spec logged(term(), #state{}) -> #state{}.
logged(Format, #state{outgrown = Outgrown} = State) ->
    State#state{outgrown = Outgrown orelse tells_of_heap(Format)}.

-spec tells_of_heap(term()) -> boolean().
tells_of_heap(Format) ->
    try string:find(Format, "maximum heap size") =/= nomatch
    catch error:_ -> false
    end.

%% Messages of different processes arrive in any order.
-spec traced(term(), #state{}) -> #state{}.
traced({trace, By, spawn, Pid, Mfa}, #state{alive = Alive} = State) ->
    strange(By, Pid, Mfa, State#state{alive = Alive#{Pid => []}});
traced({trace, Pid, exit, Reason}, #state{alive = Alive} = State) ->
    exited(Reason, State#state{alive = maps:remove(Pid, Alive)});
traced({trace, Pid, send, _, _}, #state{trial = Trial} = State)
  when Trial =/= none ->
    State#state{trial = erlconcolic_trial:sent(Pid, Trial)};
traced(_Other, State) ->
    State.

-spec exited(term(), #state{}) -> #state{}.
exited(_Reason, #state{trial = none} = State) ->
    State;
exited(Reason, #state{trial = Trial} = State) ->
    State#state{trial = erlconcolic_trial:exited(Reason, Trial)}.

%% Whether a new process is controlled, is known by what it starts with.
-spec strange(pid(), pid(), term(), #state{}) -> #state{}.
strange(_By, _Pid, Mfa, #state{gate = off, trial = none} = State) ->
    {Module, Function, Args} = Mfa,
    Name = erlconcolic_gate:started(Module, Function, Args),
    State#state{started = (State#state.started)#{Name => []}};
strange(By, Pid, _Mfa, #state{gate = off, trial = Trial} = State) ->
    State#state{trial = erlconcolic_trial:spawned(By, Pid, Trial)};
strange(By, Pid, Mfa, #state{gate = Gate} = State) ->
    case erlconcolic_lease:is_controlled(Mfa) of
        true -> State;
        false -> State#state{gate = erlconcolic_gate:stranger(By, Pid, Mfa,
                                                              Gate)}
    end.

-spec number(pid(), #state{}) -> #state{}.
number(Pid, #state{indices = Indices} = State) when is_map_key(Pid, Indices) ->
    State;
number(Pid, #state{indices = Indices, gate = Gate} = State) ->
    Last = map_size(Indices) - 1,
    Index = case is_atom(Gate) of
                true -> Last + 1;
                false -> erlconcolic_gate:new_index(Last, Gate)
            end,
    State#state{indices = Indices#{Pid => Index}}.

%% A program that has returned can no longer bring the BEAM down. The last parts
%% of its log go with the answer: two packets would cost the reader twice.
-spec log(pid(), binary(), #state{}) -> #state{}.
log(_Pid, _Bytes, #state{log_size = Size} = State) when Size > ?MAX_LOGS ->
    State;
log(Pid, Bytes, State) ->
    #state{indices = #{Pid := Index}} = NewState = number(Pid, State),
    add_log(Index, Bytes, NewState).

-spec add_log(non_neg_integer(), binary(), #state{}) -> #state{}.
add_log(_Index, _Bytes, #state{log_size = Size} = State)
  when Size > ?MAX_LOGS ->
    State;
add_log(Index, Bytes, #state{log_size = Size} = State) ->
    pass_on(Index, Bytes, Size + byte_size(Bytes), State).

-spec pass_on(non_neg_integer(), binary(), NewSize :: non_neg_integer(),
              #state{}) -> #state{}.
pass_on(_Index, _Bytes, Size, State) when Size > ?MAX_LOGS ->
    State#state{log_size = Size};
pass_on(Index, Bytes, Size, State) ->
    #state{part = Part, has_returned = HasReturned, held = Held} = State,
    case HasReturned orelse is_small(Index, Size, State) of
        true ->
            State#state{log_size = Size, held = [{log, Index, Bytes} | Held]};
        false ->
            _ = Part({log, Index, Bytes}),
            State#state{log_size = Size}
    end.

%% Many processes have small logs, and each packet takes time.
-spec is_small(non_neg_integer(), non_neg_integer(), #state{}) -> boolean().
is_small(Index, Size, #state{gate = Gate}) ->
    Gate =/= off andalso Index > 0 andalso Size < ?MAX_HELD.

-spec log_rest(pid(), binary(), #state{}) -> #state{}.
log_rest(_Pid, <<>>, State) -> State;
log_rest(Pid, Rest, State) -> log(Pid, Rest, State).

%% Processes that are still alive have the rest of their logs in their
%% dictionaries.
-spec take_rest(#state{}) -> #state{}.
take_rest(State) ->
    #state{indices = Indices} = NewState = take_starts(State),
    Processes = lists:sort([{Index, Pid} || {Pid, Index} <-
                                                maps:to_list(Indices)]),
    lists:foldl(fun({_, Pid}, Acc) -> take_rest(Pid, Acc) end, NewState,
                Processes).

-spec take_starts(#state{}) -> #state{}.
take_starts(State) ->
    receive
        {erlconcolic_start, Pid} -> take_starts(number(Pid, State))
    after 0 ->
        State
    end.

-spec take_rest(pid(), #state{}) -> #state{}.
take_rest(Pid, State) ->
    Rest = rest(Pid, ?TRIES),
    log_rest(Pid, Rest, take_messages(Pid, State)).

-spec take_messages(pid(), #state{}) -> #state{}.
take_messages(Pid, State) ->
    receive
        {erlconcolic_log, Pid, Bytes} ->
            take_messages(Pid, log(Pid, Bytes, State))
    after 0 ->
        State
    end.

%% Leaves the process suspended, unless it has ended.
-spec rest(pid(), non_neg_integer()) -> binary().
rest(_Pid, 0) ->
    <<>>;
rest(Pid, Tries) ->
    case is_process_alive(Pid) andalso suspend(Pid)
        andalso process_info(Pid, dictionary) of
        {dictionary, Dictionary} ->
            case erlconcolic_log:rest(Dictionary) of
                {ok, Rest} ->
                    Rest;
                busy ->
                    erlang:resume_process(Pid),
                    receive after 1 -> rest(Pid, Tries - 1) end
            end;
        _ ->
            <<>>
    end.

%% Does not wait long, because the process may be in native code.
-spec suspend(pid()) -> boolean().
suspend(Pid) ->
    Ref = make_ref(),
    try erlang:suspend_process(Pid, [{asynchronous, Ref}]) of
        true ->
            receive
                {Ref, State} -> State =:= suspended
            after ?PATIENCE ->
                false
            end
    catch
        error:badarg -> false
    end.

%% Processes that were started just before the end.
-spec take_spawns(#state{}) -> #state{}.
take_spawns(#state{gate = off, trial = none} = State) ->
    receive
        {trace, _, spawn, _, _} = Spawn -> take_spawns(traced(Spawn, State))
    after 0 ->
        State
    end;
take_spawns(State) ->
    State.

%% The processes that are left. They are traced from now on, if they were not.
-spec alive(#state{}) -> erlconcolic_reaper:pids().
alive(#state{alive = Alive, gate = Gate}) when is_atom(Gate) ->
    Alive;
alive(#state{alive = Alive, gate = Gate}) ->
    All = maps:merge(Alive, maps:from_keys(erlconcolic_gate:left(Gate), [])),
    lists:foreach(fun trace_again/1, maps:keys(All)),
    All.

%% It may have ended.
-spec trace_again(pid()) -> integer().
trace_again(Pid) ->
    try erlang:trace(Pid, true, [procs])
    catch error:badarg -> 0
    end.

-spec kill_all(#state{}) -> #state{}.
kill_all(#state{spoiled = Spoiled} = State) ->
    Dead = erlconcolic_reaper:kill_all(alive(State)),
    State#state{spoiled = Spoiled orelse not Dead}.
