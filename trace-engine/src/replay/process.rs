//! The part of a replay that belongs to one process.

use flattener::flat::{BlockId, Statement};
use solver::graph::NodeId;
use trace_format::Happened;

use super::dictionary::Dictionary;
use super::handlers::{Handlers, Raised};
use super::replayed::ProgramSite;
use super::run_state::{Nodes, RunState};
use super::stack::{Frame, Stack};
use super::together::SpawnedCall;

/// A process of a run, after the events that were replayed so far.
#[derive(Debug)]
pub(super) struct Process<'run> {
    /// Its number in the run.
    pub(super) number: usize,
    pub(super) stack: Stack<'run>,
    pub(super) handlers: Handlers<'run>,
    /// The exception that was raised last and not caught yet.
    pub(super) exception: Option<Raised>,
    /// Where the last exception was raised.
    pub(super) raised_at: Option<ProgramSite>,
    /// A call whose callee the next event tells.
    pub(super) pending: Option<PendingCall<'run>>,
    /// Events that wait for later ones.
    pub(super) held: Vec<Happened<'run>>,
    pub(super) dictionary: Dictionary,
    /// What it is to call first, if it was spawned or has hibernated and has not done so.
    pub(super) spawned: Option<SpawnedCall>,
    /// Calls that are steps and have called followed code, so that they count already.
    pub(super) begun: Vec<&'run Statement>,
    /// The `receive` that found no message, by its number among those of the run.
    pub(super) receive: Option<usize>,
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
    /// The process of the entry function, which is about to call it.
    pub(super) fn of_entry(entry: Frame<'run>) -> Self {
        Self::new(0, Stack::new(entry), None)
    }

    /// A process that was spawned. It needs some function to begin with, which it does not run.
    pub(super) fn of_spawn(number: usize, some: Frame<'run>, spawned: SpawnedCall) -> Self {
        Self::new(number, Stack::outside(some), Some(spawned))
    }

    fn new(number: usize, stack: Stack<'run>, spawned: Option<SpawnedCall>) -> Self {
        Self {
            number,
            stack,
            handlers: Handlers::default(),
            exception: None,
            raised_at: None,
            pending: None,
            held: Vec::new(),
            dictionary: Dictionary::default(),
            spawned,
            begun: Vec::new(),
            receive: None,
            events: 0,
        }
    }

    /// It has forgotten what it was doing, and calls this function.
    pub(super) fn begin_anew(&mut self, call: SpawnedCall) {
        self.stack = Stack::outside(self.stack.frame);
        self.handlers = Handlers::default();
        self.begun.clear();
        self.spawned = Some(call);
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
