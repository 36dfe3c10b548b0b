//! What several searches together reached.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::json_parts::{list, number, text};

/// The coverage of all reports together: what one of them reached is reached.
pub(super) fn total_coverage(reports: &[&Value]) -> Value {
    let all: Vec<&Value> = reports.iter().map(|it| &it["coverage"]).collect();
    let name = |it: &Value| it.as_str().unwrap_or_default().to_owned();
    let (functions, missed_functions) =
        reached_and_missed(&all, ["reached_functions", "missed_functions"], name);
    let clause = |it: &Value| text(it, "clause").to_owned();
    let (clauses, missed) = reached_and_missed(&all, ["reached", "missed"], clause);
    json!({
        "functions": count(functions.len(), missed_functions.len()),
        "clauses": count(clauses.len(), missed.len()),
        "missed": missed,
        "reached": clauses,
        "reached_functions": functions,
        "missed_functions": missed_functions,
    })
}

fn count(covered: usize, missed: usize) -> Value {
    json!({"covered": covered, "total": covered + missed})
}

/// What was reached by one and what by none, in the order of the reports; each once.
fn reached_and_missed(
    all: &[&Value],
    [reached, missed]: [&str; 2],
    name: impl Fn(&Value) -> String,
) -> (Vec<Value>, Vec<Value>) {
    let mut known = BTreeSet::new();
    let mut each = |key: &str| -> Vec<Value> {
        let values = all.iter().flat_map(|it| list(it, key));
        let new = values.filter(|it| known.insert(name(it)));
        new.cloned().collect()
    };
    let reached = each(reached);
    let missed = each(missed);
    (reached, missed)
}

/// The coverage of one function in two reports, given what each report reached in all.
pub(super) fn joined_coverage(one: &Value, other: &Value, reached: [&BTreeSet<&str>; 2]) -> Value {
    if one.is_null() || other.is_null() {
        return if one.is_null() { other } else { one }.clone();
    }
    let names = |it: &Value| -> BTreeSet<String> {
        let missed = list(it, "missed").iter();
        missed.map(|it| text(it, "clause").to_owned()).collect()
    };
    let (of_one, of_other) = (names(one), names(other));
    let [by_one, by_other] = reached;
    // A clause that only one of them counts is missed, unless the other one reached it.
    let is_missed = |it: &&Value| {
        let name = text(it, "clause");
        let one_missed = of_one.contains(name) || !by_one.contains(name);
        let other_missed = of_other.contains(name) || !by_other.contains(name);
        one_missed && other_missed
    };
    let mut known = BTreeSet::new();
    let missed = list(one, "missed").iter().chain(list(other, "missed"));
    let missed = missed.filter(is_missed);
    let missed = missed.filter(|it| known.insert(text(it, "clause").to_owned()));
    let missed: Vec<Value> = missed.cloned().collect();
    let most = |key: &str, part: &str| number(&one[key], part).max(number(&other[key], part));
    let total = most("clauses", "total");
    json!({
        "functions": {"covered": most("functions", "covered"), "total": most("functions", "total")},
        "clauses": {"covered": total.saturating_sub(missed.len() as u64), "total": total},
        "missed": missed,
    })
}
