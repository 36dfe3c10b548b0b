//! What several reports say about a function.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::json_parts::{is_true, list, number, text};
use super::merged_coverage::joined_coverage;
use super::merged_gaps::sum_of_gaps;
use super::merged_machine::joined_machine;
use crate::shards::Shards;

/// The functions of all reports, each once: those that were searched, then the others. Functions of
/// shards are in the order in which they were before they were divided.
pub(super) fn merged_entries(reports: &[&Value], shards: Option<&Shards>) -> Vec<Value> {
    let reached: Vec<BTreeSet<&str>> = reports.iter().map(|it| reached_clauses(it)).collect();
    let mut merged: Vec<(Value, BTreeSet<&str>)> = Vec::new();
    for (report, reached) in reports.iter().zip(&reached) {
        for entry in list(report, "entries") {
            match merged.iter_mut().find(|it| it.0["entry"] == entry["entry"]) {
                Some((known, before)) => {
                    *known = joined(known, entry, [before, reached]);
                    before.extend(reached);
                }
                None => merged.push((entry.clone(), reached.clone())),
            }
        }
    }
    let mut entries: Vec<Value> = merged.into_iter().map(|it| it.0).collect();
    let place = |it: &Value| {
        let mut names = shards.iter().flat_map(|it| &it.functions);
        names.position(|name| name == text(it, "entry"))
    };
    entries.sort_by_key(|it| (!it["left_out"].is_null(), place(it).unwrap_or(usize::MAX)));
    entries
}

fn reached_clauses(report: &Value) -> BTreeSet<&str> {
    let reached = list(&report["coverage"], "reached").iter();
    reached.map(|it| text(it, "clause")).collect()
}

/// A function that two reports are about, given what each reached.
fn joined(one: &Value, other: &Value, reached: [&BTreeSet<&str>; 2]) -> Value {
    match (one["left_out"].is_null(), other["left_out"].is_null()) {
        (_, false) => return one.clone(),
        (false, true) => return other.clone(),
        (true, true) => {}
    }
    let gaps = list(one, "incomplete").iter();
    let gaps = sum_of_gaps(gaps.chain(list(other, "incomplete")));
    let mut entry = one.clone();
    entry["complete"] = json!(gaps.is_empty());
    entry["runs"] = json!(number(one, "runs") + number(other, "runs"));
    entry["coverage"] = joined_coverage(&one["coverage"], &other["coverage"], reached);
    for key in ["term_depth", "length"] {
        let most = one[key].as_u64().max(other[key].as_u64());
        entry[key] = json!(most);
    }
    entry["pruned"] = joined_pruned(&one["pruned"], &other["pruned"]).unwrap_or(Value::Null);
    entry["incomplete"] = json!(gaps);
    if let (Some(one), Some(other)) = (one.get("machine"), other.get("machine")) {
        entry["machine"] = joined_machine(one, other);
    }
    entry
}

/// Says for each function how many findings it leads to.
pub(super) fn counted_findings(entries: &mut [Value], findings: &[Value]) {
    for entry in entries {
        let leads = |finding: &&Value| {
            let mut from = list(finding, "entries").iter();
            !is_true(finding, "accepted") && from.any(|it| it["entry"] == entry["entry"])
        };
        let count = findings.iter().filter(leads).count();
        entry["findings"] = json!(count);
    }
}

/// What was not run of all functions; `None` if every path of one was to be run.
pub(super) fn pruned_of(entries: &[Value]) -> Option<Value> {
    let searched = entries.iter().filter(|it| it["left_out"].is_null());
    let none = json!({"points": 0, "ways": 0, "proved_after": 0, "all_run": true});
    searched
        .into_iter()
        .try_fold(none, |sum, it| joined_pruned(&sum, &it["pruned"]))
}

fn joined_pruned(one: &Value, other: &Value) -> Option<Value> {
    if one.is_null() || other.is_null() {
        return None;
    }
    let proved = one["proved_after"]
        .as_u64()
        .zip(other["proved_after"].as_u64());
    Some(json!({
        "points": number(one, "points") + number(other, "points"),
        "ways": number(one, "ways") + number(other, "ways"),
        "proved_after": proved.map(|(one, other)| one + other),
        "all_run": is_true(one, "all_run") && is_true(other, "all_run"),
    }))
}
