%%% The law of plays: a machine that is played and the same machine as a process
%%% of OTP have the same calls of callbacks with the same arguments, the same
%%% states after each event, the same replies, and the same end.
%%%
%%% Timers of the process are real, and a busy computer is late. So a case that
%%% seems to break the law is tried again, with longer times, and once more when
%%% all others are done.
-module(erlconcolic_machine_law).

-export([check/1, check/2, check_many/2, quietly/1, both/2, smaller/1]).

%% Milliseconds that are one unit of time, for each try.
-define(TRIES, [15, 40, 100, 300, 1000]).

%% More than any timer takes, in units.
-define(WAIT, 12).

-define(IN_PARALLEL, 60).

%% What happened: calls, states, replies, end.
-type history() :: {[tuple()], [{integer(), term()}], [{integer(), term()}],
                    term()}.

%% Checks random machines with these seeds. Returns those that break the law.
-spec check_many(First :: integer(), Last :: integer()) ->
          #{kept := non_neg_integer(), skipped := non_neg_integer(),
            broken := [Seed :: integer()]}.
check_many(First, Last) ->
    trace_marks(),
    Results = quietly(fun() ->
                              again(in_parallel(lists:seq(First, Last)))
                      end),
    #{kept => length([ok || {_, ok} <- Results]),
      skipped => length([ok || {_, skipped} <- Results]),
      broken => lists:sort([Seed || {Seed, broken} <- Results])}.

again(Results) ->
    case [Seed || {Seed, broken} <- Results] of
        [] ->
            Results;
        Broken ->
            Others = [Result || {_, Verdict} = Result <- Results,
                                Verdict =/= broken],
            in_parallel(Broken) ++ Others
    end.

%% Calls a fun while nothing is written to the log.
-spec quietly(fun(() -> Result)) -> Result.
quietly(Fun) ->
    Level = maps:get(level, logger:get_primary_config()),
    ok = logger:set_primary_config(level, none),
    try
        Fun()
    after
        logger:set_primary_config(level, Level)
    end.

in_parallel(Seeds) ->
    {Now, Later} = lists:split(min(?IN_PARALLEL, length(Seeds)), Seeds),
    lists:foreach(fun start/1, Now),
    collected(length(Seeds), Later).

start(Seed) ->
    Parent = self(),
    spawn_link(fun() ->
                       Machine = erlconcolic_random_machine:random(Seed),
                       Parent ! {checked, Seed, verdict(check(Machine))}
               end).

collected(0, []) ->
    [];
collected(Left, Seeds) ->
    receive
        {checked, Seed, Verdict} ->
            Rest = case Seeds of
                       [] -> [];
                       [Next | More] -> start(Next), More
                   end,
            [{Seed, Verdict} | collected(Left - 1, Rest)]
    end.

verdict({broken, _}) -> broken;
verdict(Verdict) -> Verdict.

-spec check(erlconcolic_random_machine:machine()) ->
          ok | skipped | {broken, {Played :: history(), Real :: history()}}.
check(Machine) ->
    check(Machine, ?TRIES).

-spec check(erlconcolic_random_machine:machine(), Tries :: [pos_integer()]) ->
          ok | skipped | {broken, {Played :: history(), Real :: history()}}.
check(Machine, [Unit | Tries]) ->
    case both(Machine, Unit) of
        {Same, Same} ->
            ok;
        {_, Real} = Both ->
            case is_odd(Real) of
                true -> skipped;
                false when Tries =:= [] -> {broken, Both};
                false -> check(Machine, Tries)
            end
    end.

%% Before OTP 29 a timer that replaces one of 0 ms becomes an info.
is_odd({Calls, _, _, _}) ->
    erlang:system_info(otp_release) < "29" andalso
        lists:any(fun({_, _, [info, {timeout, {reference, _}, Type} | _]}) ->
                          is_timeout_type(Type);
                     (_) ->
                          false
                  end, Calls).

is_timeout_type(timeout) -> true;
is_timeout_type(state_timeout) -> true;
is_timeout_type({timeout, _}) -> true;
is_timeout_type(_) -> false.

%% What happens in a play, and on the real thing.
-spec both(erlconcolic_random_machine:machine(), Unit :: pos_integer()) ->
          {Played :: history(), Real :: history()}.
both(Machine, Unit) ->
    {Player, Tag} = spawn_play(Machine, Unit),
    {Real, Other} = spawn_real(Machine, Unit),
    RealHistory = real_history(result_of(Real), calls(Other)),
    {played_history(Player, Tag, RealHistory), RealHistory}.

argument(#{steps := Steps, modes := Modes}, Unit, Collector, Tag) ->
    #{steps => Steps, modes => Modes, unit => Unit, teller => {Collector, Tag}}.

%% Marks are known by tracing.
spawn_play(#{behaviour := Behaviour} = Machine, Unit) ->
    #{module := Module, events := Events} = Machine,
    Tag = make_ref(),
    Argument = argument(Machine, Unit, self(), Tag),
    Options = #{wait => ?WAIT * Unit, mailbox => has_mailbox(Machine)},
    Play = case Behaviour of
               gen_server -> erlconcolic_play_server;
               gen_statem -> erlconcolic_play_statem
           end,
    {Player, Monitor} =
        spawn_monitor(fun() ->
                              receive Tag -> ok end,
                              exit({result,
                                    outcome(Play, [Module, Argument, Events,
                                                   Options])})
                      end),
    trace_marks(),
    1 = erlang:trace(Player, true, [call]),
    Player ! Tag,
    {{Player, Monitor}, Tag}.

%% Not again while others trace: they would lose marks.
trace_marks() ->
    {module, _} = code:ensure_loaded(erlconcolic_machine_mark),
    case erlang:trace_info({erlconcolic_machine_mark, state, 4}, traced) of
        {traced, global} ->
            ok;
        {traced, false} ->
            Marks = {erlconcolic_machine_mark, '_', '_'},
            _ = erlang:trace_pattern(Marks, true, [global]),
            ok
    end.

%% Whether the machine sends messages.
has_mailbox(#{steps := Steps}) ->
    [] =/= [Effect || {_, List} <- maps:to_list(Steps),
                      {Effects, _} <- List,
                      Effect <- Effects].

outcome(Module, Args) ->
    try
        {returned, apply(Module, play, Args)}
    catch
        Class:Reason:Stack -> {raised, Class, Reason, Stack}
    end.

spawn_real(#{behaviour := Behaviour, module := Module} = Machine, Unit) ->
    Tag = make_ref(),
    Argument = argument(Machine, Unit, self(), Tag),
    #{events := Events} = Machine,
    Real = spawn_monitor(fun() ->
                                 exit({result,
                                       erlconcolic_real_machine:play(
                                         Behaviour, Module, Argument, Events,
                                         ?WAIT * Unit)})
                         end),
    {Real, Tag}.

result_of({Pid, Monitor}) ->
    receive
        {'DOWN', Monitor, process, Pid, {result, Result}} -> Result
    end.

calls(Tag) ->
    receive
        {called, Tag, Call} -> [Call | calls(Tag)]
    after 0 ->
        []
    end.

played_history({Pid, _} = Player, Tag, {_, _, _, RealEnd}) ->
    Outcome = result_of(Player),
    Delivered = erlang:trace_delivered(Pid),
    receive {trace_delivered, Pid, Delivered} -> ok end,
    Marks = marks(Pid),
    Replies = lists:sort([{Index, Reply}
                          || {replied, [Index, Reply]} <- Marks]),
    case Outcome of
        {returned, {_, Returned}} -> Replies = lists:sort(Returned);
        {raised, _, _, _} -> ok
    end,
    plain({calls(Tag), settled(Marks), Replies, played_end(Outcome, RealEnd)}).

marks(Pid) ->
    receive
        {trace, Pid, call, {_, Function, Args}} ->
            [{Function, Args} | marks(Pid)]
    after 0 ->
        []
    end.

%% The last state of each index, unless the machine ended there.
settled(Marks) ->
    Ends = [Index || {ended, [Index, _, _]} <- Marks],
    Last = maps:from_list([{Index, State}
                           || {state, [Index, _, _, State]} <- Marks]),
    lists:sort(maps:to_list(maps:without(Ends, Last))).

real_history(Result, Calls) ->
    #{states := States, replies := Replies, ending := End} = Result,
    plain({Calls, States, lists:sort(Replies), End}).

%% As the real thing would tell it.
played_end({returned, {{stopped, Reason}, _}}, _) ->
    {ended, Reason};
played_end({returned, {Ending, _}}, _) ->
    Ending;
played_end({raised, error, Reason, _}, {not_started, Reason}) ->
    {not_started, Reason};
played_end({raised, error, Reason, Stack}, {not_started, _}) ->
    {not_started, {Reason, Stack}};
played_end({raised, exit, Reason, _}, {not_started, _}) ->
    {not_started, Reason};
played_end({raised, error, Reason, Stack}, _) ->
    {ended, {Reason, Stack}};
played_end({raised, exit, Reason, _}, _) ->
    {ended, Reason}.

%% Without pids; references are numbered, and of stacks only the scripted
%% modules are left.
plain(History) ->
    put(references, #{}),
    Plain = plain_term(History),
    erase(references),
    Plain.

plain_term(Reference) when is_reference(Reference) ->
    {reference, number(Reference)};
plain_term(Pid) when is_pid(Pid) ->
    pid;
plain_term({Pid, [alias | Reference]}) when is_pid(Pid) ->
    {client, number(Reference)};
plain_term({Pid, {Reference, Index}}) when is_pid(Pid) ->
    {client, number({Reference, Index})};
plain_term([{Module, Function, _, Place} | _] = Stack)
  when is_atom(Module), is_atom(Function), is_list(Place) ->
    [frame(Frame) || Frame <- Stack, is_scripted(Frame)];
plain_term([First | Rest]) ->
    Plain = plain_term(First),
    [Plain | plain_term(Rest)];
plain_term(Tuple) when is_tuple(Tuple) ->
    list_to_tuple(plain_term(tuple_to_list(Tuple)));
plain_term(Time) when is_integer(Time), abs(Time) > 1000000 ->
    absolute_time;
plain_term(Term) ->
    Term.

number(Key) ->
    Known = get(references),
    case Known of
        #{Key := Number} ->
            Number;
        #{} ->
            put(references, Known#{Key => map_size(Known)}),
            map_size(Known)
    end.

frame({Module, Function, Args, _}) when is_list(Args) ->
    {Module, Function, length(Args)};
frame({Module, Function, Arity, _}) ->
    {Module, Function, Arity}.

is_scripted({Module, _, _, _}) ->
    lists:prefix("erlconcolic_script", atom_to_list(Module)) orelse
        Module =:= no_such_module.

%% A smaller machine that breaks the law too.
-spec smaller(erlconcolic_random_machine:machine()) ->
          erlconcolic_random_machine:machine().
smaller(Machine) ->
    IsBroken = fun(Other) -> is_tuple(check(Other, [15, 40])) end,
    case lists:search(IsBroken, parts(Machine)) of
        {value, Part} -> smaller(Part);
        false -> Machine
    end.

parts(#{events := Events, steps := Steps} = Machine) ->
    [Machine#{events := Fewer} || Fewer <- without_one(Events)]
        ++ [Machine#{steps := Steps#{Kind := Fewer}}
            || {Kind, List} <- maps:to_list(Steps), Fewer <- fewer(List)].

%% Lists of steps with one less, or with one that is simpler.
fewer(List) ->
    without_one(List)
        ++ [Before ++ [Simpler | After]
            || N <- lists:seq(1, length(List)),
               {Before, [Step | After]} <- [lists:split(N - 1, List)],
               Simpler <- simpler(Step)].

simpler({Effects, {How, Term}}) ->
    [{Fewer, {How, Term}} || Fewer <- without_one(Effects)]
        ++ [{Effects, {return, Term}} || How =:= throw]
        ++ [{Effects, {How, Simpler}} || Simpler <- simpler_term(Term)].

simpler_term(Term) when is_tuple(Term), tuple_size(Term) > 0 ->
    case element(tuple_size(Term), Term) of
        Actions when is_list(Actions) ->
            [setelement(tuple_size(Term), Term, Fewer)
             || Fewer <- without_one(Actions)];
        _ ->
            []
    end;
simpler_term(_) ->
    [].

without_one(List) ->
    [lists:sublist(List, N - 1) ++ lists:nthtail(N, List)
     || N <- lists:seq(1, length(List))].
