//! Messages that take their time: between their sends and their deliveries they are in channels, one
//! for each sender and receiver, in order.

use std::collections::VecDeque;

use super::messages::Message;
use super::replayed::{Fits, Misfit};
use super::run_event::{RunEvent, RunEventKind};
use super::run_state::RunState;
use trace_format::ProcessPath;

/// The channels of a run, in the order of their first messages.
#[derive(Debug, Default)]
pub(super) struct Channels {
    all: Vec<Channel>,
}

#[derive(Debug)]
struct Channel {
    from: usize,
    to: usize,
    /// The messages with the events that sent them, the oldest first.
    under_way: VecDeque<Message>,
    /// The last delivery.
    last: Option<usize>,
}

impl Channels {
    fn find(&self, from: usize, to: usize) -> Option<usize> {
        let mut channels = self.all.iter();
        channels.position(|it| (it.from, it.to) == (from, to))
    }

    /// Puts a message into a channel.
    pub(super) fn post(&mut self, from: usize, to: usize, message: Message) {
        let index = self.find(from, to).unwrap_or_else(|| {
            self.all.push(Channel {
                from,
                to,
                under_way: VecDeque::new(),
                last: None,
            });
            self.all.len() - 1
        });
        if let Some(channel) = self.all.get_mut(index) {
            channel.under_way.push_back(message);
        }
    }

    /// The last delivery of a message from one process to another one.
    pub(super) fn last_delivery(&self, from: usize, to: usize) -> Option<usize> {
        self.all.get(self.find(from, to)?)?.last
    }
}

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
    let found = channels.and_then(|channels| {
        let index = channels.find(from, to)?;
        let channel = channels.all.get_mut(index)?;
        let message = channel.under_way.pop_front()?;
        channel.last = Some(number);
        Some((index, message))
    });
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
pub(super) fn put_into_mailbox(
    run: &mut RunState<'_>,
    to: usize,
    value: solver::graph::NodeId,
    arrival: usize,
) {
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
    let channels = channels.all.iter().map(|it| (it.from, it.to));
    run.replayed.channels = channels.collect();
    let processes = run.replayed.processes.len();
    for event in &mut run.replayed.events {
        if let RunEventKind::Deliver { .. } = event.kind {
            event.process += processes;
        }
    }
}
