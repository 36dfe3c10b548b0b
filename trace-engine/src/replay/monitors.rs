//! Monitors: messages about the ends of processes. They are in the mailboxes when a process has ended,
//! before anyone takes another step, and their reasons are symbolic.

use flattener::flat::Statement;
use models::Step;
use solver::graph::{Graph, Node, NodeId};
use trace_format::{Ending, Payload, ProcessPath};

use super::accesses::accesses_of;
use super::arguments_of_calls::elements_of_list;
use super::delivering::put_into_mailbox;
use super::handlers::Raised;
use super::known_calls::KnownCall;
use super::objects::Shared;
use super::opaque_operations::note_opaque_step;
use super::process::Process;
use super::process_ids::process_number;
use super::receives::{ReceiveTimeout, ReplayedReceive, Wanted};
use super::replayed::OpaqueCall;
use super::run_event::{Access, RunEventKind};
use super::run_state::RunState;
use super::together::KnownMonitor;

/// `monitor` returned. Returns its value, and whether the message about the end is known.
pub(super) fn monitored<'run>(
    run: &mut RunState<'run>,
    process: &mut Process<'run>,
    statement: &'run Statement,
    (step, call): (&Step, &KnownCall),
    payload: &Payload,
) -> (NodeId, bool) {
    let accesses = accesses_of(run, step, call);
    note_opaque_step(run, &mut process.stack, statement);
    let reference = run.constant(payload);
    let at = process.stack.at(statement);
    let watched = watched_process(run, call);
    let Some((watched, item)) = watched.filter(|_| !run.graph().is_unknown(reference)) else {
        run.note_event(Some(at), RunEventKind::Step(accesses));
        return (reference, false);
    };
    let monitor = KnownMonitor {
        watcher: process.number,
        watched,
        reference,
        item,
    };
    let is_gone = run.together.as_ref().is_some_and(|it| it.is_gone(watched));
    if is_gone {
        note_watched(run, &monitor);
        let kind = RunEventKind::Send {
            to: process.number,
            arrives: true,
            accesses,
        };
        let number = run.note_event(Some(at), kind);
        let reason = run.graph().atom("noproc");
        let message = message(run.graph(), &monitor, reason);
        put_into_mailbox(run, process.number, message, number);
    } else {
        run.note_event(Some(at), RunEventKind::Step(accesses));
        add_monitor(run, monitor);
    }
    (reference, true)
}

/// Adds a monitor of a process that runs.
pub(super) fn add_monitor(run: &mut RunState<'_>, monitor: KnownMonitor) {
    note_watched(run, &monitor);
    if let Some(together) = &mut run.together {
        together.monitors.push(monitor);
    }
}

fn note_watched(run: &mut RunState<'_>, monitor: &KnownMonitor) {
    if let Some(together) = &mut run.together {
        together.watched.insert(monitor.reference, monitor.watched);
    }
}

/// The process of the run that a call of `monitor` watches, and what messages call it, if they have
/// the usual tag.
fn watched_process(run: &mut RunState<'_>, call: &KnownCall) -> Option<(usize, NodeId)> {
    let (kind, item, options) = match *call.arguments.as_slice() {
        [kind, item] => (kind, item, NodeId::NIL),
        [kind, item, options] => (kind, item, options),
        _ => return None,
    };
    let graph = run.graph();
    if kind != graph.atom("process") || options != NodeId::NIL {
        return None;
    }
    let (number, item) = match process_number(graph, item) {
        Some(number) => (number, item),
        None => {
            let number = run.shared.registered(item)?;
            let graph = run.graph();
            let node = graph.unknown();
            (number, graph.tuple([item, node]))
        }
    };
    let watched = run.replayed.processes.get(number)?;
    (watched.path != ProcessPath::ENTRY.child(0)).then_some((number, item))
}

fn message(graph: &mut Graph, monitor: &KnownMonitor, reason: NodeId) -> NodeId {
    let (down, process) = (graph.atom("DOWN"), graph.atom("process"));
    graph.tuple([down, monitor.reference, process, monitor.item, reason])
}

/// A process came to its end: notes that, and tells those who have monitors.
pub(super) fn end_process(
    run: &mut RunState<'_>,
    process: usize,
    (ending, exception): (Option<Ending>, Option<Raised>),
) {
    let monitors = run.together.as_mut().map(|together| {
        let own = |it: &mut KnownMonitor| it.watched == process;
        together.monitors.extract_if(.., own).collect::<Vec<_>>()
    });
    let monitors = monitors.unwrap_or_default();
    let told: Vec<usize> = monitors.iter().map(|it| it.watcher).collect();
    if (1..told.len()).any(|it| {
        told.iter()
            .take(it)
            .any(|other| told.get(it) == Some(other))
    }) {
        note_uncontrolled(run);
    }
    let number = run.end_process(process, told);
    let reason = reason_of(run.graph(), ending, exception);
    for monitor in monitors {
        let message = message(run.graph(), &monitor, reason);
        put_into_mailbox(run, monitor.watcher, message, number);
    }
}

/// Why a process ended. Stack traces are not known.
fn reason_of(graph: &mut Graph, ending: Option<Ending>, exception: Option<Raised>) -> NodeId {
    match (ending, exception) {
        (Some(Ending::Returned), _) => graph.atom("normal"),
        (Some(Ending::Raised), Some(Raised { class, reason })) => {
            let [exit, error, throw] = ["exit", "error", "throw"].map(|it| graph.atom(it));
            let stack = graph.unknown();
            if class == exit {
                reason
            } else if class == error {
                graph.tuple([reason, stack])
            } else if class == throw {
                let nocatch = graph.atom("nocatch");
                let thrown = graph.tuple([nocatch, reason]);
                graph.tuple([thrown, stack])
            } else {
                stack
            }
        }
        (Some(Ending::Raised | Ending::Open) | None, _) => graph.unknown(),
    }
}

/// A process was ended by a signal: its monitors are told at once, by a step that says nothing of it.
pub(super) fn note_signalled_end(run: &mut RunState<'_>, process: usize) {
    let Some(together) = &mut run.together else {
        return;
    };
    let monitors = together.monitors.len();
    together.monitors.retain(|it| it.watched != process);
    if together.monitors.len() < monitors {
        note_uncontrolled(run);
    }
}

fn note_uncontrolled(run: &mut RunState<'_>) {
    run.replayed.uncontrolled.push(OpaqueCall {
        name: "a message of a monitor".to_owned(),
        place: None,
    });
}

/// What `demonitor` touches beside its own process: the process that is watched.
pub(super) fn accesses_of_demonitor(run: &mut RunState<'_>, call: &KnownCall) -> Option<Access> {
    let reference = *call.arguments.first()?;
    let watched = &run.together.as_ref()?.watched;
    let watched = Shared::Process(*watched.get(&reference)?);
    run.note_touched(watched);
    Some(Access::read(watched.object(run.graph())))
}

/// A monitor is over. With `flush`, its message is gone, as if a `receive` had taken it.
pub(super) fn demonitored(run: &mut RunState<'_>, process: usize, arguments: &[NodeId]) {
    let Some(reference) = arguments.first().copied() else {
        return;
    };
    if let Some(together) = &mut run.together {
        together.monitors.retain(|it| it.reference != reference);
    }
    let flush = run.graph().atom("flush");
    let options = arguments.get(1).copied().unwrap_or(NodeId::NIL);
    if !elements_of_list(run.graph(), options).contains(&flush) {
        return;
    }
    let down = run.graph().atom("DOWN");
    let RunState { replayed, .. } = &*run;
    let graph = &replayed.graph;
    let is_message = |value: NodeId| {
        if let Node::Tuple(parts) = graph.node(value) {
            return parts.first() == Some(&down) && parts.get(1) == Some(&reference);
        }
        false
    };
    let messages = run.messages_of(process);
    if let Some(place) = messages.iter().position(|it| is_message(it.value)) {
        let gone = run.mailbox(process).messages.remove(place);
        let receive = run.replayed.receives.len();
        run.replayed.receives.push(ReplayedReceive {
            process,
            timeout: ReceiveTimeout::Never,
            wanted: Wanted::Nothing,
        });
        let look = RunEventKind::Look {
            receive,
            send: gone.send,
            takes: true,
        };
        run.note_event(None, look);
    }
}
