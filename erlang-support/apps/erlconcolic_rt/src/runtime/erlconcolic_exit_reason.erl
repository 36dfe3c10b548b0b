%%% The exception that the reason of an exit tells of. A process that ends with
%%% an error or a throw has the stack in its reason; `proc_lib' and behaviours
%%% exit with such reasons too.
-module(erlconcolic_exit_reason).

-export([exception/1, original/1]).

-type exception() :: {Class :: atom(), Reason :: term(), Stack :: [term()]}.

%% The exception with which a process has ended.
-spec exception(term()) -> exception().
exception({{nocatch, Value}, [_ | _] = Stack} = Reason) ->
    with_stack(throw, Value, Stack, Reason);
exception({Value, [_ | _] = Stack} = Reason) ->
    with_stack(error, Value, Stack, Reason);
exception(Reason) ->
    {exit, Reason, []}.

%% The exception that another one passes on.
-spec original(exception()) -> exception().
original({exit, Reason, _} = Exception) ->
    case exception(Reason) of
        {exit, _, _} -> Exception;
        Original -> Original
    end;
original(Exception) ->
    Exception.

-spec with_stack(atom(), term(), nonempty_maybe_improper_list(), term()) ->
    exception().
with_stack(Class, Value, Stack, Reason) ->
    try lists:all(fun is_frame/1, Stack) of
        true -> {Class, Value, Stack};
        false -> {exit, Reason, []}
    catch
        error:_ -> {exit, Reason, []}
    end.

-spec is_frame(term()) -> boolean().
is_frame({Module, Function, _, Location}) ->
    is_atom(Module) andalso is_atom(Function) andalso is_list(Location);
is_frame(_) ->
    false.
