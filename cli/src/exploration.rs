//! What a search found, and how it is shown.

pub(crate) mod coverage;
pub(crate) mod depth;
pub(crate) mod executor;
pub(crate) mod findings;
pub(crate) mod html;
pub(crate) mod human;
pub(crate) mod journal;
pub(crate) mod json;
pub(crate) mod progress;

use std::time::Duration;

use erlang_term::Term;
use trace_engine::explore::Report;

use crate::exploration::coverage::Coverage;
use crate::exploration::findings::Finding;
use crate::target::Target;
use crate::worker::Outcome;

/// All that a report tells.
#[derive(Debug)]
pub(crate) struct Exploration<'search> {
    pub(crate) target: &'search Target,
    pub(crate) report: Report<Outcome>,
    pub(crate) findings: Vec<Finding>,
    pub(crate) coverage: Coverage,
    /// How many inputs the precondition did not admit.
    pub(crate) rejected: usize,
    pub(crate) term_depth: u32,
    /// The time that everything took.
    pub(crate) wall_time: Duration,
    /// The most memory that this process had, in kilobytes; `None` where that cannot be told.
    pub(crate) peak_memory: Option<u64>,
}

/// The most memory that this process had so far, in kilobytes, as Linux tells it.
pub(crate) fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

/// Arguments as Erlang source.
pub(crate) fn argument_texts(arguments: &[Term]) -> Vec<String> {
    arguments.iter().map(Term::to_string).collect()
}
