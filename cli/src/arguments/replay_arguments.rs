//! The arguments of `replay`.

use std::path::PathBuf;

use clap::Args;

use super::compiler_arguments::CompilationOptions;
use super::values::{Format, INPUTS, LIMITS, OUTPUT, milliseconds};

/// Run saved inputs again, and report those that fail or return something else
///
/// FILE is a report of `explore --format json`, or the folder of `explore --state`. The inputs run
/// on the code without instrumentation, so calls that could do harm are not refused. Inputs whose
/// run was refused such a call are skipped.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  erlconcolic explore src/ --entry total/1 --format json > report.json
  erlconcolic replay report.json src/
  erlconcolic replay runs/ --format json

Exit status: 0 all inputs pass, 1 some input fails or returns something else, 2 the tool failed.")]
pub(crate) struct ReplayOptions {
    /// Report of `explore --format json`, or folder of `explore --state`
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// Files, folders, or a folder made by `instrument` [default: build/, or else src/]
    #[arg(value_name = "SRC")]
    pub(crate) sources: Vec<PathBuf>,

    /// Use only inputs for which this function returns `true`, as in `explore`
    #[arg(long, value_name = "M:F/N", help_heading = INPUTS)]
    pub(crate) pre: Option<String>,

    /// Report results for which this function returns `false`, as in `explore`
    #[arg(long, value_name = "M:F/N", help_heading = INPUTS)]
    pub(crate) post: Option<String>,

    /// Report calls of funs with arguments that are not of the types in their spec, as in `explore`
    #[arg(long, help_heading = INPUTS)]
    pub(crate) contracts: bool,

    /// Report states for which this function returns `false`, as in `explore`: for reports of
    /// --machine and --calls
    #[arg(long, value_name = "M:F/1", help_heading = INPUTS)]
    pub(crate) invariant: Option<String>,

    /// Stop each run after this many milliseconds
    #[arg(
        long,
        default_value_t = 5_000,
        value_name = "MS",
        value_parser = milliseconds(),
        help_heading = LIMITS
    )]
    pub(crate) run_timeout: u64,

    /// Format of the report
    #[arg(
        long,
        value_enum,
        default_value_t = Format::Human,
        value_name = "FORMAT",
        help_heading = OUTPUT
    )]
    pub(crate) format: Format,

    #[command(flatten)]
    pub(crate) compilation: CompilationOptions,
}
