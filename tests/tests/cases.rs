//! The cases in `cases/`: exploring each function finds what its comment says.
//! `cases/README.md` describes the comments.

use std::fs;
use std::path::{Path, PathBuf};

use end_to_end::case_comments::{Case, cases};
use end_to_end::erlang::package_path;
use end_to_end::otp;
use end_to_end::tool::Workplace;
use rayon::prelude::*;
use serde_json::Value;

/// Every folder of cases has a test of its own below.
/// Those of Elixir are tested in `elixir_cases.rs`.
const TOPICS: [&str; 18] = [
    "atoms",
    "bit_strings",
    "bits",
    "built_ins",
    "concretization",
    "control",
    "elixir",
    "exceptions",
    "floats",
    "funs",
    "libraries",
    "maps",
    "new_syntax",
    "opaque_types",
    "processes",
    "pruning",
    "tables",
    "types",
];

/// The oldest release that a module needs, from its first line.
fn oldest_release(source: &str) -> u32 {
    let first = source.lines().next().unwrap_or_default();
    let needed = first.strip_prefix("%% needs: OTP ");
    needed.map_or(0, |number| number.parse().expect("a release is a number"))
}

/// The modules of a topic.
fn modules(topic: &str) -> Vec<PathBuf> {
    let folder = package_path(&format!("cases/{topic}"));
    let entries = fs::read_dir(folder).expect("there are cases about this");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("the folder can be read").path())
        .collect();
    paths.sort();
    paths
}

fn name(path: &Path) -> &str {
    let name = path.file_stem().and_then(|name| name.to_str());
    name.expect("a module has a name")
}

/// Explores a function of an instrumented module. The error says what is wrong.
fn check(
    place: &Workplace,
    build: &str,
    case: &Case,
    is_wanted: fn(&[&str]) -> bool,
) -> Result<(), String> {
    let searches = case.expected.searches();
    let mut searches = searches.iter().filter(|options| is_wanted(options));
    searches.try_for_each(|options| check_search(place, build, case, options))
}

fn check_search(
    place: &Workplace,
    build: &str,
    case: &Case,
    options: &[&str],
) -> Result<(), String> {
    let limits = ["--timeout", "600", "--format", "json"];
    let words = ["explore", build, "--entry", &case.entry];
    let words = [&words[..], options, &limits].concat();
    let run = place.run(&words);
    let Case { entry, expected } = case;
    let report: Value = serde_json::from_str(&run.stdout)
        .map_err(|error| format!("{entry}: {error}\n{}", run.stderr))?;
    let at = |pointer| report.pointer(pointer).unwrap_or(&Value::Null);
    if expected.fits(&report) && at("/stats/divergences") == 0 {
        return Ok(());
    }
    Err(format!(
        "{entry} {options:?}: expected {expected:?}\nbut found {:#}\n{} divergences, skipped: {}",
        at("/findings"),
        at("/stats/divergences"),
        at("/incomplete")
    ))
}

/// Explores all functions of a topic.
fn check_all(topic: &str) {
    check_searches(topic, |_| true);
}

/// Whether a search runs all paths, where the same is expected of one by states.
fn runs_all_paths(options: &[&str]) -> bool {
    options.ends_with(&["--paths", "all"])
}

/// Explores all functions of a topic, in those of their searches that are wanted.
#[expect(
    clippy::print_stdout,
    reason = "it says what cannot be tested on this release"
)]
fn check_searches(topic: &str, is_wanted: fn(&[&str]) -> bool) {
    let place = Workplace::new(env!("CARGO_BIN_EXE_erlconcolic-under-test"));
    let mut failures = Vec::new();
    for path in modules(topic) {
        let module = name(&path);
        let source = fs::read_to_string(&path).expect("the module can be read");
        if otp::release() < oldest_release(&source) {
            println!("{module} needs OTP {}", oldest_release(&source));
            continue;
        }
        let build = format!("build/{module}");
        let file = path.display().to_string();
        let built = place.run(&["instrument", &file, "-o", &build]);
        assert_eq!(built.status, 0, "{}", built.stderr);
        let cases = cases(module, &source);
        let wrong = cases.par_iter();
        let wrong = wrong.filter_map(|case| check(&place, &build, case, is_wanted).err());
        failures.extend(wrong.collect::<Vec<String>>());
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn every_folder_of_cases_is_tested() {
    let entries = fs::read_dir(package_path("cases")).expect("there are cases");
    let mut folders: Vec<PathBuf> = entries
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.is_dir())
        .collect();
    folders.sort();
    let names: Vec<&str> = folders.iter().map(|path| name(path)).collect();
    assert_eq!(names, TOPICS);
}

#[test]
fn atoms() {
    check_all("atoms");
}

#[test]
fn bit_strings() {
    check_all("bit_strings");
}

#[test]
fn bits() {
    check_all("bits");
}

#[test]
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
fn floats() {
    check_all("floats");
}

#[test]
fn funs() {
    check_all("funs");
}

#[test]
fn libraries() {
    check_all("libraries");
}

#[test]
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
fn processes() {
    check_all("processes");
}

#[test]
fn pruning() {
    check_searches("pruning", |options| !runs_all_paths(options));
}

#[test]
#[ignore = "takes minutes; `make slow-tests` runs it"]
fn pruning_by_all_paths() {
    check_searches("pruning", runs_all_paths);
}

#[test]
fn tables() {
    check_all("tables");
}

#[test]
fn types() {
    check_all("types");
}
