//! The answer of a BEAM to a run.

use erlang_term::Term;
use reports::{ProcessEnd, RunProcess, Waiting};
use trace_format::{ProcessPath, TakenLease, decode_leases};

use super::worker::{Outcome, StackEntry};
use crate::terminal::near_path::near;

/// What the gate of a run tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GateReport {
    /// Who took how many steps, in order.
    pub leases: Vec<TakenLease>,
    /// The processes that were controlled, by index.
    pub processes: Vec<RunProcess>,
    /// Whether the schedule could be followed.
    pub is_followed: bool,
    /// What could not be controlled: `m:f/1`.
    pub uncontrolled: Vec<String>,
}

/// Processes were not controlled.
impl Default for GateReport {
    fn default() -> Self {
        Self {
            leases: Vec::new(),
            processes: Vec::new(),
            is_followed: true,
            uncontrolled: Vec::new(),
        }
    }
}

/// What the gate tells in the answer; `None` if the answer makes no sense.
pub(super) fn parse_gate(answer: &Term) -> Option<GateReport> {
    let Some(leases) = answer.get("leases") else {
        return Some(GateReport::default());
    };
    let processes = answer.get("members")?.as_list()?.iter().map(process);
    let uncontrolled = answer.get("uncontrolled")?.as_list()?.iter().map(text);
    Some(GateReport {
        leases: decode_leases(leases.as_binary()?).ok()?,
        processes: processes.collect::<Option<_>>()?,
        is_followed: answer.get("followed")?.as_atom()? == "true",
        uncontrolled: uncontrolled.collect::<Option<_>>()?,
    })
}

fn process(member: &Term) -> Option<RunProcess> {
    Some(RunProcess {
        index: usize::try_from(member.get("index")?.as_i64()?).ok()?,
        path: path(member.get("path")?)?,
        entry: text(member.get("entry")?)?,
        end: end(member.get("end")?)?,
    })
}

fn path(numbers: &Term) -> Option<ProcessPath> {
    let numbers = numbers.as_list()?.iter();
    let numbers = numbers.map(|it| u32::try_from(it.as_i64()?).ok());
    ProcessPath::from_numbers(numbers.collect::<Option<Vec<u32>>>()?)
}

fn end(term: &Term) -> Option<ProcessEnd> {
    match term.as_atom() {
        Some("normal") => return Some(ProcessEnd::Normal),
        Some("killed") => return Some(ProcessEnd::Killed),
        Some("waiting") => return Some(ProcessEnd::Waiting),
        Some("running") => return Some(ProcessEnd::Running),
        _ => {}
    }
    let [_, class, reason, frames] = term.as_tuple()? else {
        return None;
    };
    Some(ProcessEnd::Raised {
        class: class.as_atom()?.to_owned(),
        reason: text(reason)?,
        stack: stack(frames)?,
    })
}

fn text(term: &Term) -> Option<String> {
    Some(String::from_utf8_lossy(term.as_binary()?).into_owned())
}

/// How a run ended; `None` if the answer makes no sense.
pub(super) fn parse_outcome(term: &Term) -> Option<Outcome> {
    match term.as_atom() {
        Some("timeout") => return Some(Outcome::Timeout),
        Some("killed") => return Some(Outcome::Killed),
        Some("steps") => return Some(Outcome::Steps),
        _ => {}
    }
    match term.as_tuple()? {
        [tag, value] if tag.as_atom() == Some("ok") => Some(Outcome::Ok(text(value)?)),
        [tag, processes] if tag.as_atom() == Some("deadlock") => {
            let waiting = processes.as_list()?.iter().map(waiting);
            let waiting = waiting.collect::<Option<_>>()?;
            Some(Outcome::Deadlock { waiting })
        }
        [tag, call] if tag.as_atom() == Some("blocked") => {
            let [module, name, arity] = call.as_tuple()? else {
                return None;
            };
            Some(Outcome::Blocked(format!("{module}:{name}/{arity}")))
        }
        [tag, class, reason, stack] if tag.as_atom() == Some("exception") => {
            Some(Outcome::Exception {
                class: class.as_atom()?.to_owned(),
                reason: text(reason)?,
                stack: self::stack(stack)?,
            })
        }
        _ => None,
    }
}

fn waiting(process: &Term) -> Option<Waiting> {
    let [numbers, frames] = process.as_tuple()? else {
        return None;
    };
    Some(Waiting {
        process: path(numbers)?.to_string(),
        stack: stack(frames)?,
    })
}

fn stack(frames: &Term) -> Option<Vec<StackEntry>> {
    frames.as_list()?.iter().map(stack_entry).collect()
}

fn stack_entry(entry: &Term) -> Option<StackEntry> {
    let [module, name, arity] = ["module", "function", "arity"].map(|key| entry.get(key));
    Some(StackEntry {
        function: format!("{}:{}/{}", module?, name?, arity?),
        file: near(text(entry.get("file")?)?),
        line: entry.get("line")?.as_i64()?,
        is_own: false,
    })
}
