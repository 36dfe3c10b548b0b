//! The cases in `cases/elixir`: exploring each function finds what its comment says.
//! `cases/README.md` describes the comments.

use std::fs;
use std::path::{Path, PathBuf};

use end_to_end::elixir;
use end_to_end::erlang::package_path;
use end_to_end::tool::Workplace;
use rayon::prelude::*;
use serde_json::Value;

/// A bug must be found within this many runs.
const RUNS_TO_FIND: &str = "2000";
/// A complete search must end within this many runs.
const RUNS_TO_COMPLETE: &str = "500";
/// A search that would not end must give no false alarm in this many runs.
const RUNS_WITHOUT_END: &str = "40";

/// A function, and what the comment above its spec says.
#[derive(Debug)]
struct Case {
    entry: String,
    expected: Expected,
}

#[derive(Debug)]
enum Expected {
    /// The class, and the reason or the name of an exception.
    Finding(String, String),
    Clean {
        is_complete: bool,
    },
}

impl Expected {
    /// From a line of a source, if the line is such a comment.
    fn read(line: &str) -> Option<Self> {
        let comment = line.trim_start().strip_prefix("# ")?;
        if let Some(finding) = comment.strip_prefix("finds: ") {
            let (class, reason) = finding.split_once(' ')?;
            return Some(Self::Finding(class.to_owned(), reason.to_owned()));
        }
        let is_complete = comment == "clean: complete";
        (is_complete || comment == "clean").then_some(Self::Clean { is_complete })
    }

    fn options(&self) -> &'static [&'static str] {
        match self {
            Self::Finding(..) => &["--first", "--max-runs", RUNS_TO_FIND],
            Self::Clean { is_complete: true } => &["--max-runs", RUNS_TO_COMPLETE],
            Self::Clean { is_complete: false } => &["--max-runs", RUNS_WITHOUT_END],
        }
    }

    /// Whether a report is as expected. A finding names a line of the source.
    fn fits(&self, report: &Value, source: &str) -> bool {
        let findings = report.pointer("/findings").and_then(Value::as_array);
        match (self, findings.map(Vec::as_slice).unwrap_or_default()) {
            (Self::Finding(class, reason), [finding]) => {
                let text = |key| finding.get(key).and_then(Value::as_str).unwrap_or_default();
                text("class") == class
                    && is_reason(reason, text("reason"))
                    && text("file").ends_with(source)
                    && finding.get("line").and_then(Value::as_u64) > Some(0)
                    && finding.get("confirmed") == Some(&Value::Bool(true))
            }
            (Self::Clean { is_complete }, []) => {
                !is_complete || report.get("complete") == Some(&Value::Bool(true))
            }
            _ => false,
        }
    }
}

/// Whether a reason is one of the expected ones: an exception by its name, or a reason of Erlang,
/// which may end in `_}` for anything.
fn is_reason(expected: &str, reason: &str) -> bool {
    let mut expected = expected.split(" or ");
    expected.any(|it| is_one_reason(it, reason))
}

fn is_one_reason(expected: &str, reason: &str) -> bool {
    if expected.starts_with(|it: char| it.is_ascii_uppercase()) {
        return reason.contains(&format!("'__struct__' => 'Elixir.{expected}'"));
    }
    match expected.strip_suffix("_}") {
        Some(start) => reason.starts_with(start),
        None => expected == reason,
    }
}

/// The cases in the source of a module.
fn cases(source: &str) -> Vec<Case> {
    let module = source.strip_prefix("defmodule ");
    let module = module
        .and_then(|it| it.split_once(' '))
        .expect("a module")
        .0;
    let lines: Vec<&str> = source.lines().collect();
    let mut cases = Vec::new();
    for pair in lines.windows(2) {
        let [comment, spec] = pair else { continue };
        let Some(expected) = Expected::read(comment) else {
            continue;
        };
        let spec = spec.trim_start().strip_prefix("@spec ");
        let spec = spec.unwrap_or_else(|| panic!("no spec below `{comment}` in {module}"));
        let (name, rest) = spec.split_once('(').expect("a spec has parameters");
        let entry = format!("Elixir.{module}:{name}/{}", arity(rest));
        cases.push(Case { entry, expected });
    }
    assert!(!cases.is_empty(), "{module} has cases");
    cases
}

/// The number of types before the closing parenthesis.
fn arity(types: &str) -> usize {
    let (mut depth, mut commas) = (0_usize, 0);
    for (at, character) in types.char_indices() {
        match character {
            ')' if depth == 0 => return if at == 0 { 0 } else { commas + 1 },
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => commas += 1,
            _ => {}
        }
    }
    panic!("the parameters of {types} end")
}

/// Explores a function. The error says what is wrong.
fn check(place: &Workplace, beams: &str, source: &str, case: &Case) -> Result<(), String> {
    let options = ["--timeout", "600", "--format", "json"];
    let words = ["explore", beams, "--entry", &case.entry];
    let words = [&words, case.expected.options(), &options].concat();
    let run = place.run(&words);
    let Case { entry, expected } = case;
    let report: Value = serde_json::from_str(&run.stdout)
        .map_err(|error| format!("{entry}: {error}\n{}", run.stderr))?;
    let at = |pointer| report.pointer(pointer).unwrap_or(&Value::Null);
    if expected.fits(&report, source) && at("/stats/divergences") == 0 {
        return Ok(());
    }
    Err(format!(
        "{entry}: expected {expected:?}\nbut found {:#}\n{} divergences, skipped: {}",
        at("/findings"),
        at("/stats/divergences"),
        at("/incomplete")
    ))
}

fn sources() -> Vec<PathBuf> {
    let entries = fs::read_dir(package_path("cases/elixir")).expect("there are cases");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("the folder can be read").path())
        .collect();
    paths.sort();
    paths
}

fn name(path: &Path) -> &str {
    let name = path.file_name().and_then(|name| name.to_str());
    name.expect("a source has a name")
}

#[test]
fn there_are_enough_cases() {
    let texts = sources()
        .into_iter()
        .map(|it| fs::read_to_string(it).expect("a source"));
    assert!(texts.map(|it| cases(&it).len()).sum::<usize>() >= 40);
}

#[test]
#[ignore = "takes minutes; `make slow-tests` runs it"]
fn functions_of_elixir_are_explored() {
    if !elixir::is_installed() {
        return;
    }
    let place = Workplace::new(env!("CARGO_BIN_EXE_erlconcolic-under-test"));
    let mut failures = Vec::new();
    for path in sources() {
        let source = fs::read_to_string(&path).expect("the module can be read");
        let beams = format!("beams/{}", name(&path));
        elixir::compile(&[&path], &place.path(&beams));
        let cases = cases(&source);
        let wrong = cases.par_iter();
        let wrong = wrong.filter_map(|case| check(&place, &beams, name(&path), case).err());
        failures.extend(wrong.collect::<Vec<String>>());
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}
