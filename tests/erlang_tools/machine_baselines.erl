%% What other ways to test a machine reach in a given time: random events with
%% random data, and walks along the known transitions with random data. These
%% are the two baselines of Ahmadi and Dingel's paper. Sequences of another tool
%% are counted in the same way.
%%
%% Sequences are played by the callbacks alone, without a mailbox, so no timer
%% takes time: baselines run as many sequences as they can. Data are uniform in
%% the ranges of the model, as in the paper. (PropEr would take most of the time
%% for making data.)
%%
%% A model is a file of terms:
%%
%%     {argument, Data}.                              of init/1
%%     {first, State}.
%%     {state_of, Function}.                          for a gen_server
%%     {invariant, Function}.                         if there is one
%%     {events, #{Name => {call | cast | info, Data}, Name => timeout}}.
%%     {transitions, [{State, Name, State}]}.
%%
%% Data are terms in which {range, Low, High} stands for an integer and
%% {any, [Data]} for one of several.
-module(machine_baselines).

-export([main/1, calls/0, state/4, replied/2, waited/2, fired/2, waits/2,
         ended/3]).

-type name() :: atom().
-type data() :: term().
-type event() :: {call | cast | info, term()} | timeout.
-type model() :: #{module := module(), argument := data(), first := term(),
                   events := #{name() => {call | cast | info, data()}
                                       | timeout},
                   transitions := #{term() => [{term(), name(), term()}]},
                   invariant => atom(), state_of => atom()}.

%% The argument of init/1, and events.
-type sequence() :: {term(), [event()]}.

-define(SEEN, machine_baselines_seen).
%% How long one sequence may take after the time for all is over.
-define(PATIENCE, 2000).

%% The arguments are a source, its model, what to play, the most events of a
%% sequence, milliseconds, and a seed. To play are `random' events, `walks', or
%% `given' sequences of a file, which is named in place of the seed. Prints a
%% JSON object.
-spec main([string()]) -> no_return().
main([Source, File, Technique, Length, Milliseconds, Last]) ->
    ok = logger:set_primary_config(level, none),
    _ = ets:new(?SEEN, [named_table, public]),
    true = ets:insert(?SEEN, {sequences, 0}),
    Model = (model(File))#{module => clause_counts:load(Source)},
    ok = note_marks(),
    Work = work(Technique, list_to_integer(Length), Last, Model),
    Deadline = now_ms() + list_to_integer(Milliseconds),
    ok = in_time(fun() -> Work(Deadline) end, Deadline),
    io:put_chars(report(Technique)),
    halt(0).

-spec model(file:name()) -> map().
model(File) ->
    {ok, Terms} = file:consult(File),
    #{transitions := Transitions} = Model = maps:from_list(Terms),
    Add = fun({From, _, _} = It, Outgoing) ->
                  maps:update_with(From, fun(Its) -> [It | Its] end, [It],
                                   Outgoing)
          end,
    Model#{transitions := lists:foldl(Add, #{}, Transitions)}.

-spec work(Technique :: string(), Length :: pos_integer(), Last :: string(),
           model()) -> fun((Deadline :: integer()) -> ok).
work("random", Length, Seed, Model) ->
    fun(Deadline) ->
            _ = rand:seed(exsss, list_to_integer(Seed)),
            random(Length, Model, Deadline)
    end;
work("walks", Length, Seed, Model) ->
    fun(Deadline) ->
            _ = rand:seed(exsss, list_to_integer(Seed)),
            walks(Length, #{}, Model, Deadline)
    end;
work("given", _Length, File, Model) ->
    {ok, Sequences} = file:consult(File),
    fun(_) -> lists:foreach(fun(It) -> play(It, Model) end, Sequences) end.

%% A sequence that never ends is a bug, and the last sequence.
-spec in_time(fun(() -> ok), Deadline :: integer()) -> ok.
in_time(Work, Deadline) ->
    {Pid, Monitor} = spawn_monitor(fun() -> exit({done, Work()}) end),
    receive
        {'DOWN', Monitor, process, Pid, {done, ok}} -> ok
    after max(0, Deadline - now_ms()) + ?PATIENCE ->
            true = exit(Pid, kill),
            note({bug, timeout})
    end.

-spec now_ms() -> integer().
now_ms() ->
    erlang:monotonic_time(millisecond).

%% Any event in any state.
-spec random(pos_integer(), model(), Deadline :: integer()) -> ok.
random(Length, #{argument := Argument, events := Events} = Model, Deadline) ->
    case now_ms() >= Deadline of
        true ->
            ok;
        false ->
            Kinds = maps:values(Events),
            Chosen = [event(one_of(Kinds)) || _ <- lists:seq(1, Length)],
            play({data(Argument), Chosen}, Model),
            random(Length, Model, Deadline)
    end.

%% Transitions in a row, as the model has them; those that were chosen least
%% come first. Whether the data satisfy the guards is left to chance.
-spec walks(pos_integer(), Chosen :: #{tuple() => pos_integer()}, model(),
            Deadline :: integer()) -> ok.
walks(Length, Before, #{argument := Argument, first := First} = Model,
      Deadline) ->
    case now_ms() >= Deadline of
        true ->
            ok;
        false ->
            {Events, Chosen} = walk(Length, First, Before, Model),
            play({data(Argument), Events}, Model),
            walks(Length, Chosen, Model, Deadline)
    end.

-spec walk(Length :: non_neg_integer(), State :: term(),
           #{tuple() => pos_integer()}, model()) ->
          {[event()], #{tuple() => pos_integer()}}.
walk(0, _State, Chosen, _Model) ->
    {[], Chosen};
walk(Left, State, Chosen, Model) ->
    #{transitions := Transitions, events := Events} = Model,
    Outgoing = [{maps:get(It, Chosen, 0), rand:uniform(), It}
                || It <- maps:get(State, Transitions, [])],
    case Outgoing of
        [] ->
            {[], Chosen};
        _ ->
            {Times, _, {_, Name, To} = Transition} = lists:min(Outgoing),
            {Rest, All} =
                walk(Left - 1, To, Chosen#{Transition => Times + 1}, Model),
            {[event(map_get(Name, Events)) | Rest], All}
    end.

-spec event({call | cast | info, data()} | timeout) -> event().
event(timeout) -> timeout;
event({Kind, Data}) -> {Kind, data(Data)}.

-spec data(data()) -> term().
data({range, Low, High}) ->
    Low + rand:uniform(High - Low + 1) - 1;
data({any, Choices}) ->
    data(one_of(Choices));
data(Tuple) when is_tuple(Tuple) ->
    list_to_tuple(data(tuple_to_list(Tuple)));
data([Head | Tail]) ->
    [data(Head) | data(Tail)];
data(Other) ->
    Other.

-spec one_of([Item, ...]) -> Item.
one_of(Items) ->
    lists:nth(rand:uniform(length(Items)), Items).

-spec play(sequence(), model()) -> ok.
play({Argument, Events}, #{module := Module} = Model) ->
    _ = ets:update_counter(?SEEN, sequences, 1),
    _ = erase(?SEEN),
    Player = case is_map_key(state_of, Model) of
                 true -> erlconcolic_play_server;
                 false -> erlconcolic_play_statem
             end,
    Named = maps:with([state_of, invariant], Model),
    Options = maps:map(fun(_, Name) -> {Module, Name} end, Named),
    try Player:play(Module, Argument, Events,
                    Options#{mailbox => false, clock => 0}) of
        _ -> ok
    catch
        Class:Reason:Stack -> note({bug, bug(Class, Reason, Stack, Module)})
    end.

%% Two bugs differ by class, reason up to its first word, or place: that in the
%% module, if it is there. A return value that OTP does not know is told by its
%% first word.
-spec bug(atom(), term(), [tuple()], module()) -> tuple().
bug(Class, Reason, Stack, Module) ->
    Lines = [Line || {M, _, _, Location} <- Stack, M =:= Module,
                     {line, Line} <- Location],
    Place = case Lines of
                [Line | _] -> Line;
                [] -> none
            end,
    {Class, first_word(Reason), Place}.

-spec first_word(term()) -> term().
first_word({bad_return_value = Word, Value}) ->
    {Word, first_word(Value)};
first_word({bad_return_from_state_function = Word, Value}) ->
    {Word, first_word(Value)};
first_word(Reason) when is_tuple(Reason), tuple_size(Reason) > 0 ->
    element(1, Reason);
first_word(Reason) ->
    Reason.

-spec note(tuple()) -> ok.
note(Seen) ->
    true = ets:insert(?SEEN, {Seen}),
    ok.

%% The marks of a play do nothing. Here they are replaced by those below.
-spec note_marks() -> ok.
note_marks() ->
    Name = erlconcolic_machine_mark,
    Arities = [{calls, 0}, {state, 4}, {replied, 2}, {waited, 2}, {fired, 2},
               {waits, 2}, {ended, 3}],
    Forms = [{attribute, 1, module, Name}, {attribute, 1, export, Arities}
             | [forwarding(Function) || Function <- Arities]],
    {ok, Name, Code} = compile:forms(Forms, []),
    {module, Name} = code:load_binary(Name, "", Code),
    ok.

-spec forwarding({atom(), arity()}) -> erl_parse:abstract_form().
forwarding({Name, Arity}) ->
    Names = lists:sublist(['A', 'B', 'C', 'D'], Arity),
    Variables = [{var, 1, Variable} || Variable <- Names],
    Remote = {remote, 1, {atom, 1, ?MODULE}, {atom, 1, Name}},
    {function, 1, Name, Arity,
     [{clause, 1, Variables, [], [{call, 1, Remote, Variables}]}]}.

-spec calls() -> ok.
calls() ->
    ok.

-spec state(Index :: non_neg_integer(), erlconcolic_machine_mark:handled(),
            Label :: term(), State :: term()) -> ok.
state(_Index, Handled, Label, _State) ->
    To = shape(Label),
    case put(?SEEN, {state, To}) of
        undefined -> ok;
        {state, From} -> note({transition, From, kind(Handled), To})
    end,
    note({state, To}).

-spec replied(pos_integer(), term()) -> ok.
replied(_Index, _Reply) ->
    ok.

-spec waited(pos_integer(), non_neg_integer()) -> ok.
waited(_Index, _Time) ->
    ok.

-spec fired(pos_integer(), term()) -> ok.
fired(_Index, _Name) ->
    ok.

-spec waits(non_neg_integer(), non_neg_integer()) -> ok.
waits(_Index, _Left) ->
    ok.

-spec ended(non_neg_integer(), term(), term()) -> ok.
ended(_Index, _Handled, _Reason) ->
    ok.

%% A state without its numbers.
-spec shape(term()) -> term().
shape(Tuple) when is_tuple(Tuple) ->
    list_to_tuple([shape(It) || It <- tuple_to_list(Tuple)]);
shape(Number) when is_number(Number) -> '_';
shape(Other) -> Other.

%% An event without its data.
-spec kind(erlconcolic_machine_mark:handled()) -> term().
kind({timeout, Type, _}) -> {timeout, Type};
kind({Kind, Content}) when is_tuple(Content), tuple_size(Content) > 0,
                           is_atom(element(1, Content)) ->
    {Kind, element(1, Content)};
kind({Kind, Content}) when is_atom(Content) -> {Kind, Content};
kind({Kind, _}) -> Kind;
kind(init) -> init.

-spec report(Technique :: string()) -> iolist().
report(Technique) ->
    Seen = [It || {It} <- lists:sort(ets:tab2list(?SEEN))],
    [{sequences, Count}] = ets:lookup(?SEEN, sequences),
    Branches = lists:join(",", [integer_to_list(It)
                                || It <- clause_counts:reached()]),
    ["{\"technique\":", text(Technique),
     ",\"sequences\":", integer_to_list(Count),
     ",\"states\":", texts([It || {state, It} <- Seen]),
     ",\"transitions\":", texts([{From, Kind, To}
                                 || {transition, From, Kind, To} <- Seen]),
     ",\"branches\":[", Branches, "]",
     ",\"all_branches\":", integer_to_list(clause_counts:all()),
     ",\"bugs\":", texts([It || {bug, It} <- Seen]), "}\n"].

-spec texts([term()]) -> iolist().
texts(Terms) ->
    Texts = [text(io_lib:format("~0p", [Term])) || Term <- Terms],
    ["[", lists:join(",", Texts), "]"].

-spec text(io_lib:chars()) -> iolist().
text(Characters) ->
    Escaped = string:replace(Characters, "\\", "\\\\", all),
    ["\"", string:replace(Escaped, "\"", "\\\"", all), "\""].
