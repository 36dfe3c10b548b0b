//! What steps do to names and tables.

use solver::graph::{Graph, Node, NodeId};

use super::known_calls::KnownCall;
use super::monitors::{demonitored, note_signalled_end};
use super::objects::Shared;
use super::process_ids::process_number;
use super::run_event::Access;
use super::run_state::RunState;
use super::shared_state::SharedState;

/// Notes what a step did that returned a value.
pub(super) fn note_effects(run: &mut RunState<'_>, call: &KnownCall, value: NodeId) {
    let arguments = call.arguments.iter();
    let arguments: Option<Vec<NodeId>> = arguments
        .map(|argument| run.input.value(&mut run.replayed.graph, *argument))
        .collect();
    let Some(arguments) = arguments else {
        return;
    };
    if call.module.as_str() == "ets" {
        note_effects_on_tables(&mut run.shared, call, &arguments, value);
        return;
    }
    let Some(together) = run.together.as_deref_mut() else {
        return;
    };
    let graph = &run.replayed.graph;
    let step = run.replayed.events.len().saturating_sub(1);
    let shared = &mut run.shared;
    match (
        call.module.as_str(),
        call.name.as_str(),
        arguments.as_slice(),
    ) {
        ("erlang", "link", _) => together.has_links = true,
        ("erlang", "process_flag", _) => together.traps_exits = true,
        ("erlang", "exit", &[pid, reason]) => {
            if let Some(process) = process_number(graph, pid)
                && ends_others(graph, reason, together.traps_exits)
            {
                together.kill(process, step);
                note_signalled_end(run, process);
            }
        }
        ("erlang", "demonitor", arguments) => {
            let process = together.current;
            demonitored(run, process, arguments);
        }
        ("erlang", "register", &[name, pid]) => {
            if let Some(process) = process_number(graph, pid) {
                shared.register(name, process);
            }
        }
        ("erlang", "unregister", &[name]) => shared.unregister(name),
        _ => {}
    }
}

fn note_effects_on_tables(
    shared: &mut SharedState,
    call: &KnownCall,
    arguments: &[NodeId],
    value: NodeId,
) {
    match (call.name.as_str(), arguments) {
        ("delete", &[table]) => shared.remove_table(table),
        ("rename", &[table, _]) => shared.remove_table(table),
        ("whereis", &[name]) => {
            if let Some(table) = shared.table_mut(name) {
                table.alias = Some(value);
            }
        }
        _ => {}
    }
}

/// Whether an exit signal with this reason ends its receiver.
fn ends_others(graph: &Graph, reason: NodeId, is_trapped: bool) -> bool {
    if let Node::Atom(reason) = graph.node(reason) {
        match reason.as_str() {
            "kill" => return true,
            "normal" => return false,
            _ => {}
        }
    }
    !is_trapped
}

/// What a step touches that makes a table: only one with a name is known to others.
pub(super) fn accesses_of_new_table(run: &RunState<'_>, table: NodeId) -> Vec<Access> {
    let graph = &run.replayed.graph;
    if matches!(graph.node(table), Node::Atom(_)) {
        return vec![Access::write(Shared::Table(table, None).object(graph))];
    }
    Vec::new()
}
