//! The arguments of commands around the search.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

use super::{CompilationOptions, Format};

/// Run saved inputs again, and tell which fail or answer differently now
///
/// FILE is what `explore --format json` printed, or the folder of `explore --state`. The inputs are
/// run on the code as it is, without instrumentation, so nothing refuses calls that could do harm;
/// inputs whose run was refused such a call are not run.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  erlconcolic explore src/ --entry total/1 --format json > report.json
  erlconcolic replay report.json src/
  erlconcolic replay runs/ --format json

Exit status: 0 every input passes now, 1 some input fails or answers differently, 2 the tool could
not do its work.")]
pub(crate) struct ReplayOptions {
    /// A report of `explore --format json`, or the folder of `explore --state`
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// Files or folders, or a folder that `instrument` made; without any, build/ or else src/
    #[arg(value_name = "SRC")]
    pub(crate) sources: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) compilation: CompilationOptions,

    /// End each run after so many milliseconds
    #[arg(long, default_value_t = 5_000, value_name = "MS", value_parser = super::milliseconds())]
    pub(crate) run_timeout: u64,

    /// Only inputs count for which this function returns true, as for `explore`
    #[arg(long, value_name = "M:F/N")]
    pub(crate) pre: Option<String>,

    /// Results for which this function returns false are failures, as for `explore`
    #[arg(long, value_name = "M:F/N")]
    pub(crate) post: Option<String>,

    /// How to print what was found
    #[arg(long, value_enum, default_value_t = Format::Human, value_name = "FORMAT")]
    pub(crate) format: Format,
}

/// Tell what the code of a message means and what to do
///
/// The code stands in brackets: `error[no-entry]: …`. Without CODE all codes are listed.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  erlconcolic explain
  erlconcolic explain no-entry

Exit status: 0 done, 2 there is no such code.")]
pub(crate) struct ExplainOptions {
    /// The code
    #[arg(value_name = "CODE")]
    pub(crate) code: Option<String>,
}

/// Check that all is here that the tool needs: Erlang, its compiler and library, Z3, rebar3
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  erlconcolic doctor
  erlconcolic doctor --format json

Exit status: 0 explore can do its work, 2 something that it needs is missing.")]
pub(crate) struct DoctorOptions {
    /// How to print what was found
    #[arg(long, value_enum, default_value_t = Format::Human, value_name = "FORMAT")]
    pub(crate) format: Format,
}

/// Print what a shell needs to complete commands and options
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  erlconcolic completions bash > ~/.local/share/bash-completion/completions/erlconcolic
  erlconcolic completions zsh > ~/.zfunc/_erlconcolic
  erlconcolic completions fish > ~/.config/fish/completions/erlconcolic.fish

Exit status: 0 done, 2 the tool could not do its work.")]
pub(crate) struct CompletionsOptions {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    pub(crate) shell: Shell,
}

/// Write the manual pages into a folder
#[derive(Args, Debug)]
pub(crate) struct ManPagesOptions {
    /// The folder
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
}
