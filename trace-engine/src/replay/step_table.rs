//! The calls that are steps.

use super::known_calls::KnownCall;

/// What a step does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StepKind {
    /// Something that it returns.
    Plain,
    /// It sends a message.
    Send,
    /// It starts a process.
    Spawn,
}

/// What the step does that a call is; `None` if it is none.
pub(super) fn step_kind(call: &KnownCall) -> Option<StepKind> {
    let arity = call.arguments.len();
    Some(match (call.module.as_str(), call.name.as_str(), arity) {
        ("erlang", "!" | "send", 2) => StepKind::Send,
        ("erlang", "spawn" | "spawn_link" | "spawn_monitor", 1 | 3) => StepKind::Spawn,
        ("erlang", "spawn_opt", 2 | 4) => StepKind::Spawn,
        ("ets", "insert" | "lookup", 2) => StepKind::Plain,
        _ => return None,
    })
}
