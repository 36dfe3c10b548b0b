//! What happened in a run with several processes, as far as their order matters.

use flattener::flat::SiteId;

/// An event of a run with several processes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunEvent {
    /// The number of its process.
    pub process: usize,
    /// What happened.
    pub kind: RunEventKind,
    /// Module and site, if it has a place in the program.
    pub place: Option<(usize, SiteId)>,
}

/// What happened. All but decisions and looks are steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunEventKind {
    /// A decision, by its number in the run.
    Decision(usize),
    /// A step that is none of the following.
    Step(Vec<Access>),
    /// A message is sent to a process of the run.
    Send {
        /// The number of the receiver.
        to: usize,
        /// What the step uses besides the mailbox.
        accesses: Vec<Access>,
    },
    /// A process is started.
    Spawn {
        /// Its number.
        child: usize,
    },
    /// A `receive` looks at a message that could match.
    Look {
        /// The number of the `receive` in the run.
        receive: usize,
        /// The event that sent the message.
        send: usize,
        /// Whether it takes the message.
        takes: bool,
    },
    /// The time of a `receive` is over.
    Timeout {
        /// The number of the `receive` in the run.
        receive: usize,
        /// Whether it waited: `false` for `after 0`.
        waits: bool,
    },
    /// The process ends.
    End,
}

impl RunEventKind {
    /// Whether this is a step, which a schedule counts.
    pub fn is_step(&self) -> bool {
        match self {
            Self::Decision(_) | Self::Look { .. } => false,
            Self::Step(_)
            | Self::Send { .. }
            | Self::Spawn { .. }
            | Self::Timeout { .. }
            | Self::End => true,
        }
    }
}

/// What a step does to something that processes share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// What it is.
    pub object: Object,
    /// Whether the step changes it.
    pub writes: bool,
}

/// Something that processes share. Two objects overlap if their roots are equal, and a part is
/// missing or both are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Object {
    /// A table, a name, a process.
    pub root: u64,
    /// A key of a table.
    pub part: Option<u64>,
}
