//! Steps that end other processes or ask about them. They depend on all that those processes do: a
//! step that a process makes would not be made if the process had been ended before it.

use std::collections::HashSet;

use solver::graph::Graph;

use super::objects::Shared;
use super::replayed::Replayed;
use super::run_event::{RunEvent, RunEventKind};
use super::shared_access::{Access, Object};
use super::signal_effect::SignalEffect;
use super::signal_state::Consequence;

/// The objects that such steps touch.
type Touched = HashSet<Object>;

/// Adds to each event what it has to do with such steps.
pub(super) fn add_signals(replayed: &mut Replayed) {
    let Replayed { events, graph, .. } = replayed;
    let accesses = events.iter().flat_map(RunEvent::accesses);
    let mut touched: Touched = accesses.map(|access| access.object).collect();
    let effects = events.iter().flat_map(|event| &event.effects);
    for process in effects.flat_map(mortal_processes) {
        touched.insert(Shared::process_of(process));
        touched.insert(Shared::mailbox_of(process));
        touched.insert(Shared::signals_of(process));
    }
    for event in events {
        let signals = signals_of(graph, event);
        let signals = signals.into_iter();
        let signals = signals.filter(|access| touched.contains(&access.object));
        event.signals.extend(signals);
        if event.kind == RunEventKind::End {
            let ends = Consequence::Ends(event.process).accesses().into_iter();
            let ends = ends.filter(|access| touched.contains(&access.object));
            event.consequences.extend(ends);
        }
    }
}

/// The processes that others may end, in this order of steps or in another one.
fn mortal_processes(effect: &SignalEffect) -> Vec<usize> {
    match *effect {
        SignalEffect::Link(one, other) => vec![one, other],
        SignalEffect::Exit(_, to, _) => vec![to],
        SignalEffect::Unlink(..)
        | SignalEffect::Trap(..)
        | SignalEffect::End(..)
        | SignalEffect::Monitor(..)
        | SignalEffect::Demonitor(_)
        | SignalEffect::Owns(..)
        | SignalEffect::Frees(_) => Vec::new(),
    }
}

/// What an event has to do with steps that touch processes and mailboxes. The order of two messages
/// that come into a mailbox, and of two spawns, does not matter for them, so these count as reading.
fn signals_of(graph: &Graph, event: &RunEvent) -> Vec<Access> {
    let object = |shared: Shared| shared.object(graph);
    let own = object(Shared::Process(event.process));
    let processes = Access::read(object(Shared::Processes));
    match &event.kind {
        RunEventKind::Decision(_) | RunEventKind::Look { .. } => Vec::new(),
        RunEventKind::Step(_)
        | RunEventKind::Timeout { .. }
        | RunEventKind::Send { arrives: false, .. }
        | RunEventKind::End => vec![Access::read(own)],
        RunEventKind::Send { to, .. } => {
            let mailbox = object(Shared::Mailbox(*to));
            vec![Access::read(own), Access::read(mailbox)]
        }
        RunEventKind::Deliver { to } => vec![Access::read(object(Shared::Mailbox(*to)))],
        RunEventKind::Spawn { .. } => vec![Access::read(own), processes],
    }
}
