//! Library functions with parts of the input as arguments: a search follows them or their models, no
//! run leaves the path that was predicted for it, and each returns what the real functions return.

use std::fmt::Write;
use std::fs;

use end_to_end::erlang::{compile_folders, erlc, run_main, temporary_folder};
use end_to_end::tool::Workplace;
use serde_json::Value;

const BINARY: &str = env!("CARGO_BIN_EXE_erlconcolic-under-test");
const CALLS: &str = include_str!("models/library_calls.erl");

/// Runs of all functions together.
const RUNS: &str = "1500";
/// Fewer tests of a function show nothing.
const LEAST: usize = 5;

fn text<'json>(test: &'json Value, key: &str) -> &'json str {
    test[key].as_str().unwrap_or_default()
}

/// `{Name, Arguments, {ok, Result}}.` or `{Name, Arguments, {Class, Reason}}.`
fn written(test: &Value) -> Option<String> {
    let name = text(test, "entry").split([':', '/']).nth(1)?;
    let arguments = test["args"].as_array()?.iter();
    let arguments: Vec<&str> = arguments.filter_map(Value::as_str).collect();
    let end = match text(test, "outcome") {
        "ok" => format!("{{ok, {}}}", text(test, "result")),
        "error" | "throw" | "exit" => {
            format!("{{{}, {}}}", text(test, "class"), text(test, "reason"))
        }
        _ => return None,
    };
    let arguments = arguments.join(", ");
    let is_whole = !end.contains("...") && !end.contains('#') && !arguments.contains(" ... ");
    is_whole.then(|| format!("{{{name}, [{arguments}], {end}}}.\n"))
}

#[test]
fn library_functions_return_the_same_when_they_are_followed() {
    let place = Workplace::new(BINARY).with(&[("library_calls.erl", CALLS)]);
    let words = ["--term-depth", "5", "--max-runs", RUNS, "--format", "json"];
    let run = place.run(&[&["explore", "library_calls.erl", "--all"], &words[..]].concat());
    let report: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{run:?}"));
    assert_eq!(report["stats"]["divergences"], 0);
    let tests = report["tests"].as_array().expect("tests are a list");
    let mut calls = String::new();
    for test in tests {
        let _ = write!(calls, "{}", written(test).unwrap_or_default());
    }
    for entry in report["entries"].as_array().expect("a list") {
        let name = entry["entry"].as_str().or(entry.as_str()).expect("a name");
        let count = tests.iter().filter(|it| text(it, "entry") == name).count();
        assert!(count >= LEAST, "{name} has {count} tests");
    }
    let (tools, folder) = (compile_folders(&["erlang"]), temporary_folder());
    erlc(tools.path(), [], &[place.path("library_calls.erl")]);
    let file = folder.path().join("calls");
    fs::write(&file, calls).expect("the calls can be written");
    let finished = run_main(tools.path(), "call_check", &[&file]);
    assert_eq!(finished.status, 0, "{}", finished.text);
}
