//! The arguments of each command. Help texts are the doc comments.

mod build_arguments;
mod compiler_arguments;
mod explore_arguments;
mod replay_arguments;
mod run_arguments;
mod support_arguments;
mod values;

use clap::{Parser, Subcommand};

pub(crate) use build_arguments::{FlattenOptions, InstrumentOptions, Stage};
pub(crate) use compiler_arguments::CompilationOptions;
pub(crate) use explore_arguments::{Also, ExploreOptions, Shortcut};
pub(crate) use replay_arguments::ReplayOptions;
pub(crate) use run_arguments::{EventsOptions, RunOptions};
pub(crate) use support_arguments::{
    CompletionsOptions, DoctorOptions, ExplainOptions, ManPagesOptions,
};
pub(crate) use values::{Format, WireChoice};

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

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Explore(Box<ExploreOptions>),
    Replay(ReplayOptions),
    Instrument(InstrumentOptions),
    Run(RunOptions),
    Events(EventsOptions),
    Flatten(FlattenOptions),
    Explain(ExplainOptions),
    Doctor(DoctorOptions),
    Completions(CompletionsOptions),
    #[command(hide = true)]
    ManPages(ManPagesOptions),
}

#[cfg(test)]
mod tests;
