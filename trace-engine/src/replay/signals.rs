//! Steps that end other processes or ask about them. They depend on all that those processes do: a
//! step that a process makes would not be made if the process had been ended before it.

use std::collections::HashSet;

use solver::graph::Graph;

use super::objects::Shared;
use super::replayed::Replayed;
use super::run_event::{Access, Object, RunEvent, RunEventKind};

/// The objects that such steps touch.
type Touched = HashSet<Object>;

/// Adds to each event what it has to do with such steps.
pub(super) fn add_signals(replayed: &mut Replayed) {
    let Replayed { events, graph, .. } = replayed;
    let steps = events.iter().filter_map(|event| match &event.kind {
        RunEventKind::Step(accesses) => Some(accesses),
        RunEventKind::Decision(_)
        | RunEventKind::Send { .. }
        | RunEventKind::Deliver { .. }
        | RunEventKind::Spawn { .. }
        | RunEventKind::Look { .. }
        | RunEventKind::Timeout { .. }
        | RunEventKind::End { .. } => None,
    });
    let touched: Touched = steps.flatten().map(|access| access.object).collect();
    for event in events {
        let signals = signals_of(graph, event);
        let signals = signals.into_iter();
        let signals = signals.filter(|access| touched.contains(&access.object));
        event.signals.extend(signals);
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
        | RunEventKind::Send { arrives: false, .. } => vec![Access::read(own)],
        RunEventKind::Send { to, .. } => {
            let mailbox = object(Shared::Mailbox(*to));
            vec![Access::read(own), Access::read(mailbox)]
        }
        RunEventKind::Deliver { to } => vec![Access::read(object(Shared::Mailbox(*to)))],
        RunEventKind::Spawn { .. } => vec![Access::read(own), processes],
        RunEventKind::End { .. } => vec![Access::write(own), processes],
    }
}
