//! The runs of an earlier search, from its report or its state folder.

use std::fs;
use std::io;
use std::path::Path;

use diagnostic::Diagnostic;
use erlang_term::{Atom, Term};
use serde_json::Value;
use trace_format::Schedule;

use crate::beam::worker::Outcome;
use crate::failure::Failure;
use crate::search::journal::{KeptRuns, read_journal};

/// The supported version of reports.
const VERSION: u64 = 1;

/// A saved run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SavedRun {
    /// Its number in the report.
    pub(crate) id: u64,
    /// The function, as `m:f/1`.
    pub(crate) entry: String,
    pub(crate) arguments: SavedArguments,
    /// How it ended, without a stack.
    pub(crate) outcome: Outcome,
    /// Which process took its steps when; without leases if there was only one.
    pub(crate) schedule: Schedule,
}

/// The arguments of a run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum SavedArguments {
    /// Each as Erlang source.
    Texts(Vec<String>),
    /// All of them, as a list.
    List(Term),
}

/// The runs of an earlier search.
#[derive(Debug)]
pub(crate) struct SavedSearch {
    /// In the order in which they were made.
    pub(crate) runs: Vec<SavedRun>,
    /// The atoms whose order as keys of maps mattered, in the order that they had.
    pub(crate) atoms: Vec<Atom>,
}

/// The runs in a report or a folder.
pub(crate) fn read(path: &Path) -> Result<SavedSearch, Failure> {
    if path.is_dir() {
        return read_state(path);
    }
    let bytes = fs::read(path).map_err(|error| Failure::io("read", path, &error))?;
    let saved = runs_of_bytes(&bytes).map_err(|why| bad(path, &why))?;
    if saved.runs.is_empty() {
        return Err(bad(path, "it has no tests"));
    }
    Ok(saved)
}

/// The runs in the bytes of a report, or why they cannot be read.
pub(crate) fn runs_of_bytes(bytes: &[u8]) -> Result<SavedSearch, String> {
    let report: Value = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    let atoms = report.get("atoms").and_then(Value::as_array);
    let atoms = atoms.into_iter().flatten();
    Ok(SavedSearch {
        runs: runs_of_report(&report)?,
        atoms: atoms.filter_map(|it| it.as_str().map(Atom::new)).collect(),
    })
}

/// The error for a report or folder that cannot be used.
pub(crate) fn bad(path: &Path, why: &str) -> Failure {
    let title = format!("{} has no inputs to run again: {why}", path.display());
    Diagnostic::error("bad-report", title)
        .help("name a report of `explore --format json`, or the folder of `explore --state`")
        .into()
}

/// The runs of a search. In a search of several functions, each function has its own subfolder.
fn read_state(folder: &Path) -> Result<SavedSearch, Failure> {
    let mut journals: Vec<KeptRuns> = read_journal(folder)?.into_iter().collect();
    if journals.is_empty() {
        let unreadable = |error| Failure::io("read", folder, &error);
        let entries = fs::read_dir(folder).map_err(unreadable)?;
        let paths = entries.map(|entry| Ok(entry?.path()));
        let mut paths = paths.collect::<io::Result<Vec<_>>>().map_err(unreadable)?;
        paths.sort();
        for path in paths.into_iter().filter(|path| path.is_dir()) {
            journals.extend(read_journal(&path)?);
        }
    }
    if journals.is_empty() {
        return Err(bad(folder, "it has no state of a search"));
    }
    let mut all = Vec::new();
    // Each journal has the order as it was known then.
    let atoms = journals.iter().map(|it| it.atoms.clone());
    let atoms = atoms.max_by_key(Vec::len).unwrap_or_default();
    for KeptRuns { key, runs, .. } in journals {
        // A hash of the program, the entry, a hash of the limits; only the entry may have spaces.
        let entry = key
            .split_once(' ')
            .and_then(|(_, rest)| rest.rsplit_once(' '));
        let (entry, _) = entry.ok_or_else(|| bad(folder, "it does not name the entry"))?;
        for ((arguments, run), id) in runs.into_iter().zip((all.len() as u64 + 1)..) {
            all.push(SavedRun {
                id,
                entry: entry.to_owned(),
                arguments: SavedArguments::List(arguments),
                outcome: run.outcome,
                schedule: run.schedule,
            });
        }
    }
    if all.is_empty() {
        return Err(bad(folder, "no run was finished"));
    }
    Ok(SavedSearch { runs: all, atoms })
}

/// All tests of a report, and findings that are not among them: a report may have been shortened.
fn runs_of_report(report: &Value) -> Result<Vec<SavedRun>, String> {
    if report.get("version").and_then(Value::as_u64) != Some(VERSION) {
        return Err(format!("it is not a report of version {VERSION}"));
    }
    let entry = report.get("entry").and_then(Value::as_str);
    let list = |key: &str| {
        let list = report.get(key).map(Value::as_array);
        let list = list.unwrap_or(Some(const { &Vec::new() }));
        list.ok_or_else(|| format!("`{key}` is not a list"))
    };
    let mut runs = Vec::new();
    for (place, test) in list("tests")?.iter().enumerate() {
        let run = run(test, "id", entry).map_err(|why| format!("test {}: {why}", place + 1))?;
        runs.push(run);
    }
    for (place, finding) in list("findings")?.iter().enumerate() {
        let run = run(finding, "test", entry);
        let run = run.map_err(|why| format!("finding {}: {why}", place + 1))?;
        let is_known = |other: &SavedRun| {
            (&other.entry, &other.arguments, &other.schedule)
                == (&run.entry, &run.arguments, &run.schedule)
        };
        if !runs.iter().any(is_known) {
            runs.push(run);
        }
    }
    Ok(runs)
}

/// A test or finding. In a report of several functions, each names its own.
fn run(object: &Value, id: &str, entry: Option<&str>) -> Result<SavedRun, String> {
    let own = object.get("entry").and_then(Value::as_str);
    let entry = own.or(entry).ok_or("it has no `entry`")?;
    let arguments = object.get("args").and_then(Value::as_array);
    let arguments = arguments.and_then(|list| {
        let texts = list.iter().map(|text| Some(text.as_str()?.to_owned()));
        texts.collect::<Option<Vec<_>>>()
    });
    Ok(SavedRun {
        id: object.get(id).and_then(Value::as_u64).unwrap_or(0),
        entry: entry.to_owned(),
        arguments: SavedArguments::Texts(arguments.ok_or("`args` is not a list of texts")?),
        outcome: outcome_of_run(object).ok_or("its outcome is unknown")?,
        schedule: match object.get("schedule").and_then(Value::as_str) {
            Some(text) => text.parse().map_err(|why| format!("its schedule: {why}"))?,
            None => Schedule::default(),
        },
    })
}

/// How a run ended: its entry function, or another process that crashed.
fn outcome_of_run(object: &Value) -> Option<Outcome> {
    let of_entry = outcome(object)?;
    if of_entry.is_finding() {
        return Some(of_entry);
    }
    let processes = object.get("processes").and_then(Value::as_array);
    let mut others = processes.into_iter().flatten().skip(1);
    let crash = others.find_map(|process| {
        let text = |key: &str| Some(process.get(key)?.as_str()?.to_owned());
        let outcome = Outcome::Exception {
            class: text("class")?,
            reason: text("end")?,
            stack: Vec::new(),
        };
        outcome.is_finding().then_some(outcome)
    });
    Some(crash.unwrap_or(of_entry))
}

fn outcome(object: &Value) -> Option<Outcome> {
    let text = |key: &str| Some(object.get(key)?.as_str()?.to_owned());
    match text("outcome").or_else(|| text("class"))?.as_str() {
        "ok" => Some(Outcome::Ok(text("result")?)),
        "timeout" => Some(Outcome::Timeout),
        "killed" => Some(Outcome::Killed),
        "deadlock" => Some(Outcome::Deadlock {
            waiting: Vec::new(),
        }),
        "steps" => Some(Outcome::Steps),
        "blocked" => Some(Outcome::Blocked(String::new())),
        class @ ("error" | "exit" | "throw") => Some(Outcome::Exception {
            class: class.to_owned(),
            reason: text("reason")?,
            stack: Vec::new(),
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn test(args: &Value, outcome: &str) -> Value {
        json!({"id": 1, "args": args, "outcome": outcome, "result": "1", "reason": "bug"})
    }

    #[test]
    fn each_test_may_have_an_entry_of_its_own() {
        let mut own = test(&json!(["a", "b"]), "error");
        own["entry"] = json!("m:g/2");
        let tests = [test(&json!(["a"]), "ok"), own.clone()];
        let report = json!({"version": 1, "entry": "m:f/1", "tests": tests, "findings": [own]});
        let runs = runs_of_report(&report).expect("it is a report");
        let entries: Vec<&str> = runs.iter().map(|run| run.entry.as_str()).collect();
        assert_eq!(entries, ["m:f/1", "m:g/2"]);
        assert_eq!(runs[0].outcome, Outcome::Ok("1".to_owned()));
    }

    #[test]
    fn a_crash_of_another_process_is_how_the_run_ended() {
        let mut run = test(&json!(["a"]), "ok");
        run["schedule"] = json!("0*2,0.1");
        run["processes"] = json!([
            {"path": "0", "entry": "m:f/1", "end": "normal"},
            {"path": "0.1", "entry": "m:g/1", "end": "shutdown", "class": "exit"},
            {"path": "0.2", "entry": "m:g/1", "end": "badarith", "class": "error"},
        ]);
        let report = json!({"version": 1, "entry": "m:f/1", "tests": [run]});
        let runs = runs_of_report(&report).expect("it is a report");
        assert_eq!(runs[0].schedule.to_string(), "0*2,0.1");
        assert_eq!(runs[0].outcome.name(), "error");
    }

    #[test]
    fn findings_alone_are_enough() {
        let finding = json!({"test": 4, "args": ["x"], "class": "error", "reason": "bug"});
        let report = json!({"version": 1, "entry": "m:f/1", "findings": [finding]});
        let runs = runs_of_report(&report).expect("it is a report");
        assert_eq!((runs.len(), runs[0].id), (1, 4));
    }

    #[test]
    fn damaged_reports_are_rejected_with_a_reason() {
        let report = |tests: Value| json!({"version": 1, "entry": "m:f/1", "tests": tests});
        let nowhere = json!({"version": 1, "entry": null, "tests": [test(&json!(["a"]), "ok")]});
        let wrong = [
            json!(null),
            json!([1]),
            json!({"version": 2, "entry": "m:f/1", "tests": []}),
            nowhere,
            report(json!("none")),
            report(json!([3])),
            report(json!([test(&json!("a"), "ok")])),
            report(json!([test(&json!([1]), "ok")])),
            report(json!([test(&json!(["a"]), "lost")])),
        ];
        let reasons: Vec<String> = wrong
            .iter()
            .map(|report| runs_of_report(report).expect_err("it is not a report"))
            .collect();
        insta::assert_snapshot!(reasons.join("\n"));
    }
}
