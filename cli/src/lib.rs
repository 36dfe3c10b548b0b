//! The command line: arguments, BEAM processes, files, and what the user sees.
//!
//! This is the only crate that touches files, processes and the terminal.

mod arguments;
pub mod beam;
mod commands;
mod failure;
pub mod front_end;
mod output;
mod render;
mod sources;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;

use crate::arguments::{Arguments, Command};
pub use crate::failure::Failure;
pub use crate::sources::find_sources;

/// The tool could not do its work.
const EXIT_FAILURE: u8 = 2;

/// Runs the command named by the arguments of this process.
pub fn run() -> ExitCode {
    let arguments = Arguments::parse();
    let result = match arguments.command {
        Command::Flatten(options) => commands::flatten::run(&options),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            let text = render::render(&failure.0, render::colours_on_stderr());
            // Nowhere is left to report that the terminal is gone.
            let _ = std::io::stderr().lock().write_all(text.as_bytes());
            ExitCode::from(EXIT_FAILURE)
        }
    }
}
