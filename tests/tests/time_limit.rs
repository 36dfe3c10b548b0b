//! `--timeout` is the time of the whole command. The bounds are generous: what is tested would take
//! many times as long without the limit.

use std::time::{Duration, Instant};

use end_to_end::tool::{Run, Workplace};
use serde_json::Value;

fn workplace(files: &[(&str, &str)]) -> Workplace {
    Workplace::new(env!("CARGO_BIN_EXE_erlconcolic-under-test")).with(files)
}

/// A search with a limit in seconds, and a limit of each run in milliseconds.
fn explored(place: &Workplace, seconds: &str, of_runs: &str, more: &[&str]) -> Run {
    let limits = ["--timeout", seconds, "--run-timeout", of_runs];
    place.run(&[&["explore", "--format", "json"], &limits[..], more].concat())
}

fn report(run: &Run) -> Value {
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {run:?}"))
}

fn codes(report: &Value) -> Vec<&str> {
    let gaps = report["incomplete"].as_array().expect("gaps are a list");
    gaps.iter().filter_map(|gap| gap["code"].as_str()).collect()
}

#[test]
fn a_run_is_cut_short_and_is_no_finding() {
    let place = workplace(&[(
        "loops.erl",
        "-module(loops).\n-export([f/1]).\nf(X) -> f(X).\n",
    )]);
    let start = Instant::now();
    let run = explored(&place, "15", "600000", &["loops.erl", "--entry", "f/1"]);
    assert!(start.elapsed() < Duration::from_secs(120), "{run:?}");
    assert_eq!(run.status, 0, "{run:?}");
    let report = report(&run);
    assert_eq!(report["tests"], Value::Array(Vec::new()), "{report:#}");
    assert_eq!(report["findings"], Value::Array(Vec::new()));
    assert_eq!(codes(&report), ["stopped"]);
}

#[test]
fn a_crash_that_cannot_be_run_again_in_time_is_a_gap() {
    let place = workplace(&[(
        "counts.erl",
        "-module(counts).\n-export([f/1]).\n-spec f(integer()) -> ok.\n\
         f(-1) -> error(bug);\nf(-2) -> f(-2);\n\
         f(N) when N > 0 -> f(N - 3);\nf(_) -> ok.\n",
    )]);
    let arguments = ["counts.erl", "--entry", "f/1", "--state", "runs"];
    let run = explored(&place, "20", "12000", &arguments);
    assert_eq!(run.status, 1, "{run:?}");
    let first = report(&run);
    assert_eq!(first["findings"][0]["reason"], "bug", "{first:#}");
    assert_eq!(first["findings"][1], Value::Null, "{first:#}");
    assert!(codes(&first).contains(&"unchecked-crash"), "{first:#}");
    assert!(!codes(&first).contains(&"unconfirmed"), "{first:#}");
}

#[test]
fn there_is_time_to_confirm_a_run_that_does_not_end() {
    let place = workplace(&[(
        "loops.erl",
        "-module(loops).\n-export([f/1]).\n-spec f(integer()) -> ok.\n\
         f(N) when N > 0 -> f(N - 1);\nf(0) -> ok;\nf(N) -> f(N).\n",
    )]);
    let run = explored(&place, "30", "4000", &["loops.erl", "--entry", "f/1"]);
    assert_eq!(run.status, 1, "{run:?}");
    let report = report(&run);
    assert!(!codes(&report).contains(&"unchecked-crash"), "{report:#}");
    assert_eq!(report["findings"][0]["confirmed"], true, "{report:#}");
}

#[test]
fn compiling_may_take_all_the_time() {
    let place = workplace(&[
        (
            "slow.erl",
            "-module(slow).\n-export([parse_transform/2]).\n\
             parse_transform(Forms, _) -> timer:sleep(600000), Forms.\n",
        ),
        (
            "waits.erl",
            "-module(waits).\n-compile({parse_transform, slow}).\n-export([f/1]).\nf(X) -> X.\n",
        ),
    ]);
    let start = Instant::now();
    let run = explored(&place, "3", "1000", &["waits.erl", "--entry", "f/1"]);
    assert!(start.elapsed() < Duration::from_secs(120), "{run:?}");
    assert_eq!(run.status, 2, "{run:?}");
    assert!(run.stderr.contains("error[no-time]"), "{run:?}");
    assert!(run.stderr.contains("--timeout"), "{run:?}");
}

#[test]
fn without_any_time_nothing_is_searched() {
    let place = workplace(&[("m.erl", "-module(m).\n-export([f/1]).\nf(X) -> X.\n")]);
    let run = explored(&place, "0", "1000", &["m.erl", "--entry", "f/1"]);
    assert_eq!(run.status, 2, "{run:?}");
    assert!(run.stderr.contains("error[no-time]"), "{run:?}");
}

/// Results that share parts: walked through part by part, each would be met 2^60 times.
#[test]
fn results_that_share_parts_take_no_longer() {
    let place = workplace(&[(
        "shared.erl",
        "-module(shared).\n-export([squares/1, quotients/1]).\n\
         -spec squares(0..1000000) -> ok.\n\
         squares(X) -> check(square(X, 60)).\n\
         square(X, 0) -> X;\nsquare(X, N) -> square(X * X rem 1000003, N - 1).\n\
         -spec quotients(0..1000000) -> ok.\n\
         quotients(X) -> check(quotient(X, 60)).\n\
         quotient(X, 0) -> X;\n\
         quotient(X, N) -> quotient(X div 3 + (X rem 5) * X, N - 1).\n\
         check(17) -> error(found);\ncheck(_) -> ok.\n",
    )]);
    for entry in ["squares/1", "quotients/1"] {
        let start = Instant::now();
        let run = explored(&place, "15", "5000", &["shared.erl", "--entry", entry]);
        assert!(start.elapsed() < Duration::from_secs(120), "{run:?}");
        assert_eq!(report(&run)["stats"]["divergences"], 0, "{run:?}");
    }
}
