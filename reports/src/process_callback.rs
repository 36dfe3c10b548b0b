//! Callbacks of processes: `handle_call/3`, `terminate/2` and their like. Only the process calls
//! them, with a state that `init/1` has made. A search that calls them directly makes a state up.

use erlang_term::Atom;
use flattener::ast::{Attribute, LiteralValue};
use flattener::flat::FunctionId;
use trace_format::ProgramModule;

/// The callbacks of OTP's behaviours that get a state, or arguments that only their own start
/// function gives.
const OF_BEHAVIOURS: &[(&str, u32)] = &[
    ("code_change", 3),
    ("code_change", 4),
    ("format_status", 1),
    ("format_status", 2),
    ("handle_call", 2),
    ("handle_call", 3),
    ("handle_cast", 2),
    ("handle_continue", 2),
    ("handle_event", 2),
    ("handle_event", 3),
    ("handle_event", 4),
    ("handle_info", 2),
    ("handle_info", 3),
    ("handle_sync_event", 4),
    ("init", 1),
    ("terminate", 2),
    ("terminate", 3),
];

/// The callbacks of `sys`, which needs no behaviour.
const OF_SYS: &[(&str, u32)] = &[
    ("system_code_change", 4),
    ("system_continue", 3),
    ("system_get_state", 1),
    ("system_replace_state", 2),
    ("system_terminate", 4),
];

/// Whether a function of a module is a callback of a process.
pub(crate) fn is_process_callback(module: &ProgramModule, function: &FunctionId) -> bool {
    let is_in = |callbacks: &[(&str, u32)]| {
        let mut callbacks = callbacks.iter();
        callbacks.any(|it| *it == (function.name.as_str(), function.arity))
    };
    let has_behaviour = || module.flat.attributes.iter().any(names_behaviour);
    is_in(OF_SYS) || (is_in(OF_BEHAVIOURS) && has_behaviour())
}

fn names_behaviour(attribute: &Attribute) -> bool {
    let is_key = |name: &str| attribute.key.value == LiteralValue::Atom(Atom::new(name));
    is_key("behaviour") || is_key("behavior")
}
