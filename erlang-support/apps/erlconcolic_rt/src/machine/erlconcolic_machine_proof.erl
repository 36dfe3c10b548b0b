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
check(Invariant, [{_, State} | States]) ->
    ok = erlconcolic_play:check(Invariant, State),
    check(Invariant, States).

-spec ending(erlconcolic_real_machine:result()) -> erlconcolic_play:ending().
ending(#{ending := busy}) ->
    receive after infinity -> running end;
ending(#{ending := {not_started, Reason}, exception := none}) ->
    {not_started, Reason};
ending(#{ending := {not_started, Reason}, exception := {exit, _, Stack}} =
           Result) ->
    case is_refused(Reason, Stack) of
        true -> {not_started, Reason};
        false -> failed(Result)
    end;
ending(#{ending := {_, _}} = Result) ->
    failed(Result);
ending(#{ending := Ending}) ->
    Ending.

%% Whether init/1 returned that the machine does not start: then it is OTP that
%% exits. It does so for a result that it does not understand, too.
-spec is_refused(Reason :: term(), erlconcolic_play:stack()) -> boolean().
is_refused({bad_return_value, _}, _Stack) -> false;
is_refused({bad_return_from_init, _}, _Stack) -> false;
is_refused(_Reason, [{gen_server, init_it, _, _} | _]) -> true;
is_refused(_Reason, [{gen_statem, init_it, _, _} | _]) -> true;
is_refused(_Reason, [{gen_statem, init_result, _, _} | _]) -> true;
is_refused(_Reason, [{proc_lib, init_fail, _, _} | _]) -> true;
is_refused(_Reason, _Stack) -> false.

-spec failed(erlconcolic_real_machine:result()) -> erlconcolic_play:ending().
failed(#{ending := {_, Reason}, exception := Exception}) ->
    ended(Reason, Exception).

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
