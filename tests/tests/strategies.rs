//! Strategies on a function with a loop over its input that has endless paths.

use end_to_end::erlang::package_path;
use end_to_end::tool::Workplace;
use serde_json::Value;

const RUNS: &str = "300";

/// The report of a search that ends after a number of runs.
fn report(strategy: &[&str]) -> Value {
    let place = Workplace::new(env!("CARGO_BIN_EXE_erlconcolic-under-test"));
    let source = package_path("erlang_samples/endless_text.erl");
    let source = source.to_str().expect("the path is UTF-8");
    let words = ["explore", source, "--entry", "send/2", "--max-runs", RUNS];
    let limits = ["--timeout", "600", "--format", "json"];
    let words = [&words[..], &limits, strategy].concat();
    let run = place.run(&words);
    assert_eq!(run.status, 0, "{run:?}");
    serde_json::from_str(&run.stdout).expect("the report is JSON")
}

fn clauses(report: &Value, which: &str) -> u64 {
    let count = report.pointer(&format!("/coverage/clauses/{which}"));
    count.and_then(Value::as_u64).expect("a number")
}

#[test]
fn depth_first_search_gets_stuck_in_a_loop() {
    let report = report(&["--strategy", "dfs"]);
    assert_eq!(report["stats"]["runs"], 300);
    let (covered, total) = (clauses(&report, "covered"), clauses(&report, "total"));
    assert!(covered * 2 < total, "{covered} of {total}");
    let tests = report["tests"].as_array().expect("a list");
    assert!(tests.iter().all(|test| test["args"][0] == "post"));
}

#[test]
fn the_default_reaches_every_clause_after_and_beside_a_loop() {
    let report = report(&[]);
    assert_eq!(clauses(&report, "covered"), clauses(&report, "total"));
    assert_eq!(report["coverage"]["missed"], Value::Array(Vec::new()));
    assert_eq!(report["complete"], false, "the loop has no last path");
}

#[test]
fn tests_say_how_many_clauses_they_reached_first() {
    for strategy in ["coverage", "dfs", "bfs", "random"] {
        let report = report(&["--strategy", strategy]);
        let tests = report["tests"].as_array().expect("a list");
        let new = |test: &Value| test["new_clauses"].as_u64().expect("a number");
        assert!(tests.first().map(new) > Some(0), "the first reaches some");
        let all: u64 = tests.iter().map(new).sum();
        assert_eq!(all, clauses(&report, "covered"), "{strategy}");
    }
}
