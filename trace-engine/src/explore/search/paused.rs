//! Runs about which more is asked later.

use trace_format::ProcessLogs;

use super::super::candidate::Candidate;

/// A run about which more is asked later.
#[derive(Debug)]
pub(super) struct Paused {
    pub(super) number: usize,
    pub(super) candidate: Candidate,
    pub(super) logs: ProcessLogs,
    /// Whether some of its ways were not asked for, because their states are known.
    pub(super) has_merged_ways: bool,
}
