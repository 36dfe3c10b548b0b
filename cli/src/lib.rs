//! The command line: arguments, BEAM processes, files, and what the user sees.
//!
//! This is the only crate that touches files, processes and the terminal.

mod allocator;
mod arguments;
pub mod beam;
mod build_folder;
mod commands;
mod contract;
mod entry;
mod exploration;
mod failure;
mod followed_modules;
pub mod front_end;
pub mod instrumented;
mod output;
mod render;
mod sources;
pub mod specs;
mod surroundings;
mod target;
pub mod worker;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;

pub use crate::allocator::Allocator;
use crate::arguments::{Arguments, Command};
pub use crate::failure::Failure;
pub use crate::sources::find_sources;

/// The tool could not do its work.
const EXIT_FAILURE: u8 = 2;

/// Runs the command named by the arguments of this process.
pub fn run() -> ExitCode {
    std::panic::set_hook(Box::new(report_crash));
    let arguments = Arguments::parse();
    let result = match arguments.command {
        Command::Explore(options) => commands::explore::run(&options),
        Command::Instrument(options) => {
            commands::instrument::run(&options).map(|()| ExitCode::SUCCESS)
        }
        Command::Events(options) => commands::events::run(&options).map(|()| ExitCode::SUCCESS),
        Command::Flatten(options) => commands::flatten::run(&options).map(|()| ExitCode::SUCCESS),
        Command::Run(options) => commands::run::run(&options),
    };
    match result {
        Ok(code) => code,
        Err(failure) => {
            render::show(&failure.0);
            ExitCode::from(EXIT_FAILURE)
        }
    }
}

/// A crash of the tool itself: not the user's fault, and never to be mistaken for a finding.
fn report_crash(panic: &std::panic::PanicHookInfo<'_>) {
    let version = env!("CARGO_PKG_VERSION");
    // Nowhere is left to report that the terminal is gone.
    let _ = writeln!(
        std::io::stderr().lock(),
        "erlconcolic {version} crashed. This is a bug in erlconcolic, not in your program.\n\
         Please report it with the command you ran, the files it read, and these lines:\n{panic}"
    );
    std::process::exit(i32::from(EXIT_FAILURE));
}
