%%% What a scripted machine does: its callbacks take one step after the other
%%% from lists, so a machine is a term. erlconcolic_scripted and others are its
%%% callback modules. Every call of a callback is told to a process.
-module(erlconcolic_script).

-export([run/3, mode/1]).

-export_type([script/0, step/0]).

%% A step has effects and an outcome. Terms in them may have placeholders:
%%
%% '$state', '$data'  the arguments of the callback
%% {'$from', N}       the client of call number N, from 0 on, as far as there
%%                    are any; else somebody who is gone
%% {'$time', N}       N units of time
%% {'$absolute', N}   now and N units of time
-type step() :: {[effect()],
                 {return | throw | error | exit, term()}}.

-type effect() :: {send | cast | call, Message :: term()}
                | {reply, {'$from', non_neg_integer()}, term()}
                | {send_after | start_timer, Units :: integer(), term()}.

%% Steps by the kind of the callback.
-type script() :: #{steps := #{init | call | event | enter | terminate =>
                                   [step()]},
                    modes := #{module() => step()},
                    unit := Milliseconds :: pos_integer(),
                    teller := {pid(), Tag :: term()}}.

%% Does what the next step says.
-spec run(module(), Function :: atom(), Args :: [term()]) -> term().
run(_Module, init, [Script]) ->
    put(?MODULE, Script),
    put(clients, []),
    step(init, {stop, no_steps}, {none, none});
run(Module, Function, Args) ->
    #{teller := {Pid, Tag}} = get(?MODULE),
    Pid ! {called, Tag, {Module, Function, Args}},
    note_client(Args),
    Position = position(Function, Args),
    step(kind(Function, Args), default(Function, Args), Position).

%% The state and the data.
position(_Function, [_, State]) -> {State, State};
position(terminate, [_, State, Data]) -> {State, Data};
position(handle_call, [_, _, State]) -> {State, State};
position(handle_event, [_, _, State, Data]) -> {State, Data};
position(State, [_, _, Data]) -> {State, Data}.

%% What callback_mode/0 does.
-spec mode(module()) -> term().
mode(Module) ->
    #{modes := Modes} = get(?MODULE),
    outcome(maps:get(Module, Modes, {[], {return, state_functions}}),
            {none, none}).

kind(handle_call, _) -> call;
kind(terminate, _) -> terminate;
kind(_, [enter, _Old, _Data]) -> enter;
kind(handle_event, [enter | _]) -> enter;
kind(_, _) -> event.

default(terminate, _) -> ok;
default(Function, [_, State])
  when Function =:= handle_cast; Function =:= handle_info;
       Function =:= handle_continue ->
    {noreply, State};
default(handle_call, [_, _, State]) -> {noreply, State};
default(_, _) -> keep_state_and_data.

note_client([{call, From} | _]) -> note_client_once(From);
note_client([_Request, {_, _} = From, _State]) -> note_client_once(From);
note_client(_) -> ok.

note_client_once({Pid, _} = From) when is_pid(Pid) ->
    Clients = get(clients),
    case lists:member(From, Clients) of
        true -> ok;
        false -> put(clients, Clients ++ [From])
    end;
note_client_once(_) ->
    ok.

step(Kind, Default, Position) ->
    #{steps := Steps} = Script = get(?MODULE),
    case Steps of
        #{Kind := [Step | Rest]} ->
            put(?MODULE, Script#{steps := Steps#{Kind := Rest}}),
            outcome(Step, Position);
        #{} ->
            Default
    end.

outcome({Effects, {How, Term}}, Position) ->
    _ = [effect(resolved(Effect, Position)) || Effect <- Effects],
    Resolved = resolved(Term, Position),
    case How of
        return -> Resolved;
        throw -> throw(Resolved);
        error -> error(Resolved);
        exit -> exit(Resolved)
    end.

effect({send, Message}) -> self() ! Message;
effect({cast, Message}) -> gen_server:cast(self(), Message);
effect({call, Message}) ->
    self() ! {'$gen_call', {self(), make_ref()}, Message};
effect({reply, From, Reply}) -> gen_server:reply(From, Reply);
effect({send_after, Units, Message}) ->
    erlang:send_after(time(Units), self(), Message);
effect({start_timer, Units, Message}) ->
    erlang:start_timer(time(Units), self(), Message).

time(Units) ->
    Units * map_get(unit, get(?MODULE)).

resolved('$state', {State, _}) ->
    State;
resolved('$data', {_, Data}) ->
    Data;
resolved({'$from', N}, _Position) ->
    case get(clients) of
        [] -> {spawn(fun() -> ok end), nobody};
        Clients -> lists:nth(N rem length(Clients) + 1, Clients)
    end;
resolved({'$time', Units}, _Position) ->
    time(Units);
resolved({'$absolute', Units}, _Position) ->
    erlang:monotonic_time(millisecond) + time(Units);
resolved(Tuple, Position) when is_tuple(Tuple) ->
    list_to_tuple(resolved(tuple_to_list(Tuple), Position));
resolved([First | Rest], Position) ->
    [resolved(First, Position) | resolved(Rest, Position)];
resolved(Term, _Position) ->
    Term.
