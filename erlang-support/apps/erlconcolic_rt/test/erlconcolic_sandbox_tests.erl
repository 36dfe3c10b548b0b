%%% Tests of which calls the sandbox refuses.
-module(erlconcolic_sandbox_tests).

-include_lib("eunit/include/eunit.hrl").

-import(erlconcolic_sandbox, [check/4, check_call/4, reason/3]).

blocks_calls_that_reach_out_of_the_run_test() ->
    [?assertEqual({M, F, A, blocked}, {M, F, A, check(M, F, A, [])})
     || {M, F, A} <-
            [{file, delete, 1}, {file, write_file, 2}, {file, read_file, 1},
             {filelib, ensure_dir, 1}, {os, cmd, 1}, {os, putenv, 2},
             {gen_tcp, listen, 2}, {gen_tcp, connect, 3}, {gen_udp, open, 1},
             {socket, open, 2}, {ssl, connect, 3}, {httpc, request, 1},
             {inet, gethostbyname, 1}, {init, stop, 0},
             {code, load_binary, 3}, {code, purge, 1}, {code, add_path, 1},
             {net_kernel, start, 2}, {rpc, call, 4}, {erpc, call, 4},
             {peer, start, 1}, {global, register_name, 2},
             {dets, open_file, 2}, {disk_log, open, 1}, {zip, zip, 2},
             {erl_tar, create, 2}, {compile, file, 1},
             {application, start, 1}, {application, ensure_all_started, 1},
             {dbg, tracer, 0}, {erl_eval, exprs, 2}, {ets, tab2file, 2},
             {erlang, halt, 0}, {erlang, halt, 2}, {erlang, open_port, 2},
             {erlang, load_nif, 2}, {erlang, load_module, 2},
             {erlang, purge_module, 1}, {erlang, delete_module, 1},
             {erlang, set_cookie, 2}, {erlang, disconnect_node, 1},
             {erlang, monitor_node, 2}, {erlang, spawn, 2},
             {erlang, spawn, 4}, {erlang, spawn_link, 4},
             {erlang, system_flag, 2}, {erlang, trace, 3},
             {erlang, trace_pattern, 2}]].

permits_harmless_calls_test() ->
    [?assertEqual({M, F, A, ok}, {M, F, A, check(M, F, A, [])})
     || {M, F, A} <-
            [{file, format_error, 1}, {filename, join, 1},
             {filelib, is_file, 1}, {os, timestamp, 0}, {os, type, 0},
             {os, system_time, 1}, {os, perf_counter, 0}, {os, getenv, 1},
             {code, is_loaded, 1}, {code, which, 1}, {inet, ntoa, 1},
             {inet, parse_address, 1}, {compile, forms, 2},
             {application, get_env, 2}, {init, get_argument, 1},
             {erlang, spawn, 1}, {erlang, spawn, 3}, {erlang, exit, 2},
             {erlang, process_flag, 3}, {erlang, send, 2},
             {ets, new, 2}, {lists, map, 2}, {my_module, f, 0}]].

allowed_calls_are_made_test() ->
    ?assertEqual(ok, check(file, delete, 1, [file])),
    ?assertEqual(ok, check(file, delete, 1, [{file, delete, 1}])),
    ?assertEqual(blocked, check(file, delete, 2, [{file, delete, 1}])),
    ?assertEqual(blocked, check(file, delete, 1, [os, {file, open, 2}])).

names_functions_that_exist_test() ->
    [begin
         {module, Module} = code:ensure_loaded(Module),
         ?assertEqual({Module, Function, Reason},
                      {Module, Function, reason(Module, Function, Arity)}),
         ?assert(erlang:function_exported(Module, Function, Arity))
     end || {Module, Function, Arity, Reason} <-
                [{file, delete, 1, files}, {os, cmd, 1, programs},
                 {gen_tcp, listen, 2, network}, {rpc, call, 4, nodes},
                 {code, load_binary, 3, code}, {erlang, halt, 0, halting},
                 {logger, add_handler, 3, node_wide},
                 {erlang, trace, 3, tracing}, {lists, map, 2, none}]].

checks_the_callee_of_higher_order_calls_test() ->
    Delete = {blocked, {file, delete, 1}},
    Fun = fun file:delete/1,
    [?assertEqual({Call, Delete}, {Call, check_call(M, F, Args, [])})
     || [M, F, Args] = Call <-
            [[erlang, apply, [file, delete, ["x"]]],
             [erlang, apply, [Fun, ["x"]]],
             [erlang, apply, [erlang, apply, [file, delete, ["x"]]]],
             [erlang, spawn, [file, delete, ["x"]]],
             [erlang, spawn_opt, [file, delete, ["x"], [link]]],
             [proc_lib, spawn_link, [file, delete, ["x"]]],
             [timer, apply_after, [1, file, delete, ["x"]]],
             [timer, tc, [file, delete, ["x"]]],
             [timer, tc, [Fun, ["x"]]],
             [lists, foreach, [Fun, ["x"]]],
             [maps, map, [Fun, #{}]]]].

permits_other_calls_test() ->
    Fun = fun file:delete/1,
    [?assertEqual({Call, ok}, {Call, check_call(M, F, Args, Allow)})
     || {[M, F, Args] = Call, Allow} <-
            [{[erlang, is_function, [Fun]], []},
             {[lists, foreach, [Fun, ["x"]]], [file]},
             {[lists, foreach, [fun(_) -> ok end, ["x"]]], []},
             {[lists, foreach, [fun lists:sum/1, [[1]]]], []},
             {[erlang, apply, [1, 2, 3]], []},
             {[erlang, apply, [lists, sum, [1 | 2]]], []},
             {[erlang, apply, [x]], []},
             {[lists, append, [file, delete]], []},
             {[timer, apply_after, [x]], []},
             {[1, 2, [3]], []},
             {[file, delete, not_a_list], []}]].

permits_calls_that_libraries_need_test_() ->
    [?_assertEqual(none, erlconcolic_sandbox:reason(Module, Function, Arity))
     || {Module, Function, Arity} <- [{erts_internal, map_next, 3},
                                      {file, module_info, 0},
                                      {os, module_info, 1}]].
