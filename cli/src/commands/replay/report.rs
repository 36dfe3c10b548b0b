//! What has become of saved runs, for reading and as JSON.

use std::fmt::Write;

use serde_json::{Value, json};

use super::Replayed;
use super::verdict::Verdict;
use crate::entry::Entry;
use crate::exploration::findings::place;
use crate::exploration::json::outcome_name;
use crate::visible::visible;
use crate::worker::{Outcome, StackEntry};

/// How many inputs of one kind are listed for reading.
const SHOWN: usize = 20;

pub(super) fn human(replayed: &[Replayed]) -> String {
    visible(&lines(replayed)).into_owned()
}

fn lines(replayed: &[Replayed]) -> String {
    let mut out = String::new();
    let mut counts = Vec::new();
    // Writing to a string cannot fail.
    for verdict in Verdict::ALL {
        let those = || replayed.iter().filter(|it| it.verdict() == verdict);
        let count = those().count();
        if count == 0 {
            continue;
        }
        counts.push(verdict.counted(count));
        if verdict == Verdict::Same {
            continue;
        }
        for replayed in those().take(SHOWN) {
            let _ = writeln!(out, "{}", line(replayed));
        }
        if count > SHOWN {
            let more = verdict.counted(count - SHOWN);
            let _ = writeln!(out, "and {more} (--format json lists all)");
        }
    }
    let plural = if replayed.len() == 1 { "" } else { "s" };
    let counts = if counts.is_empty() {
        "none of them is to be run".to_owned()
    } else {
        counts.join(", ")
    };
    let _ = writeln!(out, "{} saved input{plural}: {counts}", replayed.len());
    out
}

fn line(replayed: &Replayed) -> String {
    let Entry { module, function } = &replayed.entry;
    let call = format!(
        "{module}:{}({})",
        function.name,
        replayed.arguments.join(", ")
    );
    let saved = told(&replayed.saved);
    let now = replayed.now.as_ref().map(told).unwrap_or_default();
    let place = replayed.now.as_ref().map(shown_place).unwrap_or_default();
    match replayed.verdict() {
        Verdict::Same => format!("as before: {call}: {now}"),
        Verdict::Fixed => format!("fixed: {call}: {saved}; now {now}"),
        Verdict::NotRun => {
            format!("not run: {call}: it was refused a call that could do harm")
        }
        Verdict::Differs => format!("answers differently: {call}: {saved}; now {now}"),
        Verdict::NowFails => format!("fails now: {call}: {saved}; now {now}{place}"),
        Verdict::FailsOtherwise => format!("fails otherwise: {call}: {saved}; now {now}{place}"),
        Verdict::StillFails => format!("still fails: {call}: {now}{place}"),
    }
}

/// How a run ended, in words.
fn told(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Ok(value) => format!("returned {value}"),
        Outcome::Exception { class, reason, .. } => format!("raised {class}: {reason}"),
        Outcome::Timeout => "took too long".to_owned(),
        Outcome::Killed => "took too much memory".to_owned(),
        Outcome::WorkerDied => "brought the BEAM down".to_owned(),
        Outcome::Blocked(_) => "was refused a call".to_owned(),
    }
}

fn stack(outcome: &Outcome) -> &[StackEntry] {
    match outcome {
        Outcome::Exception { stack, .. } => stack,
        Outcome::Ok(_)
        | Outcome::Timeout
        | Outcome::Killed
        | Outcome::WorkerDied
        | Outcome::Blocked(_) => &[],
    }
}

/// ` (src/m.erl:12)`, if the place is known.
fn shown_place(outcome: &Outcome) -> String {
    let place = place(stack(outcome));
    place.map_or_else(String::new, |it| format!(" ({}:{})", it.file, it.line))
}

pub(super) fn json(replayed: &[Replayed]) -> Value {
    let counts = Verdict::ALL.map(|verdict| {
        let count = replayed.iter().filter(|it| it.verdict() == verdict).count();
        (verdict.name().to_owned(), json!(count))
    });
    json!({
        "version": 1,
        "ok": replayed.iter().all(|it| it.verdict().is_fine()),
        "counts": counts.into_iter().collect::<serde_json::Map<_, _>>(),
        "tests": replayed.iter().map(test).collect::<Vec<_>>(),
    })
}

fn test(replayed: &Replayed) -> Value {
    let Entry { module, function } = &replayed.entry;
    json!({
        "id": replayed.id,
        "entry": format!("{module}:{}/{}", function.name, function.arity),
        "args": replayed.arguments,
        "verdict": replayed.verdict().name(),
        "saved": ending(&replayed.saved),
        "now": replayed.now.as_ref().map(with_place),
    })
}

fn ending(outcome: &Outcome) -> Value {
    let (result, class, reason) = match outcome {
        Outcome::Ok(value) => (Some(value), None, None),
        Outcome::Exception { class, reason, .. } => (None, Some(class), Some(reason)),
        Outcome::Timeout | Outcome::Killed | Outcome::WorkerDied | Outcome::Blocked(_) => {
            (None, None, None)
        }
    };
    json!({
        "outcome": outcome_name(outcome),
        "result": result,
        "class": class,
        "reason": reason,
    })
}

fn with_place(outcome: &Outcome) -> Value {
    let mut object = ending(outcome);
    let stack = stack(outcome);
    let place = place(stack);
    if let Some(object) = object.as_object_mut() {
        let lines: Vec<String> = stack.iter().map(StackEntry::to_string).collect();
        object.insert("file".to_owned(), json!(place.map(|it| &it.file)));
        object.insert("line".to_owned(), json!(place.map(|it| it.line)));
        object.insert("stack".to_owned(), json!(lines));
    }
    object
}
