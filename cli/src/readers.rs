//! The readers of what searches save, for bytes: who wants to know what they make of damaged ones
//! needs no files.

use crate::exploration::journal;
use crate::saved_runs;

/// How many runs the journal of a state folder holds before the first that cannot be understood;
/// `None` if the bytes are no journal.
pub fn runs_in_journal(bytes: &[u8]) -> Option<usize> {
    journal::kept_runs(bytes).map(|kept| kept.runs.len())
}

/// How many runs a JSON report holds.
///
/// # Errors
/// Why the bytes are no report.
pub fn runs_in_report(bytes: &[u8]) -> Result<usize, String> {
    saved_runs::runs_of_bytes(bytes).map(|runs| runs.len())
}
