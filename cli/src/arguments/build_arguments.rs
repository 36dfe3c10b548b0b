//! The arguments of `instrument` and `flatten`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::compiler_arguments::CompilationOptions;
use super::values::{OUTPUT, WireChoice};

/// Instrument modules, so that their runs can be followed
///
/// The folder gets the instrumented code, the original code, the flat form of every module and a
/// manifest. OTP modules that the code uses are instrumented too, as copies under other names. A
/// second run only does what has changed.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  erlconcolic instrument src/ -o build/
  erlconcolic instrument src/ -o build/ --emit instrumented

Exit status: 0 done, 2 the tool failed.")]
pub(crate) struct InstrumentOptions {
    /// Files or folders: .erl, .core, or .beam with debug information
    #[arg(required = true, value_name = "SRC")]
    pub(crate) sources: Vec<PathBuf>,

    /// Folder to write to
    #[arg(
        short,
        long,
        value_name = "DIR",
        required_unless_present = "emit",
        help_heading = OUTPUT
    )]
    pub(crate) output: Option<PathBuf>,

    /// Print the instrumented modules in the notation of the paper
    #[arg(long, value_enum, value_name = "STAGE", help_heading = OUTPUT)]
    pub(crate) emit: Option<InstrumentedStage>,

    /// Which events the instrumented program writes
    #[arg(
        long,
        value_enum,
        default_value_t = WireChoice::Lean,
        value_name = "WIRE",
        help_heading = OUTPUT
    )]
    pub(crate) wire: WireChoice,

    #[command(flatten)]
    pub(crate) compilation: CompilationOptions,
}

/// What `instrument` can print.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum InstrumentedStage {
    /// Flat Core Erlang with emitters, as in Figure 9 of the paper
    Instrumented,
}

/// Print modules as Core Erlang, flattened or as the compiler makes it
///
/// In flat Core Erlang every argument is a variable or a literal, every call and case is bound by
/// a `let`, and no two variables of a function have the same name.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  erlconcolic flatten src/shop.erl
  erlconcolic flatten src/ --emit core
  erlconcolic flatten ebin/shop.beam --annotations -o flat/

Exit status: 0 done, 2 the tool failed.")]
pub(crate) struct FlattenOptions {
    /// Files or folders: .erl, .core, or .beam with debug information
    #[arg(required = true, value_name = "SRC")]
    pub(crate) sources: Vec<PathBuf>,

    /// Which form to print
    #[arg(
        long,
        value_enum,
        default_value_t = Stage::Flat,
        value_name = "STAGE",
        help_heading = OUTPUT
    )]
    pub(crate) emit: Stage,

    /// Keep all annotations, such as source positions
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) annotations: bool,

    /// Write one file per module into this folder instead of printing
    #[arg(short, long, value_name = "DIR", help_heading = OUTPUT)]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) compilation: CompilationOptions,
}

/// A stage on the way from source to running code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Stage {
    /// Core Erlang as the compiler makes it
    Core,
    /// Flat Core Erlang
    Flat,
}
