//! The part of a replay that belongs to one process.

use flattener::flat::{BlockId, Statement};
use solver::graph::NodeId;
use trace_format::Happened;

use super::dictionary::Dictionary;
use super::handlers::{Handlers, Raised};
use super::mailbox::Mailbox;
use super::run_state::{Nodes, RunState};
use super::stack::{Frame, Stack};

/// A process of a run, after the events that were replayed so far.
#[derive(Debug)]
pub(super) struct Process<'run> {
    pub(super) stack: Stack<'run>,
    pub(super) handlers: Handlers<'run>,
    /// The exception that was raised last and not caught yet.
    pub(super) exception: Option<Raised>,
    /// A call whose callee the next event tells.
    pub(super) pending: Option<PendingCall<'run>>,
    /// Events that wait for later ones.
    pub(super) held: Vec<Happened<'run>>,
    pub(super) dictionary: Dictionary,
    pub(super) mailbox: Mailbox,
    /// How many events it had.
    pub(super) events: usize,
}

/// A call whose callee is not known yet.
#[derive(Debug)]
pub(super) struct PendingCall<'run> {
    pub(super) statement: &'run Statement,
    /// The value that is called, if it is a value.
    pub(super) operator: Option<NodeId>,
    pub(super) arguments: Nodes,
}

impl<'run> Process<'run> {
    /// A process that is about to call its first function.
    pub(super) fn new(entry: Frame<'run>) -> Self {
        Self {
            stack: Stack::new(entry),
            handlers: Handlers::default(),
            exception: None,
            pending: None,
            held: Vec::new(),
            dictionary: Dictionary::default(),
            mailbox: Mailbox::default(),
            events: 0,
        }
    }

    /// Goes on in a block of a `try` or `receive`.
    pub(super) fn go_on(
        &mut self,
        run: &mut RunState<'run>,
        statement: &'run Statement,
        block: BlockId,
    ) {
        self.stack.note_block(run, block);
        let depth = self.stack.depth();
        self.handlers.goes_on(depth, statement, block);
    }
}
