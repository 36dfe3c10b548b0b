//! Calls of code that is not followed, in runs of several processes. Most can do nothing that other
//! processes see; what the others do, nobody controls.

use flattener::flat::Statement;
use trace_format::CallKind;

use super::known_calls::known_call;
use super::operations::operation_name;
use super::replayed::Fits;
use super::run_state::RunState;
use super::stack::Stack;
use super::stored::forget_kept;

/// Modules whose functions only compute, or print.
const HARMLESS: &[&str] = &[
    "Access",
    "Atom",
    "Base",
    "Bitwise",
    "Collectable",
    "Date",
    "DateTime",
    "Enum",
    "Enumerable",
    "Exception",
    "Float",
    "Function",
    "IO",
    "Inspect",
    "Integer",
    "Kernel",
    "Keyword",
    "List",
    "Logger",
    "Map",
    "MapSet",
    "NaiveDateTime",
    "Range",
    "Regex",
    "Stream",
    "String",
    "String.Chars",
    "Time",
    "Tuple",
    "URI",
    "Version",
    "array",
    "base64",
    "binary",
    "calendar",
    "crypto",
    "dict",
    "digraph_utils",
    "erl_anno",
    "erl_eval",
    "erl_internal",
    "erl_lint",
    "erl_parse",
    "erl_pp",
    "erl_scan",
    "erlconcolic_regex",
    "error_logger",
    "filename",
    "gb_sets",
    "gb_trees",
    "inet_parse",
    "io",
    "io_lib",
    "json",
    "lists",
    "logger",
    "maps",
    "math",
    "orddict",
    "ordsets",
    "proplists",
    "queue",
    "rand",
    "random",
    "re",
    "sets",
    "sofs",
    "string",
    "unicode",
    "uri_string",
    "zlib",
];

/// Functions of `erlang` that do more than compute, or that depend on more than their arguments and
/// their process. Those that are steps are not asked for.
const IMPURE: &[&str] = &[
    "alias",
    "cancel_timer",
    "delete_module",
    "demonitor",
    "disconnect_node",
    "exit",
    "group_leader",
    "halt",
    "hibernate",
    "is_process_alive",
    "link",
    "load_module",
    "load_nif",
    "monitor",
    "monitor_node",
    "open_port",
    "port_call",
    "port_close",
    "port_command",
    "port_connect",
    "port_control",
    "port_info",
    "ports",
    "process_flag",
    "process_info",
    "processes",
    "purge_module",
    "read_timer",
    "register",
    "registered",
    "resume_process",
    "send",
    "send_after",
    "send_nosuspend",
    "set_cookie",
    "spawn",
    "spawn_link",
    "spawn_monitor",
    "spawn_opt",
    "spawn_request",
    "start_timer",
    "suspend_process",
    "system_flag",
    "trace",
    "unalias",
    "unlink",
    "unregister",
    "whereis",
];

/// Functions of `os` that only ask for something.
const QUESTIONS: &[&str] = &[
    "find_executable",
    "getenv",
    "getpid",
    "perf_counter",
    "system_time",
    "timestamp",
    "type",
    "version",
];

/// Notes a call of code that is not followed, unless it is harmless. It may have changed what was kept.
pub(super) fn note_foreign_call<'run>(
    run: &mut RunState<'run>,
    stack: &mut Stack<'run>,
    statement: &'run Statement,
) -> Fits {
    if run.together.is_none() && run.shared.keeps_nothing() {
        return Ok(());
    }
    let name = match known_call(run, stack, statement)? {
        Some(call) if is_harmless(call.module.as_str(), call.name.as_str()) => return Ok(()),
        Some(call) => call.text(),
        None => operation_name(&statement.operation),
    };
    let at = stack.at(statement);
    forget_kept(run, at, &name);
    run.note_uncontrolled(at, name);
    Ok(())
}

/// The same for a call that raised, if it called code that is not followed.
pub(super) fn note_raising_call<'run>(
    run: &mut RunState<'run>,
    stack: &mut Stack<'run>,
    statement: &'run Statement,
) -> Fits {
    if stack.call_kind(statement) == Some(CallKind::Opaque) {
        return note_foreign_call(run, stack, statement);
    }
    Ok(())
}

/// Whether a function that is not followed only computes, prints or asks something: no other process
/// notices it.
pub fn is_harmless(module: &str, name: &str) -> bool {
    if module == "erlang" {
        return !IMPURE.contains(&name);
    }
    // That it depends on the moment is noted elsewhere.
    let is_question = module == "os" && QUESTIONS.contains(&name);
    // A run has no other nodes.
    let is_about_nodes = (module, name) == ("net_kernel", "monitor_nodes");
    let module = module.strip_prefix("Elixir.").unwrap_or(module);
    HARMLESS.contains(&module) || is_question || is_about_nodes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_that_compute_or_print_are_harmless() {
        let harmless = [
            ("io", "format"),
            ("erlang", "phash2"),
            ("erlang", "make_ref"),
            ("erlang", "nodes"),
            ("math", "pow"),
            ("os", "getenv"),
            ("Elixir.IO", "puts"),
        ];
        assert!(harmless.iter().all(|it| is_harmless(it.0, it.1)));
    }

    #[test]
    fn what_others_can_see_is_not_harmless() {
        let others = [
            ("file", "write_file"),
            ("erlang", "open_port"),
            ("os", "cmd"),
            ("gen_tcp", "connect"),
            ("Elixir.Agent", "get"),
            ("shop", "order"),
        ];
        assert!(!others.iter().any(|it| is_harmless(it.0, it.1)));
    }
}
