//! Explores cases, and compares what is found with what their comments say.

use std::fs;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde_json::Value;

use crate::case_comments::{Case, Search, cases};
use crate::erlang::package_path;
use crate::otp;
use crate::tool::Workplace;

/// The cases of a topic, explored.
#[derive(Debug, Default)]
pub struct ExploredCases {
    /// How many were explored, of those for this release.
    pub count: usize,
    /// How many more there are of which it is known that they are not found.
    pub missed: usize,
    /// Those of which something else was found than their comments say.
    pub problems: Vec<Problem>,
    /// Modules that need a newer release.
    pub too_new: Vec<String>,
}

/// A case of which something else was found.
#[derive(Debug)]
pub struct Problem {
    /// The function.
    pub entry: String,
    /// What was expected, and what was found.
    pub text: String,
}

impl ExploredCases {
    /// Explores all functions of a topic, in those of their searches that are wanted.
    ///
    /// # Panics
    /// When a module cannot be read or instrumented.
    pub fn of(place: &Workplace, topic: &str, is_wanted: fn(&Search<'_>) -> bool) -> Self {
        let mut explored = Self::default();
        for path in modules(topic) {
            let source = fs::read_to_string(&path).expect("the module can be read");
            if otp::release() < oldest_release(&source) {
                explored.too_new.push(name(&path).to_owned());
            } else {
                explored.add(place, &path, &source, is_wanted);
            }
        }
        explored
    }

    fn add(
        &mut self,
        place: &Workplace,
        path: &Path,
        source: &str,
        is_wanted: fn(&Search<'_>) -> bool,
    ) {
        let module = name(path);
        let file = path.display().to_string();
        let options = options(source);
        // What is followed is decided when code is instrumented.
        let program = if options.is_empty() {
            let build = format!("build/{module}");
            let built = place.run(&["instrument", &file, "-o", &build]);
            assert_eq!(built.status, 0, "{}", built.stderr);
            build
        } else {
            file
        };
        let cases = cases(module, source);
        let groups = Group::of(&cases, is_wanted).into_par_iter();
        let problems = groups.flat_map_iter(|group| group.problems(place, &program, &options));
        self.problems.extend(problems.collect::<Vec<Problem>>());
        self.count += cases.len();
        self.missed += source
            .lines()
            .filter(|it| it.starts_with("%% missed: "))
            .count();
    }

    /// How many cases are as their comments say.
    pub fn as_expected(&self) -> usize {
        let mut wrong: Vec<&str> = self.problems.iter().map(|it| it.entry.as_str()).collect();
        wrong.sort_unstable();
        wrong.dedup();
        self.count - wrong.len()
    }

    /// What is wrong.
    pub fn texts(&self) -> String {
        let texts: Vec<&str> = self.problems.iter().map(|it| it.text.as_str()).collect();
        texts.join("\n\n")
    }
}

/// Options for `explore`, from the first line of a module.
fn options(source: &str) -> Vec<&str> {
    let first = source.lines().next().unwrap_or_default();
    let options = first.strip_prefix("%% options: ").unwrap_or_default();
    options.split_whitespace().collect()
}

/// The oldest release that a module needs, from its first line.
fn oldest_release(source: &str) -> u32 {
    let first = source.lines().next().unwrap_or_default();
    let needed = first.strip_prefix("%% needs: OTP ");
    needed.map_or(0, |number| number.parse().expect("a release is a number"))
}

/// The modules of a topic.
///
/// # Panics
/// When there is no folder of this name.
pub fn modules(topic: &str) -> Vec<PathBuf> {
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

    /// Explores the functions, and says what is wrong.
    fn problems(&self, place: &Workplace, program: &str, options: &[&str]) -> Vec<Problem> {
        let count = u64::try_from(self.cases.len()).unwrap_or(u64::MAX);
        let runs = (self.search.runs * count).to_string();
        let mut words = vec!["explore", program, "--timeout", "600", "--format", "json"];
        words.extend(options);
        words.extend(&self.search.options);
        words.extend(["--max-runs", &runs]);
        let entries = self.cases.iter().map(|case| case.entry.as_str());
        words.extend(entries.flat_map(|entry| ["--entry", entry]));
        let run = place.run(&words);
        let problem = |case: &Case, text| Problem {
            entry: case.entry.clone(),
            text,
        };
        let cases = self.cases.iter();
        match serde_json::from_str(&run.stdout) {
            Ok(report) => {
                let wrong = cases.filter(|case| !self.fits(case, &report));
                let wrong = wrong.map(|case| problem(case, describe(case, &words, &report)));
                wrong.collect()
            }
            Err(error) => {
                let text = format!("{words:?}: {error}\n{}", run.stderr);
                cases.map(|case| problem(case, text.clone())).collect()
            }
        }
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
