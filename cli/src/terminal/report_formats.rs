//! The report of a search in each format.

use std::io::{self, Write};
use std::path::Path;

use reports::{Exploration, github_report, json_report, junit_report, sarif_report, text_report};

use crate::arguments::ReportFormat;
use crate::files::plain_file::read_source;

/// Writes a report.
pub(crate) fn print_report(
    exploration: &Exploration<'_>,
    format: ReportFormat,
    out: &mut impl Write,
) -> io::Result<()> {
    let text = match format {
        ReportFormat::Json => return json_report(exploration, out),
        ReportFormat::Human => text_report(exploration, &source_text),
        ReportFormat::Sarif => {
            let log = sarif_report(exploration, env!("CARGO_PKG_VERSION"));
            format!("{log:#}\n")
        }
        ReportFormat::Junit => junit_report(exploration),
        ReportFormat::Github => github_report(exploration),
    };
    out.write_all(text.as_bytes())
}

/// The text of a source, if it can be read.
pub(crate) fn source_text(path: &Path) -> Option<String> {
    read_source(path).ok()
}
