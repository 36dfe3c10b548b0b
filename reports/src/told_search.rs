//! What a report tells about a search that is over: its tests and its machine, without the program.

use crate::machine::FoundMachine;
use crate::run_end::RunEnd;

/// What a report tells about a search.
#[derive(Debug, Default)]
pub(crate) struct ToldSearch {
    /// Its tests.
    pub(crate) tests: Vec<ToldTest>,
    /// The machine that it found, if its entry is one.
    pub(crate) machine: Option<FoundMachine>,
    /// The names of the arguments of its entry.
    pub(crate) parameters: Vec<String>,
}

/// What a report tells about a test.
#[derive(Debug)]
pub(crate) struct ToldTest {
    /// Its arguments, or what was played.
    pub(crate) arguments: Vec<String>,
    /// How it ended.
    pub(crate) end: RunEnd,
    /// Which process took its steps when, if there were several.
    pub(crate) schedule: Option<String>,
    /// Whether a process crashed.
    pub(crate) is_crash: bool,
}
