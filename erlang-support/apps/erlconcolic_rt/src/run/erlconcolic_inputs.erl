%%% Collects the inputs with which functions are called, by tracing calls.
-module(erlconcolic_inputs).

-export([watch/1, stop/1]).

-export_type([watch/0, function_/0, inputs/0]).

%% A function may have several names on this node: the exported one, and that of
%% its body.
-type function_() ::
    #{name := {module(), atom()}, arity := arity(), loaded_as := module(),
      functions := [atom()]}.

-type inputs() :: {module(), atom(), [Arguments :: [term()]]}.

-opaque watch() :: pid().

%% How many different inputs of a function are kept.
-define(MAX_INPUTS, 30).

%% How many calls of a function are looked at. Tracing slows them down.
-define(MAX_CALLS, 1000).

%% How large an input may be, in words.
-define(MAX_SIZE, 1000).

-record(state,
        {names :: #{mfa() => {module(), atom()}},
         calls = #{} :: #{mfa() => pos_integer()},
         inputs = #{} :: #{{module(), atom(), arity()} => [[term()]]}}).

%% Watches all processes that start from now on.
-spec watch([function_()]) -> watch().
watch(Functions) ->
    Names = maps:from_list(
              [{{Module, Function, Arity}, Name}
               || #{name := Name, arity := Arity, loaded_as := Module,
                    functions := All} <- Functions, Function <- All]),
    Tracer = spawn_link(fun() -> collect(#state{names = Names}) end),
    _ = [erlang:trace_pattern(Function, true, [local])
         || Function <- maps:keys(Names)],
    _ = erlang:trace(new_processes, true, [call, {tracer, Tracer}]),
    Tracer.

%% The inputs of each function, in the order in which they came.
-spec stop(watch()) -> [inputs()].
stop(Tracer) ->
    _ = erlang:trace(all, false, [call]),
    Delivered = erlang:trace_delivered(all),
    receive {trace_delivered, all, Delivered} -> ok end,
    Tracer ! {stop, self()},
    receive {Tracer, Inputs} -> Inputs end.

-spec collect(#state{}) -> term().
collect(#state{inputs = Inputs} = State) ->
    receive
        {trace, _, call, {Module, Function, Args}} ->
            Called = {Module, Function, length(Args)},
            collect(keep(Args, Called, counted(Called, State)));
        {stop, From} ->
            From ! {self(), [{Module, Function, lists:reverse(Kept)}
                             || {{Module, Function, _}, Kept}
                                    <- lists:sort(maps:to_list(Inputs))]};
        _ ->
            collect(State)
    end.

-spec counted(mfa(), #state{}) -> #state{}.
counted(Called, #state{calls = Calls} = State) ->
    Count = maps:get(Called, Calls, 0) + 1,
    _ = Count =:= ?MAX_CALLS
        andalso erlang:trace_pattern(Called, false, [local]),
    State#state{calls = Calls#{Called => Count}}.

-spec keep([term()], mfa(), #state{}) -> #state{}.
keep(Args, {_, _, Arity} = Called,
     #state{names = Names, inputs = Inputs} = State) ->
    {Module, Function} = map_get(Called, Names),
    Key = {Module, Function, Arity},
    Known = maps:get(Key, Inputs, []),
    IsNew = length(Known) < ?MAX_INPUTS
        andalso erts_debug:flat_size(Args) =< ?MAX_SIZE
        andalso is_plain(Args)
        andalso not lists:any(fun(Other) -> Other =:= Args end, Known),
    case IsNew of
        true -> State#state{inputs = Inputs#{Key => [Args | Known]}};
        false -> State
    end.

%% Whether a term can be written down: it has no pids, references, ports and
%% funs.
-spec is_plain(term()) -> boolean().
is_plain([Head | Tail]) -> is_plain(Head) andalso is_plain(Tail);
is_plain(Term) when is_tuple(Term) -> is_plain(tuple_to_list(Term));
is_plain(Term) when is_map(Term) -> is_plain(maps:to_list(Term));
is_plain(Term) ->
    Term =:= [] orelse is_number(Term) orelse is_atom(Term)
        orelse is_bitstring(Term).
