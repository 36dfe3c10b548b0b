%%% Makes code of a Core Erlang tree that the compiler has checked and optimised
%%% before, or that is made from such a tree. The option `from_core' would check
%%% it and optimise it again: that takes a time that grows with the square of
%%% the number of functions, as it was never meant for code of programs.
%%%
%%% So an empty module is compiled, and a core transform puts the tree in its
%%% place. Core transforms are not documented: if there are none, `from_core'
%%% is used.
-module(erlconcolic_core_code).

-export([compile/2, core_transform/2]).

-define(TREE, '$erlconcolic_tree').

%% In machine words. Each pass makes all code anew: with a heap that begins
%% small, garbage collections add a seventh to the time.
-define(HEAP_SIZE, 1_000_000).

%% As compile:noenv_forms/2 with the options `binary' and `return'. Works in a
%% process of its own: in one that has made the tree, garbage collections take
%% longer than the compiler.
-spec compile(cerl:c_module(), [compile:option()]) -> term().
compile(Tree, Options) ->
    Self = self(),
    {Pid, Monitor} =
        spawn_opt(fun() -> Self ! {self(), work(Tree, Options)} end,
                  [monitor, {min_heap_size, ?HEAP_SIZE}]),
    %% That process has a copy of the tree.
    true = erlang:garbage_collect(),
    receive
        {Pid, Result} ->
            true = demonitor(Monitor, [flush]),
            Result;
        {'DOWN', Monitor, process, Pid, Reason} ->
            {error, Reason}
    end.

-spec work(cerl:c_module(), [compile:option()]) -> term().
work(Tree, Options) ->
    All = [binary, return, no_spawn_compiler_process | Options],
    Name = cerl:atom_val(cerl:module_name(Tree)),
    _ = put(?TREE, Tree),
    Result = compile:noenv_forms([{attribute, erl_anno:new(1), module, Name}],
                                 [{core_transform, ?MODULE} | All]),
    case {erase(?TREE), Result} of
        {undefined, {ok, _, _, _}} -> Result;
        _ -> compile:noenv_forms(Tree, [from_core | All])
    end.

%% The compiler calls this.
-spec core_transform(cerl:c_module(), [compile:option()]) -> cerl:c_module().
core_transform(_Empty, _Options) ->
    erase(?TREE).
