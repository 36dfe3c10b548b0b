//! The corner cases of `same_meaning`, explored: each is a clause, so the search must find all of
//! them; each ends as in the original code, and every log can be read.

use std::collections::{BTreeMap, HashMap};
use std::fs;

use end_to_end::erlang::{erlc, evaluate, package_path, temporary_folder};
use end_to_end::tool::Workplace;
use serde_json::Value;

/// The program waits with an invalid timeout, which no log shows; see docs/limitations.md.
const UNREADABLE: [(&str, &str); 1] = [("receives", "bad_timeout")];

/// By function and case: how the original code ends.
fn original_outcomes() -> BTreeMap<String, HashMap<String, String>> {
    let folder = temporary_folder();
    erlc(
        folder.path(),
        [],
        &[package_path("erlang/corner_cases.erl")],
    );
    let print = "io:setopts([{encoding, unicode}]), \
                 [io:format(\"~w ~w ~0tp~n\", [Function, Case, Outcome]) || \
                  {{_, Function, [Case]}, {_, Outcome}} \
                  <- lists:zip(corner_cases:cases(), corner_cases:run())], halt().";
    let finished = evaluate(folder.path(), print);
    assert_eq!(finished.status, 0, "{}", finished.text);
    let mut outcomes: BTreeMap<String, HashMap<String, String>> = BTreeMap::new();
    for line in finished.text.lines() {
        let mut words = line.splitn(3, ' ').map(str::to_owned);
        if let (Some(function), Some(case), Some(outcome)) =
            (words.next(), words.next(), words.next())
        {
            outcomes.entry(function).or_default().insert(case, outcome);
        }
    }
    outcomes
}

/// What `corner_cases:run/0` writes for values that differ from run to run.
const REWRITTEN: [&str; 4] = ["{'fun',", "{zero,", ",stack}", "[pid,"];

/// How a test ended, written as the original's end is.
fn outcome(test: &Value) -> String {
    let text = |key: &str| test[key].as_str().unwrap_or_default().to_owned();
    match test["outcome"].as_str() {
        Some("ok") => format!("{{value,{}}}", text("result")),
        _ => format!("{{{},{}}}", text("class"), text("reason")),
    }
}

/// For each pair of texts, whether they are the same value. Reports write values as people do, OTP
/// does not.
fn are_same(pairs: &[(String, String)]) -> Vec<bool> {
    let folder = temporary_folder();
    let pairs = pairs
        .iter()
        .map(|(ours, theirs)| format!("({ours}) =:= ({theirs})"));
    let pairs = pairs.collect::<Vec<_>>().join(",\n");
    let script = format!("%% coding: utf-8\n[{pairs}].\n");
    fs::write(folder.path().join("same.script"), script).expect("it can be written");
    let print = "{ok, Same} = file:script(\"same.script\"), \
                 [io:format(\"~w~n\", [Is]) || Is <- Same], halt().";
    let finished = evaluate(folder.path(), print);
    assert_eq!(finished.status, 0, "{}", finished.text);
    finished.text.lines().map(|line| line == "true").collect()
}

#[test]
fn exploring_finds_every_case_and_ends_as_the_original() {
    let place = Workplace::new(env!("CARGO_BIN_EXE_erlconcolic-under-test"));
    let source = package_path("erlang/corner_cases.erl");
    let source = source.to_str().expect("a path");
    let made = place.run(&["instrument", source, "-o", "build"]);
    assert_eq!(made.status, 0, "{made:?}");
    let mut problems = Vec::new();
    let mut written_otherwise = Vec::new();
    for (function, expected) in original_outcomes() {
        let entry = format!("corner_cases:{function}/1");
        let arguments = ["explore", "build", "--entry", &entry, "--format", "json"];
        let limits = ["--max-runs", "300", "--term-depth", "1"];
        let run = place.run(&[&arguments[..], &limits[..]].concat());
        let report: Value = serde_json::from_str(&run.stdout).expect("a report");
        let tests = report["tests"].as_array().expect("a list");
        let mut seen: HashMap<&str, &Value> = HashMap::new();
        for test in tests {
            seen.insert(test["args"][0].as_str().expect("a text"), test);
        }
        for (case, original) in &expected {
            match seen.get(case.as_str()) {
                Some(test) if outcome(test) == *original => {}
                Some(_) if REWRITTEN.iter().any(|it| original.contains(it)) => {}
                Some(test) => {
                    let call = format!("{function}({case})");
                    written_otherwise.push((call, (outcome(test), original.clone())));
                }
                None => problems.push(format!("{function}({case}) was not run")),
            }
        }
        if report["stats"]["divergences"] != 0 {
            problems.push(format!("{function}: {}", report["stats"]));
        }
        let gaps = report["incomplete"].as_array().expect("a list");
        let unreadable = gaps.iter().filter(|gap| gap["code"] == "bad-log").count();
        let expected = UNREADABLE.iter().filter(|it| it.0 == function).count();
        if unreadable != expected {
            problems.push(format!("{function}: {gaps:?}"));
        }
    }
    let (calls, pairs): (Vec<_>, Vec<_>) = written_otherwise.into_iter().unzip();
    let differing = calls.iter().zip(&pairs).zip(are_same(&pairs));
    let differing = differing.filter(|(_, is_same)| !is_same);
    problems.extend(
        differing.map(|((call, (ours, theirs)), _)| {
            format!("{call}: {ours}, but the original {theirs}")
        }),
    );
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
