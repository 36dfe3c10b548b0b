//! The command line: arguments, BEAM processes, files and the terminal.
//!
//! No other crate touches files, processes or the terminal.

mod allocator;
mod arguments;
pub mod beam;
mod cluster;
mod commands;
mod exit_status;
mod explanations;
mod failure;
mod files;
mod installed;
mod program;
pub mod readers;
mod search;
mod sources;
mod terminal;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};

pub use crate::allocator::Allocator;
use crate::arguments::{Command, CommandLine};
pub use crate::beam::worker;
pub use crate::cluster::fleet;
use crate::exit_status::EXIT_FAILURE;
pub use crate::failure::Failure;
use crate::files::output;
pub use crate::program::instrumented;
pub use crate::sources::finding::find_sources;
pub use crate::sources::{front_end, specs};
use crate::terminal::{crash_report, render};

/// Runs the command named by the arguments of this process.
pub fn run() -> ExitCode {
    crash_report::install();
    output::fail_at_limits();
    let arguments = read_arguments();
    crash_report::crash_on_demand();
    match run_command(arguments.command) {
        Ok(code) => code,
        Err(failure) => {
            render::show_failure(&failure.0);
            ExitCode::from(EXIT_FAILURE)
        }
    }
}

/// Reads the arguments, or ends with help, versions or an error.
fn read_arguments() -> CommandLine {
    let mut command = CommandLine::command();
    // Finding the version of Erlang takes time.
    if std::env::args_os().any(|argument| argument == "--version") {
        command = command.long_version(installed::version_lines());
    }
    let parsed = CommandLine::from_arg_matches(&command.clone().get_matches());
    parsed.unwrap_or_else(|error| error.format(&mut command).exit())
}

fn run_command(command: Command) -> Result<ExitCode, Failure> {
    let done = |()| ExitCode::SUCCESS;
    match command {
        Command::Explore(options) => commands::explore::run(&options),
        Command::Eunit(options) => commands::eunit::run(*options),
        Command::Accept(options) => commands::accept::run(&options).map(done),
        Command::Merge(options) => commands::merge::run(&options),
        Command::Replay(options) => commands::replay::run(&options),
        Command::Instrument(options) => commands::instrument::run(&options).map(done),
        Command::Run(options) => commands::run::run(&options),
        Command::Events(options) => commands::events::run(&options).map(done),
        Command::Flatten(options) => commands::flatten::run(&options).map(done),
        Command::Explain(options) => commands::explain::run(&options).map(done),
        Command::Serve(options) => commands::serve::run(&options).map(done),
        Command::Doctor(options) => commands::doctor::run(&options),
        Command::Completions(options) => commands::completions::print(options.shell).map(done),
        Command::ManPages(options) => {
            commands::completions::write_manual(&options.folder).map(done)
        }
    }
}
