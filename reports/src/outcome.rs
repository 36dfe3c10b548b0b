//! How a run ended.

use std::fmt;

/// A run exits with this reason if its input does not fulfil the precondition.
pub const REJECTED_INPUT: &str = "erlconcolic_rejected";

/// The tag of the error that a run raises if its result does not fulfil the postcondition.
pub const BROKEN_POSTCONDITION: &str = "postcondition";

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It returned this value, as Erlang source.
    Ok(String),
    /// It raised.
    Exception {
        /// `error`, `exit` or `throw`.
        class: String,
        /// The reason, as Erlang source.
        reason: String,
        /// The functions that were running, the innermost first.
        stack: Vec<StackEntry>,
    },
    /// It took too long.
    Timeout,
    /// It took too much memory, or killed itself.
    Killed,
    /// It brought its BEAM down.
    WorkerDied,
    /// It tried to call this, which could do harm.
    Blocked(String),
}

/// A function that was running when an exception was raised.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StackEntry {
    /// `m:f/1`.
    pub function: String,
    /// Its source file; empty if unknown.
    pub file: String,
    /// The line; 0 if unknown.
    pub line: i64,
}

impl fmt::Display for StackEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.function)?;
        if self.file.is_empty() {
            Ok(())
        } else {
            write!(f, " ({}:{})", self.file, self.line)
        }
    }
}

impl Outcome {
    /// Its name in JSON.
    pub fn name(&self) -> &str {
        match self {
            Self::Ok(_) => "ok",
            Self::Exception { class, .. } => class,
            Self::Timeout => "timeout",
            Self::Killed | Self::WorkerDied => "killed",
            Self::Blocked(_) => "blocked",
        }
    }

    /// Whether the run failed, so that reports show it as a finding.
    pub fn is_finding(&self) -> bool {
        match self {
            Self::Ok(_) | Self::Blocked(_) => false,
            Self::Exception { class, reason, .. } => class != "exit" || !is_harmless_exit(reason),
            Self::Timeout | Self::Killed | Self::WorkerDied => true,
        }
    }

    /// Whether the input did not fulfil the precondition.
    pub fn is_rejected(&self) -> bool {
        matches!(self, Self::Exception { class, reason, .. }
            if class == "exit" && reason == REJECTED_INPUT)
    }

    /// Whether the result did not fulfil the postcondition.
    pub fn breaks_postcondition(&self) -> bool {
        let Self::Exception { reason, .. } = self else {
            return false;
        };
        let rest = reason.strip_prefix('{');
        rest.and_then(|rest| rest.strip_prefix(BROKEN_POSTCONDITION))
            .is_some_and(|rest| rest.starts_with(",{"))
    }

    /// The functions that were running when the run raised, the innermost first.
    pub fn stack(&self) -> &[StackEntry] {
        if let Self::Exception { stack, .. } = self {
            stack
        } else {
            &[]
        }
    }

    /// The innermost function on the stack whose line is known.
    pub fn crash_site(&self) -> Option<&StackEntry> {
        self.stack().iter().find(|entry| entry.line > 0)
    }
}

fn is_harmless_exit(reason: &str) -> bool {
    let is_normal = reason == "normal" || reason == "shutdown" || reason.starts_with("{shutdown,");
    is_normal || reason == REJECTED_INPUT
}
