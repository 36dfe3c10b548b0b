//! Readers of saved searches, from bytes: tests with damaged input need no files.

use crate::search::journal;
use crate::search::saved_runs;

/// How many runs a journal has before the first one that cannot be read; `None` if the bytes are not
/// a journal.
pub fn runs_in_journal(bytes: &[u8]) -> Option<usize> {
    journal::kept_runs(bytes).map(|kept| kept.runs.len())
}

/// How many runs a JSON report has.
///
/// # Errors
/// Why the bytes are not a report.
pub fn runs_in_report(bytes: &[u8]) -> Result<usize, String> {
    saved_runs::runs_of_bytes(bytes).map(|saved| saved.runs.len())
}
