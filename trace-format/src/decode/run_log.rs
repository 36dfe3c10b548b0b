//! Logs, and listeners for their events.

use flattener::flat::{Callable, Statement};
use thiserror::Error;

use crate::event::EventKind;
use crate::log::ReadError;
use crate::numbering::Wire;
use crate::program::Program;

/// Why a log cannot be the log of this program.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum LogError {
    /// The bytes are damaged.
    #[error("{error} (at byte {at})")]
    Bytes {
        /// What is wrong.
        error: ReadError,
        /// Where.
        at: usize,
    },
    /// A number that is not possible here.
    #[error("the log does not fit the program: event {found} cannot happen here (at byte {at})")]
    Unexpected {
        /// The number.
        found: u32,
        /// Where.
        at: usize,
    },
    /// The run is over, but the log is not.
    #[error(
        "the log does not fit the program: it continues after the end of the run (at byte {at})"
    )]
    Surplus {
        /// Where.
        at: usize,
    },
    /// Something that the program does not have.
    #[error("the log does not fit the program: there is no {what} (at byte {at})")]
    Unknown {
        /// What the log names.
        what: &'static str,
        /// Where.
        at: usize,
    },
}

/// How a log ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The first function returned.
    Returned,
    /// It raised an exception.
    Raised,
    /// The log ends before the run does: it was cut off.
    Open,
}

/// How far the log of a process was followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The listener wanted a pause.
    Paused,
    /// To the end of the log.
    Ended(Ending),
}

/// The log of a process, and the program that wrote it.
#[derive(Clone, Copy, Debug)]
pub struct RunLog<'run> {
    /// The program that ran.
    pub program: &'run Program,
    /// Which events it logs.
    pub wire: Wire,
    /// The log.
    pub bytes: &'run [u8],
    /// The function that the process started with, module and index. Without it the process started
    /// in code that is not followed, which may enter the program any number of times.
    pub entry: Option<(usize, usize)>,
    /// After about this many events the log counts as cut off: a program that never ends can log
    /// more in a second than fits into memory.
    pub limit: usize,
}

impl<'run> RunLog<'run> {
    /// A log that is followed to its end.
    pub fn new(
        program: &'run Program,
        wire: Wire,
        bytes: &'run [u8],
        entry: Option<(usize, usize)>,
    ) -> Self {
        Self {
            program,
            wire,
            bytes,
            entry,
            limit: usize::MAX,
        }
    }
}

/// An event at its place in the program.
#[derive(Clone, Debug)]
pub struct Happened<'run> {
    /// The number of the module.
    pub module: usize,
    /// The function or fun that runs there.
    pub callable: Callable,
    /// The statement; `None` for the events of the callable itself.
    pub statement: Option<&'run Statement>,
    /// What happens.
    pub kind: EventKind,
}

/// What becomes of a statement whose call calls followed code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallBack {
    /// It goes on when the call returns.
    Nested,
    /// The process has forgotten its stack, as one does that hibernates.
    Anew,
}

/// Hears the events of a process as they are restored.
pub trait Listener<'run> {
    /// Why it stops.
    type Refusal;

    /// Whether it forgets a function that calls another one in tail position
    /// ([`crate::Plan::is_tail_call`]). If so, it does not hear that the function returns, nor that
    /// the statements around the call end: they only pass the values of the call on. Then a loop
    /// can run for any number of rounds, as on the BEAM.
    fn forgets_at_tail_calls(&self) -> bool;

    /// Something happened.
    ///
    /// # Errors
    /// When it stops.
    fn hear(&mut self, event: Happened<'run>) -> Result<(), Self::Refusal>;

    /// Code that is not followed, and that a statement calls, is about to call followed code for the
    /// first time. When it returns comes as an event of the statement, unless it never does.
    ///
    /// # Errors
    /// When it stops.
    fn is_called_back(&mut self, _statement: &'run Statement) -> Result<CallBack, Self::Refusal> {
        Ok(CallBack::Nested)
    }

    /// Whether it wants a pause after the events that it heard. This is asked after each statement.
    fn pauses(&self) -> bool {
        false
    }
}

/// Why a log was not followed to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Broken<R> {
    /// It cannot be the log of this program.
    Log(LogError),
    /// The listener stopped.
    Refused(R),
}

impl<R> From<LogError> for Broken<R> {
    fn from(error: LogError) -> Self {
        Self::Log(error)
    }
}
