//! Everything that the reports of a search show.

use std::collections::BTreeMap;
use std::time::Duration;

use erlang_term::{Atom, Term};
use trace_engine::explore::{Gap, Pruned};

use crate::acceptance::AcceptFile;
use crate::counted::counted;
use crate::coverage::Coverage;
use crate::entry::Entry;
use crate::eunit_suite::EunitSuite;
use crate::explored_code::ExploredCode;
use crate::findings::{CrashInput, Finding};
use crate::language::Language;
use crate::made_of::MadeOf;
use crate::outcome::Outcome;
use crate::searched::Searched;
use crate::shards::Shards;
use crate::skipped_function::{SkipReason, SkippedFunction};
use crate::stale_lines::{StaleLine, stale_lines};
use crate::unit_tests::UnitTestCounts;
use crate::wording::Wording;

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
    /// None if a shard has no function.
    pub searches: Vec<Searched>,
    /// The crashes of all searches.
    pub findings: Vec<Finding>,
    /// The lines of the file of accepted findings that match none.
    pub stale_lines: Vec<StaleLine>,
    /// How many findings with unlikely inputs were left out; `None` if they are reported.
    pub unlikely_left_out: Option<usize>,
    /// The atoms whose order as keys of maps mattered, in the order that they had.
    pub atoms: Vec<Atom>,
    /// Functions that were not searched.
    pub skipped: Vec<SkippedFunction>,
    /// Sources that do not compile.
    pub not_compiled: Vec<String>,
    /// What all searches together reached.
    pub coverage: Coverage,
    /// The sources as the user named them.
    pub sources: Vec<String>,
    /// What the report was made with and from, if that is known.
    pub made_of: Option<MadeOf>,
    /// Which shards of all functions these searches are; `None` if they are not divided.
    pub shards: Option<Shards>,
    /// The shards that a merged report lacks.
    pub missing_shards: Vec<String>,
    /// The tests for EUnit, if they were made.
    pub eunit_suites: Option<Vec<EunitSuite>>,
    /// When the time of a `receive` is over: `quiet` or `any`.
    pub time_model: &'static str,
    /// When a message arrives: `instant` or `any`.
    pub delivery_model: &'static str,
    /// The user's own tests, if they were run before.
    pub unit_tests: Option<UnitTestCounts>,
    /// The time after the search: crashes run again, coverage counted.
    pub report_time: Duration,
    /// The time that everything took.
    pub wall_time: Duration,
    /// The peak memory of the tool in kilobytes, if known.
    pub peak_memory: Option<u64>,
}

impl Exploration<'_> {
    /// How many of the user's own tests failed.
    pub fn failed_unit_tests(&self) -> usize {
        self.unit_tests.map_or(0, |it| it.failed)
    }

    /// Whether all paths were run.
    pub(crate) fn is_complete(&self) -> bool {
        self.gaps().is_empty()
    }

    /// What was not run because it goes on as something that was run; `None` if every path was to
    /// be run.
    pub(crate) fn pruned(&self) -> Option<Pruned> {
        let mut all = Pruned {
            proved_after: Some(0),
            all_run: true,
            ..Pruned::default()
        };
        for search in &self.searches {
            let own = search.report.pruned?;
            all.points += own.points;
            all.ways += own.ways;
            let sum = all.proved_after.zip(own.proved_after);
            all.proved_after = sum.map(|(one, other)| one + other);
            all.all_run &= own.all_run;
        }
        Some(all)
    }

    /// If some paths were not run, but every path goes on as one that was: after how many runs that
    /// was clear.
    pub(crate) fn proved_after(&self) -> Option<usize> {
        let pruned = self.pruned().filter(|it| !it.all_run && self.is_complete());
        pruned.and_then(|it| it.proved_after)
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
        let broken = self.not_compiled.iter();
        let broken = broken.map(|path| {
            let gap = Gap::NotCompiled(path.clone());
            ((gap.code(), gap.about().to_owned()), 1)
        });
        let missing = self.missing_shards.iter();
        let missing = missing.map(|shard| {
            let gap = Gap::MissingShard(shard.clone());
            ((gap.code(), gap.about().to_owned()), 1)
        });
        gaps.chain(skipped).chain(broken).chain(missing).collect()
    }

    /// Marks the findings that are accepted.
    pub fn accept(&mut self, file: &AcceptFile) {
        for finding in &mut self.findings {
            finding.is_accepted = file.accepts(&finding.key);
        }
        self.findings.sort_by_key(|it| it.is_accepted);
        self.stale_lines = stale_lines(self.code, &self.searches, &self.findings, file);
    }

    /// Leaves findings with unlikely inputs out.
    pub fn leave_out_unlikely(&mut self) {
        let before = self.findings.len();
        self.findings.retain(|it| it.is_likely);
        self.unlikely_left_out = Some(before - self.findings.len());
    }

    /// The findings that are not accepted.
    pub fn new_findings(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|it| !it.is_accepted)
    }

    /// The findings that are accepted.
    pub(crate) fn accepted_findings(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|it| it.is_accepted)
    }

    /// How many findings that are not accepted a search, given by its number, leads to.
    pub fn findings_of(&self, search: usize) -> usize {
        let leads = |it: &&Finding| it.inputs.iter().any(|it| it.search == search);
        self.new_findings().filter(leads).count()
    }

    /// Whether a test is not left out because it crashes on an unlikely input.
    pub(crate) fn is_reported(
        &self,
        search: &Searched,
        arguments: &[Term],
        outcome: &Outcome,
    ) -> bool {
        let is_skipped = self.unlikely_left_out.is_some() && outcome.is_finding();
        !is_skipped || search.is_plain(arguments, outcome)
    }

    /// The function of an input.
    pub(crate) fn entry_of(&self, input: &CrashInput) -> &Entry {
        let search = self.searches.get(input.search);
        &search.expect("an input belongs to a search").entry
    }

    /// How an entry and its values are shown.
    pub(crate) fn wording(&self, entry: &Entry) -> Wording<'_> {
        Wording::of(entry, Some(self.code.program))
    }

    /// An entry as it is shown.
    pub(crate) fn shown(&self, entry: &Entry) -> String {
        self.wording(entry).function(&entry.to_string())
    }

    /// How functions are shown that belong to no entry: as those of the entries, if all of them are
    /// in one language.
    pub(crate) fn common_wording(&self) -> Wording<'_> {
        let entries = || {
            self.searches
                .iter()
                .map(|it| Language::of(&it.entry.module))
        };
        let is_elixir = |language: Language| language == Language::Elixir;
        let language = if entries().next().is_some() && entries().all(is_elixir) {
            Language::Elixir
        } else {
            Language::Erlang
        };
        Wording::in_language(language, Some(self.code.program))
    }

    /// The number of tests.
    pub(crate) fn tests(&self) -> usize {
        self.searches.iter().map(Searched::tests).sum()
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

    /// Whether it was read from a report, so that there is no program and there are no paths.
    pub(crate) fn is_told(&self) -> bool {
        self.searches.iter().any(|it| it.told.is_some())
    }

    /// How many inputs were rejected: by the precondition, or because a value of an opaque type
    /// could not be made.
    pub(crate) fn rejected(&self) -> usize {
        self.searches.iter().map(|it| it.rejected).sum()
    }

    /// The call that shows that a result breaks the postcondition, given the arguments and the
    /// call that has this result, all as they are shown.
    pub(crate) fn check_of(
        &self,
        wording: &Wording<'_>,
        arguments: &[String],
        call: &str,
    ) -> Option<String> {
        let postcondition = self.postcondition.as_ref()?;
        let mut given = arguments.to_vec();
        if postcondition.function.arity == 1 {
            given.clear();
        }
        given.push(call.to_owned());
        Some(wording.call_of(postcondition, &given))
    }
}
