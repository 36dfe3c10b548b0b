//! What is known of the processes of a run that are replayed together.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use flattener::flat::{SiteId, VarId};
use solver::graph::NodeId;

use super::channels::Channels;

/// The state of processes that are replayed together, beside their own.
#[derive(Debug, Default)]
pub(super) struct Together {
    /// The process whose events are replayed.
    pub(super) current: usize,
    /// How many steps it made since it became the current one.
    pub(super) steps: u32,
    /// How many processes each process spawned.
    pub(super) children: HashMap<usize, u32>,
    /// Processes that were spawned, and are not followed yet: numbers, and what they call.
    pub(super) spawned: Vec<(usize, SpawnedCall)>,
    /// How many processes logs and leases tell of.
    pub(super) known_processes: usize,
    /// Whether some step asks about processes or sends signals to them.
    pub(super) has_signals: bool,
    /// Whether processes are linked, so that the end of one may end others.
    pub(super) has_links: bool,
    /// Whether a process gets messages about such ends.
    pub(super) traps_exits: bool,
    /// Processes that others ended, and the events that did it.
    pub(super) killed: HashMap<usize, usize>,
    /// Processes that came to their ends.
    pub(super) ended: HashSet<usize>,
    /// Who is told of whose end.
    pub(super) monitors: Vec<KnownMonitor>,
    /// The process of each monitor, also of those that are over.
    pub(super) watched: HashMap<NodeId, usize>,
    /// Messages that are under way, if deliveries are steps.
    pub(super) channels: Option<Channels>,
    /// The variables that the clauses of each `receive` use.
    pub(super) used_by_clauses: HashMap<(usize, SiteId), Rc<[VarId]>>,
}

impl Together {
    /// A step ends a process, unless that has ended or is the current one.
    pub(super) fn kill(&mut self, process: usize, step: usize) {
        if process != self.current && !self.ended.contains(&process) {
            self.killed.entry(process).or_insert(step);
        }
    }

    /// Whether a process has ended, or was ended.
    pub(super) fn is_gone(&self, process: usize) -> bool {
        self.ended.contains(&process) || self.killed.contains_key(&process)
    }
}

/// A monitor of a process.
#[derive(Clone, Copy, Debug)]
pub(super) struct KnownMonitor {
    pub(super) watcher: usize,
    pub(super) watched: usize,
    pub(super) reference: NodeId,
    /// What the message calls the process.
    pub(super) item: NodeId,
}

/// What a process is to call first.
#[derive(Clone, Debug)]
pub(super) struct SpawnedCall {
    pub(super) callee: SpawnedCallee,
    /// `None` if their number is not known.
    pub(super) arguments: Option<Vec<NodeId>>,
}

/// What a process calls first.
#[derive(Clone, Copy, Debug)]
pub(super) enum SpawnedCallee {
    Fun(NodeId),
    /// Module and name.
    Function(NodeId, NodeId),
}
