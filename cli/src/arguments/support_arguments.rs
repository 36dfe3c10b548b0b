//! The arguments of commands that help with the tool itself.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

use super::values::Format;

/// Explain the code of a message, and what to do
///
/// Messages have codes in brackets: `error[no-entry]: …`. Without CODE all codes are listed.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  erlconcolic explain
  erlconcolic explain no-entry

Exit status: 0 done, 2 unknown code.")]
pub(crate) struct ExplainOptions {
    /// The code
    #[arg(value_name = "CODE")]
    pub(crate) code: Option<String>,
}

/// Check that everything is installed: Erlang, its compiler and library, Z3, rebar3
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  erlconcolic doctor
  erlconcolic doctor --format json

Exit status: 0 explore can work, 2 something that it needs is missing.")]
pub(crate) struct DoctorOptions {
    /// Format of the result
    #[arg(long, value_enum, default_value_t = Format::Human, value_name = "FORMAT")]
    pub(crate) format: Format,
}

/// Print completions for a shell
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  erlconcolic completions bash > ~/.local/share/bash-completion/completions/erlconcolic
  erlconcolic completions zsh > ~/.zfunc/_erlconcolic
  erlconcolic completions fish > ~/.config/fish/completions/erlconcolic.fish

Exit status: 0 done, 2 the tool failed.")]
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
