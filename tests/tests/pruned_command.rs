//! The promise of pruning, for the command: with several functions at once, several workers, each
//! strategy, and searches that are stopped and resumed, nothing is lost that a search of all paths
//! finds.

use std::collections::BTreeSet;

use end_to_end::random_loops;
use end_to_end::random_programs::Random;
use end_to_end::tool::Workplace;
use rayon::prelude::*;
use serde_json::Value;

const MODULES: u64 = 3;
const FUNCTIONS: usize = 6;
const DEPTH: &str = "3";
/// More than a search of all paths needs.
const RUNS: &str = "20000";

/// What a search found.
#[derive(Debug)]
struct Found {
    is_complete: bool,
    /// Class, first word of the reason, and line.
    endings: BTreeSet<String>,
    /// Places of clauses that were not reached.
    missed: BTreeSet<String>,
    /// The functions whose search is complete.
    complete: Vec<String>,
    runs: usize,
}

fn list<'report>(report: &'report Value, pointer: &str) -> &'report [Value] {
    let found = report.pointer(pointer).and_then(Value::as_array);
    found.map(Vec::as_slice).unwrap_or_default()
}

fn text<'report>(value: &'report Value, key: &str) -> &'report str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// Searches functions of a module, each of these times one after another with the same state.
fn search(place: &Workplace, entries: &[String], times: &[&[&str]]) -> Found {
    let mut last = Value::Null;
    for options in times {
        let mut words = vec![
            "explore",
            "m.erl",
            "--term-depth",
            DEPTH,
            "--format",
            "json",
        ];
        words.extend(entries.iter().flat_map(|it| ["--entry", it.as_str()]));
        words.extend(*options);
        let run = place.run(&words);
        last = serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {run:?}"));
    }
    let ending = |finding: &Value| {
        let reason = text(finding, "reason").trim_start_matches('{');
        let word = reason.split([',', '}']).next().unwrap_or_default();
        format!("{} {word} at {}", text(finding, "class"), finding["line"])
    };
    let entries = list(&last, "/entries").iter();
    let complete = entries.filter(|it| it["complete"] == true);
    Found {
        is_complete: last.get("complete") == Some(&Value::Bool(true)),
        endings: list(&last, "/findings").iter().map(ending).collect(),
        missed: list(&last, "/coverage/missed")
            .iter()
            .map(Value::to_string)
            .collect(),
        complete: complete.map(|it| text(it, "entry").to_owned()).collect(),
        runs: list(&last, "/tests").len(),
    }
}

/// What a search by states lost that another search found.
fn lost(found: &Found, wanted: &Found) -> Vec<String> {
    let endings = wanted.endings.difference(&found.endings);
    let clauses = found.missed.difference(&wanted.missed);
    endings.chain(clauses).cloned().collect()
}

/// Searches a random module in several ways. Returns the runs of a search of all paths and of one by
/// states.
fn check(seed: u64) -> (usize, usize) {
    let source = random_loops::module("m", FUNCTIONS, &mut Random::new(seed + 1_000));
    let place = Workplace::new(env!("CARGO_BIN_EXE_erlconcolic-under-test"));
    let place = place.with(&[("m.erl", &source)]);
    let entries: Vec<String> = (0..FUNCTIONS).map(|it| format!("m:f{it}/1")).collect();
    let limit = ["--max-runs", RUNS];
    let states = [&limit[..], &["--paths", "states"]].concat();
    let entries = search(&place, &entries, &[&states]).complete;
    assert!(entries.len() > 2, "seed {seed}: {entries:?}");
    let all = search(
        &place,
        &entries,
        &[&[&limit[..], &["--paths", "all"]].concat()],
    );
    let with = |more: &[&str]| search(&place, &entries, &[&[&states[..], more].concat()]);
    let once = with(&[]);
    let runs = once.runs;
    let mut searches = vec![("once", once)];
    for strategy in ["dfs", "bfs", "random", "graph"] {
        searches.push((strategy, with(&["--strategy", strategy, "--workers", "2"])));
    }
    searches.push(("more", search(&place, &entries, &[&limit])));
    let kept = ["--paths", "states", "--state", "runs", "--max-runs"];
    let stopped = [&kept[..], &["7"]].concat();
    let resumed = [&kept[..], &["25", "--resume"]].concat();
    let finished = [&kept[..], &[RUNS, "--resume", "--workers", "2"]].concat();
    let times: [&[&str]; 3] = [&stopped, &resumed, &finished];
    searches.push(("resumed", search(&place, &entries, &times)));
    for (name, found) in &searches {
        assert!(found.is_complete, "seed {seed}, {name}: {found:?}");
        let lost = lost(found, &all);
        assert!(lost.is_empty(), "seed {seed}, {name} lost {lost:?}");
    }
    (all.runs, runs)
}

#[test]
fn nothing_is_lost_however_functions_are_searched() {
    let runs: Vec<(usize, usize)> = (0..MODULES).into_par_iter().map(check).collect();
    assert!(runs.iter().all(|(all, states)| states <= all), "{runs:?}");
    let all: usize = runs.iter().map(|it| it.0).sum();
    let states: usize = runs.iter().map(|it| it.1).sum();
    assert!(states * 10 < all * 9, "{states} of {all}");
}
