//! The comments in `cases/`, which say what exploring a function must find. `cases/README.md`
//! describes them.

use serde_json::Value;

/// A bug must be found within this many runs.
const RUNS_TO_FIND: u64 = 2000;
/// A complete search must end within this many runs.
const RUNS_TO_COMPLETE: u64 = 500;
/// And a complete search of inputs of a given depth within this many.
const RUNS_AT_DEPTH: u64 = 2000;
/// A search that would not end must give no false alarm in this many runs.
const RUNS_WITHOUT_END: u64 = 40;

/// What the comment says about a function.
#[derive(Debug, PartialEq)]
pub enum Expected {
    /// This, first of all.
    Finding(ExpectedFinding),
    /// Nothing.
    Clean {
        /// Whether the search must be complete.
        is_complete: bool,
    },
    /// Exactly these, by a complete search of inputs of this depth.
    All {
        /// The depth.
        depth: String,
        /// The findings.
        expected: Vec<ExpectedFinding>,
    },
}

/// The class and the reason of a finding.
#[derive(Debug, PartialEq)]
pub struct ExpectedFinding {
    class: String,
    reason: String,
}

/// A function with a comment.
#[derive(Debug)]
pub struct Case {
    /// The function.
    pub entry: String,
    /// What must be found.
    pub expected: Expected,
}

/// A search that must find what a comment says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search<'case> {
    /// Its options, without the number of runs.
    pub options: Vec<&'case str>,
    /// How many runs it may take.
    pub runs: u64,
    /// Whether it ends when all paths are known, so that one command may search several functions
    /// like this.
    pub can_be_shared: bool,
}

impl Search<'_> {
    /// Whether all paths are run, where the same is expected of a search by states.
    pub fn runs_all_paths(&self) -> bool {
        self.options.ends_with(&["--paths", "all"])
    }
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

    /// Each search that must find this.
    pub fn searches(&self) -> Vec<Search<'_>> {
        let search = |options: &[_], runs| Search {
            options: options.to_vec(),
            runs,
            can_be_shared: false,
        };
        let shared = |options: &[_], runs| Search {
            can_be_shared: true,
            ..search(options, runs)
        };
        match self {
            Self::Finding(_) => vec![search(&["--first"], RUNS_TO_FIND)],
            Self::Clean { is_complete: true } => vec![shared(&[], RUNS_TO_COMPLETE)],
            Self::Clean { is_complete: false } => vec![search(&[], RUNS_WITHOUT_END)],
            Self::All { depth, .. } => {
                let options = |paths| ["--term-depth", depth.as_str(), "--paths", paths];
                let choices = ["states", "all"].into_iter();
                choices
                    .map(|paths| shared(&options(paths), RUNS_AT_DEPTH))
                    .collect()
            }
        }
    }

    /// Whether findings and a promise are as expected.
    fn fits(&self, findings: &[&Value], is_complete: bool) -> bool {
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

impl Case {
    /// Whether a report of this function, and perhaps of others, is as expected.
    pub fn fits(&self, report: &Value) -> bool {
        let entry = self.summary(report);
        let is_complete = entry.and_then(|it| it.get("complete")) == Some(&Value::Bool(true));
        self.expected.fits(&self.findings(report), is_complete)
    }

    /// How many runs of this function a report tells of.
    pub fn runs(&self, report: &Value) -> Option<u64> {
        self.summary(report)?.get("runs")?.as_u64()
    }

    /// The findings of this function in a report.
    pub fn findings<'report>(&self, report: &'report Value) -> Vec<&'report Value> {
        let findings = values(report, "findings").iter();
        let is_own = |finding: &&Value| {
            let entries = values(finding, "entries");
            entries.iter().any(|entry| self.is_entry(entry))
        };
        findings.filter(is_own).collect()
    }

    fn summary<'report>(&self, report: &'report Value) -> Option<&'report Value> {
        let mut entries = values(report, "entries").iter();
        entries.find(|entry| self.is_entry(entry))
    }

    fn is_entry(&self, value: &Value) -> bool {
        value.get("entry").and_then(Value::as_str) == Some(&self.entry)
    }
}

/// The elements of a list in an object.
fn values<'report>(object: &'report Value, key: &str) -> &'report [Value] {
    let list = object.get(key).and_then(Value::as_array);
    list.map(Vec::as_slice).unwrap_or_default()
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
///
/// # Panics
/// When a comment cannot be understood.
pub fn cases(module: &str, source: &str) -> Vec<Case> {
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
