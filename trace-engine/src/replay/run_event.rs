//! What happened in a run of several processes, in order: steps, looks at messages, decisions.

use flattener::flat::{Callable, SiteId};
use trace_format::{Ending, ProcessPath};

/// Something that happened in a run of several processes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunEvent {
    /// The number of the process: 0 is that of the entry function, the others in the order of their
    /// spawns. The channels of deliveries have the numbers behind the last process.
    pub process: usize,
    /// What happened.
    pub kind: RunEventKind,
    /// Module and site; `None` if it is not at one site.
    pub place: Option<(usize, SiteId)>,
    /// What a step touches beside what its kind says: its own process if others may end it or ask
    /// about it, the mailbox of a receiver if others look into it, and what ends with a process.
    pub signals: Vec<Access>,
    /// Events of others that come before it in every order: the send of a message that is
    /// delivered, deliveries that a step stays behind.
    pub behind: Vec<usize>,
}

impl RunEvent {
    /// An event at a place that depends on no others.
    pub fn new(process: usize, kind: RunEventKind, place: Option<(usize, SiteId)>) -> Self {
        Self {
            process,
            kind,
            place,
            signals: Vec::new(),
            behind: Vec::new(),
        }
    }

    /// All that it touches.
    pub fn accesses(&self) -> impl Iterator<Item = &Access> {
        let own = match &self.kind {
            RunEventKind::Step(accesses) | RunEventKind::Send { accesses, .. } => {
                accesses.as_slice()
            }
            RunEventKind::Decision(_)
            | RunEventKind::Deliver { .. }
            | RunEventKind::Spawn { .. }
            | RunEventKind::Look { .. }
            | RunEventKind::Timeout { .. }
            | RunEventKind::End { .. } => &[],
        };
        own.iter().chain(&self.signals)
    }

    /// The time of a `receive` may be over at any moment, as with `after 0`.
    pub fn without_waiting(&mut self) {
        if let RunEventKind::Timeout { waits, .. } = &mut self.kind {
            *waits = false;
        }
    }
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunEventKind {
    /// A decision, by its number among those of the run.
    Decision(usize),
    /// A step that is none of the following, with what it touches.
    Step(Vec<Access>),
    /// A step: a message to a process of the run.
    Send {
        /// The number of the receiver.
        to: usize,
        /// Whether it is in the mailbox at once. Otherwise its delivery is a step of its own.
        arrives: bool,
        /// What else it touches, such as the name of the receiver.
        accesses: Vec<Access>,
    },
    /// A step of a channel: a message that was sent before comes into the mailbox.
    Deliver {
        /// The number of the receiver.
        to: usize,
    },
    /// A step: a process is started.
    Spawn {
        /// Its number.
        child: usize,
    },
    /// A `receive` looks at a message that it could take for some input.
    Look {
        /// The number of the `receive` among those of the run.
        receive: usize,
        /// The event with which the message came into the mailbox.
        send: usize,
        /// Whether it takes the message.
        takes: bool,
    },
    /// A step: the time of a `receive` is over.
    Timeout {
        /// The number of the `receive` among those of the run.
        receive: usize,
        /// Whether it waited; `false` for `after 0`.
        waits: bool,
    },
    /// A step: the end of the process.
    End {
        /// Those who get a message about it.
        told: Vec<usize>,
    },
}

impl RunEventKind {
    /// Whether a schedule says when it happens.
    pub fn is_step(&self) -> bool {
        match self {
            Self::Step(_)
            | Self::Send { .. }
            | Self::Deliver { .. }
            | Self::Spawn { .. }
            | Self::Timeout { .. }
            | Self::End { .. } => true,
            Self::Decision(_) | Self::Look { .. } => false,
        }
    }

    /// The processes into whose mailboxes it puts a message.
    pub fn fills(&self) -> &[usize] {
        match self {
            Self::Send {
                to, arrives: true, ..
            }
            | Self::Deliver { to } => std::slice::from_ref(to),
            Self::End { told } => told,
            Self::Send { arrives: false, .. }
            | Self::Decision(_)
            | Self::Step(_)
            | Self::Spawn { .. }
            | Self::Look { .. }
            | Self::Timeout { .. } => &[],
        }
    }
}

/// What a step does to something that processes share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Access {
    /// What it touches.
    pub object: Object,
    /// Whether it changes it.
    pub writes: bool,
}

impl Access {
    /// It looks at something.
    pub fn read(object: Object) -> Self {
        Self {
            object,
            writes: false,
        }
    }

    /// It changes something.
    pub fn write(object: Object) -> Self {
        Self {
            object,
            writes: true,
        }
    }

    /// Whether the order of two steps with these accesses matters.
    pub fn conflicts_with(&self, other: &Self) -> bool {
        (self.writes || other.writes) && self.object.overlaps(&other.object)
    }
}

/// Something that processes share, by hashes that are the same in all runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Object {
    /// Such as a table, or a name.
    pub root: u64,
    /// Such as a key of the table; `None` for all of it.
    pub part: Option<u64>,
}

impl Object {
    /// Whether they have something in common.
    pub fn overlaps(&self, other: &Self) -> bool {
        let is_same_part = match (self.part, other.part) {
            (Some(own), Some(others)) => own == others,
            (None, _) | (_, None) => true,
        };
        self.root == other.root && is_same_part
    }
}

/// A process of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayedProcess {
    /// Its name: the spawns that led to it. It is `0.0` if nobody controls the process; it has a
    /// number because it has a log.
    pub path: ProcessPath,
    /// The first function of the program that it entered: its module, and the function there.
    pub entry: Option<(usize, Callable)>,
    /// How it ended, as far as its log tells.
    pub ending: Ending,
    /// Module and site of the `receive` in which it waited to the end of the run.
    pub waits_at: Option<(usize, SiteId)>,
}

/// A process that a step of another process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Death {
    /// The number of the process.
    pub process: usize,
    /// The step that ended it, by its event.
    pub by: usize,
    /// Whether it waited for a message. Otherwise it was about to make a step.
    pub is_waiting: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(root: u64, part: Option<u64>) -> Object {
        Object { root, part }
    }

    #[test]
    fn a_table_overlaps_its_keys_but_keys_do_not_overlap_each_other() {
        let (table, one, two) = (object(1, None), object(1, Some(1)), object(1, Some(2)));
        assert!(table.overlaps(&one) && one.overlaps(&table) && one.overlaps(&one));
        assert!(!one.overlaps(&two));
        assert!(!one.overlaps(&object(2, Some(1))));
    }

    #[test]
    fn readers_do_not_conflict() {
        let access = |writes| Access {
            object: object(1, None),
            writes,
        };
        assert!(!access(false).conflicts_with(&access(false)));
        assert!(access(false).conflicts_with(&access(true)));
        assert!(access(true).conflicts_with(&access(true)));
    }
}
