%% Two processes use a supervisor, and a supervisor of something that is no
%% process of OTP.
-module(supervisor_clients).
-export([bridge/1, restart_and_delete/1, start_two/2]).

-spec bridge(normal | crash) -> term().
bridge(How) ->
    process_flag(trap_exit, true),
    {ok, Pid} = supervisor_bridge:start_link(children, bridge),
    {links, Links} = process_info(Pid, links),
    [Worker] = Links -- [self()],
    Worker ! {stop, How},
    receive {'EXIT', Pid, Reason} -> Reason end.

-spec restart_and_delete(a | b) -> ok | {error, term()}.
restart_and_delete(Id) ->
    {ok, Sup} = supervisor:start_link(children, [a, b]),
    Self = self(),
    _ = spawn(fun() ->
                      ok = supervisor:terminate_child(Sup, a),
                      Self ! done
              end),
    _ = supervisor:terminate_child(Sup, Id),
    Deleted = supervisor:delete_child(Sup, Id),
    receive done -> ok end,
    Deleted.

-spec start_two(a | b, a | b) -> non_neg_integer().
start_two(One, Other) ->
    {ok, Sup} = supervisor:start_link(children, []),
    Self = self(),
    _ = spawn(fun() ->
                      _ = supervisor:start_child(Sup, children:child(Other)),
                      Self ! done
              end),
    _ = supervisor:start_child(Sup, children:child(One)),
    receive done -> ok end,
    Count = proplists:get_value(active, supervisor:count_children(Sup)),
    Count = length(lists:usort([One, Other])).
