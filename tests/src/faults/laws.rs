//! Laws that hold after every round.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use super::Programs;
use super::round::{Ended, KEPT, Round, TOTAL};
use crate::cluster::Found;
use crate::report_values::list;

/// The report of a search that nothing disturbs. It is made once.
///
/// # Panics
/// When there is none.
pub fn undisturbed(programs: &Programs, arguments: &[&str]) -> Value {
    static KNOWN: Mutex<BTreeMap<String, Value>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let report = known.entry(arguments.join(" "));
    let report = report.or_insert_with(|| search(programs, arguments));
    report.clone()
}

fn search(programs: &Programs, arguments: &[&str]) -> Value {
    let round = Round::new(programs);
    let ended = round.run(arguments);
    let report = report(&ended).expect("an undisturbed search has a report");
    round.check_nothing_left(&[]);
    report
}

/// The report that was printed, if there is one.
///
/// # Panics
/// When the output is not a report.
pub fn report(ended: &Ended) -> Option<Value> {
    if ended.stdout.is_empty() {
        return None;
    }
    let report = serde_json::from_str(&ended.stdout);
    Some(report.unwrap_or_else(|error| panic!("{error}: {ended:?}")))
}

/// Checks how a search with a fault ended. Returns its report, if it has one.
///
/// # Panics
/// When something is wrong with it.
pub fn check(ended: &Ended, undisturbed: &Value) -> Option<Value> {
    for word in ["panicked", "internal", "crashed", "bad-log"] {
        assert!(!ended.stderr.contains(word), "{word}: {ended:?}");
    }
    let report = report(ended);
    if let Some(report) = &report {
        check_report(report, undisturbed);
    }
    match ended.status {
        Some(0 | 1 | 129 | 130 | 143) => {
            assert!(report.is_some(), "no report: {ended:?}");
            assert_eq!(errors(&ended.stderr), 0, "{ended:?}");
        }
        // The error, and perhaps that findings could not be confirmed for the same reason.
        Some(2) => assert!(matches!(errors(&ended.stderr), 1 | 2), "{ended:?}"),
        Some(_) => panic!("a strange status: {ended:?}"),
        // Before the search begins, signals do what they do to any program.
        None => assert!(report.is_none(), "{ended:?}"),
    }
    report
}

fn errors(stderr: &str) -> usize {
    let is_error = |line: &&str| line.starts_with("error[") || line.starts_with("error:");
    stderr.lines().filter(is_error).count()
}

/// Checks a report: tests and findings are reported once, and "complete" is true.
fn check_report(report: &Value, undisturbed: &Value) {
    let tests = list(report, "tests");
    let ids: Vec<u64> = tests.iter().filter_map(|it| it["id"].as_u64()).collect();
    let expected: Vec<u64> = (1..).take(tests.len()).collect();
    assert_eq!(ids, expected, "numbers of tests");
    let inputs = inputs(report);
    assert_eq!(
        inputs.len(),
        tests.len(),
        "an input is told twice: {report}"
    );
    let mut causes = BTreeSet::new();
    for finding in list(report, "findings") {
        assert_eq!(finding["confirmed"], true, "{finding}");
        let cause = ["class", "reason", "file", "line"].map(|key| finding[key].to_string());
        assert!(causes.insert(cause), "a finding is told twice: {finding}");
        let test = finding["test"]
            .as_u64()
            .and_then(|id| usize::try_from(id).ok());
        let test = test.and_then(|id| tests.get(id.checked_sub(1)?));
        let test = test.unwrap_or_else(|| panic!("no test for {finding}"));
        // An input may be made smaller before it is reported.
        let size = |of: &Value| of["args"].to_string().len();
        assert_eq!(test["outcome"], finding["outcome"], "{finding}");
        assert!(
            size(finding) <= size(test),
            "{finding} is larger than {test}"
        );
    }
    if report["complete"] == true {
        assert_eq!(undisturbed["complete"], true, "it is not complete");
        assert_eq!(inputs, self::inputs(undisturbed), "it is not complete");
        let (found, all) = (list(report, "findings"), list(undisturbed, "findings"));
        assert_eq!(found.len(), all.len(), "findings are lost: {report}");
    }
}

/// The arguments of all tests.
fn inputs(report: &Value) -> BTreeSet<String> {
    let tests = list(report, "tests").iter();
    tests.map(|test| test["args"].to_string()).collect()
}

/// Checks that a search on several machines ended with what one machine finds.
///
/// # Panics
/// When it did not.
pub fn check_same_paths(ended: &Ended, undisturbed: &Value) {
    for word in ["panicked", "internal", "crashed", "bad-log"] {
        assert!(!ended.stderr.contains(word), "{word}: {ended:?}");
    }
    assert!(matches!(ended.status, Some(0 | 1)), "{ended:?}");
    let report = report(ended).expect("there is a report");
    assert_eq!(
        Found::of(&report),
        Found::of(undisturbed),
        "{}",
        ended.stderr
    );
}

/// Resumes the search of a round that kept its runs, and checks that the fault has changed nothing:
/// the report is that of the undisturbed search, and has everything that was reported before.
///
/// # Panics
/// When something was lost.
pub fn check_resumed(round: &Round, before: &Ended, undisturbed: &Value) {
    let ended = round.run(&[&TOTAL[..], &KEPT[..]].concat());
    let resumed = check(&ended, undisturbed).expect("the resumed search has a report");
    for (number, told) in told(&before.stderr) {
        let test = list(&resumed, "tests").get(number - 1);
        let test = test.unwrap_or_else(|| panic!("test {number} is lost: {told}"));
        let arguments = list(test, "args").iter().filter_map(Value::as_str);
        let call = format!("orders:total({})", arguments.collect::<Vec<_>>().join(", "));
        assert!(told.starts_with(&call), "test {number} is another: {told}");
    }
    assert_eq!(lasting(resumed), lasting(undisturbed.clone()));
}

/// The tests that were shown as they ran.
fn told(stderr: &str) -> BTreeMap<usize, &str> {
    let mut tests = BTreeMap::new();
    let lines = stderr.lines().filter_map(|line| line.strip_prefix("test "));
    // The last line of a tool that was killed may be cut.
    for (number, text) in lines.filter_map(|line| line.split_once(": ")) {
        let whole = text.split_once("; ").and_then(|_| number.parse().ok());
        if let Some(number) = whole {
            assert_eq!(tests.insert(number, text), None, "{number} is told twice");
        }
    }
    tests
}

/// A report without the parts that differ from run to run.
pub fn lasting(mut report: Value) -> Value {
    if let Some(statistics) = report.get_mut("stats").and_then(Value::as_object_mut) {
        statistics.retain(|name, _| !name.ends_with("_ms") && !name.ends_with("_kb"));
    }
    report
}
