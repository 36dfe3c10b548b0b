//! Makes the input of a crash smaller, with runs on the original code.

use erlang_term::Term;
use trace_format::Schedule;

use super::cause::Cause;
use super::confirmed::{Confirmed, Confirming};
use super::ordered_crash::OrderedInput;
use crate::entry::Entry;
use crate::original_code::OriginalCode;
use crate::shrinking::{Judge, shrunk};

/// How many changed inputs are run.
const MAX_RUNS: usize = 300;

/// The same for runs that do not end: each takes all the time that a run may have.
const MAX_LONG_RUNS: usize = 6;

/// The same crash with the smallest input that was found.
pub(super) fn with_smaller_input<C: OriginalCode>(
    mut found: Confirmed,
    confirming: &Confirming<'_>,
    entry: &Entry,
    original: &mut C,
) -> Confirmed {
    let most_runs = if found.cause.is_endless() {
        MAX_LONG_RUNS
    } else {
        MAX_RUNS
    };
    let mut judge = SameCause {
        cause: found.cause.clone(),
        confirming,
        entry,
        test: found.test,
        schedule: found.schedule.clone(),
        original,
        smaller: None,
    };
    shrunk(found.arguments.clone(), most_runs, &mut judge);
    if let Some(smaller) = judge.smaller {
        found = smaller;
        found.is_shrunk = true;
    }
    found
}

/// Keeps inputs that crash at the same place for the same reason.
struct SameCause<'run, 'code, C> {
    cause: Cause,
    confirming: &'run Confirming<'code>,
    entry: &'run Entry,
    test: usize,
    /// If it is run with a schedule.
    schedule: Option<Schedule>,
    original: &'run mut C,
    /// The last input that was kept.
    smaller: Option<Confirmed>,
}

impl<C: OriginalCode> SameCause<'_, '_, C> {
    /// The same crash with these arguments, if there is one; `None` if they could not be run.
    fn crash(&mut self, arguments: &[Term]) -> Option<Option<Confirmed>> {
        let input = OrderedInput {
            confirming: self.confirming,
            entry: self.entry,
            test: self.test,
            arguments,
            cause: &self.cause,
        };
        if let Some(schedule) = &self.schedule {
            return input.run(schedule, self.original).ok()?;
        }
        // A real machine waits for its timers. Its play does not.
        if self.entry.waits(arguments)
            && input
                .run(&Schedule::default(), self.original)
                .ok()??
                .is_none()
        {
            return Some(None);
        }
        let list = Term::list(arguments.to_vec());
        let outcome = self.original.run(self.entry, list).ok()??;
        let run = (self.entry, self.test, arguments);
        let found = self.confirming.crash(run, outcome, self.original);
        Some(found.filter(|it| it.cause == self.cause))
    }
}

impl<C: OriginalCode> Judge for SameCause<'_, '_, C> {
    fn fits(&self, arguments: &[Term]) -> bool {
        self.original.is_input(self.entry, arguments)
    }

    fn crashes_alike(&mut self, arguments: &[Term]) -> Option<bool> {
        if !self.original.has_time_to_shrink() {
            return None;
        }
        let same = self.crash(arguments)?;
        let is_same = same.is_some();
        self.smaller = same.or(self.smaller.take());
        Some(is_same)
    }
}
