//! When messages come into mailboxes, in a run of several processes.

use solver::graph::NodeId;
use trace_format::ProcessPath;

use super::messages::Message;
use super::replayed::{Fits, Misfit};
use super::run_event::{RunEvent, RunEventKind};
use super::run_state::RunState;

/// Whether a message of the process that is replayed is in the mailbox of a process when it is sent.
pub(super) fn arrives_at_once(run: &RunState<'_>, to: usize) -> bool {
    let Some(together) = &run.together else {
        return true;
    };
    let is_controlled = || {
        let receiver = run.replayed.processes.get(to);
        receiver.is_some_and(|it| it.path != ProcessPath::ENTRY.child(0))
    };
    together.channels.is_none() || to == together.current || !is_controlled()
}

/// Delivers the oldest message from one process to another one.
pub(super) fn deliver(run: &mut RunState<'_>, from: usize, to: usize) -> Fits {
    let number = run.replayed.events.len();
    let together = run.together.as_deref_mut();
    let channels = together.and_then(|it| it.channels.as_mut());
    let found = channels.and_then(|it| it.deliver(from, to, number));
    let Some((index, Message { value, send })) = found else {
        return Err(Misfit("a message was delivered that was not sent"));
    };
    let place = run.replayed.events.get(send).and_then(|it| it.place);
    // How many processes there are is not known yet.
    let mut event = RunEvent::new(index, RunEventKind::Deliver { to }, place);
    event.behind.push(send);
    run.replayed.events.push(event);
    put_into_mailbox(run, to, value, number);
    Ok(())
}

/// Puts a message into a mailbox, with the event that does it.
pub(super) fn put_into_mailbox(run: &mut RunState<'_>, to: usize, value: NodeId, arrival: usize) {
    run.replayed.messages.push((arrival, value));
    let killed = run.together.as_ref().map(|it| &it.killed);
    // Otherwise nobody will look at it.
    if killed.is_some_and(|it| it.contains_key(&to)) {
        return;
    }
    run.mailbox(to).messages.push(Message {
        value,
        send: arrival,
    });
}

/// All processes are known: gives the channels numbers behind theirs.
pub(super) fn number_channels(run: &mut RunState<'_>) {
    let together = run.together.as_ref();
    let Some(channels) = together.and_then(|it| it.channels.as_ref()) else {
        return;
    };
    run.replayed.channels = channels.ends().collect();
    let processes = run.replayed.processes.len();
    for event in &mut run.replayed.events {
        if let RunEventKind::Deliver { .. } = event.kind {
            event.process += processes;
        }
    }
}
