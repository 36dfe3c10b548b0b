//! Messages between the processes of a run.

use flattener::flat::Statement;
use solver::graph::{Condition, Node, NodeId, Set};
use trace_format::Payload;

use super::aliases::{access_of_send, alias, end_alias};
use super::delivering::{arrives_at_once, put_into_mailbox};
use super::known_calls::KnownCall;
use super::messages::Message;
use super::objects::{Shared, in_fixed_order};
use super::opaque_operations::note_opaque;
use super::process::Process;
use super::process_ids::process_number;
use super::replayed::{Fits, Misfit, ProgramSite};
use super::run_event::RunEventKind;
use super::run_state::RunState;
use super::shared_access::Access;
use super::signal_effect::SignalEffect;
use super::together::{AliasEnd, KnownAlias};

/// A message was sent. Returns what the call returned.
pub(super) fn sent<'run>(
    run: &mut RunState<'run>,
    process: &mut Process<'run>,
    statement: &'run Statement,
    call: &KnownCall,
    payload: &Payload,
) -> Result<NodeId, Misfit> {
    let at = process.stack.at(statement);
    let logged = run.constant(payload);
    let &[to, message, ..] = call.arguments.as_slice() else {
        return Ok(logged);
    };
    let receiver = receiver(run, at, to)?;
    match receiver {
        Receiver::Process(to, accesses) => send(run, at, to, accesses, message),
        Receiver::Alias(reference, alias) => {
            send_to_alias(run, (at, call), reference, alias, message);
        }
        Receiver::Unknown(accesses) => {
            note_opaque(run, &mut process.stack, statement);
            run.note_event(Some(at), RunEventKind::Step(accesses));
            run.note_uncontrolled(at, call.text());
        }
    }
    // Other functions than these two return whether it was sent.
    let is_returned = call.arguments.len() == 2 && run.is_as_logged(message, logged);
    Ok(if is_returned { message } else { logged })
}

fn send(
    run: &mut RunState<'_>,
    at: ProgramSite,
    to: usize,
    accesses: Vec<Access>,
    message: NodeId,
) {
    let arrives = arrives_at_once(run, to);
    let kind = RunEventKind::Send {
        to,
        arrives,
        accesses,
    };
    let send = run.note_event(Some(at), kind);
    if arrives {
        put_into_mailbox(run, to, message, send);
    } else if let Some(together) = &mut run.together
        && let Some(channels) = &mut together.channels
    {
        let value = message;
        channels.post(together.current, to, Message { value, send });
    }
}

/// A message is sent to an alias. It arrives at once, also where other messages take their time. It
/// is lost if the alias is not active.
fn send_to_alias(
    run: &mut RunState<'_>,
    (at, call): (ProgramSite, &KnownCall),
    reference: NodeId,
    alias: KnownAlias,
    message: NodeId,
) {
    let accesses = vec![access_of_send(run, reference, alias)];
    let together = run.together.as_ref();
    if together.is_some_and(|it| it.channels.is_some() && it.current != alias.owner) {
        run.note_uncontrolled(at, call.text());
    }
    if !alias.is_active {
        run.note_event(Some(at), RunEventKind::Step(accesses));
        return;
    }
    let to = alias.owner;
    let kind = RunEventKind::Send {
        to,
        arrives: true,
        accesses,
    };
    let send = run.note_event(Some(at), kind);
    put_into_mailbox(run, to, message, send);
    if alias.ends_with == AliasEnd::Reply {
        run.note_effect(SignalEffect::Demonitor(reference));
        end_alias(run, reference);
    }
}

/// To whom a message goes, and what the call looks at to find that out.
pub(super) enum Receiver {
    /// A process of the run.
    Process(usize, Vec<Access>),
    /// An alias of a process of the run.
    Alias(NodeId, KnownAlias),
    Unknown(Vec<Access>),
}

/// A message could not be sent: there is no such name, or the receiver is none.
pub(super) fn not_sent<'run>(
    run: &mut RunState<'run>,
    process: &Process<'run>,
    statement: &'run Statement,
    call: &KnownCall,
) -> Fits {
    let at = process.stack.at(statement);
    if let Some(to) = call.arguments.first() {
        receiver(run, at, *to)?;
    }
    Ok(())
}

/// To whom a message goes. If that depends on the input, it is a decision.
pub(super) fn receiver(
    run: &mut RunState<'_>,
    at: ProgramSite,
    to: NodeId,
) -> Result<Receiver, Misfit> {
    let graph = &mut run.replayed.graph;
    let is_symbolic = graph.is_symbolic(to);
    let Some(value) = run.input.value(graph, to) else {
        return Ok(Receiver::Unknown(Vec::new()));
    };
    if is_symbolic {
        decide_process(run, at, to, value)?;
    }
    if let Some(alias) = alias(run, value) {
        return Ok(Receiver::Alias(value, alias));
    }
    let is_name = matches!(run.graph().node(value), Node::Atom(_));
    // For another input it may be another name.
    let name = Shared::Name((!is_symbolic).then_some(value));
    let name = (is_name || is_symbolic).then(|| Access::read(name.object(run.graph())));
    let process = if is_name {
        run.shared.registered(value)
    } else {
        process_number(run.graph(), value)
    };
    let known = run.replayed.processes.len();
    let accesses = name.into_iter().collect();
    Ok(match process.filter(|number| *number < known) {
        Some(process) => Receiver::Process(process, accesses),
        None => Receiver::Unknown(accesses),
    })
}

/// The process or name that an argument is in the run. If that depends on the input, it is a decision.
pub(super) fn decided_process(
    run: &mut RunState<'_>,
    at: ProgramSite,
    named: NodeId,
) -> Result<NodeId, Misfit> {
    let graph = &mut run.replayed.graph;
    let is_symbolic = graph.is_symbolic(named);
    let Some(value) = run.input.value(graph, named).filter(|_| is_symbolic) else {
        return Ok(named);
    };
    decide_process(run, at, named, value)?;
    Ok(value)
}

/// Each registered name, and each process that a value can be, is a way; the last one is that it is
/// none of these.
fn decide_process(run: &mut RunState<'_>, at: ProgramSite, to: NodeId, value: NodeId) -> Fits {
    let mut known: Set<NodeId> = run.shared.names().collect();
    let graph = &mut run.replayed.graph;
    let pids = graph.leaves(to).into_iter().chain([value]);
    known.extend(pids.filter(|it| process_number(graph, *it).is_some()));
    let known: Vec<NodeId> = known.into_iter().collect();
    let order = in_fixed_order(graph, &known).into_iter();
    let known: Vec<NodeId> = order.filter_map(|it| known.get(it).copied()).collect();
    let mut ways: Vec<Condition> = known.iter().map(|it| graph.equal(to, *it)).collect();
    ways.push(Condition::TRUE);
    let taken = known.iter().position(|it| *it == value);
    let taken = taken.unwrap_or(known.len());
    run.decide(at, &ways, taken)
}
