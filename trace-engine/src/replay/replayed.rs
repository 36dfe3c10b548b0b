//! The result of a replay.

use erlang_term::Term;
use flattener::flat::SiteId;
use serde::{Deserialize, Serialize};
use solver::ReleaseRules;
use solver::graph::{Condition, Graph, NodeId, Set};
use thiserror::Error;
use trace_format::{Ending, LogError, Program};

use super::call_marks::CallMark;
use super::machine_state::MachineState;
use super::places::Places;
use super::play_mark::PlayMark;
use super::reached_state::ReachedState;
use super::receives::ReplayedReceive;
use super::run_event::{Death, ReplayedProcess, RunEvent};

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
    /// The leases of the run do not fit the logs of its processes.
    #[error("the schedule of the run does not fit the log of process {process}: {what}")]
    Leases {
        /// The number of the process.
        process: usize,
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
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
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
    /// The states before decisions, in order, if somebody wants to know them.
    pub states: Vec<ReachedState>,
    /// The calls that can be explored by themselves, in order, if somebody wants to know them.
    pub calls: Vec<CallMark>,
    /// What the play of a machine told, in order.
    pub marks: Vec<PlayMark>,
    /// The states that it told of.
    pub(crate) machine_states: Vec<MachineState>,
    /// What the entry function returned.
    pub result: Option<NodeId>,
    /// How the run ended, as far as its log tells.
    pub ending: Ending,
    /// Whether the replay stopped before the last event.
    pub is_stopped: bool,
    /// The places that the run reached, if they are noted.
    pub places: Places,
    /// What happened in a run of several processes, in order. Without a second process, and without
    /// leases, it is empty, and so are the following.
    pub events: Vec<RunEvent>,
    /// Its processes, by their numbers.
    pub processes: Vec<ReplayedProcess>,
    /// Those that others ended.
    pub deaths: Vec<Death>,
    /// Sender and receiver of the channels whose deliveries are events; the numbers of the channels
    /// come behind those of the processes.
    pub channels: Vec<(usize, usize)>,
    /// The executions of `receive`, by their numbers.
    pub receives: Vec<ReplayedReceive>,
    /// Calls whose effects on other processes nobody controls.
    pub uncontrolled: Vec<OpaqueCall>,
    /// The messages that came into mailboxes, each with the number of its event, in order.
    pub(super) messages: Vec<(usize, NodeId)>,
    /// Whether the log of one of several processes ends before the process did.
    pub(super) is_cut_short: bool,
}

impl Replayed {
    /// Nothing yet. Places are noted in the first modules, this many.
    pub(super) fn new(rules: &ReleaseRules, modules: usize) -> Self {
        Self::with_graph(Graph::new(rules.clone()), modules)
    }

    /// The same, with values that are known.
    pub(super) fn with_graph(graph: Graph, modules: usize) -> Self {
        Self {
            graph,
            decisions: Vec::new(),
            trace: Vec::new(),
            clauses: Set::default(),
            functions: Set::default(),
            opaque: Vec::new(),
            given: Vec::new(),
            states: Vec::new(),
            calls: Vec::new(),
            marks: Vec::new(),
            machine_states: Vec::new(),
            result: None,
            ending: Ending::Open,
            is_stopped: false,
            places: Places::of_modules(modules),
            events: Vec::new(),
            processes: Vec::new(),
            deaths: Vec::new(),
            channels: Vec::new(),
            receives: Vec::new(),
            uncontrolled: Vec::new(),
            messages: Vec::new(),
            is_cut_short: false,
        }
    }

    /// Whether a `receive` could take a message of an event for some input, if the message were
    /// there. Where nobody can tell, it could.
    pub fn might_match(&mut self, program: &Program, receive: usize, send: usize) -> bool {
        let first = self.messages.partition_point(|it| it.0 < send);
        let messages = self.messages.get(first..).unwrap_or_default();
        let mut messages = messages.iter().take_while(|it| it.0 == send).peekable();
        let Some(receive) = self
            .receives
            .get(receive)
            .filter(|_| messages.peek().is_some())
        else {
            return true;
        };
        let graph = &mut self.graph;
        let wanted = &receive.wanted;
        messages.any(|(_, message)| wanted.might_take(program, graph, *message))
    }

    /// The messages that came into mailboxes, each with the number of its event, in order.
    pub(crate) fn arrivals(&self) -> &[(usize, NodeId)] {
        &self.messages
    }

    /// Whether the logs end before the run did. A process that waits for ever is no such case.
    pub fn is_cut(&self) -> bool {
        if self.is_stopped {
            return false;
        }
        if self.processes.is_empty() {
            return self.ending == Ending::Open;
        }
        self.is_cut_short
    }
}
