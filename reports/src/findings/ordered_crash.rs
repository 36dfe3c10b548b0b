//! Crashes of runs with several processes, and of runs that wait for ever.
//!
//! Such a run is made again with its schedule. Then its input is made smaller, and its schedule, and
//! at last the original code is tried, whose processes run as they come: that it crashes too depends
//! on chance.

use erlang_term::Term;
use trace_format::Schedule;

use super::cause::Cause;
use super::confirmed::{Confirmed, Confirming};
use super::finding::ConfirmedOn;
use crate::entry::Entry;
use crate::original_code::{OriginalCode, Trial};
use crate::outcome::{Outcome, Waiting};
use crate::run_end::OrderedRun;

/// How often the original code is tried.
const TRIALS: usize = 50;

/// At most this many trials take too long.
const MOST_LONG_TRIALS: usize = 2;

/// How many schedules are run to find one with fewer switches.
const MAX_SCHEDULES: usize = 100;

/// What was run, and where its crash is looked up.
#[derive(Clone, Copy)]
pub(super) struct OrderedInput<'run, 'code> {
    pub(super) confirming: &'run Confirming<'code>,
    pub(super) entry: &'run Entry,
    pub(super) test: usize,
    pub(super) arguments: &'run [Term],
    /// The crash that is looked for.
    pub(super) cause: &'run Cause,
}

impl<'run, 'code> OrderedInput<'run, 'code> {
    /// The input of a crash.
    fn of(found: &'run Confirmed, confirming: &'run Confirming<'code>, entry: &'run Entry) -> Self {
        Self {
            confirming,
            entry,
            test: found.test,
            arguments: &found.arguments,
            cause: &found.cause,
        }
    }

    /// Runs it with a schedule; `None` if there is no time. Says how the same crash happens, if it
    /// does.
    pub(super) fn run<C: OriginalCode>(
        &self,
        schedule: &Schedule,
        original: &mut C,
    ) -> Result<Option<Option<Confirmed>>, C::Failure> {
        let list = Term::list(self.arguments.to_vec());
        let run = original.run_in_order(self.entry, list, schedule)?;
        Ok(run.map(|run| self.crash(&run, original)))
    }

    fn crash<C: OriginalCode>(&self, run: &OrderedRun, original: &mut C) -> Option<Confirmed> {
        run.end.crashes().into_iter().find_map(|crash| {
            let of_run = (self.entry, self.test, self.arguments);
            let found = self.confirming.crash(of_run, crash.outcome, original);
            let found = found.filter(|it| it.cause == *self.cause)?;
            Some(Confirmed {
                process: crash.process,
                schedule: Some(run.schedule.clone()),
                on: ConfirmedOn::Schedule,
                ..found
            })
        })
    }

    /// Tries the original code; whether the same crash happens.
    pub(super) fn happens_on_code<C: OriginalCode>(
        &self,
        expected: Option<&Outcome>,
        original: &mut C,
    ) -> bool {
        let mut long = 0;
        for number in 0..TRIALS {
            let waits = self.cause.is_deadlock();
            let trial = Trial { number, waits };
            let list = Term::list(self.arguments.to_vec());
            let Ok(Some(ends)) = original.try_out(self.entry, list, trial) else {
                return false;
            };
            if ends.iter().any(|it| self.is_same(it, expected, original)) {
                return true;
            }
            long += usize::from(ends.contains(&Outcome::Timeout));
            if long == MOST_LONG_TRIALS {
                return false;
            }
        }
        false
    }

    fn is_same<C: OriginalCode>(
        &self,
        outcome: &Outcome,
        expected: Option<&Outcome>,
        original: &mut C,
    ) -> bool {
        if let (Outcome::Deadlock { waiting }, Some(Outcome::Deadlock { waiting: others })) =
            (outcome, expected)
        {
            return waiting_functions(waiting) == waiting_functions(others);
        }
        let run = (self.entry, self.test, self.arguments);
        let found = self.confirming.crash(run, outcome.clone(), original);
        found.is_some_and(|it| self.cause.is_like(&it.cause))
    }
}

/// Where processes wait, in no order.
fn waiting_functions(waiting: &[Waiting]) -> Vec<Option<&str>> {
    let places = waiting.iter().map(Waiting::place);
    let mut functions: Vec<Option<&str>> =
        places.map(|it| it.map(|it| it.function.as_str())).collect();
    functions.sort_unstable();
    functions
}

/// The same crash with fewer switches between processes.
pub(super) fn with_fewer_switches<C: OriginalCode>(
    mut found: Confirmed,
    confirming: &Confirming<'_>,
    entry: &Entry,
    original: &mut C,
) -> Confirmed {
    let mut runs = 0;
    let mut run = |found: &Confirmed, schedule: &Schedule| {
        runs += 1;
        if runs > MAX_SCHEDULES || !original.has_time_to_shrink() {
            return None;
        }
        let input = OrderedInput::of(found, confirming, entry);
        input.run(schedule, original).ok()?
    };
    if found.switches() == 0 {
        found.needs_order = false;
        return found;
    }
    if let Some(Some(simple)) = run(&found, Schedule::run_on()) {
        return Confirmed {
            needs_order: false,
            ..found.in_order_of(simple)
        };
    }
    let mut at = 0;
    while let Some(shorter) = found.schedule.as_ref().and_then(|it| without_lease(it, at)) {
        if shorter.switches() >= found.switches() {
            at += 1;
            continue;
        }
        match run(&found, &shorter) {
            Some(Some(simpler)) if simpler.switches() < found.switches() => {
                found = found.in_order_of(simpler);
            }
            Some(_) => at += 1,
            None => break,
        }
    }
    found
}

/// A schedule in which one lease comes with the next one of the same owner, or is left out if there
/// is none.
fn without_lease(schedule: &Schedule, left_out: usize) -> Option<Schedule> {
    let leases = schedule.leases();
    let moved = leases.get(left_out)?;
    let mut extra = Some(moved.steps);
    let mut shorter = Schedule::default();
    for (number, lease) in leases.iter().enumerate() {
        let is_next = number > left_out && lease.owner == moved.owner;
        let steps = match extra.filter(|_| is_next) {
            Some(more) => {
                extra = None;
                lease.steps.saturating_add(more.get())
            }
            None => lease.steps,
        };
        if number != left_out {
            shorter.push(lease.owner.clone(), steps);
        }
    }
    Some(shorter)
}

/// Notes two steps in whose other order the crash does not happen, if it needs an order.
pub(super) fn with_race<C: OriginalCode>(
    found: Confirmed,
    confirming: &Confirming<'_>,
    entry: &Entry,
    original: &mut C,
) -> Confirmed {
    let Some(schedule) = found.schedule.as_ref().filter(|_| found.needs_order) else {
        return found;
    };
    let list = Term::list(found.arguments.clone());
    let orders = original.other_orders(entry, list, schedule);
    let input = OrderedInput::of(&found, confirming, entry);
    // The last steps before the crash come last.
    let other = orders
        .into_iter()
        .rev()
        .take(MAX_SCHEDULES)
        .find(|other| matches!(input.run(&other.schedule, original), Ok(Some(None))));
    Confirmed {
        race: other.as_ref().map(|it| it.race),
        racing: other.map(|it| it.events),
        ..found
    }
}

/// Notes what its processes do.
pub(super) fn with_chart<C: OriginalCode>(
    found: Confirmed,
    entry: &Entry,
    original: &mut C,
) -> Confirmed {
    let schedule = found.schedule.as_ref();
    let charted = schedule.and_then(|schedule| {
        let list = Term::list(found.arguments.clone());
        original.charted_run(entry, list, schedule)
    });
    Confirmed { charted, ..found }
}

/// Notes whether a crash also happens on the original code.
pub(super) fn tried_on_code<C: OriginalCode>(
    found: Confirmed,
    confirming: &Confirming<'_>,
    entry: &Entry,
    original: &mut C,
) -> Confirmed {
    let input = OrderedInput::of(&found, confirming, entry);
    let on = if input.happens_on_code(Some(&found.outcome), original) {
        ConfirmedOn::Code
    } else {
        ConfirmedOn::Schedule
    };
    Confirmed { on, ..found }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::*;

    #[test]
    fn a_lease_is_joined_with_the_next_one_of_its_process() {
        let schedule: Schedule = "0*3,0.1*2,0,0.2,0.1".parse().expect("it is a schedule");
        let without = |number| without_lease(&schedule, number).map(|it| it.to_string());
        assert_eq!(without(0).as_deref(), Some("0.1*2,0*4,0.2,0.1"));
        assert_eq!(without(1).as_deref(), Some("0*4,0.2,0.1*3"));
        assert_eq!(without(3).as_deref(), Some("0*3,0.1*2,0,0.1"));
        assert_eq!(without(5), None);
    }

    #[test]
    fn steps_are_never_too_many() {
        let most = format!("0*{},0.1,0", u32::MAX);
        let schedule: Schedule = most.parse().expect("it is a schedule");
        let shorter = without_lease(&schedule, 0).expect("it has a lease");
        let steps = shorter.leases().last().map(|it| it.steps);
        assert_eq!(steps, NonZeroU32::new(u32::MAX));
    }
}
