//! The programs in `erlang_samples/pruning`: a search finds nothing in them as they are, and finds
//! each mistake that is put into a driver.

use std::fs;

use end_to_end::erlang::package_path;
use end_to_end::tool::Workplace;
use serde_json::Value;

/// More than each of these searches needs.
const RUNS: &str = "5000";

/// A function, and a depth of inputs at which a search that runs every path is complete.
const PROGRAMS: [(&str, &str, &str); 14] = [
    ("branches", "carried/6", "2"),
    ("branches", "sums/6", "2"),
    ("branches", "powers/6", "2"),
    ("list_loops", "machine/1", "7"),
    ("list_loops", "words/1", "5"),
    ("list_loops", "nesting/1", "7"),
    ("list_loops", "comprehension/1", "5"),
    ("list_loops", "merge/2", "5"),
    ("trees", "sum/1", "3"),
    ("trees", "compared/1", "3"),
    ("kbfiltr", "run/1", "3"),
    ("diskperf", "run/1", "4"),
    ("floppy", "run/1", "4"),
    ("cdaudio", "run/1", "4"),
];

/// A program, a function, a depth of inputs, and the most runs that a search by states may need.
const FEW_RUNS: [(&str, &str, &str, u64); 7] = [
    ("erlang_samples/pruning/trees.erl", "sum/1", "4", 50),
    ("erlang_samples/pruning/trees.erl", "compared/1", "4", 50),
    ("erlang_samples/pruning/list_loops.erl", "merge/2", "30", 10),
    ("erlang_samples/pruning/floppy.erl", "run/1", "4", 150),
    ("../samples/tokenizer/tokenizer.erl", "tokens/1", "4", 25),
    ("../samples/tokenizer/tokenizer.erl", "tokens/1", "12", 30),
    ("../samples/brackets/brackets.erl", "check/1", "12", 90),
];

/// A mistake in a driver, and the depth at which it shows.
struct Mistake {
    module: &'static str,
    right: &'static str,
    wrong: &'static str,
    depth: &'static str,
}

const MISTAKES: [Mistake; 5] = [
    Mistake {
        module: "kbfiltr",
        right: "unlock(key(Code, lock(Filter)))",
        wrong: "key(Code, lock(Filter))",
        depth: "2",
    },
    Mistake {
        module: "kbfiltr",
        right: "    removed(wait(Filter)).",
        wrong: "    (wait(Filter))#filter{device = removed}.",
        depth: "3",
    },
    Mistake {
        module: "diskperf",
        right: "    Flushed = flushed(Disk),",
        wrong: "    Flushed = Disk,",
        depth: "4",
    },
    Mistake {
        module: "floppy",
        right: "pending = N + 1, status = pending",
        wrong: "pending = N, status = pending",
        depth: "4",
    },
    Mistake {
        module: "cdaudio",
        right: "    silent(Done#player{power = down});",
        wrong: "    Done#player{power = down};",
        depth: "4",
    },
];

fn source(module: &str) -> String {
    source_at(&format!("erlang_samples/pruning/{module}.erl"))
}

fn source_at(path: &str) -> String {
    fs::read_to_string(package_path(path)).expect("the program is there")
}

/// The report of a search of all paths.
fn report(module: &str, text: &str, entry: &str, depth: &str) -> Value {
    report_of(module, text, &["--entry", entry, "--term-depth", depth])
}

/// The report of a search with these words.
fn report_of(module: &str, text: &str, words: &[&str]) -> Value {
    let file = format!("{module}.erl");
    let place = Workplace::new(env!("CARGO_BIN_EXE_erlconcolic-under-test"));
    let place = place.with(&[(&file, text)]);
    let limits = ["--max-runs", RUNS, "--timeout", "600", "--format", "json"];
    let run = place.run(&[&["explore", &file], words, &limits].concat());
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {run:?}"))
}

#[test]
fn searches_of_the_programs_are_complete_and_find_nothing() {
    for (module, entry, depth) in PROGRAMS {
        let report = report(module, &source(module), entry, depth);
        assert_eq!(report["complete"], true, "{module}:{entry}");
        assert_eq!(report["findings"], Value::Array(Vec::new()), "{module}");
    }
}

#[test]
fn each_mistake_in_a_driver_is_found() {
    for mistake in MISTAKES {
        let Mistake { module, right, .. } = mistake;
        let text = source(module);
        assert_eq!(text.matches(right).count(), 1, "{module}: {right}");
        let text = text.replace(right, mistake.wrong);
        let report = report(module, &text, "run/1", mistake.depth);
        let findings = report["findings"].as_array().expect("a list");
        assert!(!findings.is_empty(), "{module}: {}", mistake.wrong);
        assert_eq!(report["complete"], true, "{module}");
    }
}

#[test]
fn parsers_of_short_texts_need_few_runs() {
    let texts = [
        ("../samples/json/json_decoder.erl", "decode/1", 6, 800),
        ("../samples/ini/ini.erl", "parse/1", 4, 900),
    ];
    for (path, entry, longest, most) in texts {
        let module = module_of(path);
        let is_short = format!("is_short(Text) -> byte_size(Text) =< {longest}.");
        let text = source_at(path).replacen("-export([", "-export([is_short/1, ", 1);
        let before = format!("{module}:is_short/1");
        let words = ["--entry", entry, "--pre", &before, "--paths", "states"];
        let report = report_of(module, &format!("{text}\n{is_short}\n"), &words);
        assert_eq!(report["complete"], true, "{module}:{entry}");
        let runs = report["stats"]["runs"].as_u64();
        assert!(runs.is_some_and(|it| it <= most), "{module}: {runs:?}");
    }
}

/// The name of the module in a file.
fn module_of(path: &str) -> &str {
    let file = path.rsplit('/').next();
    let name = file.and_then(|it| it.strip_suffix(".erl"));
    name.expect("a source has a name")
}

#[test]
fn searches_by_states_need_few_runs() {
    for (path, entry, depth, most) in FEW_RUNS {
        let module = module_of(path);
        let words = ["--entry", entry, "--term-depth", depth, "--paths", "states"];
        let report = report_of(module, &source_at(path), &words);
        assert_eq!(report["complete"], true, "{module}:{entry}, depth {depth}");
        let runs = report["stats"]["runs"].as_u64();
        let is_few = runs.is_some_and(|runs| runs <= most);
        assert!(is_few, "{module}:{entry}, depth {depth}: {runs:?} runs");
    }
}

#[test]
fn sums_of_numbers_need_hardly_more_runs_than_there_are_numbers() {
    let text = source("branches");
    for entry in ["sums/14", "powers/14", "carried/14"] {
        for strategy in ["dfs", "bfs", "coverage", "graph"] {
            let words = ["--entry", entry, "--term-depth", "2"];
            let states = ["--paths", "states", "--strategy", strategy];
            let report = report_of("branches", &text, &[words, states].concat());
            assert_eq!(report["complete"], true, "{entry}, {strategy}");
            let runs = report["pruned"]["proved_after"].as_u64();
            assert_eq!(runs, Some(15), "{entry}, {strategy}");
        }
    }
}
