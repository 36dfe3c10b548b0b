//! One module: its functions, and the results of exploring them.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use end_to_end::otp::Application;
use serde_json::Value as Json;

use crate::Survey;
use crate::unreachable::{is_unreachable, mistakes};

const OPTIONS: [&str; 4] = ["--workers", "2", "--format", "json"];

/// The results of a module.
#[derive(Debug, Default)]
pub(crate) struct Surveyed {
    /// How many functions were explored.
    pub(crate) explored: usize,
    /// How many have a spec for which no input can be made.
    pub(crate) without_input: usize,
    pub(crate) findings: usize,
    /// How many clauses were reached, of how many in functions that the explored ones may call.
    pub(crate) covered: usize,
    pub(crate) callable: usize,
    /// How many more there are that no argument of the specs can reach.
    pub(crate) unreachable: usize,
    /// Those that were not, by function.
    pub(crate) missed: BTreeMap<String, Vec<String>>,
    pub(crate) problems: Vec<String>,
}

impl Surveyed {
    pub(crate) fn new(
        tool: &Path,
        folder: &Path,
        application: &Application,
        survey: &Survey,
    ) -> Self {
        let name = survey.name;
        fs::create_dir_all(folder).expect("the folder can be made");
        let output = Command::new(tool)
            .current_dir(folder)
            .arg("explore")
            .arg(application.source(name))
            .args(headers(application))
            .args(["--module", name])
            .args(["--term-depth", &survey.depth.to_string()])
            .args(["--timeout", &survey.seconds.to_string()])
            .args(OPTIONS)
            .stdin(Stdio::null())
            .output()
            .expect("the tool can be started");
        match serde_json::from_slice(&output.stdout) {
            Ok(report) => Self::of(name, &report),
            Err(error) => {
                let messages = String::from_utf8_lossy(&output.stderr);
                let problems = vec![format!("{name}: {error}: {messages}")];
                Self {
                    problems,
                    ..Self::default()
                }
            }
        }
    }

    fn of(name: &str, report: &Json) -> Self {
        let at = |pointer: &str| report.pointer(pointer).unwrap_or(&Json::Null);
        let entries = list(at("/entries"));
        let is_for = |it: &&Json, why: &str| it.get("left_out").is_some_and(|it| it == why);
        let left_out = |why: &str| entries.iter().filter(|it| is_for(it, why)).count();
        let callable: BTreeSet<String> = entries.iter().flat_map(missed_in).collect();
        let all_missed: BTreeSet<String> = missed_in(report).collect();
        let missed = all_missed.intersection(&callable);
        let covered = at("/coverage/clauses/covered").as_u64().unwrap_or(0);
        let mut surveyed = Self {
            explored: entries.len() - left_out("no-spec") - left_out("no-input"),
            without_input: left_out("no-input"),
            findings: list(at("/findings")).len(),
            covered: usize::try_from(covered).unwrap_or(0),
            ..Self::default()
        };
        surveyed.callable = surveyed.covered;
        let missed: Vec<(String, String)> = missed.map(|it| function_and_clause(it)).collect();
        for (function, clause) in &missed {
            if is_unreachable(name, function, clause) {
                surveyed.unreachable += 1;
                continue;
            }
            surveyed.callable += 1;
            let clauses = surveyed.missed.entry(function.clone()).or_default();
            clauses.push(clause.clone());
        }
        surveyed.problems = problems(name, report);
        surveyed.problems.extend(mistakes(name, &missed));
        surveyed
    }
}

/// The parts of `module:name/arity#clause`.
fn function_and_clause(text: &str) -> (String, String) {
    let (_, clause) = text.split_once(':').unwrap_or_default();
    let (function, clause) = clause.split_once('#').unwrap_or_default();
    (function.to_owned(), clause.to_owned())
}

/// What is wrong with the tool.
pub(crate) fn problems(name: &str, report: &Json) -> Vec<String> {
    let gaps = list(report.get("incomplete").unwrap_or(&Json::Null)).iter();
    let is_problem = |gap: &&Json| {
        let code = gap.get("code").and_then(Json::as_str);
        matches!(code, Some("bad-log" | "unconfirmed" | "divergence"))
    };
    let gaps = gaps.filter(is_problem);
    gaps.map(|gap| format!("{name}: {gap}")).collect()
}

/// Where the headers are that a module may include.
pub(crate) fn headers(application: &Application) -> impl Iterator<Item = &OsStr> {
    let folders = application.includes.iter();
    folders.flat_map(|folder| [OsStr::new("--include"), folder.as_os_str()])
}

/// The clauses that were not reached, of a report or an entry of it.
fn missed_in(part: &Json) -> impl Iterator<Item = String> {
    let missed = part.pointer("/coverage/missed").unwrap_or(&Json::Null);
    let missed = list(missed).iter();
    missed.filter_map(|it| Some(it.get("clause")?.as_str()?.to_owned()))
}

pub(crate) fn list(value: &Json) -> &[Json] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}
