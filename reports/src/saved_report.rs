//! Reads a JSON report back: the other direction of `json_report`.
//!
//! What is read can be shown as text, as a page and so on. It has no program and no paths.

mod saved_chart;
mod saved_coverage;
mod saved_entry;
mod saved_finding;
mod saved_gap;
mod saved_machine;
mod saved_outcome;
mod saved_test;

use erlang_term::Atom;
use serde::Deserialize;
use serde_json::Value;

use crate::current_folder::CurrentFolder;
use crate::entry::Entry;
use crate::eunit_suite::EunitSuite;
use crate::exploration::Exploration;
use crate::explored_code::ExploredCode;
use crate::made_of::MadeOf;
use crate::shards::Shards;
use crate::skipped_function::SkippedFunction;
use crate::stale_lines::StaleLine;
use crate::unit_tests::UnitTestCounts;
use saved_coverage::SavedCoverage;
use saved_entry::{SavedEntry, read_entry};
use saved_finding::SavedFinding;
use saved_gap::SavedGap;
use saved_test::SavedTest;
use trace_format::Program;

/// The supported version of reports.
const VERSION: u64 = 1;

/// A report that was read.
#[derive(Debug, Deserialize)]
pub struct SavedReport {
    #[serde(default)]
    atoms: Vec<String>,
    conditions: SavedConditions,
    coverage: SavedCoverage,
    entries: Vec<SavedEntry>,
    entry: Option<String>,
    #[serde(default)]
    eunit: Option<SavedCounts>,
    /// The tests for EUnit.
    #[serde(default)]
    pub eunit_suites: Option<Vec<EunitSuite>>,
    findings: Vec<SavedFinding>,
    incomplete: Vec<SavedGap>,
    /// What it was made with and from.
    pub made_of: MadeOf,
    model: SavedModel,
    /// Which shards it is about.
    #[serde(default)]
    pub shards: Option<Shards>,
    sources: Vec<String>,
    stale: Vec<SavedStale>,
    stats: SavedStatistics,
    tests: Vec<SavedTest>,
}

#[derive(Debug, Deserialize)]
struct SavedConditions {
    pre: bool,
    post: Option<String>,
}

#[derive(Debug, Deserialize)]
struct SavedCounts {
    tests: usize,
    failed: usize,
    skipped: usize,
    seeds: usize,
}

#[derive(Debug, Deserialize)]
struct SavedModel {
    delivery: DeliveryName,
    time: TimeName,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum DeliveryName {
    Instant,
    Any,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum TimeName {
    Quiet,
    Any,
}

#[derive(Debug, Deserialize)]
struct SavedStale {
    line: usize,
    key: String,
    gone: bool,
}

#[derive(Debug, Deserialize)]
struct SavedStatistics {
    unlikely_left_out: usize,
}

impl SavedReport {
    /// Reads a report. The error says what is wrong with it.
    ///
    /// # Errors
    /// When it is not a report, or one of another version.
    pub fn read(report: &Value) -> Result<Self, String> {
        if report.get("version").and_then(Value::as_u64) != Some(VERSION) {
            return Err(format!("it is not a report of version {VERSION}"));
        }
        let read = Self::deserialize(report).map_err(|error| error.to_string())?;
        let program = Program::default();
        read.exploration(&ToldCode::new(&program).0)?;
        Ok(read)
    }

    /// The report as what a search found, over code without modules.
    ///
    /// # Errors
    /// When a part of it cannot be read.
    pub fn exploration<'code>(
        &self,
        code: &'code ExploredCode<'code>,
    ) -> Result<Exploration<'code>, String> {
        let mut searches = Vec::new();
        let mut skipped = Vec::new();
        for saved in &self.entries {
            let entry = saved.entry()?;
            match saved.skip_reason() {
                Some(why) => skipped.push(SkippedFunction { entry, why }),
                None => {
                    let tests = self.tests.iter().filter(|it| it.entry == saved.entry);
                    searches.push(saved.searched(entry, tests)?);
                }
            }
        }
        let of_code = |code: &str| {
            let own = self.incomplete.iter().filter(move |it| it.code == code);
            own.map(|it| it.what.clone()).collect::<Vec<_>>()
        };
        let findings = self.findings.iter();
        let findings = findings.map(|it| it.finding(&self.entries, &self.tests));
        let left_out = self.stats.unlikely_left_out;
        Ok(Exploration {
            code,
            only_entry: self.entry.as_deref().map(read_entry).transpose()?,
            has_precondition: self.conditions.pre,
            postcondition: self.postcondition()?,
            searches,
            findings: findings.collect::<Result<_, _>>()?,
            stale_lines: self.stale.iter().map(SavedStale::line).collect(),
            unlikely_left_out: (left_out > 0).then_some(left_out),
            atoms: self.atoms.iter().map(Atom::new).collect(),
            skipped,
            not_compiled: of_code("not-compiled"),
            coverage: self.coverage.coverage(),
            sources: self.sources.clone(),
            made_of: Some(self.made_of.clone()),
            shards: self.shards.clone(),
            missing_shards: of_code("missing-shard"),
            eunit_suites: self.eunit_suites.clone(),
            time_model: self.model.time.name(),
            delivery_model: self.model.delivery.name(),
            unit_tests: self.eunit.as_ref().map(SavedCounts::counts),
            report_time: std::time::Duration::ZERO,
            wall_time: std::time::Duration::ZERO,
            peak_memory: None,
        })
    }

    fn postcondition(&self) -> Result<Option<Entry>, String> {
        self.conditions.post.as_deref().map(read_entry).transpose()
    }
}

/// The code of a report: none.
#[derive(Debug)]
pub struct ToldCode<'program>(pub ExploredCode<'program>);

impl<'program> ToldCode<'program> {
    /// No code, given an empty program.
    pub fn new(program: &'program Program) -> Self {
        Self(ExploredCode {
            program,
            own_modules: 0,
            source_paths: Vec::new(),
            folder: CurrentFolder::default(),
        })
    }
}

impl DeliveryName {
    fn name(self) -> &'static str {
        match self {
            Self::Instant => "instant",
            Self::Any => "any",
        }
    }
}

impl TimeName {
    fn name(self) -> &'static str {
        match self {
            Self::Quiet => "quiet",
            Self::Any => "any",
        }
    }
}

impl SavedCounts {
    fn counts(&self) -> UnitTestCounts {
        UnitTestCounts {
            passed: self.tests.saturating_sub(self.failed + self.skipped),
            failed: self.failed,
            skipped: self.skipped,
            inputs: self.seeds,
        }
    }
}

impl SavedStale {
    fn line(&self) -> StaleLine {
        StaleLine {
            number: self.line,
            line: self.key.clone(),
            is_gone: self.gone,
        }
    }
}
