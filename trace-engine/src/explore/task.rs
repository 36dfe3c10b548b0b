//! What to search, and how.

use std::time::Duration;

use erlang_term::Term;
use solver::types::Signature;
use solver::{Integers, Limits, Questions};
use trace_format::Wire;

use super::paths::KeptPaths;
use super::strategies::Strategy;
use crate::replay::PlayModules;

/// A function that is searched.
#[derive(Clone, Debug)]
pub struct Task {
    /// Module and index of the function.
    pub entry: (usize, usize),
    /// The inputs to begin with.
    pub seeds: Vec<Vec<Term>>,
    /// The types of the arguments, where they are known.
    pub signature: Option<Signature>,
    /// The limits of the solver.
    pub limits: Limits,
    /// The modules of the play, if that of a machine is searched.
    pub marks: Option<PlayModules>,
    /// What to keep of the paths of tests; nothing if no report shows them.
    pub paths: Option<KeptPaths>,
}

/// How to search.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How the next input is chosen.
    pub strategy: Strategy,
    /// For random choices.
    pub seed: u64,
    /// How many inputs may be run, of all tasks together.
    pub max_runs: Option<usize>,
    /// Which events the program logs.
    pub wire: Wire,
    /// How many events of a run are replayed.
    pub max_events: usize,
    /// With more decisions, a run is a long one, of which only some get alternatives.
    pub max_decisions: usize,
    /// How long replaying a run may take.
    pub max_replay: Duration,
    /// How often another process may go on in an order that is planned.
    pub max_switches: Option<usize>,
    /// Whether the time of a `receive` may be over whenever no message matches. Otherwise it is
    /// over only if no process can go on.
    pub any_time: bool,
    /// Which paths are run.
    pub paths: WantedPaths,
    /// Whether calls are explored by themselves, if not all paths are run.
    pub calls: bool,
    /// Whether a state may be in another one of which less is said.
    pub has_wider_states: bool,
    /// Whether a state may be covered by several others.
    pub has_interpolants: bool,
    /// Whether to stop at the first finding.
    pub first: bool,
}

/// Which paths are run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WantedPaths {
    /// All of them.
    All,
    /// Those that do not go on as others do.
    States,
    /// The same, and when it is shown that these are all: some of the others, at most as many
    /// again, but at least 100.
    #[default]
    StatesAndMore,
}

/// The solvers of one thread.
#[expect(
    missing_debug_implementations,
    reason = "it holds solvers that have none"
)]
pub struct Solvers {
    /// For integers that the native solver finds.
    pub integers: Box<dyn Integers>,
    /// For whole questions that the native solver cannot answer.
    pub fallback: Option<Box<dyn Questions>>,
}
