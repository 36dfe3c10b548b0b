//! What steps do to links, flags, names and tables of processes, and the signals that they are.

use solver::graph::NodeId;

use super::shared_access::Object;

/// What a step does to what ends with processes, or the signal that it is. Processes have their
/// numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignalEffect {
    /// A process links itself to another one.
    Link(usize, usize),
    /// It removes the link.
    Unlink(usize, usize),
    /// A process sets its flag.
    Trap(usize, bool),
    /// A process sends an exit signal to another one, or to itself.
    Exit(usize, usize, ExitKind),
    /// A process comes to its end.
    End(usize, ExitKind),
    /// A process watches another one.
    Monitor(Watch),
    /// It does not watch it any longer.
    Demonitor(NodeId),
    /// A process gets a name or a table, which ends with it.
    Owns(usize, Object),
    /// A name or a table is gone.
    Frees(Object),
}

/// A monitor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Watch {
    /// The process that watches.
    pub watcher: usize,
    /// The process that it watches.
    pub watched: usize,
    /// The reference of the monitor.
    pub reference: NodeId,
    /// The alias that ends with it.
    pub alias: Option<Object>,
}

/// What the reason of an end or of an exit signal is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitKind {
    /// `kill`, which cannot be trapped.
    Kill,
    /// `normal`.
    Normal,
    /// Anything else.
    Other,
}
