//! The tests of several reports, with new numbers.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::json_parts::{list, number, text};

/// The tests of all reports, in the order of their functions.
#[derive(Debug)]
pub(super) struct NewTests {
    tests: Vec<Value>,
    /// The new numbers, by the number of the report and the number in it.
    numbers: HashMap<(usize, u64), u64>,
}

impl NewTests {
    /// The tests of reports, given all functions.
    pub(super) fn new(reports: &[&Value], entries: &[Value]) -> Self {
        let places: HashMap<&str, usize> = entries
            .iter()
            .enumerate()
            .map(|(place, it)| (text(it, "entry"), place))
            .collect();
        let mut all: Vec<(usize, &Value)> = Vec::new();
        for (report, json) in reports.iter().enumerate() {
            all.extend(list(json, "tests").iter().map(|it| (report, it)));
        }
        all.sort_by_key(|(_, it)| places.get(text(it, "entry")).copied());
        let numbered = all.iter().zip(1..);
        let numbers = numbered.map(|((report, it), id)| ((*report, number(it, "id")), id));
        let numbers: HashMap<(usize, u64), u64> = numbers.collect();
        let tests = all.into_iter().zip(1_u64..).map(|((report, test), id)| {
            let mut test = test.clone();
            test["id"] = json!(id);
            let parent = test["parent"].as_u64();
            let parent = parent.and_then(|it| numbers.get(&(report, it)));
            test["parent"] = json!(parent);
            test
        });
        Self {
            tests: tests.collect(),
            numbers,
        }
    }

    /// The new number of a test of a report.
    pub(super) fn number(&self, report: usize, id: u64) -> u64 {
        self.numbers.get(&(report, id)).copied().unwrap_or(0)
    }

    /// The tests.
    pub(super) fn into_tests(self) -> Vec<Value> {
        self.tests
    }
}
