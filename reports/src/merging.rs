//! One report of several: what their searches together found, as if it had been one search.
//!
//! Reports are joined as JSON, so that nothing that they say is lost: tests stay as they are, with
//! new numbers. Functions are in the order in which one search would have them.

#![allow(
    clippy::indexing_slicing,
    reason = "keys of JSON that are missing give null; what gets keys was read as an object before"
)]

mod differences;
mod json_parts;
mod merged_coverage;
mod merged_entry;
mod merged_findings;
mod merged_gaps;
mod merged_machine;
mod merged_stale;
mod merged_statistics;
mod merged_tests;
mod named_report;

use diagnostic::Diagnostic;
use serde_json::{Map, Value, json};

use crate::shards::Shards;
use differences::differences;
use json_parts::{list, text};
use merged_coverage::total_coverage;
use merged_entry::{counted_findings, merged_entries, pruned_of};
use merged_findings::merged_findings;
use merged_gaps::{MISSING_SHARD, gap, merged_gaps};
use merged_stale::merged_stale;
use merged_statistics::{sum, sum_of_statistics};
use merged_tests::NewTests;
pub use named_report::NamedReport;

/// One report of several; there is at least one.
///
/// # Errors
/// Says which reports do not belong together, and why.
pub fn merge_reports(reports: &[NamedReport]) -> Result<Value, Vec<Diagnostic>> {
    let differences = differences(reports);
    if !differences.is_empty() {
        return Err(differences);
    }
    let shards = merged_shards(reports);
    let mut merged = match reports {
        [only] => only.json.as_object().cloned().unwrap_or_default(),
        several => joined(several, shards.as_ref()),
    };
    tell_shards(&mut merged, shards);
    Ok(Value::Object(merged))
}

/// The parts of all reports together.
fn joined(reports: &[NamedReport], shards: Option<&Shards>) -> Map<String, Value> {
    let all: Vec<&Value> = reports.iter().map(|it| &it.json).collect();
    let mut entries = merged_entries(&all, shards);
    let tests = NewTests::new(&all, &entries);
    let findings = merged_findings(&all, &entries, &tests);
    counted_findings(&mut entries, &findings);
    let gaps = merged_gaps(&all);
    let machines: Vec<Value> = list_of(&entries, "machine");
    let mut merged = Map::new();
    let mut set = |key: &str, value: Value| merged.insert(key.to_owned(), value);
    if let Some(atoms) = longest_atoms(&all) {
        set("atoms", atoms);
    }
    set("complete", json!(gaps.is_empty()));
    for key in ["conditions", "model"] {
        set(key, all.first().map_or(Value::Null, |it| it[key].clone()));
    }
    set("coverage", total_coverage(&all));
    set("entry", only_entry(&all));
    if all.iter().any(|it| it.get("eunit").is_some()) {
        set("eunit", sum(all.iter().filter_map(|it| it.get("eunit"))));
    }
    if let Some(suites) = eunit_suites(&all, &entries) {
        set("eunit_suites", suites);
    }
    if let [only] = machines.as_slice() {
        set("machine", only.clone());
    }
    if let Some(pruned) = pruned_of(&entries) {
        set("pruned", pruned);
    }
    set("made_of", made_of(reports));
    set("sources", sources(&all));
    set("stale", merged_stale(&all));
    set("stats", sum_of_statistics(&all));
    set("incomplete", json!(gaps));
    set("findings", json!(findings));
    set("entries", json!(entries));
    set("tests", json!(tests.into_tests()));
    set("version", json!(1));
    merged
}

/// Which shards the reports are together.
fn merged_shards(reports: &[NamedReport]) -> Option<Shards> {
    let mut shards = reports.iter().filter_map(|it| it.saved.shards.clone());
    let mut all = shards.next()?;
    all.here.extend(shards.flat_map(|it| it.here));
    all.here.sort_unstable();
    Some(all)
}

/// Says which shards are here and which are missing. If all are here it is one whole report.
fn tell_shards(merged: &mut Map<String, Value>, shards: Option<Shards>) {
    merged.remove("shards");
    let Some(shards) = shards else { return };
    let mut gaps: Vec<Value> = match merged.get("incomplete") {
        Some(Value::Array(gaps)) => gaps.clone(),
        _ => Vec::new(),
    };
    gaps.retain(|it| text(it, "code") != MISSING_SHARD);
    let missing = shards.missing();
    gaps.extend(missing.map(|it| gap(MISSING_SHARD, &format!("shard {it} of {}", shards.of), 1)));
    merged.insert("complete".to_owned(), json!(gaps.is_empty()));
    merged.insert("incomplete".to_owned(), json!(gaps));
    if shards.missing().next().is_some() {
        merged.insert("shards".to_owned(), json!(shards));
    }
}

/// The values that objects have for a key, where they have it.
fn list_of(objects: &[Value], key: &str) -> Vec<Value> {
    let values = objects.iter().filter_map(|it| it.get(key));
    values.cloned().collect()
}

/// The function, if all reports are about this one alone.
fn only_entry(reports: &[&Value]) -> Value {
    let first = reports.first().map_or(&Value::Null, |it| &it["entry"]);
    let is_same = reports.iter().all(|it| it["entry"] == *first);
    if is_same { first.clone() } else { Value::Null }
}

/// The longest order of atoms: those of single searches are beginnings of it, or differ from it.
fn longest_atoms(reports: &[&Value]) -> Option<Value> {
    let atoms = reports.iter().filter_map(|it| it.get("atoms"));
    let longest = atoms
        .rev()
        .max_by_key(|it| it.as_array().map_or(0, Vec::len));
    longest.cloned()
}

/// All sources that the user named, each once.
fn sources(reports: &[&Value]) -> Value {
    let mut sources: Vec<Value> = Vec::new();
    for source in reports.iter().flat_map(|it| list(it, "sources")) {
        if !sources.contains(source) {
            sources.push(source.clone());
        }
    }
    Value::Array(sources)
}

/// What all reports were made with and from.
fn made_of(reports: &[NamedReport]) -> Value {
    let mut made_of = reports.first().map(|it| it.saved.made_of.clone());
    for report in reports {
        if let Some(all) = &mut made_of {
            all.modules.extend(report.saved.made_of.modules.clone());
        }
    }
    json!(made_of)
}

/// The tests for EUnit in the order of the functions, if each report has them.
fn eunit_suites(reports: &[&Value], entries: &[Value]) -> Option<Value> {
    let suites = reports.iter().map(|it| it.get("eunit_suites")?.as_array());
    let suites: Vec<&Vec<Value>> = suites.collect::<Option<_>>()?;
    let place = |it: &Value| {
        entries
            .iter()
            .position(|entry| entry["entry"] == it["entry"])
    };
    let mut merged: Vec<Value> = Vec::new();
    for suite in suites.into_iter().flatten() {
        match merged.iter_mut().find(|it| it["entry"] == suite["entry"]) {
            Some(known) => add_cases(known, suite),
            None => merged.push(suite.clone()),
        }
    }
    merged.sort_by_key(place);
    Some(Value::Array(merged))
}

/// Adds the tests that a suite does not have yet.
fn add_cases(suite: &mut Value, other: &Value) {
    if let Some(Value::Array(cases)) = suite.get_mut("cases") {
        for case in list(other, "cases") {
            if !cases.contains(case) {
                cases.push(case.clone());
            }
        }
    }
}
