%% A supervisor, and a bridge to a process that knows nothing of supervisors.
-module(children).
-behaviour(supervisor).
-behaviour(supervisor_bridge).
-export([child/1, init/1, start_worker/1, terminate/2]).

init(bridge) ->
    Pid = spawn_link(fun() ->
                             receive
                                 {stop, normal} -> ok;
                                 {stop, crash} -> exit(crash)
                             end
                     end),
    {ok, Pid, state};
init(Ids) ->
    {ok, {#{strategy => one_for_one}, [child(Id) || Id <- Ids]}}.

child(Id) ->
    #{id => Id, start => {?MODULE, start_worker, [Id]}}.

start_worker(_Id) ->
    {ok, spawn_link(fun() -> receive stop -> ok end end)}.

terminate(_Reason, _State) -> ok.
