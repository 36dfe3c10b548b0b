//! The cases in `cases/`: exploring each function finds what its comment says.
//! `cases/README.md` describes the comments.

use std::fs;
use std::path::{Path, PathBuf};

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

/// A bug must be found within this many runs.
const RUNS_TO_FIND: &str = "2000";
/// A complete search must end within this many runs.
const RUNS_TO_COMPLETE: &str = "500";
/// And a complete search of inputs of a given depth within this many.
const RUNS_AT_DEPTH: &str = "2000";
/// A search that would not end must give no false alarm in this many runs.
const RUNS_WITHOUT_END: &str = "40";

/// What the comment says about a function.
#[derive(Debug, PartialEq)]
enum Expected {
    Finding(ExpectedFinding),
    Clean {
        is_complete: bool,
    },
    /// Exactly these, by a complete search of inputs of this depth.
    All {
        depth: String,
        expected: Vec<ExpectedFinding>,
    },
}

/// The class and the reason of a finding.
#[derive(Debug, PartialEq)]
struct ExpectedFinding {
    class: String,
    reason: String,
}

/// A function with a comment.
#[derive(Debug)]
struct Case {
    entry: String,
    expected: Expected,
}

impl Expected {
    /// From a line of a source, if the line is such a comment.
    fn read(line: &str) -> Option<Self> {
        let comment = line.strip_prefix("%% ")?;
        if let Some(finding) = comment.strip_prefix("finds: ") {
            return Some(Self::Finding(ExpectedFinding::read(finding)?));
        }
        if let Some(all) = comment.strip_prefix("finds all at depth ") {
            let (depth, findings) = all.split_once(": ")?;
            let findings = findings.split("; ").map(ExpectedFinding::read);
            return Some(Self::All {
                depth: depth.to_owned(),
                expected: findings.collect::<Option<_>>()?,
            });
        }
        if let Some(depth) = comment.strip_prefix("clean at depth ") {
            return Some(Self::All {
                depth: depth.strip_suffix(": complete")?.to_owned(),
                expected: Vec::new(),
            });
        }
        let is_complete = comment == "clean: complete";
        (is_complete || comment == "clean").then_some(Self::Clean { is_complete })
    }

    fn options(&self) -> Vec<&str> {
        match self {
            Self::Finding(_) => vec!["--first", "--max-runs", RUNS_TO_FIND],
            Self::Clean { is_complete: true } => vec!["--max-runs", RUNS_TO_COMPLETE],
            Self::Clean { is_complete: false } => vec!["--max-runs", RUNS_WITHOUT_END],
            Self::All { depth, .. } => vec!["--term-depth", depth, "--max-runs", RUNS_AT_DEPTH],
        }
    }

    /// Whether a report is as expected.
    fn fits(&self, report: &Value) -> bool {
        let findings = report.pointer("/findings").and_then(Value::as_array);
        let findings = findings.map(Vec::as_slice).unwrap_or_default();
        let is_complete = report.get("complete") == Some(&Value::Bool(true));
        match self {
            Self::Finding(expected) => matches!(findings, [finding] if expected.is(finding)),
            Self::Clean { is_complete: false } => findings.is_empty(),
            Self::Clean { is_complete: true } => findings.is_empty() && is_complete,
            Self::All { expected, .. } => {
                is_complete
                    && findings.len() == expected.len()
                    && expected
                        .iter()
                        .all(|it| findings.iter().any(|finding| it.is(finding)))
            }
        }
    }
}

impl ExpectedFinding {
    /// From a class and a reason with a space between.
    fn read(text: &str) -> Option<Self> {
        let (class, reason) = text.split_once(' ')?;
        let (class, reason) = (class.to_owned(), reason.to_owned());
        Some(Self { class, reason })
    }

    /// Whether a confirmed finding is this one.
    fn is(&self, finding: &Value) -> bool {
        let text = |key| finding.get(key).and_then(Value::as_str).unwrap_or_default();
        text("class") == self.class
            && is_reason(&self.reason, text("reason"))
            && finding.get("confirmed") == Some(&Value::Bool(true))
    }
}

/// Whether a reason is the expected one, which may end in `_}` for anything.
fn is_reason(expected: &str, reason: &str) -> bool {
    match expected.strip_suffix("_}") {
        Some(start) => reason.starts_with(start),
        None => expected == reason,
    }
}

/// The cases in the source of a module.
fn cases(module: &str, source: &str) -> Vec<Case> {
    let lines: Vec<&str> = source.lines().collect();
    let mut cases = Vec::new();
    for pair in lines.windows(2) {
        let [comment, spec] = pair else { continue };
        let Some(expected) = Expected::read(comment) else {
            assert!(!comment.starts_with("%% finds"), "{module}: `{comment}`");
            continue;
        };
        let name = spec
            .strip_prefix("-spec ")
            .and_then(|it| it.split_once('('));
        let (name, _) = name.unwrap_or_else(|| panic!("no spec below `{comment}` in {module}"));
        let entry = format!("{module}:{name}/{}", arity(source, name));
        cases.push(Case { entry, expected });
    }
    assert!(!cases.is_empty(), "{module} has cases");
    cases
}

/// The arity of a function, from the list of exports.
fn arity<'source>(source: &'source str, name: &str) -> &'source str {
    let end = source.find("]).").expect("a module exports its cases");
    let exports = source.get(..end).unwrap_or_default();
    let mut exports = exports.split([',', '[', '\n']).map(str::trim);
    let found = exports.find_map(|it| it.strip_prefix(name)?.strip_prefix('/'));
    found.unwrap_or_else(|| panic!("{name} is exported"))
}

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
fn check(place: &Workplace, build: &str, case: &Case) -> Result<(), String> {
    let options = ["--timeout", "600", "--format", "json"];
    let words = ["explore", build, "--entry", &case.entry];
    let words = [&words[..], &case.expected.options(), &options].concat();
    let run = place.run(&words);
    let Case { entry, expected } = case;
    let report: Value = serde_json::from_str(&run.stdout)
        .map_err(|error| format!("{entry}: {error}\n{}", run.stderr))?;
    let at = |pointer| report.pointer(pointer).unwrap_or(&Value::Null);
    if expected.fits(&report) && at("/stats/divergences") == 0 {
        return Ok(());
    }
    Err(format!(
        "{entry}: expected {expected:?}\nbut found {:#}\n{} divergences, skipped: {}",
        at("/findings"),
        at("/stats/divergences"),
        at("/incomplete")
    ))
}

/// Explores all functions of a topic.
#[expect(
    clippy::print_stdout,
    reason = "it says what cannot be tested on this release"
)]
fn check_all(topic: &str) {
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
        let wrong = wrong.filter_map(|case| check(&place, &build, case).err());
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
    check_all("pruning");
}

#[test]
fn tables() {
    check_all("tables");
}

#[test]
fn types() {
    check_all("types");
}
