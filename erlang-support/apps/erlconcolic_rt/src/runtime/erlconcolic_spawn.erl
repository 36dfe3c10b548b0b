%%% The built-ins that start a process on this node, in one form.
-module(erlconcolic_spawn).

-export([request/2, with_room/2, forget_room/1, pid/1, call/3, entry/1]).

-export_type([body/0]).

-type body() ::
    fun() | {module(), atom(), [term()]}
  | {timer, mfa(), reference(), erlconcolic_timers:timer()}.

%% What a built-in starts, and the options of spawn_opt/2 that do the same.
-spec request(atom(), [term()]) -> {ok, body(), [term()]} | error.
request(spawn, Args) -> with(Args, []);
request(spawn_link, Args) -> with(Args, [link]);
request(spawn_monitor, Args) -> with(Args, [monitor]);
request(spawn_opt, [Fun, Options]) -> with([Fun], Options);
request(spawn_opt, [Module, Name, Args, Options]) ->
    with([Module, Name, Args], Options);
request(_, _) -> error.

-spec with([term()], term()) -> {ok, body(), [term()]} | error.
with([Fun], Options) when is_function(Fun), length(Options) >= 0 ->
    {ok, Fun, Options};
with([Module, Name, Args], Options)
  when is_atom(Module), is_atom(Name), length(Args) >= 0,
       length(Options) >= 0 ->
    {ok, {Module, Name, Args}, Options};
with(_, _) ->
    error.

%% Options with room for so many words in the heap, for what is kept of a
%% process, so that a small one is never collected, and whether it has that
%% room. Options that may be about the heap stay as they are.
-spec with_room(pos_integer(), [term()]) -> {boolean(), [term()]}.
with_room(Words, Options)
  when Options =:= []; Options =:= [link]; Options =:= [monitor] ->
    {true, [{min_heap_size, Words} | Options]};
with_room(_Words, Options) ->
    {false, Options}.

%% The program does not see that this process had more room.
-spec forget_room(boolean()) -> ok.
forget_room(true) ->
    {min_heap_size, Usual} = erlang:system_info(min_heap_size),
    _ = process_flag(min_heap_size, Usual),
    ok;
forget_room(false) ->
    ok.

-spec pid(pid() | {pid(), reference()}) -> pid().
pid({Pid, _Monitor}) -> Pid;
pid(Pid) -> Pid.

%% A timer is no such body. Enter calls a function that is followed; Leave is
%% told of one that is not.
-spec call(fun() | {module(), atom(), [term()]}, Enter, Leave) -> term()
    when Enter :: fun((non_neg_integer(), non_neg_integer(), module(), atom(),
                       [term()]) -> term()),
         Leave :: fun((module(), atom(), [term()]) -> ok).
call({Module, Name, Args}, Enter, Leave) ->
    case erlconcolic_follow:function(Module, Name, length(Args)) of
        none ->
            ok = Leave(Module, Name, Args),
            ok = erlconcolic_watch:on(),
            erlconcolic_alias:call(erlang, apply, [Module, Name, Args]);
        {LoadedAs, Mangled, ModuleNumber, Callable} ->
            Enter(ModuleNumber, Callable, LoadedAs, Mangled, Args)
    end;
call(Fun, _Enter, Leave) ->
    {module, Module} = erlang:fun_info(Fun, module),
    case erlconcolic_follow:is_followed(Module) of
        true ->
            ok;
        false ->
            {name, Name} = erlang:fun_info(Fun, name),
            ok = Leave(Module, Name, []),
            erlconcolic_watch:on()
    end,
    Fun().

%% The function that a process starts with, or the one that its fun stands in.
-spec entry(body()) -> erlconcolic_initial_call:initial_call().
entry({timer, Mfa, _Reference, _Timer}) ->
    Mfa;
entry({Module, Name, Args}) ->
    erlconcolic_initial_call:of_call(Module, Name, Args);
entry(Fun) ->
    erlconcolic_initial_call:of_fun(Fun).
