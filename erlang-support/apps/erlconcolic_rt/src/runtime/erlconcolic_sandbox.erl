%%% The calls of foreign code that a program under test may not make. They reach
%%% out of the run: to files, other programs, the network, other nodes, or to
%%% something that this node itself needs. The sandbox does not see calls that
%%% foreign code makes in turn.
-module(erlconcolic_sandbox).

-export([check/4, check_call/4, reason/3, while_open/1, is_open/0]).

-export_type([allow/0, reason/0]).

%% Calls that the user allows.
-type allow() :: [module() | mfa()].

-type reason() ::
    files       % reads or changes files
  | programs    % starts other programs, or talks to them
  | network     % talks to other machines
  | nodes       % talks to other nodes, or becomes one that does
  | code        % loads, removes or evaluates code
  | halting     % ends this node
  | node_wide   % changes how all of this node works
  | tracing.    % watches or slows down other processes

-define(OPEN, '$erlconcolic_open').

%% Refuses nothing on this node until this is done: it runs the user's own
%% tests.
-spec while_open(fun(() -> Result)) -> Result.
while_open(Body) ->
    ok = persistent_term:put(?OPEN, true),
    try
        Body()
    after
        persistent_term:erase(?OPEN)
    end.

-spec is_open() -> boolean().
is_open() ->
    persistent_term:get(?OPEN, false).

%% A call that is allowed may spoil the node for other runs, or end it.
-spec check(module(), atom(), arity(), allow()) ->
    ok | spoils | ends | blocked.
check(Module, Function, Arity, Allow) ->
    case erlconcolic_missing:is_missing(Module) of
        true -> blocked;
        false -> check_reason(Module, Function, Arity, Allow)
    end.

-spec check_reason(module(), atom(), arity(), allow()) ->
    ok | spoils | ends | blocked.
check_reason(Module, Function, Arity, Allow) ->
    case reason(Module, Function, Arity) of
        none ->
            ok;
        Reason ->
            case is_allowed(Module, Function, Arity, Allow) of
                true -> spoils(Reason, Function);
                false -> blocked
            end
    end.

-spec is_allowed(module(), atom(), arity(), allow()) -> boolean().
is_allowed(Module, Function, Arity, Allow) ->
    lists:member(Module, Allow)
        orelse lists:member({Module, Function, Arity}, Allow).

%% Calls about files, programs and the network do not change the node.
-spec spoils(reason(), atom()) -> ok | spoils | ends.
spoils(halting, _) -> ends;
spoils(code, _) -> spoils;
spoils(nodes, _) -> spoils;
spoils(node_wide, _) -> spoils;
spoils(tracing, _) -> spoils;
spoils(_, set_cwd) -> spoils;
spoils(_, putenv) -> spoils;
spoils(_, unsetenv) -> spoils;
spoils(_, set_signal) -> spoils;
spoils(_, _) -> ok.

%% Also checks the function that the call will call: `erlang:apply(file, delete,
%% [Name])' and `lists:foreach(fun file:delete/1, Names)'.
-spec check_call(term(), term(), term(), allow()) ->
    ok | spoils | ends | {blocked, mfa()}.
check_call(erlang, Function, Args, Allow) when length(Args) >= 0 ->
    Arity = length(Args),
    case erlconcolic_foreign:check(Function, Args) of
        blocked ->
            case is_allowed(erlang, Function, Arity, Allow) of
                true -> spoils;
                false -> {blocked, {erlang, Function, Arity}}
            end;
        spoils ->
            spoils;
        ends ->
            ends;
        ok ->
            check_name(erlang, Function, Arity, Args, Allow)
    end;
check_call(Module, Function, Args, Allow) when length(Args) >= 0 ->
    check_name(Module, Function, length(Args), Args, Allow);
check_call(_Module, _Function, _NoArgs, _Allow) ->
    ok.

-spec check_name(term(), term(), arity(), [term()], allow()) ->
    ok | spoils | ends | {blocked, mfa()}.
check_name(Module, Function, Arity, Args, Allow) ->
    case check(Module, Function, Arity, Allow) of
        ok -> check_callee(callee(Module, Function, Arity, Args), Allow);
        spoils -> spoils;
        ends -> ends;
        blocked -> {blocked, {Module, Function, Arity}}
    end.

-spec check_callee(Callee, allow()) -> ok | spoils | ends | {blocked, mfa()}
    when Callee :: none | {term(), term(), term()}.
check_callee(none, _Allow) -> ok;
check_callee({Module, Function, Args}, Allow) ->
    check_call(Module, Function, Args, Allow).

%% The function that this call will call, if the first argument is a fun, or if
%% the function is known to call what its first arguments name.
-spec callee(term(), term(), arity(), [term()]) ->
    none | {term(), term(), term()}.
callee(erlang, Function, Arity, Args) ->
    case Function of
        apply -> from_start(Args);
        spawn when Arity =/= 2 -> from_start(Args);
        spawn_link when Arity =/= 2 -> from_start(Args);
        spawn_monitor when Arity =/= 2 -> from_start(Args);
        spawn_opt -> from_start(Args);
        spawn_request -> from_start(Args);
        hibernate -> from_start(Args);
        _ -> none
    end;
callee(proc_lib, _, _, Args) -> from_start(Args);
callee(timer, tc, _, Args) -> from_start(Args);
callee(timer, apply_after, _, Args) -> from_start(tl(Args));
callee(timer, apply_interval, _, Args) -> from_start(tl(Args));
callee(timer, apply_repeatedly, _, Args) -> from_start(tl(Args));
callee(_, _, _, [Fun | _]) when is_function(Fun) -> from_start([Fun]);
callee(_, _, _, _) -> none.

-spec from_start([term()]) -> none | {term(), term(), term()}.
from_start([Fun, Args]) when is_function(Fun), is_list(Args) ->
    case external(Fun) of
        {Module, Function, _} -> {Module, Function, Args};
        none -> none
    end;
from_start([Fun | _]) when is_function(Fun) ->
    external(Fun);
from_start([Module, Function, Args | _])
  when is_atom(Module), is_atom(Function), is_list(Args) ->
    {Module, Function, Args};
from_start(_) ->
    none.

%% Only the number of arguments is known.
-spec external(fun()) -> none | {module(), atom(), [undefined]}.
external(Fun) ->
    case erlang:fun_info(Fun, type) of
        {type, external} ->
            {module, Module} = erlang:fun_info(Fun, module),
            {name, Function} = erlang:fun_info(Fun, name),
            {arity, Arity} = erlang:fun_info(Fun, arity),
            {Module, Function, lists:duplicate(Arity, undefined)};
        {type, local} ->
            none
    end.

%% Why a call is not allowed. The exceptions of a module come before its rule.
-spec reason(term(), term(), arity()) -> reason() | none.
reason(_, module_info, Arity) when Arity =< 1 -> none;
reason(erlang, Function, Arity) -> erlang_reason(Function, Arity);
reason(file, format_error, 1) -> none;
reason(file, native_name_encoding, 0) -> none;
reason(file, _, _) -> files;
reason(prim_file, _, _) -> files;
reason(filelib, ensure_dir, _) -> files;
reason(filelib, ensure_path, _) -> files;
reason(file_sorter, _, _) -> files;
reason(dets, _, _) -> files;
reason(disk_log, _, _) -> files;
reason(log_mf_h, _, _) -> files;
reason(wrap_log_reader, _, _) -> files;
reason(zip, _, _) -> files;
reason(prim_zip, _, _) -> files;
reason(erl_tar, _, _) -> files;
reason(ets, tab2file, _) -> files;
reason(ets, file2tab, _) -> files;
reason(ets, tabfile_info, _) -> files;
reason(sys, log_to_file, _) -> files;
reason(compile, file, _) -> files;
reason(compile, noenv_file, _) -> files;
reason(beam_lib, strip_files, _) -> files;
reason(beam_lib, strip_release, _) -> files;
reason(make, _, _) -> files;
reason(systools, _, _) -> files;
reason(release_handler, _, _) -> files;
reason(reltool, _, _) -> files;
reason(mnesia, _, _) -> files;
reason(os, timestamp, 0) -> none;
reason(os, system_time, _) -> none;
reason(os, perf_counter, _) -> none;
reason(os, type, 0) -> none;
reason(os, version, 0) -> none;
reason(os, getenv, _) -> none;
reason(os, getpid, 0) -> none;
reason(os, env, _) -> none;
reason(os, _, _) -> programs;
reason(gen_tcp, _, _) -> network;
reason(gen_udp, _, _) -> network;
reason(gen_sctp, _, _) -> network;
reason(socket, _, _) -> network;
reason(prim_socket, _, _) -> network;
reason(prim_inet, _, _) -> network;
reason(prim_net, _, _) -> network;
reason(net, _, _) -> network;
reason(ssl, _, _) -> network;
reason(httpc, _, _) -> network;
reason(httpd, _, _) -> network;
reason(inets, _, _) -> network;
reason(ftp, _, _) -> network;
reason(tftp, _, _) -> network;
reason(ssh, _, _) -> network;
reason(ssh_sftp, _, _) -> network;
reason(inet, ntoa, _) -> none;
reason(inet, parse_address, _) -> none;
reason(inet, parse_ipv4_address, _) -> none;
reason(inet, parse_ipv4strict_address, _) -> none;
reason(inet, parse_ipv6_address, _) -> none;
reason(inet, parse_ipv6strict_address, _) -> none;
reason(inet, parse_strict_address, _) -> none;
reason(inet, format_error, _) -> none;
reason(inet, ipv4_mapped_ipv6_address, _) -> none;
reason(inet, is_ip_address, _) -> none;
reason(inet, is_ipv4_address, _) -> none;
reason(inet, is_ipv6_address, _) -> none;
reason(inet, _, _) -> network;
reason(inet_db, _, _) -> network;
reason(inet_res, _, _) -> network;
reason(net_adm, localhost, 0) -> none;
%% Only the process itself hears of nodes.
reason(net_kernel, monitor_nodes, _) -> none;
reason(net_kernel, _, _) -> nodes;
reason(net_adm, _, _) -> nodes;
reason(erl_epmd, _, _) -> nodes;
reason(erl_boot_server, _, _) -> nodes;
reason(auth, _, _) -> nodes;
reason(rpc, _, _) -> nodes;
reason(erpc, _, _) -> nodes;
reason(slave, _, _) -> nodes;
reason(peer, _, _) -> nodes;
reason(pool, _, _) -> nodes;
reason(ct_slave, _, _) -> nodes;
reason(global_group, _, _) -> nodes;
reason(global, _, _) -> nodes;
reason(init, get_argument, 1) -> none;
reason(init, get_arguments, 0) -> none;
reason(init, get_plain_arguments, 0) -> none;
reason(init, get_status, 0) -> none;
reason(init, script_id, 0) -> none;
reason(init, _, _) -> halting;
reason(heart, _, _) -> halting;
reason(code, is_loaded, 1) -> none;
reason(code, which, _) -> none;
reason(code, ensure_loaded, 1) -> none;
reason(code, ensure_modules_loaded, 1) -> none;
reason(code, module_md5, _) -> none;
reason(code, is_sticky, _) -> none;
reason(code, is_module_native, _) -> none;
reason(code, all_loaded, 0) -> none;
reason(code, root_dir, 0) -> none;
reason(code, lib_dir, _) -> none;
reason(code, priv_dir, _) -> none;
reason(code, compiler_dir, 0) -> none;
reason(code, get_path, 0) -> none;
reason(code, get_mode, 0) -> none;
reason(code, where_is_file, _) -> none;
reason(code, get_object_code, 1) -> none;
reason(code, module_status, _) -> none;
reason(code, get_doc, _) -> none;
reason(code, _, _) -> code;
reason(code_server, _, _) -> code;
reason(erl_prim_loader, _, _) -> code;
reason(erl_ddll, _, _) -> code;
reason(erl_eval, _, _) -> code;
reason(shell, _, _) -> code;
reason(escript, _, _) -> code;
reason(c, _, _) -> code;
reason(cover, _, _) -> code;
reason(erts_code_purger, _, _) -> code;
reason(application, start, _) -> node_wide;
reason(application, start_boot, _) -> node_wide;
reason(application, stop, _) -> node_wide;
reason(application, ensure_started, _) -> node_wide;
reason(application, ensure_all_started, _) -> node_wide;
reason(application, load, _) -> node_wide;
reason(application, unload, _) -> node_wide;
reason(application, takeover, _) -> node_wide;
reason(application, permit, _) -> node_wide;
reason(logger, add_handler, _) -> node_wide;
reason(logger, add_handler_filter, _) -> node_wide;
reason(logger, add_handlers, _) -> node_wide;
reason(logger, add_primary_filter, _) -> node_wide;
reason(logger, reconfigure, _) -> node_wide;
reason(logger, remove_handler, _) -> node_wide;
reason(logger, remove_handler_filter, _) -> node_wide;
reason(logger, remove_primary_filter, _) -> node_wide;
reason(logger, set_application_level, _) -> node_wide;
reason(logger, set_handler_config, _) -> node_wide;
reason(logger, set_module_level, _) -> node_wide;
reason(logger, set_primary_config, _) -> node_wide;
reason(logger, set_proxy_config, _) -> node_wide;
reason(logger, unset_application_level, _) -> node_wide;
reason(logger, unset_module_level, _) -> node_wide;
reason(logger, update_formatter_config, _) -> node_wide;
reason(logger, update_handler_config, _) -> node_wide;
reason(logger, update_primary_config, _) -> node_wide;
reason(logger, update_proxy_config, _) -> node_wide;
reason(error_logger, add_report_handler, _) -> node_wide;
reason(error_logger, delete_report_handler, _) -> node_wide;
reason(error_logger, logfile, _) -> node_wide;
reason(error_logger, tty, _) -> node_wide;
reason(erts_internal, map_next, 3) -> none;
reason(erts_internal, mc_iterator, 1) -> none;
reason(erts_internal, mc_refill, 1) -> none;
reason(erts_internal, cmp_term, 2) -> none;
reason(erts_internal, _, _) -> node_wide;
reason(erts_debug, _, _) -> node_wide;
reason(erts_alloc_config, _, _) -> node_wide;
reason(instrument, _, _) -> node_wide;
reason(user_drv, _, _) -> node_wide;
reason(dbg, _, _) -> tracing;
reason(ttb, _, _) -> tracing;
reason(trace, _, _) -> tracing;
reason(seq_trace, get_token, _) -> none;
reason(seq_trace, get_system_tracer, _) -> none;
reason(seq_trace, _, _) -> tracing;
reason(eprof, _, _) -> tracing;
reason(fprof, _, _) -> tracing;
reason(cprof, _, _) -> tracing;
reason(tprof, _, _) -> tracing;
reason(lcnt, _, _) -> tracing;
reason(msacc, _, _) -> tracing;
reason(observer, _, _) -> tracing;
reason(etop, _, _) -> tracing;
reason(et, _, _) -> tracing;
reason(_, _, _) -> none.

-spec erlang_reason(term(), arity()) -> reason() | none.
erlang_reason(halt, _) -> halting;
erlang_reason(open_port, _) -> programs;
erlang_reason(port_close, _) -> programs;
erlang_reason(port_command, _) -> programs;
erlang_reason(port_connect, _) -> programs;
erlang_reason(port_control, _) -> programs;
erlang_reason(port_call, _) -> programs;
erlang_reason(load_nif, _) -> code;
erlang_reason(load_module, _) -> code;
erlang_reason(purge_module, _) -> code;
erlang_reason(delete_module, _) -> code;
erlang_reason(prepare_loading, _) -> code;
erlang_reason(finish_loading, _) -> code;
%% These have a node as first argument.
erlang_reason(spawn, 2) -> nodes;
erlang_reason(spawn, 4) -> nodes;
erlang_reason(spawn_link, 2) -> nodes;
erlang_reason(spawn_link, 4) -> nodes;
erlang_reason(spawn_monitor, 2) -> nodes;
erlang_reason(spawn_monitor, 4) -> nodes;
erlang_reason(spawn_opt, 3) -> nodes;
erlang_reason(spawn_opt, 5) -> nodes;
erlang_reason(spawn_request, 5) -> nodes;
erlang_reason(set_cookie, _) -> nodes;
erlang_reason(disconnect_node, _) -> nodes;
erlang_reason(monitor_node, _) -> nodes;
erlang_reason(setnode, _) -> nodes;
erlang_reason(system_flag, _) -> node_wide;
erlang_reason(trace, _) -> tracing;
erlang_reason(trace_pattern, _) -> tracing;
erlang_reason(trace_delivered, _) -> tracing;
erlang_reason(system_monitor, _) -> tracing;
erlang_reason(system_profile, _) -> tracing;
erlang_reason(_, _) -> none.
