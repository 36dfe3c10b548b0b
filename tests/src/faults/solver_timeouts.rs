//! Z3 gives up on every question: what it would have found is skipped, and the report says so.

use serde_json::Value;

use super::Programs;
use super::laws::{check, undisturbed};
use super::round::Round;
use crate::random_programs::Random;
use crate::report_values::{at, list};

const ROOT: [&str; 8] = [
    "explore",
    "orders.erl",
    "--entry",
    "root/2",
    "--paths",
    "all",
    "--format",
    "json",
];

/// One search.
///
/// # Panics
/// When a law is broken.
pub fn round(programs: &Programs, random: &mut Random) {
    let expected = undisturbed(programs, &ROOT);
    let round = Round::new(programs);
    let workers = ["--workers", if random.chance(50) { "1" } else { "2" }];
    let ended = round.run(&[&ROOT[..], &["--without", "z3"], &workers[..]].concat());
    let report = check(&ended, &expected).expect("there is a report");
    assert_eq!(*at(&report, "/complete"), false, "{report}");
    let gaps = list(&report, "incomplete");
    assert!(gaps.iter().any(|gap| gap["code"] == "unsolved"), "{report}");
    let found = |report: &Value| list(report, "tests").len();
    assert!(
        found(&report) < found(&expected),
        "Z3 was not needed: {report}"
    );
    round.check_nothing_left(&[]);
}
