//! Everything that the reports of a search show.

use std::collections::BTreeMap;
use std::time::Duration;

use trace_engine::explore::{Gap, Report, Test};

use crate::callees::FunctionNumber;
use crate::counted::counted;
use crate::coverage::{Coverage, ReachableCode};
use crate::entry::Entry;
use crate::explored_code::ExploredCode;
use crate::findings::{Finding, findings};
use crate::original_code::OriginalCode;
use crate::outcome::Outcome;
use crate::skipped_function::{SkipReason, SkippedFunction};

/// What a search of one or several functions found.
#[derive(Debug)]
pub struct Exploration<'search> {
    /// The code that was explored.
    pub code: &'search ExploredCode<'search>,
    /// The function, if the user named one and nothing else.
    pub only_entry: Option<Entry>,
    /// Whether inputs must fulfil a condition.
    pub has_precondition: bool,
    /// The postcondition of the function.
    pub postcondition: Option<Entry>,
    /// At least one.
    pub searches: Vec<Searched>,
    /// Functions that were not searched.
    pub skipped: Vec<SkippedFunction>,
    /// What all searches together reached.
    pub coverage: Coverage,
    /// The time after the search: crashes run again, coverage counted.
    pub report_time: Duration,
    /// The time that everything took.
    pub wall_time: Duration,
    /// The peak memory of the tool in kilobytes, if known.
    pub peak_memory: Option<u64>,
}

/// The search of one function.
#[derive(Debug)]
pub struct Searched {
    /// The function.
    pub entry: Entry,
    /// Its tests and gaps. Inputs that the precondition rejects are not among the tests.
    pub report: Report<Outcome>,
    /// Its crashes.
    pub findings: Vec<Finding>,
    /// What it reached of the functions that the entry may call.
    pub coverage: Coverage,
    /// For each test, how many clauses of this coverage it reached first.
    pub new_clauses: Vec<usize>,
    /// How many inputs were rejected: by the precondition, or because a value of an opaque type
    /// could not be made.
    pub rejected: usize,
    /// The depth limit for arguments.
    pub term_depth: u32,
}

impl Searched {
    /// Finds the crashes of a search, runs them again on the original code, and counts coverage.
    /// Also returns why a crash could not be run again.
    pub fn new<C: OriginalCode>(
        code: &ExploredCode<'_>,
        reachable: &ReachableCode,
        entry: Entry,
        term_depth: u32,
        mut report: Report<Outcome>,
        original: &mut C,
    ) -> (Self, Option<C::Failure>) {
        let rejected = take_rejected(&mut report);
        let (findings, failure) = findings(&entry, &mut report, original);
        let called = code.callees_of(&entry);
        // The text does not show which functions are called by computed names: they count once a
        // run has called them.
        let counts = |it: &FunctionNumber| called.contains(it) || report.functions.contains(it);
        let counted = reachable.clauses_of(counts);
        let new_clauses = |test: &Test<Outcome>| {
            let clauses = test.new_clauses.iter();
            clauses.filter(|it| counted.contains(it)).count()
        };
        let searched = Self {
            coverage: Coverage::new(reachable, &report.functions, &report.clauses, counts),
            new_clauses: report.tests.iter().map(new_clauses).collect(),
            entry,
            report,
            findings,
            rejected,
            term_depth,
        };
        (searched, failure)
    }

    /// What several searches together reached of the user's code.
    pub fn total_coverage(searches: &[Self], reachable: &ReachableCode) -> Coverage {
        let functions = searches.iter().flat_map(|it| &it.report.functions);
        let clauses = searches.iter().flat_map(|it| &it.report.clauses);
        let (functions, clauses) = (functions.copied().collect(), clauses.copied().collect());
        Coverage::new(reachable, &functions, &clauses, |_| true)
    }
}

/// Removes runs whose inputs were rejected from a report, and returns how many there were. Tests
/// made from a rejected input then count as made from that input's parent.
fn take_rejected(report: &mut Report<Outcome>) -> usize {
    let before = report.tests.len();
    let mut number = 0;
    // For each test its new number, or its parent's if it is removed.
    let mut numbers: Vec<Option<usize>> = Vec::with_capacity(before);
    let parent = |test: &Test<Outcome>, numbers: &[Option<usize>]| {
        test.parent
            .and_then(|parent| numbers.get(parent).copied().flatten())
    };
    report.tests.retain_mut(|test| {
        test.parent = parent(test, &numbers);
        let is_kept = !test.outcome.is_rejected();
        numbers.push(if is_kept { Some(number) } else { test.parent });
        number += usize::from(is_kept);
        is_kept
    });
    before - report.tests.len()
}

impl Exploration<'_> {
    /// Whether all paths were run.
    pub(crate) fn is_complete(&self) -> bool {
        self.gaps().is_empty()
    }

    /// The gaps of all searches, and how often each occurred: code and what it is about.
    pub(crate) fn gaps(&self) -> Vec<((&'static str, String), usize)> {
        let mut all = BTreeMap::new();
        for (gap, count) in self.searches.iter().flat_map(|it| &it.report.gaps) {
            *all.entry(gap).or_default() += count;
        }
        // The user did not ask for functions without a spec.
        let skipped = self.skipped.iter();
        let skipped = skipped.filter(|it| it.why != SkipReason::NoSpec);
        let skipped = skipped.map(|it| ((it.why.code(), it.entry.to_string()), 1));
        let gaps = all.into_iter();
        let gaps = gaps.map(|(gap, count): (&Gap, usize)| {
            let about = gap.about().to_owned();
            ((gap.code(), about), count)
        });
        gaps.chain(skipped).collect()
    }

    /// The findings of all searches.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.searches.iter().flat_map(|it| &it.findings)
    }

    /// The number of tests.
    pub(crate) fn tests(&self) -> usize {
        self.searches.iter().map(|it| it.report.tests.len()).sum()
    }

    /// Why this many inputs were rejected.
    pub(crate) fn rejection(&self, count: usize) -> String {
        let why = if self.has_precondition {
            "did not fulfil the precondition"
        } else {
            "could not be made"
        };
        format!("{} {why}", counted(count, "more input"))
    }

    /// How many inputs were rejected: by the precondition, or because a value of an opaque type
    /// could not be made.
    pub(crate) fn rejected(&self) -> usize {
        self.searches.iter().map(|it| it.rejected).sum()
    }

    /// The call that shows that a result breaks the postcondition, given the arguments and the
    /// call that has this result.
    pub(crate) fn check_of(&self, arguments: &[String], call: &str) -> Option<String> {
        let postcondition = self.postcondition.as_ref()?;
        let mut given = arguments.to_vec();
        if postcondition.function.arity == 1 {
            given.clear();
        }
        given.push(call.to_owned());
        Some(postcondition.call(&given))
    }
}
