//! The messages that wait in the mailbox of a process.

use solver::graph::NodeId;

/// The messages in a mailbox that followed code sent, the oldest first.
#[derive(Debug, Default)]
pub(super) struct Mailbox {
    pub(super) messages: Vec<Message>,
    /// The pid of the process, once it has asked for it.
    pub(super) own_pid: Option<NodeId>,
    /// The message that a `receive` looks at.
    pub(super) looked_at: Option<usize>,
}

/// A message that was sent and not received yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Message {
    pub(super) value: NodeId,
    /// The event with which it came here, in a run of several processes.
    pub(super) send: usize,
}
