//! Values that mean different things on different releases of Erlang/OTP: the order of atoms as
//! keys of maps, zeros, large integers as floats. These tests follow the release that runs.

use std::time::{Duration, Instant};

use end_to_end::exploring::rules_of_release;
use end_to_end::tool::Workplace;
use serde_json::Value;
use solver::{AtomOrder, FloatsOfIntegers, Zeros};

const KEYS: &str = include_str!("values_of_releases/keys.erl");
const NUMBERS: &str = include_str!("values_of_releases/numbers.erl");
const TEXTS: &str = include_str!("values_of_releases/texts.erl");

fn place() -> Workplace {
    Workplace::new(env!("CARGO_BIN_EXE_erlconcolic-under-test")).with(&[
        ("keys.erl", KEYS),
        ("numbers.erl", NUMBERS),
        ("texts.erl", TEXTS),
    ])
}

/// The report on a function.
fn explored(place: &Workplace, entry: &str, more: &[&str]) -> Value {
    let module = entry.split(':').next().unwrap_or_default();
    let source = format!("{module}.erl");
    let words = ["explore", &source, "--entry", entry, "--format", "json"];
    let run = place.run(&[&words[..], more].concat());
    let report = serde_json::from_str(&run.stdout);
    report.unwrap_or_else(|error| panic!("{entry}: {error}\n{}", run.stderr))
}

/// A value in a report.
fn at<'report>(report: &'report Value, pointer: &str) -> &'report Value {
    report.pointer(pointer).unwrap_or(&Value::Null)
}

/// A list in a report.
fn list<'report>(report: &'report Value, pointer: &str) -> &'report [Value] {
    let list = at(report, pointer).as_array();
    list.unwrap_or_else(|| panic!("{pointer} is a list"))
}

/// The reasons of the findings, sorted. Each must have been seen on the original code, and every
/// run must have gone where it was expected to go.
fn reasons(report: &Value) -> Vec<String> {
    let findings = list(report, "/findings").iter();
    let mut confirmed = findings.clone().map(|it| at(it, "/confirmed"));
    assert!(confirmed.all(|it| *it == true), "{report:#}");
    assert_eq!(at(report, "/stats/divergences"), 0, "{report:#}");
    let is_wrong = |gap: &Value| {
        let code = at(gap, "/code").as_str().unwrap_or_default();
        ["bad-log", "divergence"].contains(&code)
    };
    assert!(
        !list(report, "/incomplete").iter().any(is_wrong),
        "{report:#}"
    );
    let reasons = findings.filter_map(|it| at(it, "/reason").as_str());
    let mut reasons: Vec<String> = reasons.map(ToOwned::to_owned).collect();
    reasons.sort();
    reasons
}

#[test]
fn keys_come_in_the_order_of_the_beam() {
    let place = place();
    let report = explored(&place, "keys:named/1", &["--term-depth", "2"]);
    let found = reasons(&report);
    assert!(
        found == ["apple_first"] || found == ["zebra_first"],
        "{found:?}"
    );
    assert_eq!(*at(&report, "/complete"), true, "{report:#}");
    let is_by_text = matches!(rules_of_release().atoms, AtomOrder::ByText);
    assert_eq!(report.get("atoms").is_none(), is_by_text);
    if is_by_text {
        assert_eq!(found, ["apple_first"]);
    }
}

#[test]
fn atoms_are_found_that_are_in_order() {
    let place = place();
    for workers in ["1", "2"] {
        let more = [
            "--term-depth",
            "2",
            "--max-runs",
            "60",
            "--workers",
            workers,
        ];
        let report = explored(&place, "keys:pairs/1", &more);
        assert_eq!(reasons(&report).len(), 2, "{report:#}");
        let report = explored(&place, "keys:folded/1", &more);
        assert_eq!(reasons(&report), ["down", "up"]);
        let report = explored(&place, "keys:iterated/1", &more);
        assert_eq!(reasons(&report), ["iterated"]);
    }
}

#[test]
fn keys_that_the_program_puts_together_are_in_order() {
    let place = place();
    let report = explored(&place, "keys:put/2", &["--term-depth", "1"]);
    let found = reasons(&report);
    assert!(found.contains(&"abc".to_owned()), "{found:?}");
    if !matches!(rules_of_release().atoms, AtomOrder::ByText) {
        assert_eq!(found, ["abc", "bca", "cba"]);
        assert_eq!(*at(&report, "/complete"), true, "{report:#}");
    }
}

#[test]
fn an_atom_that_a_run_makes_is_in_order() {
    let place = place();
    let report = explored(
        &place,
        "keys:made/1",
        &["--term-depth", "2", "--max-runs", "60"],
    );
    let expected = match rules_of_release().atoms {
        AtomOrder::ByText => "before_middle",
        AtomOrder::Unasked(_) | AtomOrder::OfBeam(_) => "after_middle",
    };
    let found = reasons(&report);
    assert!(found.contains(&expected.to_owned()), "{found:?}");
}

#[test]
fn keys_with_atoms_inside_and_whole_maps_are_compared_by_text() {
    let place = place();
    let report = explored(&place, "keys:inside/2", &["--term-depth", "2"]);
    assert_eq!(reasons(&report), ["inside"]);
    let report = explored(&place, "keys:compared/1", &["--term-depth", "2"]);
    assert_eq!(reasons(&report), ["less"]);
}

#[test]
fn a_resumed_search_and_a_replay_have_the_order_of_the_first() {
    let place = place();
    let entry = "keys:folded/1";
    let more = ["--term-depth", "2", "--max-runs", "30", "--state", "state"];
    let first = explored(&place, entry, &more);
    let again = explored(&place, entry, &[&more[..], &["--resume"]].concat());
    assert_eq!(reasons(&first), reasons(&again));
    assert_eq!(at(&first, "/tests"), at(&again, "/tests"));
    assert_eq!(at(&first, "/atoms"), at(&again, "/atoms"));
    place.write("report.json", first.to_string().as_bytes());
    for saved in ["report.json", "state"] {
        let run = place.run(&["replay", saved, "keys.erl", "--format", "json"]);
        let replayed: Value = serde_json::from_str(&run.stdout).expect("an object");
        for verdict in [
            "differs",
            "fails-otherwise",
            "fixed",
            "now-fails",
            "not-run",
        ] {
            assert_eq!(replayed["counts"][verdict], 0, "{verdict}: {replayed:#}");
        }
    }
}

#[test]
fn zeros_are_one_value_or_two() {
    let place = place();
    let are_two = rules_of_release().zeros == Zeros::Different;
    for (entry, if_two) in [
        ("numbers:other_zero/1", vec!["negative"]),
        ("numbers:matched_zero/1", vec!["negative", "positive"]),
        ("numbers:member/1", vec!["missing"]),
        ("numbers:both_keys/2", vec!["two_keys"]),
        ("numbers:negated/1", vec!["other_sign"]),
        ("numbers:from_bits/1", vec!["negative"]),
    ] {
        let report = explored(&place, entry, &["--max-runs", "100"]);
        let expected = match entry {
            _ if are_two => if_two,
            "numbers:matched_zero/1" => vec!["positive"],
            _ => Vec::new(),
        };
        assert_eq!(reasons(&report), expected, "{entry}: {report:#}");
    }
}

#[test]
fn large_integers_become_floats_as_on_the_beam() {
    let report = explored(&place(), "numbers:large/1", &["--max-runs", "50"]);
    let expected = match rules_of_release().floats {
        FloatsOfIntegers::DigitByDigit => "down",
        FloatsOfIntegers::Nearest => "nearest",
    };
    assert_eq!(reasons(&report), [expected]);
}

#[test]
#[ignore = "takes a minute; `make slow-tests` runs it"]
fn a_text_that_must_be_that_of_an_atom_is_found_in_time() {
    let place = place();
    for entry in [
        "texts:of_list/1",
        "texts:of_binary/1",
        "texts:existing/1",
        "texts:existing_binary/1",
        "texts:joined/2",
        "texts:of_input/2",
    ] {
        let start = Instant::now();
        let report = explored(&place, entry, &["--timeout", "20"]);
        assert!(reasons(&report).contains(&"found".to_owned()), "{report:#}");
        // It ends after its time, also on a busy machine.
        assert!(start.elapsed() < Duration::from_secs(120), "{entry}");
    }
}
