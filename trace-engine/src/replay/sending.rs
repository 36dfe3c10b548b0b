//! Messages between the processes of a run.

use flattener::flat::Statement;
use solver::graph::{Condition, Node, NodeId};
use trace_format::Payload;

use super::known_calls::KnownCall;
use super::messages::Message;
use super::objects::{Scope, object};
use super::opaque_operations::note_opaque;
use super::process::Process;
use super::process_ids::process_number;
use super::replayed::{Misfit, ProgramSite};
use super::run_event::{Access, RunEventKind};
use super::run_state::RunState;

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
    match receiver.process {
        Some(to) => send(run, at, to, receiver.accesses, message),
        None => {
            note_opaque(run, &mut process.stack, statement);
            run.note_event(Some(at), RunEventKind::Step(receiver.accesses));
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
    let send = run.note_event(Some(at), RunEventKind::Send { to, accesses });
    run.replayed.messages.push((send, message));
    run.mailbox(to).messages.push(Message {
        value: message,
        send,
    });
}

/// To whom a message goes.
struct Receiver {
    /// The number of the process, if it is one of the run.
    process: Option<usize>,
    /// What the call looks at to find it.
    accesses: Vec<Access>,
}

/// To whom a message goes. If that depends on the input, it is a decision.
fn receiver(run: &mut RunState<'_>, at: ProgramSite, to: NodeId) -> Result<Receiver, Misfit> {
    let graph = &mut run.replayed.graph;
    let is_symbolic = graph.is_symbolic(to);
    let Some(value) = run.input.value(graph, to) else {
        return Ok(Receiver {
            process: None,
            accesses: Vec::new(),
        });
    };
    if is_symbolic {
        let ways = [graph.equal(to, value), Condition::TRUE];
        run.decide(at, &ways, 0)?;
    }
    if matches!(run.graph().node(value), Node::Atom(_)) {
        let name = object(run.graph(), Scope::Name, value);
        return Ok(Receiver {
            process: run.registered(value),
            accesses: name.map(Access::read).into_iter().collect(),
        });
    }
    let known = run.replayed.processes.len();
    let number = process_number(run.graph(), value);
    Ok(Receiver {
        process: number.filter(|number| *number < known),
        accesses: Vec::new(),
    })
}
