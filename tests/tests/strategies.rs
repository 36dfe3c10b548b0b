//! Strategies on a function with a loop over its input that has endless paths, and on one with a
//! clause behind many checks.

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
    for strategy in ["coverage", "dfs", "bfs", "random", "graph"] {
        let report = report(&["--strategy", strategy]);
        let tests = report["tests"].as_array().expect("a list");
        let new = |test: &Value| test["new_clauses"].as_u64().expect("a number");
        assert!(tests.first().map(new) > Some(0), "the first reaches some");
        let all: u64 = tests.iter().map(new).sum();
        assert_eq!(all, clauses(&report, "covered"), "{strategy}");
    }
}

/// How many runs it takes to find the clause behind all checks.
fn runs_to_the_last_check(strategy: &str) -> u64 {
    let place = Workplace::new(env!("CARGO_BIN_EXE_erlconcolic-under-test"));
    let source = package_path("erlang_samples/guarded.erl");
    let source = source.to_str().expect("the path is UTF-8");
    let words = ["explore", source, "--entry", "open/2", "--first"];
    let limits = ["--max-runs", "2000", "--timeout", "600"];
    let more = ["--strategy", strategy, "--paths", "all", "--format", "json"];
    let run = place.run(&[&words[..], &limits, &more].concat());
    assert_eq!(run.status, 1, "{strategy}: {run:?}");
    let report: Value = serde_json::from_str(&run.stdout).expect("the report is JSON");
    let runs = report.pointer("/stats/runs").and_then(Value::as_u64);
    runs.expect("a number")
}

#[test]
fn the_graph_leads_to_a_clause_behind_many_checks() {
    let [graph, depth_first, random] = ["graph", "dfs", "random"].map(runs_to_the_last_check);
    // The seed, one for each check, and one for a lamp that is off.
    assert_eq!(graph, 7);
    assert!(random > 40 * graph, "{random}");
    assert!(depth_first > 100 * graph, "{depth_first}");
}
