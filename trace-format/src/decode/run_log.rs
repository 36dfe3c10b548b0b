//! Logs, and who hears what is in them.

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
    /// A number that cannot stand here.
    #[error("the log does not fit the program: event {found} cannot happen here (at byte {at})")]
    Unexpected {
        /// The number.
        found: u32,
        /// Where.
        at: usize,
    },
    /// The run is over, but the log is not.
    #[error(
        "the log does not fit the program: it goes on behind the end of the run (at byte {at})"
    )]
    Surplus {
        /// Where.
        at: usize,
    },
    /// Something that the program does not have.
    #[error("the log does not fit the program: there is no {what} (at byte {at})")]
    Unknown {
        /// What is named.
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
    /// It ended by an exception.
    Raised,
    /// The log ends before the run does: it was cut off.
    Open,
}

/// The log of a process, and what it is about.
#[derive(Clone, Copy, Debug)]
pub struct RunLog<'run> {
    /// The program that ran.
    pub program: &'run Program,
    /// What it logs.
    pub wire: Wire,
    /// What it logged.
    pub bytes: &'run [u8],
    /// The function that the process started with, module and index; without it code that is not
    /// followed is at the bottom, and may enter the program any number of times.
    pub entry: Option<(usize, usize)>,
    /// After about so many events the log is taken as cut off: a program that never ends can log
    /// more in a second than there is memory for.
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
    /// What is running there.
    pub callable: Callable,
    /// What happens; `None` for the events of the callable itself.
    pub statement: Option<&'run Statement>,
    /// How.
    pub kind: EventKind,
}

/// Hears of the events of a process as they are restored.
pub trait Listener<'run> {
    /// Why it does not want to hear more.
    type Refusal;

    /// Whether it forgets a function that calls another one in tail position, which is at the
    /// calls of [`crate::Plan::is_tail_call`]. If so, it does not
    /// hear that the function returns, nor how the statements end around the call: nothing happens
    /// there but that the values of the call are handed on. A loop can be as long as it likes then,
    /// as it can on the BEAM.
    fn forgets_at_tail_calls(&self) -> bool;

    /// Something happened.
    ///
    /// # Errors
    /// When it does not want to hear more.
    fn hear(&mut self, event: Happened<'run>) -> Result<(), Self::Refusal>;
}

/// Why a log was not followed to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Broken<R> {
    /// It cannot be the log of this program.
    Log(LogError),
    /// The listener wanted to hear no more.
    Refused(R),
}

impl<R> From<LogError> for Broken<R> {
    fn from(error: LogError) -> Self {
        Self::Log(error)
    }
}
