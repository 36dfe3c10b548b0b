//! What a search found, and how it is shown.

pub(crate) mod coverage;
pub(crate) mod executor;
pub(crate) mod findings;
pub(crate) mod human;
pub(crate) mod journal;
pub(crate) mod json;

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
    pub(crate) term_depth: u32,
    /// The time that everything took.
    pub(crate) wall_time: Duration,
}

/// Arguments as Erlang source.
pub(crate) fn argument_texts(arguments: &[Term]) -> Vec<String> {
    arguments.iter().map(Term::to_string).collect()
}
