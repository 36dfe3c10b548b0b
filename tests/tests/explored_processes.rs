//! Programs with processes: orders of their steps searched together with inputs.

use std::fs;

use end_to_end::erlang::package_path;
use end_to_end::otp;
use end_to_end::tool::{Run, Workplace};
use serde_json::{Value, json};

const PROGRAMS: &str = "erlang_samples/raced.erl";

fn workplace() -> Workplace {
    let text = fs::read_to_string(package_path(PROGRAMS)).expect("the programs are there");
    let binary = env!("CARGO_BIN_EXE_erlconcolic-under-test");
    Workplace::new(binary).with(&[("raced.erl", &text)])
}

/// Explores a function of one argument, with more options.
fn explore(place: &Workplace, name: &str, options: &[&str]) -> Run {
    let entry = format!("{name}/1");
    let fixed = ["explore", "raced.erl", "--entry", &entry, "--quiet"];
    place.run(&[&fixed[..], options].concat())
}

fn report(place: &Workplace, name: &str, options: &[&str]) -> Value {
    let run = explore(place, name, &[options, &["--format", "json"]].concat());
    serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{name}: {run:?}"))
}

fn list<'report>(object: &'report Value, key: &str) -> &'report [Value] {
    object[key].as_array().map_or(&[], Vec::as_slice)
}

/// The findings: process, outcome and reason.
fn crashes(report: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let findings = list(report, "findings").iter();
    findings
        .map(|it| {
            let [process, outcome, reason] =
                ["process", "outcome", "reason"].map(|it_is| text(&it[it_is]));
            format!("{process} {outcome} {reason}")
        })
        .collect()
}

/// The gaps: code and subject.
fn gaps(report: &Value) -> Vec<(&str, &str)> {
    let gaps = list(report, "incomplete").iter();
    gaps.filter_map(|it| Some((it["code"].as_str()?, it["what"].as_str()?)))
        .collect()
}

/// The results of all tests that returned, each once.
fn results(report: &Value) -> Vec<&str> {
    let tests = list(report, "tests").iter();
    let mut results: Vec<&str> = tests.filter_map(|it| it["result"].as_str()).collect();
    results.sort_unstable();
    results.dedup();
    results
}

#[test]
fn a_crash_that_needs_an_input_and_an_order_is_found() {
    let place = workplace();
    let report = report(&place, "sum", &[]);
    assert_eq!(crashes(&report), ["0 error badarith"]);
    assert_eq!((&report["complete"], gaps(&report)), (&json!(true), vec![]));
    let finding = &report["findings"][0];
    assert_eq!(finding["args"], json!(["7"]));
    assert_eq!(list(finding, "race").len(), 2);
    let on_code = finding["confirmed_on"] == "code";
    assert_eq!(finding["confirmed"], json!(on_code));
    assert_eq!(
        report["model"],
        json!({"delivery": "instant", "time": "quiet"})
    );
    for key in ["schedules", "steps", "races"] {
        assert!(report["stats"][key].as_u64() > Some(0), "{key}");
    }
    let test = &report["tests"][0];
    assert_eq!(
        test["processes"][1],
        json!({"path": "0.1", "entry": "fun in raced:sum/1", "end": "normal"})
    );
    assert!(test["schedule"].is_string(), "{test:#}");
}

#[test]
fn a_function_that_waits_without_other_processes_is_found() {
    let place = workplace();
    let report = report(&place, "waits", &["--run-timeout", "60000"]);
    assert_eq!(crashes(&report), ["0 deadlock -"]);
    assert_eq!(report["complete"], true);
    let finding = &report["findings"][0];
    assert_eq!(
        finding["waiting"],
        json!([{
            "process": "0", "function": "raced:waits/1", "file": "raced.erl", "line": 12,
        }])
    );
    assert_eq!(finding["schedule"], Value::Null);
    assert_eq!(finding["confirmed_on"], "code");
}

#[test]
fn one_crash_that_takes_others_along_is_one_finding() {
    let place = workplace();
    let report = report(&place, "linked", &[]);
    assert_eq!(crashes(&report), ["0.1 error badarith"]);
    assert_eq!(report["findings"][0]["line"], 19);
    assert_eq!(report["findings"][0]["race"], Value::Null);
}

#[test]
fn processes_that_end_as_they_should_are_no_findings() {
    let place = workplace();
    for name in ["quits", "fine", "order"] {
        let report = report(&place, name, &[]);
        assert_eq!(crashes(&report), [""; 0], "{name}");
    }
}

#[test]
fn busy_waiting_is_a_long_run() {
    let place = workplace();
    let report = report(&place, "busy", &["--max-steps", "100"]);
    assert_eq!(crashes(&report), [""; 0]);
    assert!(gaps(&report).iter().any(|it| it.0 == "long-run"));
    assert_eq!(report["complete"], false);
    assert_eq!(report["tests"][0]["outcome"], "steps");
}

#[test]
fn what_is_not_controlled_is_named() {
    let place = workplace();
    let server = if otp::release() < 29 {
        "pg:init/1"
    } else {
        "data_publisher:init/1"
    };
    for (name, what) in [
        ("asks", "erlang:'!'/2"),
        ("server", server),
        ("sends_outside", "erlang:send/2"),
        ("stores_outside", "ets:insert/2"),
        ("wakes_outside", "erlang:send/2"),
    ] {
        let report = report(&place, name, &[]);
        assert_eq!(crashes(&report), [""; 0], "{name}");
        let is_named = gaps(&report).contains(&("uncontrolled", what));
        assert!(is_named, "{:?}", gaps(&report));
    }
}

#[test]
fn a_search_is_not_complete_if_times_depend_on_the_input() {
    let place = workplace();
    let report = report(&place, "times", &[]);
    let what = "the order of times that depend on the input";
    assert_eq!(gaps(&report), [("opaque-call", what)]);
    assert_eq!(report["complete"], false);
}

#[test]
fn a_process_that_hibernates_is_searched_further() {
    let place = workplace();
    let report = report(&place, "hibernates", &[]);
    assert_eq!(crashes(&report), ["0 error badarith"]);
    assert_eq!(report["findings"][0]["args"], json!(["7"]));
    assert_eq!(gaps(&report), []);
    assert_eq!(report["complete"], true);
}

#[test]
fn without_schedules_processes_run_as_they_come() {
    let place = workplace();
    let report = report(&place, "fine", &["--schedules", "none"]);
    assert_eq!(crashes(&report), [""; 0]);
    let named = ("uncontrolled", "fun in raced:fine/1");
    assert!(gaps(&report).contains(&named), "{:?}", gaps(&report));
    assert_eq!(report["stats"]["schedules"], 0);
    assert_eq!(report["tests"][0]["schedule"], Value::Null);
}

#[test]
fn switches_can_be_bounded() {
    let place = workplace();
    let all = report(&place, "order", &[]);
    assert_eq!(
        (results(&all), &all["complete"]),
        (vec!["1", "2"], &json!(true))
    );
    let few = report(&place, "order", &["--max-switches", "1"]);
    assert_eq!(results(&few), ["1"]);
    assert!(gaps(&few).iter().any(|it| it.0 == "schedule-bound"));
}

#[test]
fn times_may_be_over_at_any_moment() {
    let place = workplace();
    let quiet = report(&place, "sleeps", &[]);
    assert_eq!(crashes(&quiet), [""; 0]);
    let any = report(&place, "sleeps", &["--time", "any"]);
    assert_eq!(crashes(&any), ["0 error badarith"]);
    assert_eq!(any["model"]["time"], "any");
}

#[test]
fn a_poll_is_tried_before_and_after_the_message() {
    let place = workplace();
    let report = report(&place, "polls", &[]);
    assert_eq!(crashes(&report), ["0 error late"]);
    assert_eq!(results(&report), ["nothing", "received"]);
}

#[test]
fn a_name_may_not_be_there_yet() {
    let place = workplace();
    let report = report(&place, "named", &[]);
    assert_eq!(crashes(&report), ["0 error badarg"]);
    assert_eq!(report["findings"][0]["args"], json!(["3"]));
}

#[test]
fn saved_runs_keep_their_schedules() {
    let place = workplace();
    let first = report(&place, "sum", &["--state", "runs"]);
    let again = report(&place, "sum", &["--state", "runs", "--resume"]);
    assert_eq!(again["stats"]["runs"], first["stats"]["runs"]);
    assert_eq!(again["tests"], first["tests"]);
    for saved in ["runs", "report.json"] {
        place.write("report.json", first.to_string().as_bytes());
        let run = place.run(&["replay", saved, "raced.erl", "--format", "json"]);
        let replayed: Value = serde_json::from_str(&run.stdout).expect("it prints JSON");
        let verdicts = list(&replayed, "tests").iter().map(|it| &it["verdict"]);
        let verdicts: Vec<&Value> = verdicts.collect();
        let fails = verdicts.iter().filter(|it| **it == "still-fails").count();
        let same = verdicts.iter().filter(|it| **it == "same").count();
        assert!(fails > 0 && fails + same == verdicts.len(), "{verdicts:?}");
    }
}

#[test]
fn several_workers_find_the_same() {
    let place = workplace();
    let one = report(&place, "sum", &[]);
    let three = report(&place, "sum", &["--workers", "3"]);
    assert_eq!(crashes(&three), crashes(&one));
    assert_eq!(three["complete"], true);
    assert_eq!(list(&three, "tests").len(), list(&one, "tests").len());
}

#[test]
fn inputs_whose_results_depend_on_the_order_become_comments() {
    let place = workplace();
    let run = explore(&place, "order", &["--eunit", "raced_tests.erl"]);
    assert_eq!(run.status, 0, "{run:?}");
    let text = fs::read_to_string(place.path("raced_tests.erl")).expect("it is written");
    assert!(text.contains("depends on the order"), "{text}");
    assert!(!text.contains("assertEqual"), "{text}");
    let run = explore(&place, "fine", &["--eunit", "fine_tests.erl"]);
    assert_eq!(run.status, 0, "{run:?}");
    let text = fs::read_to_string(place.path("fine_tests.erl")).expect("it is written");
    assert!(
        text.contains("?_assertEqual([0,0], raced:fine(0))"),
        "{text}"
    );
}

#[test]
fn the_first_crash_of_any_process_ends_the_search() {
    let place = workplace();
    let report = report(&place, "linked", &["--first"]);
    assert_eq!(crashes(&report), ["0.1 error badarith"]);
}
