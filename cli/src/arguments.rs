//! The arguments of each command. Help texts are the doc comments.

mod accept_arguments;
mod build_arguments;
mod cluster_arguments;
mod compiler_arguments;
mod explore_arguments;
mod machine_arguments;
mod merge_arguments;
mod process_arguments;
mod replay_arguments;
mod run_arguments;
mod shard_number;
mod support_arguments;
mod values;

use clap::{Arg, ArgAction, Parser, Subcommand};

pub(crate) use accept_arguments::AcceptOptions;
pub(crate) use build_arguments::{FlattenOptions, InstrumentOptions, Stage};
pub(crate) use cluster_arguments::ServeOptions;
pub(crate) use compiler_arguments::CompilationOptions;
use explore_arguments::FUNCTIONS;
pub(crate) use explore_arguments::{Also, ExploreOptions, PathChoice, Shortcut, Skipped};
pub(crate) use merge_arguments::MergeOptions;
pub(crate) use replay_arguments::ReplayOptions;
pub(crate) use run_arguments::{EventsOptions, RunOptions};
pub(crate) use shard_number::ShardNumber;
pub(crate) use support_arguments::{
    CompletionsOptions, DoctorOptions, ExplainOptions, ManPagesOptions,
};
pub(crate) use values::{Format, ReportFormat, WireChoice};

/// Concolic testing for Erlang: finds inputs that crash your code, and proves it
#[derive(Debug, Parser)]
#[command(name = "erlconcolic", version, propagate_version = true)]
#[command(after_help = "Examples:
  erlconcolic explore src/ --entry shop:total/1
  erlconcolic doctor

Exit status: 0 no findings, 1 findings, 2 the tool failed.")]
pub(crate) struct CommandLine {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The same argument where it need not be present.
fn optional(required: Arg) -> Arg {
    Arg::new(required.get_id().clone())
        .long("entry")
        .value_name("ENTRY")
        .action(ArgAction::Append)
        .help(required.get_help().cloned().unwrap_or_default())
        .help_heading(FUNCTIONS)
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Explore(Box<ExploreOptions>),
    /// Run EUnit tests on instrumented code, and start a search with their inputs
    ///
    /// Without SRC, src/ and test/ are used. Without --entry, --module and --all, the functions that
    /// the tests call are searched, if they have a spec.
    #[command(
        mut_arg("entries", optional),
        after_help = "Examples:
  erlconcolic eunit
  erlconcolic eunit src/ test/ --timeout 300

Exit status: 0 all tests pass and no findings, 1 otherwise, 2 the tool failed."
    )]
    Eunit(Box<ExploreOptions>),
    Replay(ReplayOptions),
    Accept(AcceptOptions),
    Merge(MergeOptions),
    Instrument(InstrumentOptions),
    Run(RunOptions),
    Events(EventsOptions),
    Flatten(FlattenOptions),
    Explain(ExplainOptions),
    Serve(ServeOptions),
    Doctor(DoctorOptions),
    Completions(CompletionsOptions),
    #[command(hide = true)]
    ManPages(ManPagesOptions),
}

#[cfg(test)]
mod tests;
