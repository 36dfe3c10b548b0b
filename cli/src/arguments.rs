//! The arguments of each command. Help texts are the doc comments.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Concolic testing for Erlang: finds the inputs that crash your code, with proof.
#[derive(Debug, Parser)]
#[command(name = "erlconcolic", version, propagate_version = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Flatten(FlattenOptions),
}

/// Print modules as Core Erlang, as the compiler gives it or flattened
///
/// In flat Core Erlang every argument is a variable or a literal, every call and case stands on
/// the right of a `let`, and every variable of a function has a name of its own.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  erlconcolic flatten src/shop.erl
  erlconcolic flatten src/ --emit core
  erlconcolic flatten ebin/shop.beam --annotations -o flat/

Exit status: 0 done, 2 the tool could not do its work.")]
pub(crate) struct FlattenOptions {
    #[command(flatten)]
    pub(crate) compilation: CompilationOptions,

    /// What to print
    #[arg(long, value_enum, default_value_t = Stage::Flat, value_name = "STAGE")]
    pub(crate) emit: Stage,

    /// Keep all annotations (source positions among them)
    #[arg(long)]
    pub(crate) annotations: bool,

    /// Write one file per module into this folder instead of printing
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
}

/// A stage on the way from source to running code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Stage {
    /// Core Erlang as the compiler gives it
    Core,
    /// Flat Core Erlang
    Flat,
}

/// Which modules, and how to compile them.
#[derive(Args, Debug)]
pub(crate) struct CompilationOptions {
    /// Files or folders: .erl, .core, or .beam with debug information
    #[arg(required = true, value_name = "SRC")]
    pub(crate) sources: Vec<PathBuf>,

    /// Folder to look for included files in, as erlc's -I
    #[arg(short = 'I', long = "include", value_name = "DIR")]
    pub(crate) includes: Vec<PathBuf>,

    /// Macro to define, as erlc's -D
    #[arg(short = 'D', long = "define", value_name = "NAME[=VALUE]")]
    pub(crate) defines: Vec<String>,

    /// Folder with compiled modules (parse transforms, behaviours), as erl's -pa
    #[arg(long = "pa", value_name = "DIR")]
    pub(crate) code_paths: Vec<PathBuf>,
}
