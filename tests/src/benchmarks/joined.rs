//! The reports of all measurements as one: a Markdown file and a JSON file.

use std::error::Error;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::report::{Report, bench_folder};

/// The names under which reports are published, and their titles, in the order in which they are
/// shown.
const PARTS: [(&str, &str); 8] = [
    ("suite", "The whole tool"),
    ("pruning", "States"),
    ("machines", "Machines"),
    ("cluster", "Many machines"),
    ("explore", "Explorations: speed"),
    ("instrumented", "Instrumented programs: speed"),
    ("front_end", "Front end: speed and memory"),
    ("mutants", "Generated tests: mutants killed"),
];

/// The format of the JSON file.
const VERSION: u32 = 1;

/// All reports of one run of `make bench`.
#[derive(Debug, Serialize, Deserialize)]
pub struct Joined {
    version: u32,
    pub(super) reports: Vec<Report>,
}

/// Why a saved run cannot be used.
#[derive(Debug)]
pub enum BenchError {
    /// It cannot be read.
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It is not a report.
    NoReport {
        /// The file.
        path: PathBuf,
        /// Why.
        source: serde_json::Error,
    },
    /// It is of another version of the measurements.
    OtherVersion {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: u32,
    },
}

impl fmt::Display for BenchError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { path, source } => write!(
                formatter,
                "{} cannot be read: {source}; `make bench` writes target/bench/bench.json",
                path.display()
            ),
            Self::NoReport { path, source } => write!(
                formatter,
                "{} is not a report of `make bench`: {source}",
                path.display()
            ),
            Self::OtherVersion { path, version } => write!(
                formatter,
                "{} has version {version} of the format, this program reads {VERSION}; \
                 run `make bench` again",
                path.display()
            ),
        }
    }
}

impl Error for BenchError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Unreadable { source, .. } => Some(source),
            Self::NoReport { source, .. } => Some(source),
            Self::OtherVersion { .. } => None,
        }
    }
}

impl Joined {
    /// Joins these reports.
    pub fn new(reports: Vec<Report>) -> Self {
        let version = VERSION;
        Self { version, reports }
    }

    /// The reports in `target/bench`. Those that are missing there are taken from a saved run, so
    /// that a part can be measured alone.
    ///
    /// # Errors
    /// When one of them cannot be read.
    pub fn published(saved: &Path) -> Result<Self, Box<dyn Error>> {
        Self::of_folder(&bench_folder()?, saved)
    }

    /// The same of another folder.
    ///
    /// # Errors
    /// When one of the reports cannot be read.
    pub fn of_folder(folder: &Path, saved: &Path) -> Result<Self, Box<dyn Error>> {
        let mut saved = if saved.exists() {
            Self::read(saved)?.reports
        } else {
            Vec::new()
        };
        let mut reports = Vec::new();
        for (part, title) in PARTS {
            let path = folder.join(format!("{part}.json"));
            let before = saved.iter().position(|it| it.title == title);
            let before = before.map(|it| saved.remove(it));
            if path.exists() {
                reports.push(serde_json::from_str(&fs::read_to_string(path)?)?);
            } else {
                reports.extend(before);
            }
        }
        Ok(Self::new(reports))
    }

    /// A saved run.
    ///
    /// # Errors
    /// When the file is not one.
    pub fn read(path: &Path) -> Result<Self, BenchError> {
        let path = path.to_owned();
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(source) => return Err(BenchError::Unreadable { path, source }),
        };
        match serde_json::from_str::<Self>(&text) {
            Ok(joined) if joined.version == VERSION => Ok(joined),
            Ok(Self { version, .. }) => Err(BenchError::OtherVersion { path, version }),
            Err(source) => Err(BenchError::NoReport { path, source }),
        }
    }

    /// Writes both files.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn write(&self, markdown: &Path, json: &Path) -> io::Result<()> {
        fs::write(json, serde_json::to_string_pretty(self)? + "\n")?;
        fs::write(markdown, self.markdown())
    }

    /// One page with everything, the targets first.
    pub fn markdown(&self) -> String {
        let mut text = String::from(
            "# Benchmarks\n\n\
             Written by `make bench`. Every figure is a count, or a ratio of two times from the \
             same run, so that it means the same on every machine. The unit of time is one start \
             of `erl`, measured again between all measurements. `make bench-compare` shows how the \
             last run differs from this one.\n\n\
             ## Targets\n\n| target | measured | |\n|---|---:|---|\n",
        );
        for target in self.reports.iter().flat_map(|it| &it.targets) {
            text.push_str(&target.cells());
        }
        for report in &self.reports {
            text.push_str(&format!("\n## {}\n", report.title));
            text.push_str(&report.body(3));
        }
        text
    }
}
