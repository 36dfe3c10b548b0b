%% Plays sequences of events on a gen_server or gen_statem, once by its
%% callbacks alone and once on a real process, and tells how each ends.
-module(machine_play).

-export([main/1]).

%% How long a real process may take for an event.
-define(PATIENCE, 3000).

%% An invariant is a function of the module, or `none'.
-type sequence() :: {module(), Argument :: term(),
                     [erlconcolic_play:event()], Invariant :: atom()}.

%% The place is in the module, if it is there; that of an exit of a real process
%% is not known.
-type ending() :: running
                | {error | exit, Reason :: term(), Place :: mfa() | unknown}
                | {invariant, Function :: atom()}
                | {odd, term()}.

%% The argument is a file of sequences. Prints four lines for each: the endings
%% of the play and of the process, both without the last event and with it.
-spec main([string()]) -> no_return().
main([File]) ->
    ok = logger:set_primary_config(level, none),
    {ok, Sequences} = file:consult(File),
    lists:foreach(fun tell/1, Sequences),
    halt(0).

-spec tell(sequence()) -> ok.
tell({Module, Argument, Events, Invariant}) ->
    Shorter = {Module, Argument, lists:droplast(Events), Invariant},
    Whole = {Module, Argument, Events, Invariant},
    lists:foreach(fun(Ending) -> io:format("~0p~n", [Ending]) end,
                  [played(Shorter), real(Shorter), played(Whole),
                   real(Whole)]).

-spec behaviour(module()) -> gen_server | gen_statem.
behaviour(Module) ->
    Attributes = Module:module_info(attributes),
    [Behaviour] = [It || {behaviour, [It]} <- Attributes],
    Behaviour.

-spec played(sequence()) -> ending().
played({Module, Argument, Events, Invariant}) ->
    Player = case behaviour(Module) of
                 gen_server -> erlconcolic_play_server;
                 gen_statem -> erlconcolic_play_statem
             end,
    Options = case Invariant of
                  none -> #{};
                  _ -> #{invariant => {Module, Invariant}}
              end,
    try Player:play(Module, Argument, Events, Options) of
        {running, _} -> running;
        Other -> {odd, Other}
    catch
        error:{invariant, {Module, Name, 1}, _} -> {invariant, Name};
        Class:Reason:Stack -> {Class, Reason, place(Module, Stack)}
    end.

%% The innermost function of the module.
-spec place(module(), [tuple()]) -> mfa() | unknown.
place(Module, [{Module, Name, Arity, _} | _]) when is_integer(Arity) ->
    {Module, Name, Arity};
place(Module, [{Module, Name, Arguments, _} | _]) ->
    {Module, Name, length(Arguments)};
place(Module, [_ | Stack]) ->
    place(Module, Stack);
place(_Module, []) ->
    unknown.

-spec real(sequence()) -> ending().
real({Module, Argument, Events, Invariant}) ->
    #{states := States, ending := Ending} =
        erlconcolic_real_machine:play(behaviour(Module), Module, Argument,
                                      Events, ?PATIENCE),
    {_, Last} = lists:last(States),
    case Ending of
        running when Invariant =:= none -> running;
        running -> checked(Invariant, Module:Invariant(Last));
        {ended, Reason} when length(States) =:= length(Events) ->
            ended(Module, Reason);
        Other -> {odd, Other}
    end.

-spec checked(Invariant :: atom(), boolean()) -> ending().
checked(_Invariant, true) -> running;
checked(Invariant, false) -> {invariant, Invariant}.

%% The process has survived all events but the last one: there is a state for
%% each of them, and one for the start.
-spec ended(module(), Reason :: term()) -> ending().
ended(Module, {Reason, [{_, _, _, Info} | _] = Stack}) when is_list(Info) ->
    {error, Reason, place(Module, Stack)};
ended(_Module, Reason) ->
    {exit, Reason, unknown}.
