//! Monitors: messages about the ends of processes, whose reasons are symbolic.

use flattener::flat::Statement;
use models::Step;
use solver::graph::{Graph, Node, NodeId};
use trace_format::Payload;

use super::accesses::accesses_of;
use super::aliases::{add_alias, alias_of_monitor, end_alias_of_monitor};
use super::arguments_of_calls::elements_of_list;
use super::ends::{SignalStep, is_controlled};
use super::known_calls::KnownCall;
use super::objects::Shared;
use super::opaque_operations::note_opaque_step;
use super::process::Process;
use super::process_ids::process_number;
use super::receives::{ReceiveTimeout, ReplayedReceive, Wanted};
use super::replayed::{Misfit, ProgramSite};
use super::run_event::RunEventKind;
use super::run_state::RunState;
use super::sending::decided_process;
use super::shared_access::Access;
use super::signal_effect::{SignalEffect, Watch};
use super::together::{AliasEnd, KnownMonitor};

/// `monitor` returned. Returns its value, and whether the message about the end is known.
pub(super) fn monitored<'run>(
    run: &mut RunState<'run>,
    process: &mut Process<'run>,
    statement: &'run Statement,
    (step, call): (&Step, &KnownCall),
    payload: &Payload,
) -> Result<(NodeId, bool), Misfit> {
    let accesses = accesses_of(run, step, call);
    let reference = run.constant(payload);
    let at = process.stack.at(statement);
    let watched = watched_process(run, at, call)?;
    let Some((watched, options)) = watched.filter(|_| !run.graph().is_unknown(reference)) else {
        note_opaque_step(run, &mut process.stack, statement);
        run.note_event(Some(at), RunEventKind::Step(accesses));
        return Ok((reference, false));
    };
    let effect = add_monitor(run, process.number, reference, watched, options);
    let reason = run.graph().atom("noproc");
    SignalStep { effect, reason }.happens(run, Some(at), accesses);
    Ok((reference, true))
}

/// Notes a monitor, and its alias if it has one. Returns what the monitor does.
pub(super) fn add_monitor(
    run: &mut RunState<'_>,
    watcher: usize,
    reference: NodeId,
    Watched { number, item }: Watched,
    MonitorOptions { tag, alias }: MonitorOptions,
) -> SignalEffect {
    if let Some(ends_with) = alias {
        add_alias(run, reference, ends_with);
    }
    let monitor = KnownMonitor {
        watched: number,
        item,
        tag,
    };
    if let Some(together) = &mut run.together {
        together.monitors.insert(reference, monitor);
    }
    SignalEffect::Monitor(Watch {
        watcher,
        watched: number,
        reference,
        alias: alias_of_monitor(run, reference),
    })
}

/// The process of the run that a call of `monitor` watches, and what the options say.
fn watched_process(
    run: &mut RunState<'_>,
    at: ProgramSite,
    call: &KnownCall,
) -> Result<Option<(Watched, MonitorOptions)>, Misfit> {
    let (kind, item, options) = match *call.arguments.as_slice() {
        [kind, item] => (kind, item, NodeId::NIL),
        [kind, item, options] => (kind, item, options),
        _ => return Ok(None),
    };
    let item = decided_process(run, at, item)?;
    Ok(monitor_of(run, kind, item, options))
}

fn monitor_of(
    run: &mut RunState<'_>,
    kind: NodeId,
    item: NodeId,
    options: NodeId,
) -> Option<(Watched, MonitorOptions)> {
    let graph = run.graph();
    if kind != graph.atom("process") {
        return None;
    }
    let options = monitor_options(graph, options)?;
    let watched = match process_number(graph, item) {
        Some(number) => Watched { number, item },
        None => {
            let number = run.shared.registered(item)?;
            let graph = run.graph();
            let node = graph.unknown();
            let item = graph.tuple([item, node]);
            Watched { number, item }
        }
    };
    is_controlled(run, watched.number).then_some((watched, options))
}

/// The process that a monitor watches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Watched {
    pub(super) number: usize,
    /// What the message about its end calls it.
    pub(super) item: NodeId,
}

/// What the options of a monitor say.
#[derive(Clone, Copy, Debug)]
pub(super) struct MonitorOptions {
    /// The first element of the message.
    tag: NodeId,
    /// What ends the alias, if there is one.
    alias: Option<AliasEnd>,
}

/// What a list of options of a monitor says; `None` if that is not known.
pub(super) fn monitor_options(graph: &mut Graph, options: NodeId) -> Option<MonitorOptions> {
    let mut known = MonitorOptions {
        tag: graph.atom("DOWN"),
        alias: None,
    };
    for option in elements_of_list(graph, options) {
        let Node::Tuple(parts) = graph.node(option) else {
            return None;
        };
        let &[name, value] = parts.as_slice() else {
            return None;
        };
        if name == graph.atom("tag") {
            known.tag = value;
        } else if name == graph.atom("alias") {
            known.alias = Some(AliasEnd::of_option(graph, value)?);
        } else {
            return None;
        }
    }
    Some(known)
}

/// What `demonitor` touches beside its own process: the process that is watched, and the alias that
/// ends with the monitor.
pub(super) fn accesses_of_demonitor(run: &mut RunState<'_>, call: &KnownCall) -> Vec<Access> {
    let reference = call.arguments.first();
    let monitors = run.together.as_ref().map(|it| &it.monitors);
    let monitor = monitors.and_then(|it| it.get(reference?));
    let Some((reference, monitor)) = reference.zip(monitor) else {
        return Vec::new();
    };
    let watched = Shared::Process(monitor.watched);
    run.note_touched(watched);
    let process = Access::read(watched.object(run.graph()));
    let alias = alias_of_monitor(run, *reference).map(Access::write);
    [process].into_iter().chain(alias).collect()
}

/// A monitor is over. With `flush`, its message is gone, as if a `receive` had taken it.
pub(super) fn demonitored(run: &mut RunState<'_>, process: usize, arguments: &[NodeId]) {
    let Some(reference) = arguments.first().copied() else {
        return;
    };
    run.note_effect(SignalEffect::Demonitor(reference));
    end_alias_of_monitor(run, reference);
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
