%%% Stack traces as the program would see them without instrumentation: without
%%% our own frames, and with the original names of instrumented functions.
-module(erlconcolic_stack).

-export([frames/1, of_program/1, in_exit/1]).

%% The default of erlang:system_flag(backtrace_depth, _).
-define(DEPTH, 8).

-spec frames([term()]) -> [term()].
frames([Frame | Stack]) ->
    case receive_in(Frame) of
        {last, Name, Arity} -> [named(Name, Arity, Frame) | frames(Stack)];
        {inner, Name, Arity} -> inner(Name, Arity, Frame, frames(Stack));
        no -> frame(Frame) ++ frames(Stack)
    end;
frames([]) ->
    [].

%% The loop around a receive and its function are one frame.
-spec inner(atom(), arity(), tuple(), [term()]) -> [term()].
inner(_Name, _Arity, Loop, [{Module, Function, Args, _} | Frames]) ->
    [{Module, Function, Args, element(4, Loop)} | Frames];
inner(Name, Arity, Loop, Frames) ->
    [named(Name, Arity, Loop) | Frames].

-spec named(atom(), arity(), tuple()) -> tuple().
named(Name, Arity, {Module, _, _, Location}) ->
    Original = case erlconcolic_follow:original(Module) of
                   none -> Module;
                   Known -> Known
               end,
    {Original, Name, Arity, Location}.

-spec receive_in(term()) -> {last | inner, atom(), arity()} | no.
receive_in({Module, Function, _, _}) when is_atom(Function) ->
    case erlconcolic_follow:is_followed(Module) of
        true -> erlconcolic_names:receive_in(Function);
        false -> no
    end;
receive_in(_Frame) ->
    no.

%% Has the usual length: the node keeps more frames, because some are ours.
-spec of_program(term()) -> term().
of_program(Stack) when length(Stack) > 0 ->
    lists:sublist(frames(Stack), ?DEPTH);
of_program(Stack) ->
    Stack.

%% The same for the stack in the value of a `catch' expression.
-spec in_exit(term()) -> term().
in_exit({'EXIT', {Reason, [_ | _] = Stack}}) ->
    {'EXIT', {Reason, of_program(Stack)}};
in_exit(Value) ->
    Value.

-spec frame(term()) -> [term()].
frame({Module, Function, Args, Location} = Frame) when is_atom(Function) ->
    case erlconcolic_follow:original(Module) of
        none -> [own_frame(Frame) || not is_ours(Module)];
        Original ->
            {Name, OriginalArgs} = erlconcolic_names:original(Function, Args),
            [{Original, Name, OriginalArgs, Location}
             || not erlconcolic_names:is_shared(Function)]
    end;
frame(Frame) ->
    [Frame].

-spec own_frame(term()) -> term().
own_frame({Module, Function, Args, Location}) ->
    {erlconcolic_alias:own_name(Module), Function, Args, Location}.

-spec is_ours(term()) -> boolean().
is_ours(erlconcolic_alias) -> true;
is_ours(erlconcolic_disguise) -> true;
is_ours(erlconcolic_hibernation) -> true;
is_ours(erlconcolic_lease) -> true;
is_ours(erlconcolic_native_record) -> true;
is_ours(erlconcolic_out) -> true;
is_ours(erlconcolic_run) -> true;
is_ours(erlconcolic_spawn) -> true;
is_ours(_) -> false.
