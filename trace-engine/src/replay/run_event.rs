//! What happened in a run of several processes, in order: steps, looks at messages, decisions.

use flattener::flat::{Callable, SiteId};
use trace_format::{Ending, ProcessPath};

use super::shared_access::Access;
use super::signal_effect::SignalEffect;

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
    /// What it does to what ends with processes, or the signal that it is.
    pub effects: Vec<SignalEffect>,
    /// What it touches beside all that because of the effects of events before it.
    pub consequences: Vec<Access>,
    /// Those who get a message because of it, if it is no send.
    pub told: Vec<usize>,
    /// Whether it happens only when no process can go on: the time of a `receive` or of a timer is
    /// over.
    pub waits: bool,
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
            effects: Vec::new(),
            consequences: Vec::new(),
            told: Vec::new(),
            waits: false,
        }
    }

    /// All that it touches.
    pub fn accesses(&self) -> impl Iterator<Item = &Access> {
        self.own_accesses().chain(&self.consequences)
    }

    /// What it touches whatever happened before it.
    pub fn own_accesses(&self) -> impl Iterator<Item = &Access> {
        let own = match &self.kind {
            RunEventKind::Step(accesses) | RunEventKind::Send { accesses, .. } => {
                accesses.as_slice()
            }
            RunEventKind::Decision(_)
            | RunEventKind::Deliver { .. }
            | RunEventKind::Spawn { .. }
            | RunEventKind::Look { .. }
            | RunEventKind::Timeout { .. }
            | RunEventKind::End => &[],
        };
        own.iter().chain(&self.signals)
    }

    /// The processes into whose mailboxes it puts a message.
    pub fn fills(&self) -> impl Iterator<Item = usize> {
        let to = match self.kind {
            RunEventKind::Send {
                to, arrives: true, ..
            }
            | RunEventKind::Deliver { to } => Some(to),
            RunEventKind::Send { arrives: false, .. }
            | RunEventKind::Decision(_)
            | RunEventKind::Step(_)
            | RunEventKind::Spawn { .. }
            | RunEventKind::Look { .. }
            | RunEventKind::Timeout { .. }
            | RunEventKind::End => None,
        };
        to.into_iter().chain(self.told.iter().copied())
    }

    /// Times may be over at any moment, as with `after 0`.
    pub fn without_waiting(&mut self) {
        self.waits = false;
    }
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunEventKind {
    /// A decision, by its number among those of the run.
    Decision(usize),
    /// A step that is none of the following, with what it touches.
    Step(Vec<Access>),
    /// A step: a message to a process of the run, perhaps of a timer.
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
    },
    /// A step: the end of the process.
    End,
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
            | Self::End => true,
            Self::Decision(_) | Self::Look { .. } => false,
        }
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
