//! Programs with processes, searched with messages that take their time.

use std::fs;

use end_to_end::erlang::package_path;
use end_to_end::tool::Workplace;
use serde_json::{Value, json};

const PROGRAMS: &str = "erlang_samples/delivered.erl";
const ANY: &[&str] = &["--delivery", "any"];

fn workplace() -> Workplace {
    let text = fs::read_to_string(package_path(PROGRAMS)).expect("the programs are there");
    let binary = env!("CARGO_BIN_EXE_erlconcolic-under-test");
    Workplace::new(binary).with(&[("delivered.erl", &text)])
}

fn report(place: &Workplace, name: &str, options: &[&str]) -> Value {
    let entry = format!("{name}/1");
    let fixed = ["explore", "delivered.erl", "--entry", &entry, "--quiet"];
    let run = place.run(&[&fixed[..], &["--format", "json"], options].concat());
    serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{name}: {run:?}"))
}

fn list<'report>(object: &'report Value, key: &str) -> &'report [Value] {
    object[key].as_array().map_or(&[], Vec::as_slice)
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

/// Neither a finding nor a gap.
fn assert_fine(report: &Value, what: &str) {
    assert_eq!(report["findings"], json!([]), "{what}");
    assert_eq!(
        (&report["complete"], gaps(report)),
        (&json!(true), vec![]),
        "{what}"
    );
}

#[test]
fn a_message_that_overtakes_another_one_is_found() {
    let place = workplace();
    let instant = report(&place, "triangle", &[]);
    assert_fine(&instant, "messages arrive when they are sent");
    assert_eq!(instant["model"]["delivery"], "instant");
    let any = report(&place, "triangle", ANY);
    assert_eq!(any["model"], json!({"delivery": "any", "time": "quiet"}));
    assert_eq!((&any["complete"], gaps(&any)), (&json!(true), vec![]));
    let [finding] = list(&any, "findings") else {
        panic!("there is one finding: {any:#}");
    };
    assert_eq!(finding["process"], "0.1");
    assert_eq!(finding["reason"], "overtaken");
    assert_eq!(finding["args"], json!(["7"]));
    assert_eq!(finding["confirmed_on"], "schedule");
    assert_eq!(finding["confirmed"], false);
    let lines = list(finding, "race").iter().map(|it| &it["line"]);
    assert_eq!(lines.collect::<Vec<_>>(), [26, 27]);
    let schedule = finding["schedule"].as_str().expect("it needs a schedule");
    assert!(schedule.contains("0.2>0.1"), "{schedule}");
}

#[test]
fn a_finding_is_shown_again() {
    let place = workplace();
    let found = report(&place, "triangle", ANY);
    let schedule = found["findings"][0]["schedule"].as_str();
    let schedule = schedule.expect("it needs a schedule");
    let fixed = ["run", "delivered.erl", "--entry", "triangle/1"];
    let given = ["--args", "[7]", "--format", "json", "--schedule", schedule];
    for options in [ANY, &[]] {
        let run = place.run(&[&fixed[..], &given, options].concat());
        let run: Value = serde_json::from_str(&run.stdout).expect("it prints JSON");
        assert_eq!(run["followed"], true, "{run:#}");
        assert_eq!(run["schedule"], schedule, "{run:#}");
        assert!(run["processes"][1]["end"].to_string().contains("overtaken"));
    }
    place.write("report.json", found.to_string().as_bytes());
    let run = place.run(&["replay", "report.json", "delivered.erl", "--format", "json"]);
    let replayed: Value = serde_json::from_str(&run.stdout).expect("it prints JSON");
    let verdicts = list(&replayed, "tests").iter().map(|it| &it["verdict"]);
    let verdicts: Vec<&Value> = verdicts.collect();
    let fails = verdicts.iter().filter(|it| **it == "still-fails").count();
    let same = verdicts.iter().filter(|it| **it == "same").count();
    assert!(fails > 0 && fails + same == verdicts.len(), "{verdicts:?}");
}

#[test]
fn the_report_says_how_to_see_it_again() {
    let place = workplace();
    let entry = ["explore", "delivered.erl", "--entry", "triangle/1"];
    let run = place.run(&[&entry[..], ANY, &["--quiet"]].concat());
    assert_eq!(run.status, 1);
    let words = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("--delivery any"), "{words}");
    assert!(words.contains("runs without this schedule did not show it"));
}

#[test]
fn programs_that_do_not_rely_on_it_are_complete() {
    let place = workplace();
    for name in ["patient_triangle", "in_order", "relay", "remains", "sleeps"] {
        assert_fine(&report(&place, name, ANY), name);
    }
}

#[test]
fn a_message_may_be_under_way_when_others_know_of_it() {
    let place = workplace();
    let instant = report(&place, "polls", &[]);
    assert_eq!(results(&instant), ["not_sent", "received"]);
    let any = report(&place, "polls", ANY);
    assert_eq!(results(&any), ["not_sent", "received", "under_way"]);
    assert_eq!((&any["complete"], gaps(&any)), (&json!(true), vec![]));
}

#[test]
fn whoever_asks_a_process_has_sent_it_all_messages_before() {
    let place = workplace();
    let any = report(&place, "asks", ANY);
    assert_eq!(results(&any), results(&report(&place, "asks", &[])));
    assert!(!results(&any).contains(&"0") || results(&any).contains(&"1"));
}

#[test]
fn a_signal_that_could_take_its_time_is_named() {
    let place = workplace();
    let any = report(&place, "signals", ANY);
    assert_eq!(gaps(&any), [("uncontrolled", "erlang:exit/2")]);
    assert_eq!(gaps(&report(&place, "signals", &[])), []);
}

#[test]
fn saved_runs_are_of_one_delivery() {
    let place = workplace();
    let options = [ANY, &["--state", "runs"]].concat();
    let first = report(&place, "triangle", &options);
    let again = report(&place, "triangle", &[&options[..], &["--resume"]].concat());
    assert_eq!(again["tests"], first["tests"]);
    let fixed = ["explore", "delivered.erl", "--entry", "triangle/1"];
    let other = place.run(&[&fixed[..], &["--state", "runs", "--resume"]].concat());
    assert!(other.stderr.contains("state-mismatch"), "{}", other.stderr);
}

#[test]
fn several_workers_find_the_same() {
    let place = workplace();
    let one = report(&place, "triangle", ANY);
    let three = report(&place, "triangle", &[ANY, &["--workers", "3"]].concat());
    assert_eq!(list(&three, "findings").len(), 1);
    assert_eq!(list(&three, "tests").len(), list(&one, "tests").len());
    assert_eq!(three["complete"], true);
}

/// Deliveries are no switches.
#[test]
fn switches_are_those_of_processes() {
    let place = workplace();
    let few = report(
        &place,
        "in_order",
        &[ANY, &["--max-switches", "1"]].concat(),
    );
    assert_fine(&few, "in_order");
    assert_eq!(few["stats"]["switches"], few["stats"]["schedules"]);
}
