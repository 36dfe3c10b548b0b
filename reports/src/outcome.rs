//! How a run ended.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A run exits with this reason if its input does not fulfil the precondition.
pub const REJECTED_INPUT: &str = "erlconcolic_rejected";

/// The tag of the error that a run raises if its result does not fulfil the postcondition.
pub const BROKEN_POSTCONDITION: &str = "postcondition";

/// The tag of the error that a fun of the input raises if it is given something that is not of its
/// type.
pub const BROKEN_FUN_CONTRACT: &str = "fun_contract";

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    /// Its first process waits for a message that nobody sends.
    Deadlock {
        /// The processes that wait; the first one is that of the entry function.
        waiting: Vec<Waiting>,
    },
    /// Its processes took more steps than they may.
    Steps,
}

/// A process that waits for a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiting {
    /// The spawns that led to it: `0.1`.
    pub process: String,
    /// The functions that are running, the innermost first.
    pub stack: Vec<StackEntry>,
}

impl Waiting {
    /// Where it waits: the innermost function of the user, or of others if there is none.
    pub fn place(&self) -> Option<&StackEntry> {
        innermost(&self.stack).map(|it| it.1)
    }
}

/// A function that was running when an exception was raised.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct StackEntry {
    /// `m:f/1`.
    pub function: String,
    /// Its source file; empty if unknown.
    pub file: String,
    /// The line; 0 if unknown.
    pub line: i64,
    /// Whether it belongs to a module of the user.
    pub is_own: bool,
}

impl StackEntry {
    /// Its module, as Erlang source.
    pub fn module(&self) -> &str {
        module_of(&self.function)
    }
}

/// The module of a function, `m:f/1`, as Erlang source.
pub(crate) fn module_of(function: &str) -> &str {
    let mut is_quoted = false;
    let mut is_escaped = false;
    let is_end = |character: char| {
        let is_end = character == ':' && !is_quoted;
        is_quoted ^= character == '\'' && !is_escaped;
        is_escaped = character == '\\' && !is_escaped;
        is_end
    };
    let end = function.find(is_end);
    function.get(..end.unwrap_or(0)).unwrap_or_default()
}

impl fmt::Display for StackEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.function)?;
        match (self.file.as_str(), self.line) {
            ("", _) => Ok(()),
            (file, 0) => write!(f, " ({file})"),
            (file, line) => write!(f, " ({file}:{line})"),
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
            Self::Deadlock { .. } => "deadlock",
            Self::Steps => "steps",
        }
    }

    /// Whether the run failed, so that reports show it as a finding.
    pub fn is_finding(&self) -> bool {
        match self {
            Self::Ok(_) | Self::Steps | Self::Blocked(_) => false,
            Self::Exception { class, reason, .. } => class != "exit" || !is_harmless_exit(reason),
            Self::Timeout | Self::Killed | Self::WorkerDied | Self::Deadlock { .. } => true,
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

    /// The entry, `m:f/1`, that gave a fun of its input something that is not of the fun's type;
    /// `None` if that is not why the run failed.
    pub fn broken_fun_contract(&self) -> Option<String> {
        let Self::Exception { reason, .. } = self else {
            return None;
        };
        let rest = reason.strip_prefix('{')?;
        let rest = rest.strip_prefix(BROKEN_FUN_CONTRACT)?.strip_prefix(",{")?;
        let (function, _) = rest.split_once("},")?;
        let (path, arity) = function.rsplit_once(',')?;
        let (module, name) = path.split_once(',')?;
        Some(format!("{module}:{name}/{arity}"))
    }

    /// The function, `m:f/1`, that is not true of a state of a machine; `None` if that is not why the
    /// run failed.
    pub fn broken_invariant(&self) -> Option<String> {
        let (module, name) = self.broken_parts()?.0.split_once(',')?;
        Some(format!("{module}:{name}/1"))
    }

    /// The invariant, `m:f/1`, that was asked of a state and returned no `true`; `None` if that is not
    /// why the run failed.
    pub(crate) fn asked_invariant(&self) -> Option<String> {
        let Self::Exception { reason, .. } = self else {
            return None;
        };
        let rest = reason.strip_prefix("{bad_invariant,{");
        let function = rest.and_then(|rest| rest.split_once(",1},")?.0.split_once(','));
        let unknown = function.map(|(module, name)| format!("{module}:{name}/1"));
        self.broken_invariant().or(unknown)
    }

    /// The state or value of which an invariant is not true, as Erlang source.
    pub(crate) fn broken_value(&self) -> Option<&str> {
        self.broken_parts()?.1.strip_suffix('}')
    }

    /// `m,f` and `V}` of `{invariant,{m,f,1},V}`.
    fn broken_parts(&self) -> Option<(&str, &str)> {
        let Self::Exception { reason, .. } = self else {
            return None;
        };
        reason.strip_prefix("{invariant,{")?.split_once(",1},")
    }

    /// The functions that were running when the run raised, or in which it waits for ever, the
    /// innermost first.
    pub fn stack(&self) -> &[StackEntry] {
        match self {
            Self::Exception { stack, .. } => stack,
            Self::Deadlock { waiting } => waiting.first().map_or(&[], |it| &it.stack),
            Self::Ok(_)
            | Self::Timeout
            | Self::Killed
            | Self::WorkerDied
            | Self::Blocked(_)
            | Self::Steps => &[],
        }
    }

    /// Where the run raised or waits: the innermost function of the user, or of others if there is none.
    pub fn crash_site(&self) -> Option<&StackEntry> {
        self.site().map(|it| it.1)
    }

    /// What the function at the crash site called, if that raised.
    pub fn crashing_callee(&self) -> Option<&StackEntry> {
        let callee = self.site()?.0.checked_sub(1)?;
        self.stack().get(callee)
    }

    fn site(&self) -> Option<(usize, &StackEntry)> {
        innermost(self.stack())
    }
}

/// The innermost function of the user, or of others if there is none.
pub(crate) fn innermost(stack: &[StackEntry]) -> Option<(usize, &StackEntry)> {
    let stack = || stack.iter().enumerate();
    let own = stack().find(|it| it.1.is_own && it.1.line > 0);
    let own = own.or_else(|| stack().find(|it| it.1.is_own));
    own.or_else(|| stack().find(|it| it.1.line > 0))
}

fn is_harmless_exit(reason: &str) -> bool {
    let is_normal = reason == "normal" || reason == "shutdown" || reason.starts_with("{shutdown,");
    is_normal || reason == REJECTED_INPUT
}
