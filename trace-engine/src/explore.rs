//! The search: Definition 6 of Palacios and Vidal's paper, with a queue in place of a set,
//! several runs at once, and several functions that take turns.

mod alternatives;
mod arguments;
mod guesses;
mod paths;
mod queue;
mod schedule;
mod search;
mod turns;

use std::collections::{BTreeMap, HashSet};
use std::time::Duration;

use erlang_term::Term;
use flattener::flat::SiteId;
use trace_format::Wire;

use solver::types::Signature;
use solver::{Integers, Limits, Questions, Savings};

pub use arguments::Arguments;
pub use paths::{KeptPaths, Path, PathStep, Paths};
pub use queue::Strategy;
pub use search::explore;

/// Runs inputs.
pub trait Executor {
    /// How a run ended.
    type Outcome;
    /// Why nothing can be run.
    type Error;

    /// Runs one input.
    ///
    /// # Errors
    /// When nothing can be run.
    fn run(&mut self, attempt: &Attempt<'_>) -> Result<Execution<Self::Outcome>, Self::Error>;

    /// Whether the search should end now. This is asked often, also in the middle of questions to
    /// the solver, and by a thread that watches Z3.
    fn should_stop(&self) -> bool {
        false
    }

    /// Is told after each run what came of it.
    fn learned(&self, lesson: &Lesson<'_>) {
        let _ = lesson;
    }

    /// The time since some moment, for statistics.
    fn now(&self) -> Duration {
        Duration::ZERO
    }
}

/// A clause: module, site, number counted from 0.
pub type ClauseId = (usize, SiteId, usize);

/// An input that is to be run, and why.
#[derive(Clone, Copy, Debug)]
pub struct Attempt<'run> {
    /// The number of its task.
    pub task: usize,
    /// Its number among the tests of the task, from 0.
    pub number: usize,
    /// The input.
    pub arguments: &'run [Term],
    /// The test it was made from; none for a seed input.
    pub parent: Option<usize>,
    /// The clause that it should reach, if it is known.
    pub aim: Option<ClauseId>,
}

/// What came of a run.
#[derive(Clone, Copy, Debug)]
pub struct Lesson<'run> {
    /// The number of its task.
    pub task: usize,
    /// The clauses that no test of its task reached before.
    pub clauses: &'run [ClauseId],
    /// What the solver was asked because of it.
    pub statistics: &'run Statistics,
    /// How many inputs of all tasks wait to be run.
    pub waiting: usize,
}

/// What one run did.
#[derive(Debug)]
pub struct Execution<O> {
    /// How it ended.
    pub outcome: O,
    /// What it logged.
    pub log: Vec<u8>,
    /// If the log ends before the run did, why.
    pub why_cut: String,
    /// Whether this is what `--first` looks for.
    pub is_finding: bool,
}

/// What a thread solves with.
#[expect(
    missing_debug_implementations,
    reason = "it holds solvers that have none"
)]
pub struct Solvers {
    /// For what the native solver finds out about integers.
    pub integers: Box<dyn Integers>,
    /// For whole questions that the native solver cannot answer.
    pub fallback: Option<Box<dyn Questions>>,
}

/// A function that is searched.
#[derive(Clone, Debug)]
pub struct Task {
    /// Module and index of the function.
    pub entry: (usize, usize),
    /// The inputs to begin with.
    pub seeds: Vec<Vec<Term>>,
    /// What inputs must be like, where something is known about it.
    pub signature: Option<Signature>,
    /// The limits of the solver.
    pub limits: Limits,
    /// What is to be kept of the paths of tests; nothing if there is nobody who shows them.
    pub paths: Option<KeptPaths>,
}

/// How to search.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Which input is run next.
    pub strategy: Strategy,
    /// For random choices.
    pub seed: u64,
    /// How many inputs may be run, of all tasks together.
    pub max_runs: Option<usize>,
    /// What the program logs.
    pub wire: Wire,
    /// How many events of a run are looked at.
    pub max_events: usize,
    /// How many decisions of a run are looked at.
    pub max_decisions: usize,
    /// Whether to stop at the first finding.
    pub first: bool,
}

/// A test that was run.
#[derive(Debug)]
pub struct Test<O> {
    /// The test whose decisions led to this one.
    pub parent: Option<usize>,
    /// Its arguments.
    pub arguments: Arguments,
    /// How it ended.
    pub outcome: O,
    /// The clauses it went through, counted from 1.
    pub trace: Vec<u32>,
    /// Whether it did not go where it should.
    pub diverged: bool,
    /// Whether an earlier test took the same path.
    pub repeats: bool,
    /// The clauses that no test of its task had reached before.
    pub new_clauses: Vec<ClauseId>,
    /// Where it went, if paths are kept and its log could be replayed.
    pub path: Option<Path>,
}

/// Why a search may have missed something.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gap {
    /// A call whose result was taken from the log.
    OpaqueCall(String),
    /// A decision about something that is not understood.
    NotUnderstood(String),
    /// A question that the solver could not answer.
    Unsolved(String),
    /// A run that did not go where it should.
    Divergence,
    /// A run whose log ends before the run did, and why.
    CutRun(String),
    /// A run with more decisions than are looked at.
    LongRun,
    /// A log that cannot be replayed.
    BadLog(String),
    /// A crash that did not happen again on the code as it is; who runs the search adds these.
    Unconfirmed(String),
    /// A budget was used up, or the search was stopped.
    Stopped,
}

/// What a search did.
#[derive(Debug)]
pub struct Report<O> {
    /// The tests in the order in which they were run.
    pub tests: Vec<Test<O>>,
    /// Why something may have been missed, and how often.
    pub gaps: BTreeMap<Gap, usize>,
    /// The clauses that were reached.
    pub clauses: HashSet<ClauseId>,
    /// The functions that were reached: module and index.
    pub functions: HashSet<(usize, usize)>,
    /// Counters.
    pub statistics: Statistics,
    /// The paths of the tests, if they are kept.
    pub paths: Option<Paths>,
}

impl<O> Report<O> {
    /// Whether every path within the limits was run.
    pub fn is_complete(&self) -> bool {
        self.gaps.is_empty()
    }
}

impl<O> Default for Report<O> {
    fn default() -> Self {
        Self {
            tests: Vec::new(),
            gaps: BTreeMap::new(),
            clauses: HashSet::new(),
            functions: HashSet::new(),
            statistics: Statistics::default(),
            paths: None,
        }
    }
}

/// Counters of a search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Statistics {
    /// Questions to the solver.
    pub queries: u64,
    /// Those that had an answer.
    pub sat: u64,
    /// Those that have none.
    pub unsat: u64,
    /// Those that may have one.
    pub unknown: u64,
    /// Those for which an SMT solver was asked.
    pub smt: u64,
    /// Those that were handed on as a whole because they were not answered.
    pub handed_on: u64,
    /// Those of them that were answered then.
    pub answered_then: u64,
    /// Work that was saved.
    pub savings: Savings,
    /// Runs that did not go where they should.
    pub divergences: u64,
    /// The time that runs took.
    pub run_time: Duration,
    /// The time that replaying took.
    pub replay_time: Duration,
    /// The time that solving took.
    pub solve_time: Duration,
}

impl Statistics {
    /// Adds those of another search.
    pub fn add(&mut self, other: &Self) {
        self.queries += other.queries;
        self.sat += other.sat;
        self.unsat += other.unsat;
        self.unknown += other.unknown;
        self.smt += other.smt;
        self.handed_on += other.handed_on;
        self.answered_then += other.answered_then;
        self.savings.add(&other.savings);
        self.divergences += other.divergences;
        self.run_time += other.run_time;
        self.replay_time += other.replay_time;
        self.solve_time += other.solve_time;
    }
}
