//! `erlconcolic replay`: saved inputs, run again.

use end_to_end::tool::{Run, Workplace};
use insta::assert_snapshot;
use serde_json::Value;

/// Fails for 7 and is wrong for 9.
const SHOP: &str = "\
-module(shop).
-export([price/1, count/2]).

-spec price(integer()) -> integer().
price(7) -> 1 div 0;
price(9) -> 90;
price(N) -> N.

-spec count(a | b, c | d) -> integer().
count(a, c) -> error(none);
count(_, _) -> 2.
";

fn workplace() -> Workplace {
    let binary = env!("CARGO_BIN_EXE_erlconcolic-under-test");
    Workplace::new(binary).with(&[("src/shop.erl", SHOP)])
}

/// Explores an entry and keeps the report in `report.json`, the runs in `runs/`.
fn explored(place: &Workplace, entry: &str, more: &[&str]) -> Value {
    let arguments = [
        "explore", "--entry", entry, "--format", "json", "--state", "runs",
    ];
    let run = place.run(&[&arguments, more].concat());
    place.write("report.json", run.stdout.as_bytes());
    serde_json::from_str(&run.stdout).expect("the report is JSON")
}

/// Exit status and text.
fn shown(run: &Run) -> String {
    format!("{}status {}", run.stdout, run.status)
}

#[test]
fn findings_still_fail_while_nothing_changes() {
    let place = workplace();
    explored(&place, "price/1", &[]);
    let run = place.run(&["replay", "report.json"]);
    assert_snapshot!(shown(&run));
    assert_eq!(run.stderr, "");
    let state = place.run(&["replay", "runs", "src"]);
    assert_eq!((state.status, &state.stdout), (1, &run.stdout));
}

#[test]
fn fixed_and_broken_inputs_are_listed() {
    let place = workplace();
    explored(&place, "price/1", &[]);
    let corrected = SHOP.replace("1 div 0", "70");
    place.write("src/shop.erl", corrected.as_bytes());
    let run = place.run(&["replay", "report.json", "src"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert!(run.stdout.contains("fixed: shop:price(7)"), "{run:?}");
    let changed = corrected
        .replace("-> 90", "-> throw(no)")
        .replace("price(N) -> N", "price(N) -> -N - 1");
    place.write("src/shop.erl", changed.as_bytes());
    assert_snapshot!(shown(&place.run(&["replay", "report.json", "src"])));
    place.write(
        "src/shop.erl",
        SHOP.replace("1 div 0", "exit(sold)").as_bytes(),
    );
    assert_snapshot!(shown(&place.run(&["replay", "runs", "src"])));
}

#[test]
fn inputs_are_run_on_a_build_folder() {
    let place = workplace();
    explored(&place, "price/1", &[]);
    place.run(&["instrument", "src", "-o", "build"]);
    let run = place.run(&["replay", "report.json"]);
    assert_eq!(run.status, 1, "{run:?}");
    let direct = place.run(&["replay", "report.json", "src"]);
    assert_eq!(run.stdout, direct.stdout);
}

#[test]
fn the_result_can_be_json() {
    let place = workplace();
    let report = explored(&place, "price/1", &[]);
    let run = place.run(&["replay", "report.json", "--format", "json"]);
    let result: Value = serde_json::from_str(&run.stdout).expect("it is JSON");
    let tests = result["tests"].as_array().expect("a list");
    assert_eq!(
        tests.len(),
        report["tests"].as_array().expect("a list").len()
    );
    let failing: Vec<&Value> = tests.iter().filter(|it| it["verdict"] != "same").collect();
    assert_eq!(failing.len(), 1);
    assert_snapshot!(format!("{:#}", failing[0]));
    assert_eq!(result["counts"]["still-fails"], 1);
    assert_eq!(result["ok"], false);
}

#[test]
fn reports_of_several_functions_are_understood() {
    let place = workplace();
    let mut price = explored(&place, "price/1", &[]);
    let count = place.run(&["explore", "--entry", "count/2", "--format", "json"]);
    let mut count: Value = serde_json::from_str(&count.stdout).expect("the report is JSON");
    for key in ["tests", "findings"] {
        let mut all = Vec::new();
        for (report, entry) in [(&mut price, "shop:price/1"), (&mut count, "shop:count/2")] {
            for one in report[key].as_array_mut().expect("a list") {
                one["entry"] = entry.into();
                all.push(one.clone());
            }
        }
        price[key] = all.into();
    }
    price["entry"] = Value::Null;
    place.write("both.json", price.to_string().as_bytes());
    let run = place.run(&["replay", "both.json"]);
    assert_eq!(run.status, 1, "{run:?}");
    assert!(run.stdout.contains("still fails: shop:price(7)"), "{run:?}");
    assert!(
        run.stdout.contains("still fails: shop:count(a, c)"),
        "{run:?}"
    );
}

#[test]
fn a_broken_postcondition_is_checked_again() {
    let source = "-module(m).\n-export([f/1, even/1, few/1]).\n\
                  -spec f(integer()) -> integer().\n\
                  f(3) -> 3;\nf(_) -> 2.\n\
                  even(N) -> N rem 2 =:= 0.\nfew(N) -> N < 100.\n";
    let place = workplace().with(&[("post/m.erl", source)]);
    let conditions = ["--post", "m:even/1", "--pre", "m:few/1"];
    explored(
        &place,
        "m:f/1",
        &[&["post"], conditions.as_slice()].concat(),
    );
    let without = place.run(&["replay", "report.json", "post"]);
    assert_snapshot!(without.failure());
    let arguments = [["replay", "runs", "post"].as_slice(), &conditions].concat();
    let run = place.run(&arguments);
    assert_eq!(run.status, 1, "{run:?}");
    assert!(
        run.stdout
            .contains("still fails: m:f(3): raised error: {postcondition,"),
        "{run:?}"
    );
    assert!(!run.stdout.contains("differently"), "{run:?}");
}

#[test]
fn funs_texts_and_results_with_pids_are_the_same_again() {
    let source = "-module(m).\n-export([f/2]).\n\
                  -spec f(fun((integer()) -> a | b), string()) -> term().\n\
                  f(F, [$\\\" | _]) -> {self(), make_ref(), fun() -> F end};\n\
                  f(F, _) -> case F(3) of a -> F; b -> \"ä\\\"\" end.\n";
    let place = workplace().with(&[("funs/m.erl", source)]);
    explored(&place, "m:f/2", &["funs"]);
    for file in ["report.json", "runs"] {
        let run = place.run(&["replay", file, "funs"]);
        assert_eq!(run.status, 0, "{run:?}");
        assert!(run.stdout.contains("as before"), "{run:?}");
    }
}

#[test]
fn inputs_that_were_refused_a_call_are_not_run() {
    let source = "-module(m).\n-export([f/1]).\n\
                  -spec f(a | b) -> ok.\n\
                  f(a) -> ok;\nf(b) -> file:write_file(\"written\", \"\").\n";
    let place = workplace().with(&[("harm/m.erl", source)]);
    explored(&place, "m:f/1", &["harm"]);
    for file in ["report.json", "runs"] {
        let run = place.run(&["replay", file, "harm"]);
        assert_eq!(run.status, 0, "{run:?}");
        assert!(run.stdout.contains("not run: m:f(b)"), "{run:?}");
    }
    assert!(!place.path("written").exists());
}

/// Makes all tests and findings of a report those of another function.
fn set_entry(report: &mut Value, entry: &str) {
    report["entry"] = entry.into();
    for list in ["tests", "findings"] {
        for item in report[list].as_array_mut().expect("a list") {
            item["entry"] = entry.into();
        }
    }
}

#[test]
fn files_that_cannot_be_replayed_are_named() {
    let place = workplace();
    let mut report = explored(&place, "price/1", &[]);
    let mut texts = Vec::new();
    let mut failure = |file: &str, sources: &[&str]| {
        texts.push(place.run(&[&["replay", file], sources].concat()).failure());
    };
    failure("none.json", &[]);
    failure("src", &[]);
    place.write("cut.json", b"{\"version\": 1, \"tests\": [");
    failure("cut.json", &[]);
    place.write("other.json", b"{\"some\": \"json\"}");
    failure("other.json", &[]);
    place.write(
        "empty.json",
        b"{\"version\": 1, \"entry\": \"shop:price/1\", \"tests\": []}",
    );
    failure("empty.json", &[]);
    place.write("state/runs.journal", b"something else\n");
    failure("state", &[]);
    place.write(
        "killed/runs.journal",
        b"erlconcolic runs 1 abc shop:price/1 def\n",
    );
    failure("killed", &[]);
    set_entry(&mut report, "shop:prize/1");
    place.write("entry.json", report.to_string().as_bytes());
    failure("entry.json", &[]);
    set_entry(&mut report, "shop:price/2");
    place.write("arity.json", report.to_string().as_bytes());
    failure("arity.json", &[]);
    set_entry(&mut report, "shop");
    place.write("function.json", report.to_string().as_bytes());
    failure("function.json", &[]);
    set_entry(&mut report, "shop:count/2");
    place.write("count.json", report.to_string().as_bytes());
    failure("count.json", &[]);
    set_entry(&mut report, "shop:price/1");
    report["tests"][0]["args"][0] = "[1".into();
    place.write("text.json", report.to_string().as_bytes());
    failure("text.json", &[]);
    failure("report.json", &["nowhere"]);
    assert_snapshot!(texts.join("\n\n"));
}

#[test]
fn a_state_that_was_cut_gives_the_runs_that_are_whole() {
    let place = workplace();
    explored(&place, "price/1", &[]);
    let whole = std::fs::read(place.path("runs/runs.journal")).expect("it is there");
    place.write("runs/runs.journal", &whole[..whole.len() - 3]);
    let run = place.run(&["replay", "runs", "--format", "json"]);
    let result: Value = serde_json::from_str(&run.stdout).expect("it is JSON");
    let report: Value = serde_json::from_str(&place.read("report.json")).expect("it is JSON");
    let count = |value: &Value| value["tests"].as_array().map_or(0, Vec::len);
    assert_eq!(count(&result), count(&report) - 1);
}
