%%% Cleans up the node after a run. baseline/0 records the state of the node
%%% before the first run. After each run, tidy/1 restores it: it ends new
%%% processes and resets names, persistent terms and the environment of
%%% applications. If that is not possible, the node is spoiled, and the tool
%%% starts another one.
%%%
%%% This must not slow down runs, so it checks what is cheap: the numbers of
%%% processes, ports and tables, not the things themselves.
-module(erlconcolic_node).

-export([baseline/0, forget/0, tidy/1, tidy/2, environment/1]).

-export_type([baseline/0, environment/0]).

-record(baseline,
        {processes :: #{pid() => []},
         ports :: non_neg_integer(),
         tables :: non_neg_integer(),
         names :: names(),
         terms :: [{term(), term()}],
         environment :: environment(),
         loaded :: [atom()],
         memory :: non_neg_integer(),
         runs :: counters:counters_ref()}).

-opaque baseline() :: #baseline{}.
-type names() :: [{atom(), pid() | port() | undefined}].
-type environment() :: [{{Application :: atom(), Key :: atom()}, term()}].

-define(KEY, ?MODULE).

%% The undocumented table in which OTP keeps the environment of applications.
-define(ENVIRONMENT, ac_tab).

%% The supervisors of servers that OTP starts at their first use.
-define(SUPERVISORS, [kernel_safe_sup, kernel_sup]).

%% How often it checks whether exiting processes have ended.
-define(TRIES, 20).

%% A node that grew by this many bytes is not used again.
-define(MAX_GROWTH, 268435456).
-define(RUNS_UNTIL_WEIGHED, 32).

%% The state of the node before the first run. Only the calling process may come
%% and go after it.
-spec baseline() -> baseline().
baseline() ->
    case persistent_term:get(?KEY, undefined) of
        undefined ->
            Baseline = look(),
            persistent_term:put(?KEY, Baseline),
            ok = erlconcolic_residents:keep(Baseline#baseline.processes),
            Baseline#baseline{terms = persistent_term:get()};
        Baseline ->
            Baseline#baseline{terms = persistent_term:get()}
    end.

%% The node was changed on purpose: its state is recorded again.
-spec forget() -> ok.
forget() ->
    _ = persistent_term:erase(?KEY),
    ok.

-spec look() -> baseline().
look() ->
    #baseline{processes = maps:from_keys(processes(), []),
              ports = erlang:system_info(port_count),
              tables = erlang:system_info(ets_count),
              names = names(),
              terms = [],
              environment = environment(?ENVIRONMENT),
              loaded = loaded(),
              memory = erlang:memory(total),
              runs = counters:new(1, [])}.

%% Restores the node, and reports whether all is as before.
-spec tidy(baseline()) -> kept | spoiled.
tidy(Baseline) ->
    tidy(Baseline, ?SUPERVISORS).

%% The same with other names for the supervisors.
-spec tidy(baseline(), Supervisors :: [atom()]) -> kept | spoiled.
tidy(Baseline, Supervisors) ->
    Steps = [fun(Before) -> tidy_processes(Before, Supervisors) end,
             fun tidy_names/1, fun tidy_terms/1, fun tidy_environment/1,
             fun has_its_tables/1, fun has_room/1],
    case lists:all(fun(Step) -> Step(Baseline) end, Steps) of
        true -> kept;
        false -> spoiled
    end.

%% The count includes exiting processes, so it may be too high for a moment.
-spec tidy_processes(baseline(), [atom()]) -> boolean().
tidy_processes(#baseline{processes = Before} = Baseline, Supervisors) ->
    erlang:system_info(process_count) =< map_size(Before)
        orelse end_strangers(Baseline, Supervisors, ?TRIES).

-spec end_strangers(baseline(), [atom()], non_neg_integer()) -> boolean().
end_strangers(_Baseline, _Supervisors, 0) ->
    false;
end_strangers(#baseline{processes = Before} = Baseline, Supervisors, Tries) ->
    case strangers(Before) of
        [] ->
            true;
        Strangers ->
            Tries < ?TRIES orelse stop_services(Before, Supervisors),
            IsService = fun(Pid) -> is_service(Pid, Before) end,
            {Services, Others} = lists:partition(IsService, Strangers),
            lists:foreach(fun(Pid) -> exit(Pid, kill) end, Others),
            receive after 1 -> ok end,
            Services =:= []
                andalso end_strangers(Baseline, Supervisors, Tries - 1)
    end.

%% Whether a process has a supervisor that existed before. Killing the process
%% would bring down the supervisor, and the node with it.
-spec is_service(pid(), #{pid() => []}) -> boolean().
is_service(Pid, Before) ->
    try process_info(Pid, parent) of
        {parent, Parent} when is_map_key(Parent, Before) ->
            element(1, proc_lib:translate_initial_call(Parent)) =:= supervisor;
        _ ->
            false
    catch
        error:badarg -> false
    end.

-spec strangers(#{pid() => []}) -> [pid()].
strangers(Before) ->
    [Pid || Pid <- processes(), Pid =/= self(),
            not is_map_key(Pid, Before)].

%% Ends servers that OTP starts at their first use, for example that of `timer'.
-spec stop_services(#{pid() => []}, [atom()]) -> ok.
stop_services(Before, Supervisors) ->
    lists:foreach(fun({Supervisor, Id}) ->
                          _ = supervisor:terminate_child(Supervisor, Id),
                          _ = supervisor:delete_child(Supervisor, Id)
                  end,
                  [{Supervisor, Id}
                   || Supervisor <- Supervisors,
                      {Id, Pid, _, _} <- children(Supervisor),
                      is_pid(Pid), not is_map_key(Pid, Before)]).

-spec children(atom()) -> [{term(), term(), term(), term()}].
children(Supervisor) ->
    try supervisor:which_children(Supervisor)
    catch exit:_ -> []
    end.

%% Unchanged names usually come in the same order.
-spec tidy_names(baseline()) -> boolean().
tidy_names(#baseline{names = Before}) ->
    case names() of
        Before ->
            true;
        Now ->
            lists:foreach(fun forget_name/1, Now -- Before),
            lists:foreach(fun restore_name/1, Before -- Now),
            lists:sort(names()) =:= lists:sort(Before)
    end.

%% A process may end at any time, and its name with it.
-spec forget_name({atom(), term()}) -> boolean().
forget_name({Name, _}) ->
    try unregister(Name)
    catch error:badarg -> false
    end.

-spec restore_name({atom(), term()}) -> boolean().
restore_name({Name, Owner}) ->
    try register(Name, Owner)
    catch error:badarg -> false
    end.

-spec names() -> names().
names() ->
    [{Name, whereis(Name)} || Name <- registered()].

-spec tidy_terms(baseline()) -> true.
tidy_terms(#baseline{terms = Before}) ->
    case persistent_term:get() of
        Before ->
            true;
        Now ->
            Old = maps:from_list(Before),
            lists:foreach(fun persistent_term:erase/1,
                          [Key || {Key, _} <- Now, not is_map_key(Key, Old),
                                  not is_of_system(Key)]),
            lists:foreach(fun({Key, Value}) -> persistent_term:put(Key, Value)
                          end, Before),
            true
    end.

%% Modules of OTP keep permanent terms under their own names.
-spec is_of_system(term()) -> boolean().
is_of_system(Key) when is_tuple(Key), tuple_size(Key) > 0 ->
    is_of_system(element(1, Key));
is_of_system(Key) when is_atom(Key) ->
    not erlconcolic_alias:has_alias(Key)
        andalso erlconcolic_code_place:is_of_system(Key);
is_of_system(_Key) ->
    false.

-spec tidy_environment(baseline()) -> boolean().
tidy_environment(#baseline{environment = Before, loaded = Loaded}) ->
    case environment(?ENVIRONMENT) of
        Before ->
            true;
        Now ->
            lists:foreach(fun unset/1, Now -- Before),
            lists:foreach(fun set/1, Before -- Now),
            loaded() =:= Loaded
                andalso Before -- environment(?ENVIRONMENT) =:= []
    end.

-spec unset({{atom(), atom()}, term()}) -> ok.
unset({{Application, Key}, _}) ->
    application:unset_env(Application, Key).

-spec set({{atom(), atom()}, term()}) -> ok.
set({{Application, Key}, Value}) ->
    application:set_env(Application, Key, Value).

%% Without the table, only the environment of loaded applications is known.
-spec environment(Table :: atom()) -> environment().
environment(Table) ->
    try ets:match_object(Table, {{env, '_', '_'}, '_'}) of
        Found -> [{{Application, Key}, Value}
                  || {{env, Application, Key}, Value} <- Found]
    catch
        error:badarg -> documented_environment()
    end.

-spec documented_environment() -> environment().
documented_environment() ->
    [{{Application, Key}, Value}
     || Application <- loaded(),
        {Key, Value} <- application:get_all_env(Application)].

-spec loaded() -> [atom()].
loaded() ->
    lists:sort([Application
                || {Application, _, _} <- application:loaded_applications()]).

%% Large tables disappear a moment after their owners.
-spec has_its_tables(baseline()) -> boolean().
has_its_tables(Baseline) ->
    has_its_tables(Baseline, ?TRIES).

-spec has_its_tables(baseline(), non_neg_integer()) -> boolean().
has_its_tables(#baseline{ports = Ports, tables = Tables} = Baseline, Tries) ->
    case {erlang:system_info(port_count), erlang:system_info(ets_count)} of
        {Ports, Tables} -> true;
        _ when Tries =:= 0 -> false;
        _ -> receive after 1 -> has_its_tables(Baseline, Tries - 1) end
    end.

%% Atoms are never freed, and a node whose atom table is full dies. Asking for
%% the memory takes half as long as a run, so it is done rarely.
-spec has_room(baseline()) -> boolean().
has_room(#baseline{memory = Before, runs = Runs}) ->
    ok = counters:add(Runs, 1, 1),
    Atoms = erlang:system_info(atom_count),
    Atoms < erlang:system_info(atom_limit) div 2
        andalso (counters:get(Runs, 1) rem ?RUNS_UNTIL_WEIGHED =/= 0
                 orelse erlang:memory(total) < Before + ?MAX_GROWTH).
