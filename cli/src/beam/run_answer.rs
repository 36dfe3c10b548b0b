//! The answer of a BEAM to a run.

use std::collections::HashMap;
use std::num::NonZeroU32;

use erlang_term::{Atom, Term};
use reports::{ProcessEnd, RunProcess, Waiting};
use serde::{Deserialize, Serialize};
use trace_format::{ProcessPath, Schedule, StepOwner, TakenLease, decode_leases};

use super::packed;
use super::worker::{Outcome, StackEntry};
use crate::terminal::near_path::near;

/// What the gate of a run tells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GateReport {
    /// Who took how many steps, in order.
    #[serde(with = "packed::leases")]
    pub leases: Vec<TakenLease>,
    /// The processes that were controlled, by index.
    pub processes: Vec<RunProcess>,
    /// Whether the schedule could be followed.
    pub is_followed: bool,
    /// What could not be controlled: `m:f/1`.
    pub uncontrolled: Vec<String>,
}

impl GateReport {
    /// Its leases as a schedule.
    pub fn schedule(&self) -> Schedule {
        let processes = self.processes.iter().map(|it| (it.index, it));
        let processes: HashMap<usize, &RunProcess> = processes.collect();
        let mut schedule = Schedule::default();
        let path = |index: usize| processes.get(&index).map(|it| it.path.clone());
        for lease in &self.leases {
            let owner = match *lease {
                TakenLease::Steps(process, _) => path(process).map(StepOwner::Process),
                TakenLease::Deliveries(from, to, _) => path(from)
                    .zip(path(to))
                    .map(|(from, to)| StepOwner::Channel { from, to }),
            };
            if let (Some(owner), Some(steps)) = (owner, NonZeroU32::new(lease.count())) {
                schedule.push(owner, steps);
            }
        }
        schedule
    }
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

/// The names of modules that are loaded under other names.
pub(super) type OwnNames = [(Atom, Atom)];

/// How processes of a trial ended; `None` if the answer makes no sense.
pub(super) fn parse_exits(answer: &Term) -> Option<Vec<Outcome>> {
    let exits = answer.get("exits").and_then(Term::as_list);
    exits
        .unwrap_or_default()
        .iter()
        .map(parse_outcome)
        .collect()
}

/// What the gate tells in the answer; `None` if the answer makes no sense.
pub(super) fn parse_gate(answer: &Term, names: &OwnNames) -> Option<GateReport> {
    let Some(leases) = answer.get("leases") else {
        let started = answer.get("uncontrolled").and_then(Term::as_list);
        let started = started.unwrap_or_default().iter();
        let started = started.map(|it| function_or_fun(it, names));
        return Some(GateReport {
            uncontrolled: started.collect::<Option<_>>()?,
            ..GateReport::default()
        });
    };
    let processes = answer.get("members")?.as_list()?.iter();
    let processes = processes.map(|it| process(it, names));
    let uncontrolled = answer.get("uncontrolled")?.as_list()?.iter();
    let uncontrolled = uncontrolled.map(|it| function_or_fun(it, names));
    Some(GateReport {
        leases: decode_leases(leases.as_binary()?).ok()?,
        processes: processes.collect::<Option<_>>()?,
        is_followed: answer.get("followed")?.as_atom()? == "true",
        uncontrolled: uncontrolled.collect::<Option<_>>()?,
    })
}

fn process(member: &Term, names: &OwnNames) -> Option<RunProcess> {
    Some(RunProcess {
        index: usize::try_from(member.get("index")?.as_i64()?).ok()?,
        path: path(member.get("path")?)?,
        entry: entry(member.get("entry")?, names)?,
        is_own: false,
        end: end(member.get("end")?)?,
    })
}

/// What a process started with: `{M, F, A}`, or `{in, {M, F, A}}` for a fun with that name.
fn entry(term: &Term, names: &OwnNames) -> Option<String> {
    match term.as_tuple()? {
        [_, fun] => function_or_fun(fun, names),
        _ => function(term, names),
    }
}

/// `{M, F, A}` as `m:f/1`, or `fun in m:f/1` if that is the name of a fun.
fn function_or_fun(fun: &Term, names: &OwnNames) -> Option<String> {
    let [module, name, _] = fun.as_tuple()? else {
        return None;
    };
    let Some((outer, arity)) = enclosing(name.as_atom()?) else {
        return function(fun, names);
    };
    let arity = Term::Integer(i64::from(arity).into());
    let outer = Term::Tuple(vec![module.clone(), Term::atom(outer), arity]);
    Some(format!("fun in {}", function(&outer, names)?))
}

/// The function that a fun of this name stands in: `-f/1-fun-0-` and `-@f/1-@fun3/0-0-` are in `f/1`.
fn enclosing(fun: &str) -> Option<(&str, u32)> {
    let text = fun.strip_prefix('-')?;
    let text = text.strip_prefix('@').unwrap_or(text);
    text.match_indices('/').find_map(|(at, _)| {
        let (name, rest) = text.split_at_checked(at)?;
        let (arity, _) = rest.strip_prefix('/')?.split_once(['-', '@'])?;
        Some((name, arity.parse().ok()?))
    })
}

fn function(mfa: &Term, names: &OwnNames) -> Option<String> {
    let [module, name, arity] = mfa.as_tuple()? else {
        return None;
    };
    let loaded_as = module.as_atom()?;
    let own = names.iter().find(|it| it.0.as_str() == loaded_as);
    let module = own.map_or_else(|| module.clone(), |it| Term::Atom(it.1.clone()));
    Some(format!("{module}:{name}/{arity}"))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_are_named_after_what_they_start_with() {
        let mfa = |module: &str, name: &str, arity: i64| {
            let arity = Term::Integer(arity.into());
            Term::Tuple(vec![Term::atom(module), Term::atom(name), arity])
        };
        let inside = |fun| Term::Tuple(vec![Term::atom("in"), fun]);
        let names = [(Atom::new("lists@followed"), Atom::new("lists"))];
        for (term, expected) in [
            (mfa("m", "f", 1), "m:f/1"),
            (mfa("lists@followed", "map", 2), "lists:map/2"),
            (inside(mfa("m", "-f/12-fun-0-", 0)), "fun in m:f/12"),
            (inside(mfa("m", "-@f/1-@fun3/0-0-", 0)), "fun in m:f/1"),
            (inside(mfa("m", "-@f/1@7/3-fun-0-", 0)), "fun in m:f/1"),
            (inside(mfa("m", "-a/b/2-fun-0-", 0)), "fun in m:'a/b'/2"),
            (inside(mfa("m", "odd", 0)), "m:odd/0"),
        ] {
            assert_eq!(entry(&term, &names).as_deref(), Some(expected));
        }
        assert_eq!(entry(&Term::atom("m"), &names), None);
    }
}
