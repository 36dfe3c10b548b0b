//! Runs as terms, as a journal keeps them.

use erlang_term::Term;
use reports::{ProcessEnd, RunProcess, Waiting};
use trace_format::{decode_leases, encode_leases};

use crate::beam::GateReport;
use crate::beam::worker::{Outcome, Run, StackEntry};

/// A run as a term.
pub(crate) fn to_term(run: &Run) -> Term {
    let logs = run.logs.iter().map(|log| Term::binary(log.clone()));
    Term::Tuple(vec![
        outcome_to_term(&run.outcome),
        Term::list(logs),
        Term::binary(run.output.as_bytes()),
        gate_to_term(&run.gate),
    ])
}

/// The run that a term is.
pub(crate) fn from_term(term: &Term) -> Option<Run> {
    let [outcome, logs, output, gate] = term.as_tuple()? else {
        return None;
    };
    let logs = logs.as_list()?.iter();
    Some(Run {
        outcome: outcome_from_term(outcome)?,
        logs: logs
            .map(|log| log.as_binary().map(<[u8]>::to_vec))
            .collect::<Option<_>>()?,
        output: text(output)?,
        gate: gate_from_term(gate)?,
        exits: Vec::new(),
    })
}

fn gate_to_term(gate: &GateReport) -> Term {
    let uncontrolled = gate.uncontrolled.iter();
    Term::Tuple(vec![
        Term::binary(encode_leases(&gate.leases)),
        Term::list(gate.processes.iter().map(process_to_term)),
        Term::atom(if gate.is_followed { "true" } else { "false" }),
        Term::list(uncontrolled.map(|it| Term::binary(it.as_bytes()))),
    ])
}

fn gate_from_term(term: &Term) -> Option<GateReport> {
    let [leases, processes, is_followed, uncontrolled] = term.as_tuple()? else {
        return None;
    };
    let processes = processes.as_list()?.iter().map(process_from_term);
    let uncontrolled = uncontrolled.as_list()?.iter().map(text);
    Some(GateReport {
        leases: decode_leases(leases.as_binary()?).ok()?,
        processes: processes.collect::<Option<_>>()?,
        is_followed: is_followed.as_atom()? == "true",
        uncontrolled: uncontrolled.collect::<Option<_>>()?,
    })
}

fn process_to_term(process: &RunProcess) -> Term {
    let index = i64::try_from(process.index).unwrap_or(i64::MAX);
    Term::Tuple(vec![
        Term::Integer(index.into()),
        Term::binary(process.path.to_string().into_bytes()),
        Term::binary(process.entry.as_bytes()),
        match &process.end {
            ProcessEnd::Normal => Term::atom("normal"),
            ProcessEnd::Killed => Term::atom("killed"),
            ProcessEnd::Waiting => Term::atom("waiting"),
            ProcessEnd::Running => Term::atom("running"),
            ProcessEnd::Raised {
                class,
                reason,
                stack,
            } => exception_to_term(class, reason, stack),
        },
    ])
}

fn process_from_term(term: &Term) -> Option<RunProcess> {
    let [index, path, entry, end] = term.as_tuple()? else {
        return None;
    };
    Some(RunProcess {
        index: usize::try_from(index.as_i64()?).ok()?,
        path: text(path)?.parse().ok()?,
        entry: text(entry)?,
        is_own: false,
        end: match end.as_atom() {
            Some("normal") => ProcessEnd::Normal,
            Some("killed") => ProcessEnd::Killed,
            Some("waiting") => ProcessEnd::Waiting,
            Some("running") => ProcessEnd::Running,
            _ => {
                let (class, reason, stack) = exception_from_term(end)?;
                ProcessEnd::Raised {
                    class,
                    reason,
                    stack,
                }
            }
        },
    })
}

fn exception_to_term(class: &str, reason: &str, stack: &[StackEntry]) -> Term {
    Term::Tuple(vec![
        Term::binary(class.as_bytes()),
        Term::binary(reason.as_bytes()),
        stack_to_term(stack),
    ])
}

fn exception_from_term(term: &Term) -> Option<(String, String, Vec<StackEntry>)> {
    let [class, reason, stack] = term.as_tuple()? else {
        return None;
    };
    Some((text(class)?, text(reason)?, stack_from_term(stack)?))
}

fn stack_to_term(stack: &[StackEntry]) -> Term {
    Term::list(stack.iter().map(|entry| {
        Term::Tuple(vec![
            Term::binary(entry.function.as_bytes()),
            Term::binary(entry.file.as_bytes()),
            Term::Integer(entry.line.into()),
        ])
    }))
}

fn stack_from_term(stack: &Term) -> Option<Vec<StackEntry>> {
    stack.as_list()?.iter().map(stack_entry).collect()
}

fn outcome_to_term(outcome: &Outcome) -> Term {
    let tagged =
        |tag: &str, text: &str| Term::Tuple(vec![Term::atom(tag), Term::binary(text.as_bytes())]);
    match outcome {
        Outcome::Ok(value) => tagged("ok", value),
        Outcome::Blocked(call) => tagged("blocked", call),
        Outcome::Timeout => Term::atom("timeout"),
        Outcome::Killed => Term::atom("killed"),
        Outcome::WorkerDied => Term::atom("worker_died"),
        Outcome::Steps => Term::atom("steps"),
        Outcome::Deadlock { waiting } => {
            let waiting = waiting.iter().map(|it| {
                let process = Term::binary(it.process.as_bytes());
                Term::Tuple(vec![process, stack_to_term(&it.stack)])
            });
            Term::Tuple(vec![Term::atom("deadlock"), Term::list(waiting)])
        }
        Outcome::Exception {
            class,
            reason,
            stack,
        } => exception_to_term(class, reason, stack),
    }
}

fn outcome_from_term(term: &Term) -> Option<Outcome> {
    if let Some(tag) = term.as_atom() {
        return match tag {
            "timeout" => Some(Outcome::Timeout),
            "killed" => Some(Outcome::Killed),
            "worker_died" => Some(Outcome::WorkerDied),
            "steps" => Some(Outcome::Steps),
            _ => None,
        };
    }
    match term.as_tuple()? {
        [tag, value] if tag.as_atom() == Some("ok") => Some(Outcome::Ok(text(value)?)),
        [tag, waiting] if tag.as_atom() == Some("deadlock") => {
            let waiting = waiting.as_list()?.iter().map(waiting_from_term);
            let waiting = waiting.collect::<Option<_>>()?;
            Some(Outcome::Deadlock { waiting })
        }
        [_, call] => Some(Outcome::Blocked(text(call)?)),
        _ => {
            let (class, reason, stack) = exception_from_term(term)?;
            Some(Outcome::Exception {
                class,
                reason,
                stack,
            })
        }
    }
}

fn waiting_from_term(term: &Term) -> Option<Waiting> {
    let [process, stack] = term.as_tuple()? else {
        return None;
    };
    Some(Waiting {
        process: text(process)?,
        stack: stack_from_term(stack)?,
    })
}

fn stack_entry(term: &Term) -> Option<StackEntry> {
    let [function, file, line] = term.as_tuple()? else {
        return None;
    };
    Some(StackEntry {
        function: text(function)?,
        file: text(file)?,
        line: line.as_i64()?,
        is_own: false,
    })
}

/// A text in a term.
pub(crate) fn text(term: &Term) -> Option<String> {
    String::from_utf8(term.as_binary()?.to_vec()).ok()
}
