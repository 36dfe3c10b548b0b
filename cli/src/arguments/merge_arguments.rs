//! The arguments of `merge`.

use std::path::PathBuf;

use clap::Args;

use super::values::{OUTPUT, ReportFormat};

/// Make one report of several, such as those of the shards of a project
///
/// REPORT is a report of `explore --format json`. All of them must be about the same code.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  erlconcolic explore src/ --all --shard 1/2 --format json > shard1.json
  erlconcolic explore src/ --all --shard 2/2 --format json > shard2.json
  erlconcolic merge shard1.json shard2.json --html report.html

Exit status: 0 no findings, 1 findings, 2 the tool failed.")]
pub(crate) struct MergeOptions {
    /// Reports of `explore --format json`
    #[arg(value_name = "REPORT", required = true)]
    pub(crate) reports: Vec<PathBuf>,

    /// Format of the report
    #[arg(
        long,
        value_enum,
        default_value_t = ReportFormat::Human,
        value_name = "FORMAT",
        help_heading = OUTPUT
    )]
    pub(crate) format: ReportFormat,

    /// Also write the report to this file as an HTML page
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) html: Option<PathBuf>,

    /// Also write the tests to this file as an EUnit module; the reports must have been made with
    /// --eunit too
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) eunit: Option<PathBuf>,
}
