//! What several searches skipped.

use serde_json::{Value, json};
use trace_engine::explore::Gap;

use super::json_parts::{list, number, text};

/// The code of shards that are missing.
pub(super) const MISSING_SHARD: &str = "missing-shard";

/// A gap, and how often it occurred.
pub(super) fn gap(code: &str, what: &str, count: u64) -> Value {
    json!({"code": code, "what": what, "count": count})
}

/// The gaps of all reports, in the order in which a report has them.
pub(super) fn merged_gaps(reports: &[&Value]) -> Vec<Value> {
    let gaps = reports.iter().flat_map(|it| list(it, "incomplete"));
    // Which shards are missing is found again.
    let own = gaps.filter(|it| text(it, "code") != MISSING_SHARD);
    sum_of_gaps(own)
}

/// Gaps, each once, with the sum of its counts.
pub(super) fn sum_of_gaps<'gaps>(gaps: impl Iterator<Item = &'gaps Value>) -> Vec<Value> {
    let mut merged: Vec<Value> = Vec::new();
    for one in gaps {
        let (code, what) = (text(one, "code"), text(one, "what"));
        let is_same = |it: &&mut Value| text(it, "code") == code && text(it, "what") == what;
        match merged.iter_mut().find(is_same) {
            // Each report names the same sources that do not compile.
            Some(_) if code == "not-compiled" => {}
            Some(known) => known["count"] = json!(number(known, "count") + number(one, "count")),
            None => merged.push(one.clone()),
        }
    }
    merged.sort_by_key(|it| (place(text(it, "code")), sorted_text(it)));
    merged
}

/// Where gaps with a code stand: those of searches in their order, then functions that were not
/// searched, then sources that do not compile.
fn place(code: &str) -> usize {
    let known = Gap::CODES.iter().position(|it| *it == code);
    match known {
        Some(place) if code != "not-compiled" => place,
        Some(_) => Gap::CODES.len() + 1,
        None => Gap::CODES.len(),
    }
}

/// What gaps with one code are sorted by. Functions stay in their order.
fn sorted_text(gap: &Value) -> String {
    let code = text(gap, "code");
    if Gap::CODES.contains(&code) {
        text(gap, "what").to_owned()
    } else {
        String::new()
    }
}
