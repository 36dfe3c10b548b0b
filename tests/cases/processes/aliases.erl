%% Aliases: messages to them arrive as long as they are active.
-module(aliases).
-export([answer_to_alias/1, clean_after_demonitor/1, clean_one_reply/1,
         clean_unaliased/1, kept_after_down/1, own_tag/1, spawn_option/1]).

%% finds: error answer
-spec answer_to_alias(integer()) -> ok.
answer_to_alias(N) ->
    Alias = alias(),
    _ = spawn(fun() -> Alias ! {Alias, N} end),
    receive
        {Alias, 31} -> error(answer);
        {Alias, _} -> ok
    end.

%% With the monitor the alias is over.
%% clean: complete
-spec clean_after_demonitor(integer()) -> integer().
clean_after_demonitor(N) ->
    Pid = spawn(fun() -> receive {Alias, M} -> Alias ! {answer, M} end end),
    Alias = monitor(process, Pid, [{alias, demonitor}]),
    true = demonitor(Alias, [flush]),
    Pid ! {Alias, N},
    receive
        {answer, _} -> error(over)
    after 100 ->
        N
    end.

%% The first answer ends the alias, and the monitor with it.
%% clean: complete
-spec clean_one_reply(integer()) -> integer().
clean_one_reply(N) ->
    Pid = spawn(fun() ->
                        receive
                            {Alias, M} -> Alias ! {answer, M}, Alias ! again
                        end
                end),
    Alias = monitor(process, Pid, [{alias, reply_demonitor}]),
    Pid ! {Alias, N},
    receive {answer, M} when M =:= N -> ok end,
    receive
        Other -> error({more, Other})
    after 100 ->
        N
    end.

%% clean: complete
-spec clean_unaliased(integer()) -> integer().
clean_unaliased(N) ->
    Alias = alias([explicit_unalias]),
    Pid = spawn(fun() -> receive go -> Alias ! {answer, N} end end),
    true = unalias(Alias),
    Pid ! go,
    receive
        {answer, _} -> error(over)
    after 100 ->
        N
    end.

%% This alias outlives the process that is watched.
%% finds: error kept
-spec kept_after_down(integer()) -> ok.
kept_after_down(N) ->
    Pid = spawn(fun() -> ok end),
    Alias = monitor(process, Pid, [{alias, explicit_unalias}]),
    receive {'DOWN', Alias, process, Pid, _} -> ok end,
    _ = spawn(fun() -> Alias ! {answer, N} end),
    receive
        {answer, 8} -> error(kept);
        {answer, _} -> ok
    end.

%% The tag of the message depends on the input.
%% finds: error tag
-spec own_tag(integer()) -> ok.
own_tag(N) ->
    Pid = spawn(fun() -> ok end),
    Monitor = monitor(process, Pid, [{tag, {tag, N}}]),
    receive
        {{tag, 23}, Monitor, process, Pid, _} -> error(tag);
        {{tag, _}, Monitor, process, Pid, _} -> ok
    end.

%% finds: error option
-spec spawn_option(integer()) -> ok.
spawn_option(N) ->
    {Pid, Monitor} = spawn_opt(fun() -> exit({shutdown, N}) end,
                               [{monitor, [{tag, ended}]}]),
    receive
        {ended, Monitor, process, Pid, {shutdown, 64}} -> error(option);
        {ended, Monitor, process, Pid, {shutdown, _}} -> ok
    end.
