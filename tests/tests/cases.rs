//! The cases in `cases/`: exploring each function finds what its comment says.
//! `cases/README.md` describes the comments.

use std::fs;
use std::path::PathBuf;

use end_to_end::case_comments::Search;
use end_to_end::erlang::package_path;
use end_to_end::explored_cases::ExploredCases;
use end_to_end::tool::Workplace;

/// Every folder of cases has a test of its own below.
/// Those of Elixir are tested in `elixir_cases.rs`.
const TOPICS: [&str; 20] = [
    "atoms",
    "bit_strings",
    "bits",
    "built_ins",
    "concretization",
    "control",
    "elixir",
    "exceptions",
    "floats",
    "functional",
    "funs",
    "libraries",
    "maps",
    "new_syntax",
    "opaque_types",
    "processes",
    "pruning",
    "tables",
    "texts",
    "types",
];

/// Explores all functions of a topic.
fn check_all(topic: &str) {
    check_searches(topic, |_| true);
}

/// Explores all functions of a topic, in those of their searches that are wanted.
#[expect(
    clippy::print_stdout,
    reason = "it says how many were explored, and what cannot be tested on this release"
)]
fn check_searches(topic: &str, is_wanted: fn(&Search<'_>) -> bool) {
    let place = Workplace::new(env!("CARGO_BIN_EXE_erlconcolic-under-test"));
    let explored = ExploredCases::of(&place, topic, is_wanted);
    for module in &explored.too_new {
        println!("{module} needs a newer release");
    }
    let (good, count) = (explored.as_expected(), explored.count + explored.missed);
    println!("{topic}: {good} of {count} cases are as their comments say");
    assert!(explored.problems.is_empty(), "{}", explored.texts());
}

#[test]
fn every_folder_of_cases_is_tested() {
    let entries = fs::read_dir(package_path("cases")).expect("there are cases");
    let mut folders: Vec<PathBuf> = entries
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.is_dir())
        .collect();
    folders.sort();
    let names = folders.iter().filter_map(|path| path.file_name()?.to_str());
    let names: Vec<&str> = names.collect();
    assert_eq!(names, TOPICS);
}

#[test]
fn atoms() {
    check_all("atoms");
}

#[test]
#[ignore = "takes a minute; `make slow-tests` runs it"]
fn bit_strings() {
    check_all("bit_strings");
}

#[test]
#[ignore = "takes a minute; `make slow-tests` runs it"]
fn bits() {
    check_all("bits");
}

#[test]
#[ignore = "takes a minute; `make slow-tests` runs it"]
fn built_ins() {
    check_all("built_ins");
}

#[test]
fn concretization() {
    check_all("concretization");
}

#[test]
fn control() {
    check_all("control");
}

#[test]
fn exceptions() {
    check_all("exceptions");
}

#[test]
#[ignore = "takes a minute; `make slow-tests` runs it"]
fn floats() {
    check_all("floats");
}

#[test]
#[ignore = "takes minutes; `make slow-tests` runs it"]
fn functional() {
    check_all("functional");
}

#[test]
#[ignore = "takes a minute; `make slow-tests` runs it"]
fn funs() {
    check_all("funs");
}

#[test]
#[ignore = "takes minutes; `make slow-tests` runs it"]
fn libraries() {
    check_all("libraries");
}

#[test]
#[ignore = "takes a minute; `make slow-tests` runs it"]
fn maps() {
    check_all("maps");
}

#[test]
fn new_syntax() {
    check_all("new_syntax");
}

#[test]
fn opaque_types() {
    check_all("opaque_types");
}

#[test]
#[ignore = "takes minutes; `make slow-tests` runs it"]
fn processes() {
    check_all("processes");
}

#[test]
fn pruning() {
    check_searches("pruning", |search| !search.runs_all_paths());
}

#[test]
#[ignore = "takes minutes; `make slow-tests` runs it"]
fn pruning_by_all_paths() {
    check_searches("pruning", |search| search.runs_all_paths());
}

#[test]
#[ignore = "takes a minute; `make slow-tests` runs it"]
fn tables() {
    check_all("tables");
}

#[test]
#[ignore = "takes a minute; `make slow-tests` runs it"]
fn texts() {
    check_all("texts");
}

#[test]
fn types() {
    check_all("types");
}
