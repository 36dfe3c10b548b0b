//! The tool, started as a user starts it, and what its reports say.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use end_to_end::benchmarks::Unit;
use serde_json::Value;

/// The tool, and the unit of time.
#[derive(Debug)]
pub(crate) struct Tool {
    path: PathBuf,
    pub(crate) unit: Unit,
}

/// A search that was measured.
#[derive(Debug)]
pub(crate) struct Explored {
    /// Starts of `erl` in the time from the command to its end.
    pub(crate) starts: f64,
    /// The same time by the clock.
    pub(crate) wall: Duration,
    /// The output.
    pub(crate) report: Value,
}

impl Tool {
    pub(crate) fn new(path: &Path) -> io::Result<Self> {
        Ok(Self {
            path: path.canonicalize()?,
            unit: Unit::default(),
        })
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Runs `explore` with one worker.
    pub(crate) fn explore(&mut self, words: &[&str]) -> Explored {
        let mut command = Command::new(&self.path);
        command.arg("explore").args(words);
        command.args(["--format", "json", "--quiet"]);
        let (starts, (wall, output)) = self.unit.timed(|| {
            let start = Instant::now();
            let output = command.output().expect("the tool can be started");
            (start.elapsed(), output)
        });
        let status = output.status.code();
        assert!(matches!(status, Some(0 | 1)), "{words:?}: {output:?}");
        let report = serde_json::from_slice(&output.stdout).expect("the report is JSON");
        Explored {
            starts,
            wall,
            report,
        }
    }

    /// Runs `instrument`, and returns how many starts of `erl` it took.
    pub(crate) fn instrument(&mut self, source: &Path, folder: &Path, words: &[&str]) -> f64 {
        let mut command = Command::new(&self.path);
        command.arg("instrument").arg(source).arg("-o").arg(folder);
        command.args(words);
        let (starts, output) = self.unit.timed(|| command.output());
        let output = output.expect("the tool can be started");
        assert!(output.status.success(), "{output:?}");
        starts
    }
}

impl Explored {
    /// A figure of `stats`.
    pub(crate) fn statistic(&self, name: &str) -> f64 {
        number(&self.report, &format!("/stats/{name}"))
    }

    /// The share of the whole time that a time of `stats` is.
    pub(crate) fn share(&self, name: &str) -> f64 {
        self.statistic(name) / (self.wall.as_secs_f64() * 1e3)
    }

    /// Clauses that the function may reach: `covered` or `total`.
    pub(crate) fn clauses(&self, which: &str) -> f64 {
        let pointer = format!("/entries/0/coverage/clauses/{which}");
        number(&self.report, &pointer)
    }

    /// A list of the report.
    pub(crate) fn list(&self, name: &str) -> &[Value] {
        let list = self.report.get(name).and_then(Value::as_array);
        list.map(Vec::as_slice).unwrap_or_default()
    }
}

/// A number in a report; not a number if it is missing.
pub(crate) fn number(value: &Value, pointer: &str) -> f64 {
    let found = value.pointer(pointer).and_then(Value::as_f64);
    found.unwrap_or(f64::NAN)
}
