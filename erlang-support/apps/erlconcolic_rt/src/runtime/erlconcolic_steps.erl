%%% The calls that are steps: what they do can be seen by other processes, or
%%% depends on what others did. The tool sends the table, see `steps.rs' of the
%%% models. Instrumented code names the kind of a step where it knows the
%%% function; this is for calls of functions that only the run knows.
-module(erlconcolic_steps).

-export([keep/1, kind/3, reached/3, receiver/2, sent/2]).

-export_type([kind/0]).

%% plain   nobody else needs to know at once
%% send    sends a message to the first argument
%% spawn   starts a process
%% ask     reaches a process, and ends nobody
%% signal  may end its target, or the process that makes the call
%% sleep   waits
%% timer   starts a timer
%% timer_left  asks how much time a timer has left
%% clock   reads the clock
-type kind() ::
    plain | send | spawn | ask | signal | sleep | timer | timer_left | clock.

%% The position of the process that a step reaches, from 0.
-type reach() :: none | non_neg_integer().

-define(KEY, ?MODULE).

%% Replaces the table kept before.
-spec keep([{module(), atom(), arity(), kind(), reach()}]) -> ok.
keep(Steps) ->
    Kinds = [{{Module, Function, Arity}, {Kind, Reach}}
             || {Module, Function, Arity, Kind, Reach} <- Steps],
    persistent_term:put(?KEY, maps:from_list(Kinds)).

-spec kind(term(), term(), arity()) -> kind() | none.
kind(Module, Function, Arity) ->
    case persistent_term:get(?KEY, #{}) of
        #{{Module, Function, Arity} := {Kind, _}} -> Kind;
        #{} -> none
    end.

%% The process that a step asks, or sends a signal that is no message.
-spec reached(module(), atom(), [term()]) -> {ok, term()} | none.
reached(Module, Function, Args) ->
    case persistent_term:get(?KEY, #{}) of
        #{{Module, Function, length(Args)} := {_, Reach}}
          when is_integer(Reach) ->
            {ok, lists:nth(Reach + 1, Args)};
        #{} ->
            none
    end.

%% The process that a message with valid options goes to, as far as the receiver
%% and the registered names tell.
-spec receiver(term(), [term()]) -> {ok, pid()} | unknown.
receiver(Pid, []) when is_pid(Pid) ->
    {ok, Pid};
receiver(Pid, [Options]) when is_pid(Pid) ->
    case is_valid(Options) of
        true -> {ok, Pid};
        false -> unknown
    end;
receiver(Name, Options) when is_atom(Name), Name =/= undefined ->
    receiver(whereis(Name), Options);
receiver(_, _Options) ->
    unknown.

-spec is_valid(term()) -> boolean().
is_valid([Option | Options]) when Option =:= nosuspend;
                                  Option =:= noconnect ->
    is_valid(Options);
is_valid(Options) -> Options =:= [].

%% What a call that sends a message to a process of this node returns.
-spec sent(atom(), [term()]) -> term().
sent(send_nosuspend, _Args) -> true;
sent(send, [_To, _Message, _Options]) -> ok;
sent(_Function, [_To, Message]) -> Message.
