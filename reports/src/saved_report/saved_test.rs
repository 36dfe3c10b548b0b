//! A test in a report.

use serde::Deserialize;

use super::saved_outcome::SavedOutcome;
use crate::run_end::RunEnd;
use crate::run_process::{ProcessEnd, RunProcess};
use crate::told_search::ToldTest;

/// A test.
#[derive(Debug, Deserialize)]
pub(super) struct SavedTest {
    /// Its number in the report.
    pub(super) id: usize,
    /// Its function.
    pub(super) entry: String,
    args: Vec<String>,
    schedule: Option<String>,
    crashes: bool,
    processes: Vec<SavedProcess>,
    #[serde(flatten)]
    end: SavedOutcome,
}

#[derive(Debug, Deserialize)]
struct SavedProcess {
    path: String,
    entry: String,
    end: String,
    #[serde(default)]
    class: Option<String>,
}

impl SavedTest {
    /// The test, or why it cannot be read.
    pub(super) fn told(&self) -> Result<ToldTest, String> {
        // The only process of a run is in the report, but not in the run.
        let is_alone = self.schedule.is_none() && self.processes.len() < 2;
        let processes = self.processes.iter().enumerate();
        let processes = processes.filter(|_| !is_alone);
        let processes = processes.map(|(index, it)| it.process(index));
        let processes: Vec<RunProcess> = processes
            .collect::<Result<_, _>>()
            .map_err(|why| self.bad(&why))?;
        Ok(ToldTest {
            arguments: self.args.clone(),
            end: RunEnd {
                of_entry: self.end.outcome().map_err(|why| self.bad(&why))?,
                processes: processes.into(),
            },
            schedule: self.schedule.clone(),
            is_crash: self.crashes,
        })
    }

    fn bad(&self, why: &str) -> String {
        format!("test {}: {why}", self.id)
    }
}

impl SavedProcess {
    fn process(&self, index: usize) -> Result<RunProcess, String> {
        let end = match self.end.as_str() {
            "normal" => ProcessEnd::Normal,
            "killed" => ProcessEnd::Killed,
            "waiting" => ProcessEnd::Waiting,
            "running" => ProcessEnd::Running,
            reason => ProcessEnd::Raised {
                class: self.class.clone().unwrap_or_else(|| "exit".to_owned()),
                reason: reason.to_owned(),
                stack: Vec::new(),
            },
        };
        let path = self.path.parse();
        Ok(RunProcess {
            index,
            path: path.map_err(|_| format!("{} is not the path of a process", self.path))?,
            entry: self.entry.clone(),
            is_own: false,
            end,
        })
    }
}
