%%% Watches one run. The collector is the group leader of the processes of the
%%% run, so they know it, and their tracer, so it knows them. It takes
%%%
%%% {erlconcolic_start, Pid}           a process has begun a log
%%% {erlconcolic_log, Pid, Bytes}      the next part of a log
%%% {erlconcolic_sync, Pid, Ref}       is answered when it has those before
%%% {erlconcolic_blocked, Pid, Mfa}    a call was refused
%%% {erlconcolic_returned, Pid}        the program has come to its end
%%% {erlconcolic_outcome, Pid, Term}   the result of the run
%%%
%%% requests of the IO protocol, and trace messages. When the run has ended, it
%%% takes what is left of all logs and kills all processes of the run.
-module(erlconcolic_collector).

-export([collect/3, settings/1]).

-export_type([settings/0, part/0, outcome/0, result/0]).

-type settings() ::
    #{allow := erlconcolic_sandbox:allow(),
      record := boolean(),
      timeout := Milliseconds :: non_neg_integer(),
      max_heap := max_heap()}.
-type max_heap() ::
    #{size := non_neg_integer(), kill := boolean(), error_logger := boolean()}.
-type part() :: {log, ProcessIndex :: non_neg_integer(), binary()}.
-type outcome() ::
    {outcome, term()} | timeout | {down, term()} | {blocked, mfa()}.
-type result() ::
    #{outcome := outcome(), output := binary(), processes := pos_integer(),
      logs := [part()]}.

-record(state,
        {program :: pid(),
         monitor :: reference(),
         part :: fun((part()) -> term()),
         indices :: #{pid() => non_neg_integer()},
         alive :: #{pid() => []},
         has_returned = false :: boolean(),
         held = [] :: [part()],
         output = erlconcolic_output:new() :: erlconcolic_output:output(),
         deadline :: reference()}).

-define(SETTINGS, '$erlconcolic_settings').

%% How long the program's result may take to become a message, and a process
%% to answer or to die, in milliseconds.
-define(GRACE, 10000).
-define(PATIENCE, 500).

%% How often it looks for a moment in which a log is whole, and for processes
%% that were started while it killed others.
-define(TRIES, 10).

%% Runs Body in a process of its own, index 0, and gives what it sent as
%% outcome, or why it did not.
-spec collect(settings(), fun(() -> term()), fun((part()) -> term())) ->
    result().
collect(Settings, Body, Part) ->
    Caller = self(),
    Serve = fun() -> Caller ! {self(), serve(Settings, Body, Part)} end,
    {Pid, Monitor} = spawn_monitor(Serve),
    receive
        {Pid, Result} ->
            true = demonitor(Monitor, [flush]),
            Result;
        {'DOWN', Monitor, process, Pid, Reason} ->
            kill_led_by(Pid),
            crashed(Reason)
    end.

%% Only by its own program a collector is killed.
-spec crashed(term()) -> result().
crashed(killed) ->
    #{outcome => {down, killed}, output => <<>>, processes => 1, logs => []};
crashed(Reason) ->
    error({collector_crashed, Reason}).

%% The settings of a collector, if this is one.
-spec settings(pid()) -> {ok, settings()} | error.
settings(Pid) when node(Pid) =:= node() ->
    case process_info(Pid, dictionary) of
        {dictionary, Dictionary} ->
            case lists:keyfind(?SETTINGS, 1, Dictionary) of
                {_, Settings} -> {ok, Settings};
                false -> error
            end;
        undefined ->
            error
    end;
settings(_Pid) ->
    error.

-spec serve(settings(), fun(() -> term()), fun((part()) -> term())) ->
    result().
serve(#{timeout := Timeout, max_heap := MaxHeap} = Settings, Body, Part) ->
    process_flag(trap_exit, true),
    process_flag(priority, high),
    put(?SETTINGS, Settings),
    {Program, Monitor} = spawn_program(Body, MaxHeap),
    Deadline = erlang:start_timer(Timeout, self(), timeout),
    {Outcome, State} = loop(#state{program = Program, monitor = Monitor,
                                   part = Part, deadline = Deadline,
                                   indices = #{Program => 0},
                                   alive = #{Program => []}}),
    NewState = take_rest(State),
    kill_all(NewState),
    #{outcome => Outcome,
      output => erlconcolic_output:text(NewState#state.output),
      processes => map_size(NewState#state.indices),
      logs => lists:reverse(NewState#state.held)}.

-spec spawn_program(fun(() -> term()), max_heap()) -> {pid(), reference()}.
spawn_program(Body, MaxHeap) ->
    Collector = self(),
    Start = make_ref(),
    {Program, Monitor} =
        spawn_opt(fun() ->
                          group_leader(Collector, self()),
                          receive Start -> Body() end
                  end, [monitor, {max_heap_size, MaxHeap}]),
    1 = erlang:trace(Program, true, [procs, set_on_spawn]),
    Program ! Start,
    {Program, Monitor}.

-spec loop(#state{}) -> {outcome(), #state{}}.
loop(#state{program = Program, monitor = Monitor, deadline = Deadline,
            output = Output} = State) ->
    receive
        {erlconcolic_log, Pid, Bytes} ->
            loop(log(Pid, Bytes, State));
        {erlconcolic_start, Pid} ->
            loop(number(Pid, State));
        {erlconcolic_sync, Pid, Ref} ->
            Pid ! {erlconcolic_synced, Ref},
            loop(State);
        {io_request, From, ReplyAs, Request} when is_pid(From) ->
            {Reply, NewOutput} = erlconcolic_output:request(Request, Output),
            From ! {io_reply, ReplyAs, Reply},
            loop(State#state{output = NewOutput});
        {erlconcolic_returned, Program} ->
            _ = erlang:cancel_timer(Deadline),
            NewDeadline = erlang:start_timer(?GRACE, self(), timeout),
            loop(State#state{deadline = NewDeadline, has_returned = true});
        {erlconcolic_outcome, Program, Outcome} ->
            {{outcome, Outcome}, State};
        {erlconcolic_blocked, _, Mfa} ->
            {{blocked, Mfa}, State};
        {'DOWN', Monitor, process, Program, Reason} ->
            {{down, Reason}, State};
        {timeout, Deadline, timeout} ->
            {timeout, State};
        Message ->
            loop(traced(Message, State))
    end.

%% Messages of two processes come in any order.
-spec traced(term(), #state{}) -> #state{}.
traced({trace, _, spawn, Pid, _}, #state{alive = Alive} = State) ->
    State#state{alive = Alive#{Pid => []}};
traced({trace, Pid, exit, _}, #state{alive = Alive} = State) ->
    State#state{alive = maps:remove(Pid, Alive)};
traced(_Other, State) ->
    State.

-spec number(pid(), #state{}) -> #state{}.
number(Pid, #state{indices = Indices} = State) when is_map_key(Pid, Indices) ->
    State;
number(Pid, #state{indices = Indices} = State) ->
    State#state{indices = Indices#{Pid => map_size(Indices)}}.

%% A program that has returned does not bring the BEAM down any more. What it
%% logged last goes with the answer: two packets would cost the reader twice.
-spec log(pid(), binary(), #state{}) -> #state{}.
log(Pid, Bytes, State) ->
    #state{indices = #{Pid := Index}, part = Part, has_returned = HasReturned,
           held = Held} = NewState = number(Pid, State),
    case HasReturned of
        true ->
            NewState#state{held = [{log, Index, Bytes} | Held]};
        false ->
            _ = Part({log, Index, Bytes}),
            NewState
    end.

%% The ends of the logs of processes that are still there are in their
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
    NewState = take_messages(Pid, State),
    case Rest of
        <<>> -> NewState;
        _ -> log(Pid, Rest, NewState)
    end.

-spec take_messages(pid(), #state{}) -> #state{}.
take_messages(Pid, State) ->
    receive
        {erlconcolic_log, Pid, Bytes} ->
            take_messages(Pid, log(Pid, Bytes, State))
    after 0 ->
        State
    end.

%% The process is left suspended, unless it has ended.
-spec rest(pid(), non_neg_integer()) -> binary().
rest(_Pid, 0) ->
    <<>>;
rest(Pid, Tries) ->
    case suspend(Pid) andalso process_info(Pid, dictionary) of
        {dictionary, Dictionary} ->
            case erlconcolic_out:rest(Dictionary) of
                {ok, Rest} ->
                    Rest;
                busy ->
                    erlang:resume_process(Pid),
                    receive after 1 -> rest(Pid, Tries - 1) end
            end;
        _ ->
            <<>>
    end.

%% Does not wait long: the process may be in native code.
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

-spec kill_all(#state{}) -> ok.
kill_all(State) ->
    case kill_rounds(State, ?TRIES) of
        none ->
            ok;
        {some, NewState} ->
            _ = erlang:system_flag(multi_scheduling, block_normal),
            _ = kill_rounds(NewState, ?TRIES),
            _ = erlang:system_flag(multi_scheduling, unblock_normal),
            ok
    end.

%% A process that starts the next one and ends can be ahead for ever, as long
%% as it runs at the same time as the collector. Alone, the collector is first.
-spec kill_rounds(#state{}, non_neg_integer()) -> none | {some, #state{}}.
kill_rounds(State, Rounds) ->
    case take_traces(State) of
        #state{alive = Alive} when map_size(Alive) =:= 0 ->
            none;
        NewState when Rounds =:= 0 ->
            {some, NewState};
        #state{alive = Alive} = NewState ->
            Killed = [{Pid, kill(Pid)} || Pid <- maps:keys(Alive)],
            lists:foreach(fun wait_until_dead/1, Killed),
            kill_rounds(NewState#state{alive = #{}}, Rounds - 1)
    end.

-spec take_traces(#state{}) -> #state{}.
take_traces(State) ->
    receive
        {trace, _, spawn, _, _} = Message -> take_traces(traced(Message, State))
    after 0 ->
        State
    end.

-spec kill(pid()) -> reference().
kill(Pid) ->
    Monitor = monitor(process, Pid),
    true = exit(Pid, kill),
    Monitor.

%% After the last trace message of a process all that it spawned is known, and
%% after the monitor's message its names and tables are gone.
-spec wait_until_dead({pid(), reference()}) -> ok.
wait_until_dead({Pid, Monitor}) ->
    receive
        {'DOWN', Monitor, process, _, noproc} -> ok;
        {'DOWN', Monitor, process, _, _} -> wait_for_last_trace(Pid)
    after ?PATIENCE ->
        ok
    end.

-spec wait_for_last_trace(pid()) -> ok.
wait_for_last_trace(Pid) ->
    receive
        {trace, Pid, exit, _} -> ok
    after ?PATIENCE ->
        ok
    end.

%% Without a collector there is no trace.
-spec kill_led_by(pid()) -> ok.
kill_led_by(Leader) ->
    Led = [Pid || Pid <- processes(),
                  process_info(Pid, group_leader) =:= {group_leader, Leader}],
    lists:foreach(fun wait_until_dead/1, [{Pid, kill(Pid)} || Pid <- Led]),
    case Led of
        [] -> ok;
        _ -> kill_led_by(Leader)
    end.
