%% Supervisors, event managers and processes of proc_lib, which are followed as
%% they are.
-module(supervisors).
-behaviour(supervisor).
-export([child_crashes/1, clean_restart/1, event_handler/1, gives_up/1,
         no_child/1, start_of_process/1]).
-export([acknowledge/2, init/1, start_child/1, child/1]).
-export([handle_event/2, handle_call/2]).

%% The input crashes a child.
%% finds: error unlucky
-spec child_crashes(integer()) -> ok.
child_crashes(N) ->
    {ok, Sup} = supervisor:start_link(?MODULE, {supervisor, {3, ok}}),
    [{worker, Child, worker, _}] = supervisor:which_children(Sup),
    Child ! {check, N},
    ok.

%% A child that ends is started again.
%% clean: complete
-spec clean_restart(integer()) -> integer().
clean_restart(N) ->
    {ok, Sup} = supervisor:start_link(?MODULE, {supervisor, {3, ok}}),
    [{worker, Child, worker, _}] = supervisor:which_children(Sup),
    Monitor = monitor(process, Child),
    Child ! stop,
    receive {'DOWN', Monitor, process, Child, shutdown} -> ok end,
    [{worker, Other, worker, _}] = supervisor:which_children(Sup),
    true = Other =/= Child,
    Other ! {self(), N},
    receive {Other, M} when M =:= N -> M end.

%% A handler that crashes is removed.
%% finds: error removed
-spec event_handler(integer()) -> ok.
event_handler(N) ->
    {ok, Pid} = gen_event:start(),
    ok = gen_event:add_handler(Pid, ?MODULE, handler),
    ok = gen_event:sync_notify(Pid, {add, N}),
    case gen_event:call(Pid, ?MODULE, get) of
        {error, bad_module} -> error(removed);
        M -> true = M =:= N, ok
    end.

%% Too many ends, and the supervisor ends too.
%% finds: error gave_up
-spec gives_up(0..3) -> ok.
gives_up(N) ->
    process_flag(trap_exit, true),
    {ok, Sup} = supervisor:start_link(?MODULE, {supervisor, {1, ok}}),
    ends(N, Sup).

ends(0, _Sup) -> ok;
ends(N, Sup) ->
    try supervisor:which_children(Sup) of
        [{worker, Child, worker, _}] ->
            Monitor = monitor(process, Child),
            Child ! stop,
            receive {'DOWN', Monitor, process, Child, _} -> ok end,
            ends(N - 1, Sup)
    catch
        exit:_ -> error(gave_up)
    end.

%% A child that does not start.
%% finds: error {badmatch,_}
-spec no_child(integer()) -> ok.
no_child(N) ->
    process_flag(trap_exit, true),
    {ok, _} = supervisor:start_link(?MODULE, {supervisor, {1, {start, N}}}),
    ok.

%% finds: error {badmatch,_}
-spec start_of_process(integer()) -> ok.
start_of_process(N) ->
    Parent = self(),
    {ok, _} = proc_lib:start(?MODULE, acknowledge, [Parent, N]),
    ok.

acknowledge(Parent, 6) -> proc_lib:init_ack(Parent, {error, six});
acknowledge(Parent, _) -> proc_lib:init_ack(Parent, {ok, self()}).

init(handler) ->
    {ok, 0};
init({supervisor, {Intensity, Arg}}) ->
    {ok, {#{strategy => one_for_one, intensity => Intensity, period => 10},
          [#{id => worker, start => {?MODULE, start_child, [Arg]}}]}}.

start_child({start, 8}) -> {error, eight};
start_child(Arg) -> {ok, proc_lib:spawn_link(?MODULE, child, [Arg])}.

child(Arg) ->
    receive
        {check, 13} -> error(unlucky);
        {check, _} -> child(Arg);
        {From, N} -> From ! {self(), N}, child(Arg);
        stop -> exit(shutdown)
    end.

handle_event({add, 17}, _Sum) -> error(handler);
handle_event({add, N}, Sum) -> {ok, Sum + N}.

handle_call(get, Sum) -> {ok, Sum, Sum}.
