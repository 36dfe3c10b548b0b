//! How saved runs end now, as text and as JSON.

mod verdict;

use std::fmt::Write;

use serde_json::{Value, json};

use crate::counted::counted;
use crate::entry::Entry;
use crate::outcome::{Outcome, StackEntry};
use crate::terminal::{shortened, visible};
use crate::wording::Wording;

pub use verdict::Verdict;

/// The text lists at most this many inputs of each kind.
const SHOWN: usize = 20;

/// A saved run, and how it ends now.
#[derive(Debug)]
pub struct Replayed {
    /// Its number among the saved runs.
    pub id: u64,
    /// The function.
    pub entry: Entry,
    /// Its arguments, as Erlang source.
    pub arguments: Vec<String>,
    /// How it ended when it was saved.
    pub saved: Outcome,
    /// How it ends now; `None` if it was not run.
    pub now: Option<Outcome>,
}

impl Replayed {
    /// How the run compares with the saved one.
    pub fn verdict(&self) -> Verdict {
        Verdict::new(&self.saved, self.now.as_ref())
    }
}

/// How saved runs end now, as text for the terminal.
pub fn replay_text(replayed: &[Replayed]) -> String {
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
    let saved = counted(replayed.len(), "saved input");
    let counts = if counts.is_empty() {
        "none to run".to_owned()
    } else {
        counts.join(", ")
    };
    let _ = writeln!(out, "{saved}: {counts}");
    out
}

fn line(replayed: &Replayed) -> String {
    let wording = Wording::of(&replayed.entry, None);
    let call = wording.short_call(&replayed.entry, &replayed.arguments);
    let saved = in_words(&wording, &replayed.saved);
    let now = replayed.now.as_ref();
    let now = now.map(|it| in_words(&wording, it)).unwrap_or_default();
    let place = replayed.now.as_ref().map(shown_place).unwrap_or_default();
    match replayed.verdict() {
        Verdict::Same => format!("as before: {call}: {now}"),
        Verdict::Fixed => format!("fixed: {call}: {saved}; now {now}"),
        Verdict::NotRun => {
            format!("not run: {call}: it tried a call that could do harm")
        }
        Verdict::Differs => format!("answers differently: {call}: {saved}; now {now}"),
        Verdict::NowFails => format!("fails now: {call}: {saved}; now {now}{place}"),
        Verdict::FailsOtherwise => format!("fails differently: {call}: {saved}; now {now}{place}"),
        Verdict::StillFails => format!("still fails: {call}: {now}{place}"),
    }
}

/// How a run ended, in words.
fn in_words(wording: &Wording<'_>, outcome: &Outcome) -> String {
    match outcome {
        Outcome::Ok(value) => format!("returned {}", shortened(&wording.value(value))),
        Outcome::Exception { .. } => {
            let raised = wording.raised(outcome, None).unwrap_or_default();
            format!("raised {}", shortened(&raised))
        }
        Outcome::Timeout => "took too long".to_owned(),
        Outcome::Killed => "took too much memory".to_owned(),
        Outcome::WorkerDied => "brought the BEAM down".to_owned(),
        Outcome::Deadlock { .. } => "waited for ever".to_owned(),
        Outcome::Steps => "took too many steps".to_owned(),
        Outcome::Blocked(_) => "was refused a call".to_owned(),
    }
}

/// ` (src/m.erl:12)`, if the place is known.
fn shown_place(outcome: &Outcome) -> String {
    let place = outcome.crash_site().filter(|it| it.line > 0);
    place.map_or_else(String::new, |it| format!(" ({}:{})", it.file, it.line))
}

/// How saved runs end now, as a JSON object.
pub fn replay_json(replayed: &[Replayed]) -> Value {
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
    json!({
        "id": replayed.id,
        "entry": replayed.entry.to_string(),
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
        Outcome::Timeout
        | Outcome::Killed
        | Outcome::WorkerDied
        | Outcome::Blocked(_)
        | Outcome::Deadlock { .. }
        | Outcome::Steps => (None, None, None),
    };
    json!({
        "outcome": outcome.name(),
        "result": result,
        "class": class,
        "reason": reason,
    })
}

fn with_place(outcome: &Outcome) -> Value {
    let mut object = ending(outcome);
    let place = outcome.crash_site();
    if let Some(object) = object.as_object_mut() {
        let lines: Vec<String> = outcome.stack().iter().map(StackEntry::to_string).collect();
        object.insert(
            "file".to_owned(),
            json!(place.map(|it| &it.file).filter(|it| !it.is_empty())),
        );
        object.insert(
            "line".to_owned(),
            json!(place.map(|it| it.line).filter(|it| *it > 0)),
        );
        object.insert("stack".to_owned(), json!(lines));
    }
    object
}
