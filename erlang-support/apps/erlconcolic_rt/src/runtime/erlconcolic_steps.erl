%%% The calls that are steps: what they do can be seen by other processes, or
%%% depends on what others did. The tool sends the table, see `steps.rs' of the
%%% models. Instrumented code names the kind of a step where it knows the
%%% function; this is for calls of functions that only the run knows.
-module(erlconcolic_steps).

-export([keep/1, kind/3]).

-export_type([kind/0]).

%% plain   nobody else needs to know at once
%% send    sends a message to the first argument
%% spawn   starts a process
%% signal  may end its target, or the process that makes the call
%% sleep   waits
%% timer   starts something that nobody controls
-type kind() :: plain | send | spawn | signal | sleep | timer.

-define(KEY, ?MODULE).

%% Replaces the table kept before.
-spec keep([{module(), atom(), arity(), kind()}]) -> ok.
keep(Steps) ->
    Kinds = [{{Module, Function, Arity}, Kind}
             || {Module, Function, Arity, Kind} <- Steps],
    persistent_term:put(?KEY, maps:from_list(Kinds)).

-spec kind(term(), term(), arity()) -> kind() | none.
kind(Module, Function, Arity) ->
    case persistent_term:get(?KEY, #{}) of
        #{{Module, Function, Arity} := Kind} -> Kind;
        #{} -> none
    end.
