//! The arguments of `run` and `events`.

use std::path::PathBuf;

use clap::Args;
use trace_format::Schedule;

use super::compiler_arguments::CompilationOptions;
use super::process_arguments::ProcessOptions;
use super::values::{Format, LIMITS, OUTPUT, PROCESSES, WireChoice, milliseconds};

/// Run one input on the BEAM, and show the result
///
/// The modules are instrumented first, with the OTP modules that they use. Calls that could do harm
/// (files, sockets, ports, halting) are refused.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  erlconcolic run src/ --entry shop:total/1 --args '[[{apple, 3}]]'
  erlconcolic run src/ --entry total/1 --args '[[]]' --events
  erlconcolic run src/ --entry save/2 --args '[a, b]' --allow file
  erlconcolic run src/ --entry race/1 --args '[3]' --schedule '0*3,0.2,0.1'

Exit status: 0 the function returned (or was refused a call), 1 it raised, took too long, was killed
or waits for ever, 2 the tool failed.")]
pub(crate) struct RunOptions {
    /// Files, folders, or a folder made by `instrument` [default: build/, or else src/]
    #[arg(value_name = "SRC")]
    pub(crate) sources: Vec<PathBuf>,

    /// Function to run: mod:fun/arity, or fun/arity if only one module exports it
    #[arg(long, value_name = "ENTRY")]
    pub(crate) entry: String,

    /// Its arguments, an Erlang list
    #[arg(long = "args", value_name = "LIST", allow_hyphen_values = true)]
    pub(crate) arguments: String,

    /// Permit calls into this module, or of this function, although they could do harm (repeatable)
    #[arg(long, value_name = "M|M:F/A", help_heading = LIMITS)]
    pub(crate) allow: Vec<String>,

    /// Stop the run after this many milliseconds
    #[arg(
        long,
        default_value_t = 5_000,
        value_name = "MS",
        value_parser = milliseconds(),
        help_heading = LIMITS
    )]
    pub(crate) run_timeout: u64,

    #[command(flatten)]
    pub(crate) processes: ProcessOptions,

    /// Let processes take their steps in this order, as in 0*3,0.1,0
    #[arg(
        long,
        value_name = "SCHEDULE",
        default_value_t,
        hide_default_value = true,
        help_heading = PROCESSES
    )]
    pub(crate) schedule: Schedule,

    /// Print the events of the run
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) events: bool,

    /// Also write the log of the run to this file, for `erlconcolic events`
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) log: Option<PathBuf>,

    /// Which events the program writes; --events prints the same
    #[arg(long, value_enum, value_name = "WIRE", help_heading = OUTPUT)]
    pub(crate) wire: Option<WireChoice>,

    /// Format of the result
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

/// Print the events of a saved log
///
/// The folder must have the program that ran. The log is checked against its manifest.
#[derive(Args, Debug)]
#[command(after_help = "Example:
  erlconcolic run build/ --entry total/1 --args '[[]]' --log total.log
  erlconcolic events total.log build/

Exit status: 0 done, 2 the tool failed.")]
pub(crate) struct EventsOptions {
    /// The log
    #[arg(value_name = "FILE")]
    pub(crate) log: PathBuf,

    /// Folder made by `instrument`
    #[arg(value_name = "DIR", default_value = "build")]
    pub(crate) build: PathBuf,
}
