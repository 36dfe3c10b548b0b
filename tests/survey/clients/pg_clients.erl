%% Two processes use a scope of `pg'.
-module(pg_clients).
-export([join_and_leave/1, join_and_look/2, member_ends/1]).

-spec join_and_leave(a | b) -> [pid()].
join_and_leave(Group) ->
    {ok, _} = pg:start(a_scope),
    Self = self(),
    Pid = spawn(fun() ->
                        ok = pg:join(a_scope, a, self()),
                        ok = pg:leave(a_scope, a, self()),
                        Self ! done
                end),
    Members = pg:get_members(a_scope, Group),
    true = Members =:= [] orelse Members =:= [Pid],
    receive done -> ok end,
    [] = pg:get_members(a_scope, Group).

-spec join_and_look(integer(), integer()) -> 0..2.
join_and_look(One, Other) ->
    {ok, _} = pg:start(a_scope),
    Self = self(),
    ok = pg:join(a_scope, One, Self),
    _ = spawn(fun() -> ok = pg:join(a_scope, Other, Self), Self ! done end),
    receive done -> ok end,
    length(pg:get_local_members(a_scope, One)).

-spec member_ends(integer()) -> [pid()].
member_ends(Group) ->
    {ok, _} = pg:start(a_scope),
    Self = self(),
    {Pid, Monitor} = spawn_monitor(fun() ->
                                           ok = pg:join(a_scope, Group, self()),
                                           Self ! joined
                                   end),
    receive joined -> ok end,
    receive {'DOWN', Monitor, process, Pid, _} -> ok end,
    pg:get_members(a_scope, Group).
