//! The processes of a run.

use serde::{Deserialize, Serialize};
use trace_format::ProcessPath;

use crate::outcome::StackEntry;

/// A process of a run that was controlled.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct RunProcess {
    /// Its index in the logs of the run.
    pub index: usize,
    /// The spawns that led to it.
    pub path: ProcessPath,
    /// What it started with: `m:f/1`, or `fun in m:f/1`.
    pub entry: String,
    /// Whether that is a function of the user.
    pub is_own: bool,
    /// How it ended.
    pub end: ProcessEnd,
}

/// How a process ended.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ProcessEnd {
    /// It returned.
    Normal,
    /// It raised, or a signal ended it.
    Raised {
        /// `error`, `exit` or `throw`.
        class: String,
        /// The reason, as Erlang source.
        reason: String,
        /// The functions that were running, the innermost first; empty after a signal.
        stack: Vec<StackEntry>,
    },
    /// It was killed.
    Killed,
    /// It has not ended: it waits for a message.
    Waiting,
    /// It has not ended: the run was over before.
    Running,
}

impl ProcessEnd {
    /// The class of the exception that it raised itself.
    pub fn class(&self) -> Option<&str> {
        match self {
            Self::Raised { class, stack, .. } if !stack.is_empty() => Some(class),
            Self::Raised { .. } | Self::Normal | Self::Killed | Self::Waiting | Self::Running => {
                None
            }
        }
    }

    /// Its reason, or what the process does if it has not ended.
    pub fn reason(&self) -> &str {
        match self {
            Self::Normal => "normal",
            Self::Raised { reason, .. } => reason,
            Self::Killed => "killed",
            Self::Waiting => "waiting",
            Self::Running => "running",
        }
    }
}
