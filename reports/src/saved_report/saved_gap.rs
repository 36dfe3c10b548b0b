//! A gap in a report.

use serde::Deserialize;
use trace_engine::explore::Gap;

/// What was skipped, and how often.
#[derive(Debug, Deserialize)]
pub(super) struct SavedGap {
    pub(super) code: String,
    pub(super) what: String,
    count: usize,
}

impl SavedGap {
    /// The gap with its count, or why it cannot be read.
    pub(super) fn counted(&self) -> Result<(Gap, usize), String> {
        let gap = Gap::named(&self.code, &self.what);
        let gap = gap.ok_or_else(|| format!("the gap {} is unknown", self.code));
        Ok((gap?, self.count))
    }
}
