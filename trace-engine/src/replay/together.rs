//! What is known of the processes of a run that are replayed together.

use std::collections::HashMap;
use std::rc::Rc;

use flattener::flat::{SiteId, VarId};
use solver::graph::{Graph, Node, NodeId};

use super::channels::Channels;
use super::replayed::ProgramSite;
use super::signal_state::SignalState;

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
    /// Links, monitors, flags, and who is gone.
    pub(super) signals: SignalState,
    /// Processes that others ended, and the events that did it.
    pub(super) killed: HashMap<usize, usize>,
    /// Monitors by their references, also those that are over.
    pub(super) monitors: HashMap<NodeId, KnownMonitor>,
    /// Aliases by their references, also those that are over.
    pub(super) aliases: HashMap<NodeId, KnownAlias>,
    /// Timers by the numbers of their processes.
    pub(super) timers: HashMap<usize, KnownTimer>,
    /// Processes that waited for some time, and the times.
    pub(super) waited: Vec<(usize, NodeId)>,
    /// Messages that are under way, if deliveries are steps.
    pub(super) channels: Option<Channels>,
    /// The variables that the clauses of each `receive` use.
    pub(super) used_by_clauses: HashMap<(usize, SiteId), Rc<[VarId]>>,
}

/// A monitor of a process.
#[derive(Clone, Copy, Debug)]
pub(super) struct KnownMonitor {
    pub(super) watched: usize,
    /// What the message calls the process.
    pub(super) item: NodeId,
    /// The first element of the message.
    pub(super) tag: NodeId,
}

/// An alias that a process of the run made.
#[derive(Clone, Copy, Debug)]
pub(super) struct KnownAlias {
    pub(super) owner: usize,
    pub(super) ends_with: AliasEnd,
    pub(super) is_active: bool,
}

/// What ends an alias, beside `unalias`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AliasEnd {
    /// Nothing.
    Unalias,
    /// The end of the monitor that has the same reference.
    Monitor,
    /// The end of the monitor, or the first message that is sent to the alias.
    Reply,
}

impl AliasEnd {
    /// What an option of `alias` or `monitor` says.
    pub(super) fn of_option(graph: &Graph, option: NodeId) -> Option<Self> {
        let Node::Atom(name) = graph.node(option) else {
            return None;
        };
        match name.as_str() {
            "explicit_unalias" => Some(Self::Unalias),
            "demonitor" => Some(Self::Monitor),
            "reply" | "reply_demonitor" => Some(Self::Reply),
            _ => None,
        }
    }
}

/// A timer.
#[derive(Clone, Copy, Debug)]
pub(super) struct KnownTimer {
    /// Where it was started.
    pub(super) at: ProgramSite,
    pub(super) to: NodeId,
    pub(super) message: NodeId,
    /// How long it waits.
    pub(super) time: NodeId,
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
