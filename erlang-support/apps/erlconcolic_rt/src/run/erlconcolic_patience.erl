%%% How long others wait for a process. On a busy machine real time says little:
%%% this node may have had none of it. So a check counts in full only if the
%%% process has worked since the one before, or if nobody in the node has
%%% anything to do. Other checks count a little, so that the wait has an end.
-module(erlconcolic_patience).

-export([work/1, waited/2, checks/1, is_quiet/0]).

%% How much a check counts in full.
-define(FULL, 8).

%% A process that had the time between two checks to itself has made more
%% reductions than this.
-define(WORK, 100000).

%% How much a process has worked.
-spec work(pid()) -> non_neg_integer().
work(Pid) ->
    case process_info(Pid, reductions) of
        {reductions, Reductions} -> Reductions;
        undefined -> 0
    end.

%% How much a check counts, given how much the process had worked at the one
%% before, and now.
-spec waited(non_neg_integer(), non_neg_integer()) -> pos_integer().
waited(Before, Now) ->
    case Now - Before >= ?WORK orelse is_quiet() of
        true -> ?FULL;
        false -> 1
    end.

%% How much so many checks count in full.
-spec checks(pos_integer()) -> pos_integer().
checks(Count) ->
    ?FULL * Count.

%% Whether nobody but the caller has anything to do in this node.
-spec is_quiet() -> boolean().
is_quiet() ->
    erlang:statistics(run_queue) =:= 0.
