//! The arguments of `explore`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use trace_engine::explore::Strategy;

use super::cluster_arguments::ClusterOptions;
use super::compiler_arguments::CompilationOptions;
use super::machine_arguments::MachineArguments;
use super::process_arguments::ProcessOptions;
use super::shard_number::ShardNumber;
use super::values::{INPUTS, LIMITS, OUTPUT, ReportFormat, milliseconds, seconds, strategy};

pub(super) const FUNCTIONS: &str = "What to explore";
const SEARCH: &str = "Search";

/// Find and run inputs for every path through a function, and report crashes
///
/// Without SRC, build/ is explored if `instrument` made it, or else src/.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  erlconcolic explore src/ --entry shop:total/1
  erlconcolic explore src/ --all --timeout 300
  erlconcolic explore --entry main/1 --args '[[a]]' --term-depth 3
  erlconcolic explore --entry main/1 --html report.html
  erlconcolic explore src/ --machine door --length 5
  erlconcolic explore src/ --all --shard 2/3 --format json > shard2.json

Exit status: 0 no findings, 1 findings, 2 the tool failed.")]
pub(crate) struct ExploreOptions {
    /// Files, folders, or a folder made by `instrument` [default: build/, or else src/]
    #[arg(value_name = "SRC")]
    pub(crate) sources: Vec<PathBuf>,

    /// A function: mod:fun/arity, or fun/arity if only one module exports it (repeatable)
    #[arg(
        long = "entry",
        value_name = "ENTRY",
        required_unless_present_any = ["modules", "all", "machines", "calls"],
        help_heading = FUNCTIONS
    )]
    pub(crate) entries: Vec<String>,

    /// All exported functions of this module that have a spec (repeatable)
    #[arg(long = "module", value_name = "M", help_heading = FUNCTIONS)]
    pub(crate) modules: Vec<String>,

    /// All exported functions that have a spec
    #[arg(long, help_heading = FUNCTIONS)]
    pub(crate) all: bool,

    /// With --all: not the functions of this module (repeatable)
    #[arg(long, value_name = "M", requires = "all", help_heading = FUNCTIONS)]
    pub(crate) exclude: Vec<String>,

    /// Of all these functions only the K-th of N shares, for a CI job; `erlconcolic merge` joins the
    /// reports
    #[arg(long, value_name = "K/N", help_heading = FUNCTIONS)]
    pub(crate) shard: Option<ShardNumber>,

    /// Do not follow calls into this module, or of this function; their results are taken from the
    /// run (repeatable)
    #[arg(long, value_name = "M|M:F/A", help_heading = FUNCTIONS)]
    pub(crate) opaque: Vec<String>,

    /// Input to start with: an Erlang list of arguments (repeatable)
    #[arg(
        long = "args",
        value_name = "LIST",
        allow_hyphen_values = true,
        help_heading = INPUTS
    )]
    pub(crate) arguments: Vec<String>,

    /// How deep an argument may be nested [default: 4, or as deep as spec and patterns need]
    #[arg(long, value_name = "N", help_heading = INPUTS)]
    pub(crate) term_depth: Option<u32>,

    /// Ignore specs: inputs may be any terms
    #[arg(long, help_heading = INPUTS)]
    pub(crate) no_spec: bool,

    /// Make up values of opaque types from their declarations, instead of making them by calls
    #[arg(long, help_heading = INPUTS)]
    pub(crate) break_opaque: bool,

    /// Use only inputs for which this function returns `true`; it takes the same arguments
    #[arg(long, value_name = "M:F/N", help_heading = INPUTS)]
    pub(crate) pre: Option<String>,

    /// Report results for which this function returns `false`; it takes the arguments and the
    /// result, or only the result
    #[arg(long, value_name = "M:F/N", help_heading = INPUTS)]
    pub(crate) post: Option<String>,

    /// Report calls of funs of the input with arguments that are not of the types in their spec
    #[arg(long, conflicts_with = "no_spec", help_heading = INPUTS)]
    pub(crate) contracts: bool,

    /// End after this many seconds, with compiling; a tenth is kept to run crashes again
    #[arg(
        long,
        default_value_t = 60,
        value_name = "SECONDS",
        value_parser = seconds(),
        help_heading = LIMITS
    )]
    pub(crate) timeout: u64,

    /// Stop each run after this many milliseconds
    #[arg(
        long,
        default_value_t = 5_000,
        value_name = "MS",
        value_parser = milliseconds(),
        help_heading = LIMITS
    )]
    pub(crate) run_timeout: u64,

    /// Stop the search after this many runs, of all functions together
    #[arg(long, value_name = "N", help_heading = LIMITS)]
    pub(crate) max_runs: Option<usize>,

    /// Stop at the first finding
    #[arg(long, help_heading = LIMITS)]
    pub(crate) first: bool,

    /// Permit calls into this module, or of this function, although they could do harm (repeatable)
    #[arg(long, value_name = "M|M:F/A", help_heading = LIMITS)]
    pub(crate) allow: Vec<String>,

    #[command(flatten)]
    pub(crate) machines: MachineArguments,

    #[command(flatten)]
    pub(crate) processes: ProcessOptions,

    /// Which input to run next
    #[arg(
        long,
        default_value_t,
        value_name = "STRATEGY",
        value_parser = strategy(),
        help_heading = SEARCH
    )]
    pub(crate) strategy: Strategy,

    /// Which paths to run [default: states, then some of the others]
    #[arg(long, value_enum, value_name = "PATHS", help_heading = SEARCH)]
    pub(crate) paths: Option<PathChoice>,

    /// Seed of random choices
    #[arg(long, default_value_t = 0, value_name = "N", help_heading = SEARCH)]
    pub(crate) seed: u64,

    /// How many BEAMs run inputs in parallel
    #[arg(long, default_value_t = 1, value_name = "N", help_heading = SEARCH)]
    pub(crate) workers: usize,

    #[command(flatten)]
    pub(crate) cluster: ClusterOptions,

    /// Save all runs in this folder
    #[arg(long, value_name = "DIR", help_heading = SEARCH)]
    pub(crate) state: Option<PathBuf>,

    /// Continue the search in the folder of --state
    #[arg(long, requires = "state", help_heading = SEARCH)]
    pub(crate) resume: bool,

    /// Format of the report
    #[arg(
        long,
        value_enum,
        default_value_t = ReportFormat::Human,
        value_name = "FORMAT",
        help_heading = OUTPUT
    )]
    pub(crate) format: ReportFormat,

    /// Findings that are fine: a file that `erlconcolic accept` writes [default:
    /// erlconcolic.accept beside rebar.config, if it exists]
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) accept: Option<PathBuf>,

    /// Leave findings out whose inputs are unlikely: numbers of 300 digits, improper lists, funs of
    /// the wrong arity, made-up modules
    #[arg(long, value_enum, value_name = "WHICH", help_heading = OUTPUT)]
    pub(crate) skip: Option<Skipped>,

    /// List all other inputs of each finding, not only the 20 smallest
    #[arg(long, value_enum, value_name = "WHICH", help_heading = OUTPUT)]
    pub(crate) also: Option<Also>,

    /// Also write the report to this file as an HTML page
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) html: Option<PathBuf>,

    /// Also write the tests to this file as an EUnit module: test/shop_tests.erl
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) eunit: Option<PathBuf>,

    /// Also write the tests to this file as an ExUnit module: test/shop_paths_test.exs
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) exunit: Option<PathBuf>,

    /// Hide progress
    #[arg(long, conflicts_with = "verbose", help_heading = OUTPUT)]
    pub(crate) quiet: bool,

    /// Show every test, why it is run, and what it reached
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) verbose: bool,

    #[command(flatten)]
    pub(crate) compilation: CompilationOptions,

    /// Turn off an optimisation, to measure its effect
    #[arg(
        long,
        value_enum,
        value_name = "SHORTCUT",
        value_delimiter = ',',
        hide = true
    )]
    pub(crate) without: Vec<Shortcut>,

    /// End the search, as by Ctrl-C, when this file descriptor is closed
    #[arg(long, value_name = "DESCRIPTOR", hide = true)]
    pub(crate) stop_when_closed: Option<u32>,
}

/// Which paths are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PathChoice {
    /// Those that do not go on as others do
    States,
    /// All of them
    All,
}

/// Which other inputs of a finding are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Also {
    /// All of them
    All,
}

/// Which findings are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Skipped {
    /// Those whose inputs a program is not likely to get
    Unlikely,
}

/// Optimisations of the search and the solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Shortcut {
    /// A condition whose negation is assumed is impossible
    Contradictions,
    /// A condition that is assumed already is not assumed again
    Repetitions,
    /// Assumptions hold where the parent's values are kept
    ParentValues,
    /// A question about integers that was answered before is not asked again
    Cache,
    /// Z3 answers hard questions
    Z3,
    /// Z3 only gets questions that our own solver leaves open
    Native,
    /// Ways are asked for once in each state, not on each path
    Pruning,
    /// A call is explored once for each state in which it begins
    Calls,
    /// A state is not explored again if one of which less is said was
    Inclusion,
    /// A state is covered by runs that came to others with other values
    Interpolants,
    /// Several inputs are under way for each worker of a node
    Batches,
}
