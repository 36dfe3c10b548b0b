//! The arguments of each command. Help texts are the doc comments.

mod around_the_search;

use std::path::PathBuf;

use clap::builder::RangedU64ValueParser;
use clap::{Args, Parser, Subcommand, ValueEnum, value_parser};

pub(crate) use around_the_search::{
    CompletionsOptions, DoctorOptions, ExplainOptions, ManPagesOptions, ReplayOptions,
};

/// The longest time of a timer of the BEAM: 49 days.
fn milliseconds() -> RangedU64ValueParser {
    value_parser!(u64).range(..=u64::from(u32::MAX))
}

/// A hundred years; clocks end somewhere behind that.
fn seconds() -> RangedU64ValueParser {
    value_parser!(u64).range(..=100 * 366 * 24 * 60 * 60)
}

/// Concolic testing for Erlang: finds the inputs that crash your code, with proof.
#[derive(Debug, Parser)]
#[command(name = "erlconcolic", version, propagate_version = true)]
#[command(after_help = "Examples:
  erlconcolic explore src/ --entry shop:total/1
  erlconcolic doctor

Exit status: 0 nothing found, 1 findings, 2 the tool could not do its work.")]
pub(crate) struct Arguments {
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

/// Instrument modules, so that their runs can be followed
///
/// The folder holds the instrumented code, the original code, the flat form of every module and a
/// manifest. Modules of OTP that are used are instrumented too, as copies under another name. A
/// second run does only what has changed.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  erlconcolic instrument src/ -o build/
  erlconcolic instrument src/ -o build/ --emit instrumented

Exit status: 0 done, 2 the tool could not do its work.")]
pub(crate) struct InstrumentOptions {
    /// Files or folders: .erl, .core, or .beam with debug information
    #[arg(required = true, value_name = "SRC")]
    pub(crate) sources: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) compilation: CompilationOptions,

    /// The folder to write to
    #[arg(short, long, value_name = "DIR", required_unless_present = "emit")]
    pub(crate) output: Option<PathBuf>,

    /// Print the instrumented modules for reading, in the notation of the paper
    #[arg(long, value_enum, value_name = "STAGE")]
    pub(crate) emit: Option<InstrumentedStage>,

    /// How much of the events a program itself writes
    #[arg(long, value_enum, default_value_t = WireChoice::Lean, value_name = "WIRE")]
    pub(crate) wire: WireChoice,
}

/// What `instrument` can print.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum InstrumentedStage {
    /// Flat Core Erlang with emitters, as in Figure 9 of the paper
    Instrumented,
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
    /// Files or folders: .erl, .core, or .beam with debug information
    #[arg(required = true, value_name = "SRC")]
    pub(crate) sources: Vec<PathBuf>,

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

/// Run one input on the BEAM, and show what happened
///
/// The modules are instrumented first, and so are the modules of OTP that they use. Calls that
/// could do harm (files, sockets, ports, halting) are refused.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  erlconcolic run src/ --entry shop:total/1 --args '[[{apple, 3}]]'
  erlconcolic run src/ --entry total/1 --args '[[]]' --events
  erlconcolic run src/ --entry save/2 --args '[a, b]' --allow file

Exit status: 0 the function returned (or was refused a call), 1 it raised, took too long or was
killed, 2 the tool could not do its work.")]
pub(crate) struct RunOptions {
    /// Files or folders, or a folder that `instrument` made; without any, build/ or else src/
    #[arg(value_name = "SRC")]
    pub(crate) sources: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) compilation: CompilationOptions,

    /// The function: mod:fun/arity, or fun/arity if one module alone exports it
    #[arg(long, value_name = "ENTRY")]
    pub(crate) entry: String,

    /// Its arguments, an Erlang list
    #[arg(long = "args", value_name = "LIST", allow_hyphen_values = true)]
    pub(crate) arguments: String,

    /// Print the events of the run
    #[arg(long)]
    pub(crate) events: bool,

    /// Also write the log of the run to this file; `erlconcolic events` reads it
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,

    /// How much of the events the program itself writes; what is printed is the same
    #[arg(long, value_enum, value_name = "WIRE")]
    pub(crate) wire: Option<WireChoice>,

    /// End the run after so many milliseconds
    #[arg(long, default_value_t = 5_000, value_name = "MS", value_parser = milliseconds())]
    pub(crate) run_timeout: u64,

    /// Allow calls into this module, or of this function, although they could do harm
    #[arg(long, value_name = "M|M:F/A")]
    pub(crate) allow: Vec<String>,

    /// How to print the result
    #[arg(long, value_enum, default_value_t = Format::Human, value_name = "FORMAT")]
    pub(crate) format: Format,
}

/// Find inputs that take every path through a function, run them, and report those that crash
///
/// Without SRC, what `instrument` made in build/ is explored, or else src/.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  erlconcolic explore src/ --entry shop:total/1
  erlconcolic explore src/ --all --timeout 300
  erlconcolic explore --entry main/1 --args '[[a]]' --term-depth 3
  erlconcolic explore --entry main/1 --html report.html

Exit status: 0 nothing found, 1 findings, 2 the tool could not do its work.")]
pub(crate) struct ExploreOptions {
    /// Files or folders, or a folder that `instrument` made; without any, build/ or else src/
    #[arg(value_name = "SRC")]
    pub(crate) sources: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) compilation: CompilationOptions,

    /// The function: mod:fun/arity, or fun/arity if one module alone exports it; may be given
    /// several times
    #[arg(
        long = "entry",
        value_name = "ENTRY",
        required_unless_present_any = ["modules", "all"]
    )]
    pub(crate) entries: Vec<String>,

    /// Every exported function of this module that has a spec; may be given several times
    #[arg(long = "module", value_name = "M")]
    pub(crate) modules: Vec<String>,

    /// Every exported function that has a spec
    #[arg(long)]
    pub(crate) all: bool,

    /// Arguments to begin with, an Erlang list; may be given several times
    #[arg(long = "args", value_name = "LIST", allow_hyphen_values = true)]
    pub(crate) arguments: Vec<String>,

    /// How deep an argument may be nested; if not given 4, or as deep as spec and patterns want
    #[arg(long, value_name = "N")]
    pub(crate) term_depth: Option<u32>,

    /// End the search after so many seconds; several functions share them
    #[arg(long, default_value_t = 60, value_name = "SECONDS", value_parser = seconds())]
    pub(crate) timeout: u64,

    /// End each run after so many milliseconds
    #[arg(long, default_value_t = 5_000, value_name = "MS", value_parser = milliseconds())]
    pub(crate) run_timeout: u64,

    /// End the search after so many runs; several functions share them
    #[arg(long, value_name = "N")]
    pub(crate) max_runs: Option<usize>,

    /// Which input is run next
    #[arg(long, value_enum, default_value_t = StrategyChoice::Coverage, value_name = "STRATEGY")]
    pub(crate) strategy: StrategyChoice,

    /// For random choices
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub(crate) seed: u64,

    /// How many BEAMs run inputs at the same time
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub(crate) workers: usize,

    /// Stop at the first finding
    #[arg(long)]
    pub(crate) first: bool,

    /// Do without something that saves the solver work, to measure what it is worth
    #[arg(long, value_enum, value_name = "SHORTCUT", hide = true)]
    pub(crate) without: Vec<Shortcut>,

    /// Keep all runs in this folder as they come
    #[arg(long, value_name = "DIR")]
    pub(crate) state: Option<PathBuf>,

    /// Go on with the search whose runs are in the folder of --state
    #[arg(long, requires = "state")]
    pub(crate) resume: bool,

    /// Allow calls into this module, or of this function, although they could do harm
    #[arg(long, value_name = "M|M:F/A")]
    pub(crate) allow: Vec<String>,

    /// Do not follow calls into this module; what they return is taken from the run
    #[arg(long, value_name = "M")]
    pub(crate) opaque: Vec<String>,

    /// Only inputs count for which this function, given the same arguments, returns true
    #[arg(long, value_name = "M:F/N")]
    pub(crate) pre: Option<String>,

    /// It is a finding if this function, given arguments and result or the result, returns false
    #[arg(long, value_name = "M:F/N")]
    pub(crate) post: Option<String>,

    /// Ignore specs: inputs may be any terms
    #[arg(long)]
    pub(crate) no_spec: bool,

    /// How to print the report
    #[arg(long, value_enum, default_value_t = Format::Human, value_name = "FORMAT")]
    pub(crate) format: Format,

    /// Also write the report to this file as a page for a browser
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,

    /// Also write the tests to this file, as a module for EUnit: test/shop_tests.erl
    #[arg(long, value_name = "FILE")]
    pub(crate) eunit: Option<PathBuf>,

    /// End the search, as by Ctrl-C, when what this file descriptor reads from is closed
    #[arg(long, value_name = "DESCRIPTOR", hide = true)]
    pub(crate) stop_when_closed: Option<u32>,

    /// Do not show how the search goes on
    #[arg(long, conflicts_with = "verbose")]
    pub(crate) quiet: bool,

    /// Show every test as it is run, why, and what came of it
    #[arg(long)]
    pub(crate) verbose: bool,
}

/// What saves the solver work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Shortcut {
    /// A condition whose negation was assumed is impossible
    Contradictions,
    /// A condition that was assumed already is not assumed again
    Repetitions,
    /// What was assumed holds where the parent's values are kept
    ParentValues,
    /// A question about integers that was answered before is not asked again
    Cache,
    /// Z3 answers what is hard
    Z3,
    /// Z3 is asked only what our own solver leaves open
    Native,
}

/// Which input is run next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StrategyChoice {
    /// One for a clause that was not reached yet
    Coverage,
    /// The newest
    Dfs,
    /// The oldest
    Bfs,
    /// Any
    Random,
}

/// Print the events of a run whose log was kept
///
/// The folder must be the one whose program ran; log and manifest are checked against each other.
#[derive(Args, Debug)]
#[command(after_help = "Example:
  erlconcolic run build/ --entry total/1 --args '[[]]' --log total.log
  erlconcolic events total.log build/

Exit status: 0 done, 2 the tool could not do its work.")]
pub(crate) struct EventsOptions {
    /// The log
    #[arg(value_name = "FILE")]
    pub(crate) log: PathBuf,

    /// The folder that `instrument` made
    #[arg(value_name = "DIR", default_value = "build")]
    pub(crate) build: PathBuf,
}

/// How results are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For reading
    Human,
    /// One JSON object
    Json,
}

/// What an instrumented program writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum WireChoice {
    /// Every event
    Full,
    /// Only what cannot be derived from the rest
    Lean,
}

/// A stage on the way from source to running code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Stage {
    /// Core Erlang as the compiler gives it
    Core,
    /// Flat Core Erlang
    Flat,
}

/// How to compile modules.
#[derive(Args, Debug)]
pub(crate) struct CompilationOptions {
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
