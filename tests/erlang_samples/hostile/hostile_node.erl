%% Changes things that other runs could see, or tries to.
-module(hostile_node).
-compile([nowarn_deprecated_function]).
-export([keys/0, erases_keys/0, erases_all/0, erases_by_library/0, puts_terms/0,
         erases_terms/0, sets_environment/0, unsets_environment/0, gives_table/0,
         named_table/0, halts/0, halts_with_status/0, halts_at_once/0, stops/0,
         restarts/0, loads/0, loads_itself/0, purges/0, deletes/0, adds_path/0,
         loads_file/0, evaluates/0, traces/0, trace_patterns/0, debugs/0,
         schedulers/0, one_scheduler/0, distributes/0, logs/0, log_filters/0,
         sequences/0, collects/0, variable/0, folder/0, opens_port/0,
         closes_port/0, commands/0, connects/0, exports/0]).

keys() ->
    Keys = ['$erlconcolic', '$erlconcolic_log', '$erlconcolic_outside',
            '$erlconcolic_run'],
    Before = [put(Key, mine) || Key <- Keys],
    {Before, [get(Key) || Key <- Keys], lists:sort(get()),
     [erase(Key) || Key <- Keys], get()}.

erases_keys() ->
    [erase(Key) || {Key, _} <- get()],
    [erase(Key) || Key <- ['$erlconcolic', '$erlconcolic_log',
                           '$erlconcolic_outside', '$erlconcolic_run']].

erases_all() -> erase().

erases_by_library() ->
    _ = timer:tc(fun erlang:erase/0),
    lists:sum([1, 2]).

puts_terms() ->
    persistent_term:put({hostile, 1}, a),
    persistent_term:put(hostile, b),
    persistent_term:put(erlconcolic_follow, c).

erases_terms() ->
    [persistent_term:erase(Key) || {Key, _} <- persistent_term:get()],
    ok.

sets_environment() ->
    [application:set_env(Application, Key, Value)
     || {Application, Key, Value} <- [{stdlib, hostile, 1}, {hostile, key, 1},
                                      {kernel, logger_level, debug},
                                      {kernel, logger_sasl_compatible, true}]],
    ok.

unsets_environment() ->
    [application:unset_env(kernel, Key)
     || {Key, _} <- application:get_all_env(kernel)],
    ok.

gives_table() ->
    Table = ets:new(hostile, [named_table, public]),
    ets:give_away(Table, whereis(init), gift).

named_table() ->
    Heir = whereis(init),
    ets:new(hostile, [named_table, {heir, Heir, gift}]).

halts() -> erlang:halt().
halts_with_status() -> erlang:halt(3).
halts_at_once() -> erlang:halt(3, [{flush, false}]).
stops() -> init:stop().
restarts() -> init:restart().
loads() -> code:load_binary(erlconcolic_out, "out.beam", <<>>).
loads_itself() ->
    {?MODULE, Code, File} = code:get_object_code(?MODULE),
    code:load_binary(?MODULE, File, Code).
purges() -> code:purge(erlconcolic_out).
deletes() -> code:delete(erlconcolic_collector).
adds_path() -> code:add_patha("/tmp").
loads_file() -> code:load_file(lists).
evaluates() -> erl_eval:exprs([{integer, 1, 1}], []).
traces() -> erlang:trace(all, true, [call]).
trace_patterns() -> erlang:trace_pattern({lists, '_', '_'}, true, []).
debugs() -> dbg:tracer().
schedulers() -> erlang:system_flag(schedulers_online, 1).
one_scheduler() -> erlang:system_flag(multi_scheduling, block).
distributes() -> net_kernel:start([hostile, shortnames]).
logs() -> logger:set_primary_config(level, all).
log_filters() -> logger:add_primary_filter(hostile, {fun(_, _) -> stop end, x}).
sequences() -> seq_trace:set_token(send, true).
collects() -> lists:all(fun erlang:garbage_collect/1, processes()).
variable() -> os:putenv("HOSTILE", "1").
folder() -> file:set_cwd("/").
opens_port() -> open_port({fd, 0, 4}, [out]).
closes_port() -> lists:map(fun erlang:port_close/1, erlang:ports()).
commands() -> os:cmd("true").
connects() -> gen_tcp:connect("localhost", 1, []).
exports() -> lists:member({'@keys', 0}, ?MODULE:module_info(exports)).
