%%% The functions of a module that change something outside of their own process
%%% or in a table: those that call, in a few steps within the module, a function
%%% that does.
-module(erlconcolic_changing_functions).

-export([find/2]).

-type name() :: {Function :: atom(), arity()}.
-type callee() :: {local, name()} | {remote, mfa()}.

%% In the order of the forms; for modules of built-ins those that OTP documents
%% as such.
-spec find(module(), Forms :: [term()]) -> [name()].
find(Module, Forms) ->
    Called = [{{Name, Arity}, callees(Clauses)}
              || {function, _, Name, Arity, Clauses} <- Forms],
    Direct = [Function
              || {{Name, Arity} = Function, Callees} <- Called,
                 changes({Module, Name, Arity})
                     orelse lists:any(fun is_change/1, Callees)],
    Changing = closure(maps:from_keys(Direct, []), Called),
    [Function || {Function, _} <- Called, is_map_key(Function, Changing)].

-spec is_change(callee()) -> boolean().
is_change({remote, Function}) -> changes(Function);
is_change({local, _}) -> false.

%% Adds the functions that call one of these.
-spec closure(#{name() => []}, [{name(), [callee()]}]) -> #{name() => []}.
closure(Changing, Called) ->
    More = [{Function, []}
            || {Function, Callees} <- Called,
               lists:any(fun({local, Callee}) -> is_map_key(Callee, Changing);
                            ({remote, _}) -> false
                         end, Callees)],
    case maps:merge(Changing, maps:from_list(More)) of
        Changing -> Changing;
        Larger -> closure(Larger, Called)
    end.

-spec callees(term()) -> [callee()].
callees({call, _, {remote, _, {atom, _, Module}, {atom, _, Name}}, Args}) ->
    [{remote, {Module, Name, length(Args)}} | callees(Args)];
callees({call, _, {atom, _, Name}, Args}) ->
    [{local, {Name, length(Args)}} | callees(Args)];
callees({'fun', _, {function, Name, Arity}}) ->
    [{local, {Name, Arity}}];
callees({op, _, '!', To, Message}) ->
    [{remote, {erlang, send, 2}} | callees([To, Message])];
callees(Tuple) when is_tuple(Tuple) ->
    callees(tuple_to_list(Tuple));
callees([Head | Tail]) ->
    callees(Head) ++ callees(Tail);
callees(_Leaf) ->
    [].

-spec changes(mfa()) -> boolean().
changes({ets, Name, _}) ->
    lists:member(Name, [insert, insert_new, update_counter, update_element]);
changes({dets, Name, _}) ->
    lists:member(Name, [insert, insert_new, update_counter]);
changes({counters, Name, _}) ->
    lists:member(Name, [add, sub, put]);
changes({atomics, Name, _}) ->
    lists:member(Name, [add, sub, put]);
changes({erlang, Name, _}) ->
    Name =:= send;
changes({Module, Name, _}) when Module =:= gen_server; Module =:= gen_statem ->
    Name =:= call orelse Name =:= cast;
changes(_Other) ->
    false.
