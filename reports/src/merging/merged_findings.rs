//! The findings of several reports: those at one place for one reason are one.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::json_parts::{is_true, list, number, text};
use super::merged_tests::NewTests;
use crate::acceptance::key_in_report;

/// How many other inputs of a finding are listed, if no report lists more.
const MOST_ALSO: usize = 20;

/// The findings of all reports, in the order in which one search would have them.
pub(super) fn merged_findings(
    reports: &[&Value],
    entries: &[Value],
    tests: &NewTests,
) -> Vec<Value> {
    let mut groups: Vec<(MergedCause, Vec<Value>)> = Vec::new();
    for (report, json) in reports.iter().enumerate() {
        for finding in list(json, "findings") {
            let mut finding = finding.clone();
            for key in ["test", "first_test"] {
                finding[key] = json!(tests.number(report, number(&finding, key)));
            }
            let cause = MergedCause::of(&finding);
            match groups.iter_mut().find(|it| it.0 == cause) {
                Some((_, known)) => known.push(finding),
                None => groups.push((cause, vec![finding])),
            }
        }
    }
    let merged = groups.into_iter().map(|it| joined(it.1, entries));
    let mut findings: Vec<Value> = merged.collect();
    findings.sort_by_key(|it| {
        let (accepted, likely) = (is_true(it, "accepted"), is_true(it, "likely"));
        (accepted, !likely, number(it, "first_test"))
    });
    findings
}

/// Where and why a run crashed.
#[derive(Debug, PartialEq, Eq)]
struct MergedCause {
    kind: String,
    reason: String,
    place: String,
}

impl MergedCause {
    fn of(finding: &Value) -> Self {
        let key = key_in_report(finding).unwrap_or_default();
        let kind = match key.class.as_str() {
            "killed" if is_true(finding, "beam_died") => "beam",
            // Which of time and memory ends first is chance.
            "timeout" | "killed" => "endless",
            other => other,
        };
        let place = match finding["line"].as_i64() {
            Some(line) => format!("{}:{line}", text(finding, "file")),
            None => key.function.clone(),
        };
        Self {
            kind: kind.to_owned(),
            reason: key.reason,
            place,
        }
    }
}

/// One finding of several with the same cause. The one with the smallest input stands for all.
fn joined(mut findings: Vec<Value>, entries: &[Value]) -> Value {
    findings.sort_by_cached_key(|it| {
        let first = list(it, "entries").first();
        (first.map(|it| worth(it, entries)), number(it, "first_test"))
    });
    let first_test = findings.iter().map(|it| number(it, "first_test")).min();
    let count: u64 = findings.iter().map(|it| number(it, "count")).sum();
    let is_accepted = findings.iter().all(|it| is_true(it, "accepted"));
    let inputs = inputs(&findings, entries);
    let also = also(&findings);
    let mut finding = findings.into_iter().next().unwrap_or_default();
    finding["entries"] = json!(inputs);
    finding["count"] = json!(count);
    finding["first_test"] = json!(first_test);
    finding["accepted"] = json!(is_accepted);
    if !also.is_empty() {
        finding["also"] = json!(also);
    }
    finding
}

/// What inputs are sorted by: likely ones first, of these those with the fewest switches between
/// processes, then the smallest.
fn worth(input: &Value, entries: &[Value]) -> (bool, u64, usize, Option<usize>) {
    let arguments = list(input, "args").iter().filter_map(Value::as_str);
    let size = arguments.map(str::len).sum();
    let place = entries.iter().position(|it| it["entry"] == input["entry"]);
    (
        !is_true(input, "likely"),
        number(input, "switches"),
        size,
        place,
    )
}

/// The smallest input of each function.
fn inputs(findings: &[Value], entries: &[Value]) -> Vec<Value> {
    let all = findings.iter().flat_map(|it| list(it, "entries"));
    let mut all: Vec<&Value> = all.collect();
    all.sort_by_cached_key(|it| worth(it, entries));
    let mut known = BTreeSet::new();
    all.retain(|it| known.insert(text(it, "entry")));
    all.into_iter().cloned().collect()
}

/// The other inputs of the function that stands for the finding: all of them, or the smallest.
fn also(findings: &[Value]) -> Vec<Value> {
    let Some(first) = findings.first() else {
        return Vec::new();
    };
    let same = findings.iter().filter(|it| it["entry"] == first["entry"]);
    let most = same.clone().map(|it| list(it, "also").len()).max();
    let own = same.clone().skip(1).map(|it| &it["args"]);
    let listed = same.flat_map(|it| list(it, "also"));
    let mut known = BTreeSet::from([first["args"].to_string()]);
    let new = listed.chain(own).filter(|it| known.insert(it.to_string()));
    let mut also: Vec<Value> = new.cloned().collect();
    if findings.len() > 1 {
        let size = |it: &Value| {
            let texts = it
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str);
            texts.map(str::len).sum::<usize>()
        };
        also.sort_by_cached_key(size);
        also.truncate(most.unwrap_or(0).max(MOST_ALSO));
    }
    also
}
