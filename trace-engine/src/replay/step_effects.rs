//! What steps do to names and tables.

use solver::graph::{Node, NodeId};

use super::aliases::{aliased, end_alias};
use super::known_calls::KnownCall;
use super::monitors::demonitored;
use super::objects::Shared;
use super::process_ids::process_number;
use super::run_state::RunState;
use super::shared_access::Access;
use super::signal_effect::SignalEffect;

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
        note_effects_on_tables(run, call, &arguments, value);
        return;
    }
    let Some(together) = run.together.as_deref_mut() else {
        return;
    };
    let graph = &run.replayed.graph;
    let shared = &mut run.shared;
    match (
        call.module.as_str(),
        call.name.as_str(),
        arguments.as_slice(),
    ) {
        ("erlang", "demonitor", arguments) => {
            let process = together.current;
            demonitored(run, process, arguments);
        }
        ("erlang", "alias", _) => aliased(run, call, value),
        ("erlang", "unalias", &[reference]) => end_alias(run, reference),
        ("erlang", "register", &[name, pid]) => {
            if let Some(process) = process_number(graph, pid) {
                shared.register(name, process);
                let object = Shared::Name(Some(name)).object(graph);
                run.note_effect(SignalEffect::Owns(process, object));
            }
        }
        ("erlang", "unregister", &[name]) => {
            shared.unregister(name);
            let object = Shared::Name(Some(name)).object(graph);
            run.note_effect(SignalEffect::Frees(object));
        }
        _ => {}
    }
}

fn note_effects_on_tables(
    run: &mut RunState<'_>,
    call: &KnownCall,
    arguments: &[NodeId],
    value: NodeId,
) {
    match (call.name.as_str(), arguments) {
        ("new", _) => {
            let owner = run.shared.table(value).map(|it| it.owner);
            let object = Shared::Table(value, None).object(&run.replayed.graph);
            if let Some(owner) = owner {
                run.note_effect(SignalEffect::Owns(owner, object));
            }
        }
        ("delete", &[table]) | ("rename", &[table, _]) => {
            let id = run.shared.table_id(table);
            let object = Shared::Table(id, None).object(&run.replayed.graph);
            run.shared.remove_table(table);
            run.note_effect(SignalEffect::Frees(object));
        }
        ("whereis", &[name]) => {
            if let Some(table) = run.shared.table_mut(name) {
                table.alias = Some(value);
            }
        }
        _ => {}
    }
}

/// What a step touches that makes a table: only one with a name is known to others.
pub(super) fn accesses_of_new_table(run: &RunState<'_>, table: NodeId) -> Vec<Access> {
    let graph = &run.replayed.graph;
    if matches!(graph.node(table), Node::Atom(_)) {
        return vec![Access::write(Shared::Table(table, None).object(graph))];
    }
    Vec::new()
}
