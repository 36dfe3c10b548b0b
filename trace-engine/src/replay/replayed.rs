//! The result of a replay.

use erlang_term::Term;
use flattener::flat::SiteId;
use solver::ReleaseRules;
use solver::graph::{Condition, Graph, NodeId, Set};
use thiserror::Error;
use trace_format::{Ending, LogError};

use super::places::Places;

/// Why a log cannot be replayed.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ReplayError {
    /// It cannot be the log of this program.
    #[error(transparent)]
    Log(#[from] LogError),
    /// An event does not fit the program or those before it.
    #[error("event {number} does not fit the program: {what}")]
    Event {
        /// The number of the event.
        number: usize,
        /// What is wrong.
        what: &'static str,
    },
}

/// What is wrong with an event that does not fit the program or the events before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Misfit(pub(crate) &'static str);

/// Whether an event fits.
pub(super) type Fits = Result<(), Misfit>;

/// A site of a program: the number of its module, and the site there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ProgramSite {
    pub(super) module: usize,
    pub(super) site: SiteId,
}

/// A point in the program where a run could have taken another branch.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The module.
    pub module: usize,
    /// The site in it.
    pub site: SiteId,
    /// For each branch the condition on which it is taken if none before it is.
    pub ways: Vec<Condition>,
    /// The branch that was taken, counted from 0.
    pub taken: usize,
    /// If this is the choice of a clause, the clause that was chosen, counted from 0.
    pub clause: Option<usize>,
    /// If this is about an argument of an opaque operation, the argument and its value in the run:
    /// no known clause depends on it, but with another value the run may take another path.
    pub given: Option<(NodeId, Term)>,
}

impl Decision {
    /// The conditions on which a branch is taken: its own holds, and none before it does.
    pub fn conditions(&self, way: usize) -> Vec<Condition> {
        let before = self.ways.iter().take(way).map(|condition| !*condition);
        let own = self.ways.get(way).copied();
        before.chain(own).collect()
    }
}

/// A call whose result was taken from the log although it may depend on the input.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OpaqueCall {
    /// The name of the callee.
    pub name: String,
    /// Module and site; `None` if it is not at one site.
    pub place: Option<(usize, SiteId)>,
}

/// What a run did, symbolically.
#[derive(Debug)]
pub struct Replayed {
    /// The values and conditions.
    pub graph: Graph,
    /// The decisions that depend on the input, in order.
    pub decisions: Vec<Decision>,
    /// The clauses that were chosen, counted from 1: the trace of the run.
    pub trace: Vec<u32>,
    /// The clauses that were chosen, each once: module, site, clause counted from 0.
    pub clauses: Set<(usize, SiteId, usize)>,
    /// The functions that were entered, each once: module and index.
    pub functions: Set<(usize, usize)>,
    /// Calls whose results were taken from the log.
    pub opaque: Vec<OpaqueCall>,
    /// The arguments of opaque operations, each with the number of decisions before it. A run with
    /// the same arguments has the same results.
    pub given: Vec<(usize, NodeId)>,
    /// What the entry function returned.
    pub result: Option<NodeId>,
    /// How the run ended, as far as its log tells.
    pub ending: Ending,
    /// Whether the replay stopped before the last event.
    pub is_stopped: bool,
    /// The places that the run reached, if they are noted.
    pub places: Places,
}

impl Replayed {
    /// Nothing yet. Places are noted in the first modules, this many.
    pub(super) fn new(rules: &ReleaseRules, modules: usize) -> Self {
        Self {
            graph: Graph::new(rules.clone()),
            decisions: Vec::new(),
            trace: Vec::new(),
            clauses: Set::default(),
            functions: Set::default(),
            opaque: Vec::new(),
            given: Vec::new(),
            result: None,
            ending: Ending::Open,
            is_stopped: false,
            places: Places::of_modules(modules),
        }
    }
}
