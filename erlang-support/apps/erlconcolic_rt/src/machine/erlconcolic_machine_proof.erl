%%% Shows on the real thing what a play found: returns what
%%% erlconcolic_play_server and erlconcolic_play_statem return, and raises what
%%% they raise.
-module(erlconcolic_machine_proof).

-export([play/5]).

-type invariant() :: none | {module(), Function :: atom()}.

%% A timeout is waited for at most some milliseconds. Without time for it, the
%% run takes too long.
-spec play(gen_server | gen_statem, module(), Argument :: term(),
           [erlconcolic_play:event()],
           #{invariant := invariant(), timeout := non_neg_integer(),
             replies := boolean()}) ->
          erlconcolic_play:result().
play(Behaviour, Module, Argument, Events, Options) ->
    #{invariant := Invariant, timeout := Timeout} = Options,
    #{states := States, replies := Replies} = Result =
        erlconcolic_real_machine:play(Behaviour, Module, Argument, Events,
                                      Timeout),
    ok = check(Invariant, States),
    case Options of
        #{replies := true} -> {ending(Result), lists:sort(Replies)};
        #{replies := false} -> ending(Result)
    end.

-spec check(invariant(), [{Index :: non_neg_integer(), State :: term()}]) -> ok.
check(_Invariant, []) ->
    ok;
check(none, _States) ->
    ok;
check(Invariant, [{_, State} | States]) ->
    ok = erlconcolic_play:check(Invariant, State),
    check(Invariant, States).

-spec ending(erlconcolic_real_machine:result()) -> erlconcolic_play:ending().
ending(#{ending := busy}) ->
    receive after infinity -> running end;
ending(#{ending := {not_started, Reason}, exception := none}) ->
    {not_started, Reason};
ending(#{ending := {_, Reason}, exception := Exception}) ->
    ended(Reason, Exception);
ending(#{ending := Ending}) ->
    Ending.

%% An exception that is no failure only stops the machine.
-spec ended(Reason :: term(), none | erlconcolic_real_machine:exception()) ->
          erlconcolic_play:ending().
ended(normal, _) -> {stopped, normal};
ended(shutdown, _) -> {stopped, shutdown};
ended({shutdown, _} = Reason, _) -> {stopped, Reason};
ended(_, {Class, Reason, Stack}) -> erlang:raise(Class, Reason, Stack);
ended(Reason, none) -> raise(Reason).

%% The reason of an error has its stack.
-spec raise(Reason :: term()) -> no_return().
raise({Reason, [{_, _, _, _} | _] = Stack}) ->
    erlang:raise(error, Reason, Stack);
raise(Reason) ->
    exit(Reason).
