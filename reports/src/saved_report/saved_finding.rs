//! A finding in a report.

use serde::Deserialize;
use serde_json::json;

use super::saved_chart::SavedChart;
use super::saved_entry::SavedEntry;
use super::saved_outcome::SavedOutcome;
use super::saved_test::SavedTest;
use crate::acceptance::key_in_report;
use crate::crash_site::CrashSite;
use crate::findings::{ConfirmedOn, CrashInput, CrashPlay, Finding};
use crate::source_place::SourcePlace;

/// A finding.
#[derive(Debug, Deserialize)]
pub(super) struct SavedFinding {
    test: usize,
    first_test: usize,
    #[serde(flatten)]
    end: SavedOutcome,
    process: String,
    schedule: Option<String>,
    needs_schedule: bool,
    race: Option<[SavedPlace; 2]>,
    #[serde(default)]
    chart: Option<SavedChart>,
    confirmed_on: SavedConfirmation,
    #[serde(default)]
    elixir: Option<SavedElixir>,
    likely: bool,
    accepted: bool,
    key: String,
    file: Option<String>,
    line: Option<i64>,
    callee: Option<String>,
    entries: Vec<SavedInput>,
    #[serde(default)]
    events: Vec<String>,
    #[serde(default)]
    script: Option<String>,
    #[serde(default)]
    also: Vec<Vec<String>>,
    count: usize,
}

/// A line of a source.
#[derive(Debug, Deserialize)]
struct SavedPlace {
    file: Option<String>,
    line: Option<i64>,
}

#[derive(Debug, Deserialize)]
struct SavedElixir {
    message: Option<String>,
}

#[derive(Debug, Deserialize)]
struct SavedInput {
    entry: String,
    args: Vec<String>,
    likely: bool,
    switches: usize,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum SavedConfirmation {
    Code,
    Schedule,
}

impl SavedFinding {
    /// The finding, given all functions and tests of its report.
    pub(super) fn finding(
        &self,
        entries: &[SavedEntry],
        tests: &[SavedTest],
    ) -> Result<Finding, String> {
        let bad = |why: String| format!("the finding {}: {why}", self.key);
        let inputs = self.entries.iter().map(|it| self.input(it, entries, tests));
        let inputs: Vec<CrashInput> = inputs.collect::<Result<_, _>>().map_err(bad)?;
        if inputs.is_empty() {
            return Err(bad("it has no entry".to_owned()));
        }
        let key = key_in_report(&json!({"key": self.key})).map_err(bad)?;
        let schedule = self.schedule.as_deref().map(str::parse).transpose();
        let process = self.process.parse();
        let site = self.file.as_ref().map(|file| CrashSite {
            function: key.function.clone(),
            file: file.clone(),
            line: self.line.unwrap_or(0),
            callee: self.callee.clone(),
        });
        let race = self.race.as_ref();
        let chart = self.chart.as_ref().map(SavedChart::chart).transpose();
        Ok(Finding {
            inputs,
            outcome: self.end.outcome().map_err(bad)?,
            process: process.map_err(|_| bad("its process is unknown".to_owned()))?,
            schedule: schedule.map_err(|_| bad("its schedule cannot be read".to_owned()))?,
            needs_order: self.needs_schedule,
            race: race.map(|it| it.each_ref().map(SavedPlace::place)),
            chart: chart.map_err(bad)?,
            confirmed_on: self.confirmed_on.of(),
            message: self.elixir.as_ref().and_then(|it| it.message.clone()),
            is_likely: self.likely,
            site,
            key,
            is_accepted: self.accepted,
            play: self.script.as_ref().map(|script| CrashPlay {
                events: self.events.clone(),
                script: script.clone(),
            }),
            also: self.also.clone(),
            tests: self.count,
            first_test: numbers(self.first_test, entries, tests),
        })
    }

    /// An input. The report has the test of the first one only.
    fn input(
        &self,
        input: &SavedInput,
        entries: &[SavedEntry],
        tests: &[SavedTest],
    ) -> Result<CrashInput, String> {
        let searched = entries.iter().filter(|it| it.skip_reason().is_none());
        let names: Vec<&str> = searched.map(|it| it.entry.as_str()).collect();
        let search = names.iter().position(|it| *it == input.entry);
        let (first, test) = numbers(self.test, entries, tests);
        let search = search.ok_or_else(|| format!("{} is no entry", input.entry))?;
        Ok(CrashInput {
            search,
            test: if search == first { test } else { 0 },
            is_shrunk: false,
            arguments: input.args.clone(),
            is_likely: input.likely,
            switches: input.switches,
        })
    }
}

/// The number of the search of a test, and the number of the test there.
fn numbers(id: usize, entries: &[SavedEntry], tests: &[SavedTest]) -> (usize, usize) {
    let Some(test) = tests.iter().find(|it| it.id == id) else {
        return (0, 0);
    };
    let mut searched = entries.iter().filter(|it| it.skip_reason().is_none());
    let search = searched.position(|it| it.entry == test.entry);
    let mut own = tests.iter().filter(|it| it.entry == test.entry);
    let number = own.position(|it| it.id == id);
    (search.unwrap_or(0), number.unwrap_or(0))
}

impl SavedPlace {
    fn place(&self) -> SourcePlace {
        SourcePlace {
            file: self.file.clone().unwrap_or_default(),
            line: self.line.unwrap_or(0),
        }
    }
}

impl SavedConfirmation {
    fn of(self) -> ConfirmedOn {
        match self {
            Self::Code => ConfirmedOn::Code,
            Self::Schedule => ConfirmedOn::Schedule,
        }
    }
}
