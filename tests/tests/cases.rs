//! The cases in `cases/`: exploring each function finds what its comment says.
//! `cases/README.md` describes the comments.

use std::fs;
use std::path::{Path, PathBuf};

use end_to_end::case_comments::{Case, Search, cases};
use end_to_end::erlang::package_path;
use end_to_end::otp;
use end_to_end::tool::Workplace;
use rayon::prelude::*;
use serde_json::Value;

/// Every folder of cases has a test of its own below.
/// Those of Elixir are tested in `elixir_cases.rs`.
const TOPICS: [&str; 19] = [
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
    "texts",
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

/// Functions of one instrumented module that one command can explore.
struct Group<'cases> {
    search: Search<'cases>,
    cases: Vec<&'cases Case>,
}

impl<'cases> Group<'cases> {
    /// All searches of cases that are wanted.
    fn of(cases: &'cases [Case], is_wanted: fn(&Search<'_>) -> bool) -> Vec<Self> {
        let mut groups: Vec<Self> = Vec::new();
        for case in cases {
            for search in case.expected.searches() {
                if !is_wanted(&search) {
                    continue;
                }
                let mut known = groups.iter_mut();
                match known.find(|group| search.can_be_shared && group.search == search) {
                    Some(group) => group.cases.push(case),
                    None => groups.push(Self {
                        search,
                        cases: vec![case],
                    }),
                }
            }
        }
        groups
    }

    /// Explores the functions. The error says what is wrong.
    fn check(&self, place: &Workplace, build: &str) -> Result<(), String> {
        let count = u64::try_from(self.cases.len()).unwrap_or(u64::MAX);
        let runs = (self.search.runs * count).to_string();
        let mut words = vec!["explore", build, "--timeout", "600", "--format", "json"];
        words.extend(&self.search.options);
        words.extend(["--max-runs", &runs]);
        let entries = self.cases.iter().map(|case| case.entry.as_str());
        words.extend(entries.flat_map(|entry| ["--entry", entry]));
        let run = place.run(&words);
        let report: Value = serde_json::from_str(&run.stdout)
            .map_err(|error| format!("{words:?}: {error}\n{}", run.stderr))?;
        let wrong = self.cases.iter().filter(|case| !self.fits(case, &report));
        let wrong: Vec<String> = wrong.map(|case| describe(case, &words, &report)).collect();
        if wrong.is_empty() {
            return Ok(());
        }
        Err(wrong.join("\n\n"))
    }

    fn fits(&self, case: &Case, report: &Value) -> bool {
        let is_short = case.runs(report).is_some_and(|it| it <= self.search.runs);
        let divergences = report.pointer("/stats/divergences");
        case.fits(report) && is_short && divergences == Some(&Value::from(0))
    }
}

/// What is wrong with a case.
fn describe(case: &Case, words: &[&str], report: &Value) -> String {
    let at = |pointer| report.pointer(pointer).unwrap_or(&Value::Null);
    format!(
        "{} of {words:?}: expected {:?}\nbut found {:#?}\nin {:?} runs, {} divergences, skipped: {}",
        case.entry,
        case.expected,
        case.findings(report),
        case.runs(report),
        at("/stats/divergences"),
        at("/incomplete")
    )
}

/// Explores all functions of a topic.
fn check_all(topic: &str) {
    check_searches(topic, |_| true);
}

/// Explores all functions of a topic, in those of their searches that are wanted.
#[expect(
    clippy::print_stdout,
    reason = "it says what cannot be tested on this release"
)]
fn check_searches(topic: &str, is_wanted: fn(&Search<'_>) -> bool) {
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
        let wrong = Group::of(&cases, is_wanted).into_par_iter();
        let wrong = wrong.filter_map(|group| group.check(&place, &build).err());
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
    check_searches("pruning", |search| !search.runs_all_paths());
}

#[test]
#[ignore = "takes minutes; `make slow-tests` runs it"]
fn pruning_by_all_paths() {
    check_searches("pruning", |search| search.runs_all_paths());
}

#[test]
fn tables() {
    check_all("tables");
}

#[test]
fn texts() {
    check_all("texts");
}

#[test]
fn types() {
    check_all("types");
}
