//! How a run ended, with all its processes.

use std::sync::Arc;

use trace_format::{ProcessPath, Schedule};

use crate::outcome::Outcome;
use crate::run_process::{ProcessEnd, RunProcess};

/// How a run ended.
#[derive(Clone, Debug)]
pub struct RunEnd {
    /// How its entry function ended.
    pub of_entry: Outcome,
    /// Its processes, if there are several and they were controlled; that of the entry function is
    /// the first. Runs that end alike share them.
    pub processes: Arc<[RunProcess]>,
}

/// A crash of one process of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessCrash {
    /// The process.
    pub process: ProcessPath,
    /// How it ended.
    pub outcome: Outcome,
}

/// A run that followed a schedule.
#[derive(Clone, Debug)]
pub struct OrderedRun {
    /// How it ended.
    pub end: RunEnd,
    /// Which process took its steps when; without leases if there was only one.
    pub schedule: Schedule,
}

impl RunEnd {
    /// The end of a run with one process.
    pub fn alone(of_entry: Outcome) -> Self {
        Self {
            of_entry,
            processes: Arc::new([]),
        }
    }

    /// Whether a process crashed.
    pub fn is_finding(&self) -> bool {
        self.of_entry.is_finding() || self.crashes_of_others().next().is_some()
    }

    /// How the run ended as a whole: its entry function, or another process that crashed.
    pub fn into_outcome(self) -> Outcome {
        if self.of_entry.is_finding() {
            return self.of_entry;
        }
        let mut others = self.processes.iter().skip(1);
        others.find_map(raised).unwrap_or(self.of_entry)
    }

    /// The processes that crashed. One that only ended with another, because they are linked, did
    /// not crash itself.
    pub fn crashes(&self) -> Vec<ProcessCrash> {
        let others: Vec<ProcessCrash> = self.crashes_of_others().collect();
        let entry = ProcessCrash {
            process: ProcessPath::ENTRY,
            outcome: self.of_entry.clone(),
        };
        let follows = others
            .iter()
            .any(|it| ends_with(&self.of_entry, &it.outcome));
        let is_own = self.of_entry.is_finding() && !follows;
        is_own.then_some(entry).into_iter().chain(others).collect()
    }

    fn crashes_of_others(&self) -> impl Iterator<Item = ProcessCrash> {
        let others = self.processes.iter().skip(1);
        others.filter_map(|it| {
            let outcome = raised(it).filter(|outcome| is_own(it, outcome))?;
            let process = it.path.clone();
            Some(ProcessCrash { process, outcome })
        })
    }
}

/// Whether a process crashed in code of the user.
fn is_own(process: &RunProcess, outcome: &Outcome) -> bool {
    process.is_own || outcome.stack().iter().any(|it| it.is_own)
}

/// What a process raised, if it should not.
fn raised(process: &RunProcess) -> Option<Outcome> {
    let ProcessEnd::Raised {
        class,
        reason,
        stack,
    } = &process.end
    else {
        return None;
    };
    let outcome = Outcome::Exception {
        class: class.clone(),
        reason: reason.clone(),
        stack: stack.clone(),
    };
    // A signal leaves no stack.
    (!stack.is_empty() && outcome.is_finding()).then_some(outcome)
}

/// Whether a process ended by a signal with the reason of another one.
fn ends_with(outcome: &Outcome, other: &Outcome) -> bool {
    let (
        Outcome::Exception {
            class,
            reason,
            stack,
        },
        Outcome::Exception {
            class: other_class,
            reason: other_reason,
            ..
        },
    ) = (outcome, other)
    else {
        return false;
    };
    let is_signal = class == "exit" && stack.is_empty();
    is_signal
        && match other_class.as_str() {
            "exit" => reason == other_reason,
            "throw" => reason.starts_with(&format!("{{{{nocatch,{other_reason}}},[")),
            _ => reason.starts_with(&format!("{{{other_reason},[")),
        }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::StackEntry;

    fn raised(class: &str, reason: &str, frames: usize) -> Outcome {
        let frame = StackEntry {
            function: "m:f/1".to_owned(),
            file: "m.erl".to_owned(),
            line: 3,
            is_own: true,
        };
        Outcome::Exception {
            class: class.to_owned(),
            reason: reason.to_owned(),
            stack: vec![frame; frames],
        }
    }

    fn process(path: &str, end: &Outcome) -> RunProcess {
        let Outcome::Exception {
            class,
            reason,
            stack,
        } = end
        else {
            unreachable!("only exceptions are given");
        };
        RunProcess {
            index: 1,
            path: path.parse().expect("it is a path"),
            entry: "m:f/1".to_owned(),
            is_own: true,
            end: ProcessEnd::Raised {
                class: class.clone(),
                reason: reason.clone(),
                stack: stack.clone(),
            },
        }
    }

    fn crashes(of_entry: Outcome, other: &Outcome) -> Vec<String> {
        let entry = raised("exit", "normal", 0);
        let processes = [process("0", &entry), process("0.1", other)].into();
        let end = RunEnd {
            of_entry,
            processes,
        };
        let crashes = end.crashes();
        crashes.iter().map(|it| it.process.to_string()).collect()
    }

    #[test]
    fn a_process_that_ends_with_another_did_not_crash() {
        let ok = || Outcome::Ok("1".to_owned());
        let badarith = raised("error", "badarith", 1);
        assert_eq!(crashes(ok(), &badarith), ["0.1"]);
        let with_it = raised("exit", "{badarith,[{m,f,1,[]}]}", 0);
        assert_eq!(crashes(with_it, &badarith), ["0.1"]);
        let by_itself = raised("exit", "oops", 0);
        assert_eq!(crashes(by_itself, &badarith), ["0", "0.1"]);
        let exit = raised("exit", "oops", 1);
        assert_eq!(crashes(raised("exit", "oops", 0), &exit), ["0.1"]);
        assert_eq!(crashes(raised("exit", "oops", 1), &exit), ["0", "0.1"]);
        let throw = raised("throw", "ball", 1);
        let with_it = raised("exit", "{{nocatch,ball},[{m,f,1,[]}]}", 0);
        assert_eq!(crashes(with_it, &throw), ["0.1"]);
    }

    #[test]
    fn only_crashes_with_a_place_count() {
        let ok = || Outcome::Ok("1".to_owned());
        assert!(crashes(ok(), &raised("exit", "shutdown", 1)).is_empty());
        assert!(crashes(ok(), &raised("exit", "{shutdown,later}", 1)).is_empty());
        assert!(crashes(ok(), &raised("exit", "{badarith,[]}", 0)).is_empty());
    }
}
