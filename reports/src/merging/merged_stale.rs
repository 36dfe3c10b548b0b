//! Lines of the file of accepted findings that no search met.

use serde_json::{Value, json};

use super::json_parts::{is_true, list, number, text};
use crate::acceptance::{FindingKey, key_in_report};

/// The lines that match no finding of any report. One is gone if each report that looked for it
/// says so.
pub(super) fn merged_stale(reports: &[&Value]) -> Value {
    let findings = reports.iter().flat_map(|it| list(it, "findings"));
    let found: Vec<FindingKey> = findings.filter_map(|it| key_in_report(it).ok()).collect();
    let mut merged: Vec<Value> = Vec::new();
    for stale in reports.iter().flat_map(|it| list(it, "stale")) {
        let key = key_in_report(stale).ok();
        if key.is_some_and(|key| found.iter().any(|it| key.is_for(it))) {
            continue;
        }
        let same = |it: &&mut Value| it["line"] == stale["line"] && it["key"] == stale["key"];
        match merged.iter_mut().find(same) {
            Some(known) => known["gone"] = json!(is_true(known, "gone") && is_true(stale, "gone")),
            None => merged.push(stale.clone()),
        }
    }
    merged.sort_by_key(|it| (number(it, "line"), text(it, "key").to_owned()));
    Value::Array(merged)
}
