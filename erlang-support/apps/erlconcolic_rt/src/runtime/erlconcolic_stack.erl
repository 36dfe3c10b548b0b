%%% Stack traces as the program would see them without instrumentation: our own
%%% frames are left out, and what is instrumented has its name of before.
-module(erlconcolic_stack).

-export([frames/1, of_program/1, in_exit/1]).

%% What erlang:system_flag(backtrace_depth, _) is where nobody changed it.
-define(DEPTH, 8).

-spec frames([term()]) -> [term()].
frames(Stack) ->
    lists:flatmap(fun frame/1, Stack).

%% No longer than elsewhere, where none of our frames were among those that are
%% kept.
-spec of_program(term()) -> term().
of_program(Stack) when length(Stack) > 0 ->
    lists:sublist(frames(Stack), ?DEPTH);
of_program(Stack) ->
    Stack.

%% The stack that an old `catch' puts behind the reason of an error.
-spec in_exit(term()) -> term().
in_exit({'EXIT', {Reason, [_ | _] = Stack}}) ->
    {'EXIT', {Reason, of_program(Stack)}};
in_exit(Value) ->
    Value.

-spec frame(term()) -> [term()].
frame({Module, Function, Args, Location} = Frame) when is_atom(Function) ->
    case erlconcolic_follow:original(Module) of
        none -> [Frame || not is_ours(Module)];
        Original -> [{Original, original_name(Function), Args, Location}]
    end;
frame(Frame) ->
    [Frame].

%% The body of `f' is called `@f', that of a fun in it `-@f/1-@fun7/0-0-'.
-spec original_name(atom()) -> atom().
original_name(Name) ->
    case atom_to_list(Name) of
        "@" ++ Original -> list_to_atom(Original);
        "-@" ++ Rest -> list_to_atom([$- | lists:delete($@, Rest)]);
        _ -> Name
    end.

-spec is_ours(term()) -> boolean().
is_ours(erlconcolic_disguise) -> true;
is_ours(erlconcolic_out) -> true;
is_ours(erlconcolic_run) -> true;
is_ours(_) -> false.
