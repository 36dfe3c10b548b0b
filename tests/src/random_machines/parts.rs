//! What random machines are made of.

use super::conditions::{DataGuard, DataSum, DataValues, DataVariable};

/// How many kinds of events with data there are.
pub(super) const KINDS: usize = 6;

/// An event of a sequence.
#[derive(Clone, Copy, Debug)]
pub(super) enum PlayedEvent {
    Sent {
        kind: usize,
        x: i64,
        y: i64,
    },
    Tick,
    Timeout,
    /// One that no state knows.
    Unknown,
}

/// What a clause handles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MachineTrigger {
    Kind(usize),
    Tick,
    Timer,
}

#[derive(Debug)]
pub(super) struct MachineClause {
    pub(super) trigger: MachineTrigger,
    pub(super) guard: DataGuard,
    pub(super) body: ClauseBody,
}

#[derive(Debug)]
pub(super) enum ClauseBody {
    Act(MachineAction),
    /// A `case` about the second of the event.
    Case(Vec<(DataGuard, MachineAction)>),
}

#[derive(Debug)]
pub(super) enum MachineAction {
    Go { to: usize, update: DataUpdate },
    Stay { update: DataUpdate },
    Bug(usize),
}

/// The new data of the machine.
#[derive(Debug)]
pub(super) struct DataUpdate {
    pub(super) a: DataSum,
    pub(super) b: DataSum,
    pub(super) n: DataSum,
}

impl DataUpdate {
    /// Everything stays as it is.
    pub(super) fn none() -> Self {
        Self {
            a: DataSum::of(&[DataVariable::A]),
            b: DataSum::of(&[DataVariable::B]),
            n: DataSum::of(&[DataVariable::N]),
        }
    }

    pub(super) fn applied(&self, values: &DataValues) -> DataValues {
        DataValues {
            a: self.a.value(values),
            b: self.b.value(values),
            n: self.n.value(values),
            ..*values
        }
    }
}

/// How a machine ends by a bug.
#[derive(Clone, Copy, Debug)]
pub(super) enum BugKind {
    Error,
    Exit,
    BadReturn,
}

impl BugKind {
    pub(super) fn of(number: usize) -> Self {
        match number % 3 {
            0 => Self::Error,
            1 => Self::Exit,
            _ => Self::BadReturn,
        }
    }

    pub(super) fn class(self) -> &'static str {
        match self {
            Self::Error | Self::BadReturn => "error",
            Self::Exit => "exit",
        }
    }

    pub(super) fn reason(self, number: usize) -> String {
        match self {
            Self::Error | Self::Exit => format!("{{bug,{number}}}"),
            Self::BadReturn => format!("{{bad_return_from_state_function,bug_{number}}}"),
        }
    }
}

/// A state, with a sequence that leads to it.
#[derive(Debug)]
pub(super) struct MachineState {
    pub(super) path: Vec<PlayedEvent>,
    /// The data there. The first of the last event is the content of the timer, if there is one.
    pub(super) values: DataValues,
    pub(super) has_timer: bool,
    pub(super) has_ticks: bool,
    pub(super) clauses: Vec<MachineClause>,
}
