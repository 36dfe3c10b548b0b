//! Where the follower of a process is.

use flattener::flat::{BlockId, Callable, Statement};

use super::run_log::{Ending, RunLog};
use crate::log::LogReader;
use crate::numbering::Wire;
use crate::program::Program;

/// What to do when the part above it on the stack is over.
#[derive(Clone, Copy, Debug)]
pub(super) enum Frame<'run> {
    /// Continue with these statements of a block.
    Block {
        id: BlockId,
        rest: &'run [Statement],
    },
    /// A clause of a `case`, counted from 1.
    Case(&'run Statement, u32),
    /// The body of a `letrec`.
    Letrec(&'run Statement),
    /// The protected part of a `try`.
    TryArgument(&'run Statement),
    /// The rest of a `try`, or a clause of a `receive`.
    TryRest(&'run Statement),
    /// A `catch`.
    Catch(&'run Statement),
    /// The body of the function or fun that runs.
    Body,
    /// A call: where the caller continues.
    Caller {
        module: usize,
        callable: Callable,
        function: usize,
    },
    /// Code that is not followed, called here; it may call us again.
    Outside(&'run Statement),
}

/// Where the follower of a process is: in the program, and in the log.
#[derive(Clone, Debug)]
pub(super) struct Position<'run> {
    pub(super) program: &'run Program,
    pub(super) wire: Wire,
    pub(super) log: LogReader<'run>,
    /// The function that runs.
    pub(super) module: usize,
    pub(super) callable: Callable,
    pub(super) function: usize,
    pub(super) stack: Vec<Frame<'run>>,
    /// Whether the events at the end of the block that was left last are in a full log.
    pub(super) end_is_logged: bool,
    /// How many more events there may be.
    pub(super) left: usize,
    /// How the first function ended, once it has: the stack is empty then.
    pub(super) ended: Option<Ending>,
    /// The statement that could not be followed, because the log ends there.
    pub(super) stopped_at: Option<&'run Statement>,
}

impl<'run> Position<'run> {
    /// Before the first event of a log.
    pub(super) fn before(log: &RunLog<'run>) -> Self {
        Self {
            program: log.program,
            wire: log.wire,
            log: LogReader::new(log.bytes),
            module: 0,
            callable: Callable::Function(0),
            function: 0,
            stack: Vec::new(),
            end_is_logged: false,
            left: log.limit,
            ended: None,
            stopped_at: None,
        }
    }
}
