//! What a search found, and how it is shown.

pub(crate) mod callees;
pub(crate) mod coverage;
pub(crate) mod depth;
pub(crate) mod eunit;
pub(crate) mod executor;
pub(crate) mod findings;
pub(crate) mod html;
pub(crate) mod human;
pub(crate) mod interruption;
pub(crate) mod journal;
pub(crate) mod json;
pub(crate) mod progress;
pub(crate) mod subjects;
pub(crate) mod table;

use std::collections::BTreeMap;
use std::time::Duration;

use erlang_term::Term;
use trace_engine::explore::{Gap, Report};

use crate::entry::Entry;
use crate::exploration::coverage::Coverage;
use crate::exploration::findings::Finding;
use crate::exploration::subjects::{LeftOut, Reason};
use crate::target::Target;
use crate::worker::Outcome;

/// All that a report tells.
#[derive(Debug)]
pub(crate) struct Exploration<'search> {
    pub(crate) target: &'search Target,
    /// At least one.
    pub(crate) searches: Vec<Searched>,
    /// Functions that were not searched.
    pub(crate) left_out: Vec<LeftOut>,
    /// What all searches together reached.
    pub(crate) coverage: Coverage,
    /// The time from the end of the search on: crashes run again, coverage counted.
    pub(crate) report_time: Duration,
    /// The time that everything took.
    pub(crate) wall_time: Duration,
    /// The most memory that this process had, in kilobytes; `None` where that cannot be told.
    pub(crate) peak_memory: Option<u64>,
}

/// The search of one function.
#[derive(Debug)]
pub(crate) struct Searched {
    pub(crate) entry: Entry,
    pub(crate) report: Report<Outcome>,
    pub(crate) findings: Vec<Finding>,
    /// What it reached of the functions that the entry may call.
    pub(crate) coverage: Coverage,
    /// For each test, how many clauses of this coverage it reached first.
    pub(crate) new_clauses: Vec<usize>,
    /// How many inputs the precondition did not admit.
    pub(crate) rejected: usize,
    pub(crate) term_depth: u32,
}

impl Exploration<'_> {
    /// The function, if the user named one and nothing else.
    pub(crate) fn only_entry(&self) -> Option<&Entry> {
        self.target.only_entry()
    }

    pub(crate) fn is_complete(&self) -> bool {
        self.gaps().is_empty()
    }

    /// What was left out of all searches, and how often: code and what it is about.
    pub(crate) fn gaps(&self) -> Vec<((&'static str, String), usize)> {
        let mut all = BTreeMap::new();
        for (gap, count) in self.searches.iter().flat_map(|it| &it.report.gaps) {
            *all.entry(gap).or_default() += count;
        }
        // Functions without a spec were not asked for.
        let left_out = self.left_out.iter().filter(|it| it.why == Reason::NoInput);
        let left_out = left_out.map(|it| ((it.why.code(), it.entry.to_string()), 1));
        let gaps = all.into_iter().map(|(gap, count)| (describe(gap), count));
        gaps.chain(left_out).collect()
    }

    pub(crate) fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.searches.iter().flat_map(|it| &it.findings)
    }

    /// How many tests there are.
    pub(crate) fn tests(&self) -> usize {
        self.searches.iter().map(|it| it.report.tests.len()).sum()
    }

    /// How many inputs the precondition did not admit.
    pub(crate) fn rejected(&self) -> usize {
        self.searches.iter().map(|it| it.rejected).sum()
    }
}

/// So many of something: `1 test`, `2 tests`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

/// A stable code for a gap, and what it is about.
pub(crate) fn describe(gap: &Gap) -> (&'static str, String) {
    (gap.code(), gap.about().to_owned())
}

/// The most memory that this process had so far, in kilobytes, as Linux tells it.
pub(crate) fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

/// Arguments as Erlang source.
pub(crate) fn argument_texts(arguments: &[Term]) -> Vec<String> {
    arguments.iter().map(Term::to_string).collect()
}
