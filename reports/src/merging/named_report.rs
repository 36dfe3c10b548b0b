//! A report with the name of its file.

use serde_json::Value;

use crate::saved_report::SavedReport;

/// A report that was read from a file.
#[derive(Debug)]
pub struct NamedReport {
    /// The name of the file.
    pub name: String,
    /// The report as JSON.
    pub json: Value,
    /// The same, checked.
    pub saved: SavedReport,
}

impl NamedReport {
    /// A report, given the name of its file.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn read(name: String, json: Value) -> Result<Self, String> {
        let saved = SavedReport::read(&json)?;
        Ok(Self { name, json, saved })
    }
}
