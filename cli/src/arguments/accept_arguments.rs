//! The arguments of `accept`.

use std::path::PathBuf;

use clap::Args;

/// Accept the findings of a report, so that only new ones count
///
/// REPORT is a report of `explore --format json`. Its findings are added to a file that `explore`
/// reads: one line for each, with a comment above. What is in the file stays there.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  erlconcolic explore src/ --all --format json > report.json
  erlconcolic accept report.json
  erlconcolic explore src/ --all

Exit status: 0 done, 2 the tool failed.")]
pub(crate) struct AcceptOptions {
    /// Report of `explore --format json`
    #[arg(value_name = "REPORT")]
    pub(crate) report: PathBuf,

    /// The file to write or extend [default: erlconcolic.accept beside rebar.config]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}
