//! An input that ends in another way in another order of steps.

use std::collections::HashMap;

use erlang_term::Term;
use trace_engine::explore::Test;
use trace_format::Schedule;

use super::same_ending::ends_alike;
use crate::chart::chart_text;
use crate::entry::Entry;
use crate::exploration::Exploration;
use crate::original_code::OriginalCode;
use crate::outcome::Outcome;
use crate::run_end::RunEnd;

/// At most so many charts are drawn in one file.
const MOST_CHARTS: usize = 20;

/// A test with its arguments as terms and as source.
pub(super) type WrittenTest<'search> = (Vec<Term>, Vec<String>, &'search Test<RunEnd>);

/// How an input ends in one order of its steps, in lines of text.
#[derive(Debug, Default)]
pub(crate) struct OrderNote(pub(crate) Vec<String>);

/// The inputs whose ends depend on the order of the steps of their processes, each with a test that
/// ends in another way than the first one.
pub(super) struct OtherEndings<'search> {
    tests: HashMap<Vec<String>, &'search Test<RunEnd>>,
    charts: usize,
}

impl<'search> OtherEndings<'search> {
    /// Looks for them among tests, of which the findings come last.
    pub(super) fn new(tests: &[WrittenTest<'search>]) -> Self {
        let mut first: HashMap<&[String], &Outcome> = HashMap::new();
        let mut others = HashMap::new();
        for (_, texts, test) in tests.iter().filter(|it| it.2.schedule.is_some()) {
            let outcome = &test.outcome.of_entry;
            let known = first.entry(texts).or_insert(outcome);
            if !ends_alike(known, outcome) {
                others.insert(texts.clone(), *test);
            }
        }
        Self {
            tests: others,
            charts: 0,
        }
    }

    /// A test with the same input that ends in another way.
    pub(super) fn other(&self, texts: &[String]) -> Option<&'search Test<RunEnd>> {
        self.tests.get(texts).copied()
    }

    /// What is said about a test that several processes make, with its chart if there is room.
    pub(super) fn note<C: OriginalCode>(
        &mut self,
        exploration: &Exploration<'_>,
        entry: &Entry,
        test: &Test<RunEnd>,
        original: &mut C,
    ) -> OrderNote {
        let Some(schedule) = &test.schedule else {
            return OrderNote::default();
        };
        let ends = ending(&test.outcome);
        let mut lines = vec![format!("With the schedule {schedule} {ends}.")];
        self.charts += 1;
        if self.charts <= MOST_CHARTS
            && let Ok(schedule) = schedule.parse::<Schedule>()
        {
            let list = Term::list(test.arguments.terms());
            let run = original.charted_run(entry, list, &schedule);
            let chart = run.map(|it| it.chart(exploration.code, None));
            let chart = chart.map(|it| chart_text(&it)).unwrap_or_default();
            lines.extend(chart.lines().map(str::to_owned));
        }
        OrderNote(lines)
    }
}

/// How a run ends, in words.
fn ending(end: &RunEnd) -> String {
    let crashed = end.crashes().into_iter().next();
    let (process, outcome) = match &crashed {
        Some(crash) => (format!("process {}", crash.process), &crash.outcome),
        None => ("it".to_owned(), &end.of_entry),
    };
    match outcome {
        Outcome::Ok(value) => format!("{process} returns {value}"),
        Outcome::Exception { class, reason, .. } => format!("{process} raises {class}: {reason}"),
        Outcome::Deadlock { .. } => format!("{process} waits for ever"),
        Outcome::Timeout => format!("{process} takes too long"),
        Outcome::Killed => format!("{process} is killed"),
        Outcome::WorkerDied => format!("{process} brings the BEAM down"),
        Outcome::Blocked(call) => format!("{process} is refused a call of {call}"),
        Outcome::Steps => format!("{process} takes too many steps"),
    }
}
