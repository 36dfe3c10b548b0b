//! The crashes of one function with the same cause.

use std::collections::HashMap;

use erlang_term::Term;
use trace_engine::ChosenClause;
use trace_format::Schedule;

use super::cause::Cause;
use super::confirmed::{Confirmed, Confirming};
use super::ordered_crash::OrderedInput;
use super::reason_key::ReasonKeys;
use crate::crash_site::CrashSite;
use crate::explored_code::ExploredCode;
use crate::machine::ending_clause;
use crate::original_code::OriginalCode;
use crate::outcome::StackEntry;
use crate::searched::Searched;

/// How many inputs of one group are run again on the original code.
const ATTEMPTS: usize = 3;

/// Crashes of one function with the same cause in instrumented code.
#[derive(Debug)]
pub(super) struct CrashGroup {
    /// The number of the search.
    pub(super) search: usize,
    pub(super) cause: Cause,
    /// The numbers of its tests, in the order of the search.
    pub(super) tests: Vec<usize>,
}

/// What the inputs of a group do on the original code.
#[derive(Debug)]
pub(super) enum RunAgain {
    /// This one crashes as well.
    Crashed(Box<Confirmed>),
    /// None of those that were run crashes for the same reason.
    DidNotCrash,
    /// There was no time to find out.
    NoTime,
}

/// The groups of all searches, in the order of the searches and their tests.
pub(super) fn crash_groups(
    code: &ExploredCode<'_>,
    keys: &ReasonKeys<'_>,
    searches: &[Searched],
) -> Vec<CrashGroup> {
    let mut groups: Vec<CrashGroup> = Vec::new();
    for (number, search) in searches.iter().enumerate() {
        let mut known: HashMap<Cause, usize> = HashMap::new();
        let mut sites: HashMap<(Vec<StackEntry>, Option<ChosenClause>), Option<CrashSite>> =
            HashMap::new();
        for (test, arguments, crashes) in search.crashes() {
            let marks = search.marks(test);
            for crash in crashes {
                let outcome = &crash.outcome;
                let site = sites.entry((outcome.stack().to_vec(), ending_clause(marks)));
                let marks = || marks.to_vec();
                let site =
                    site.or_insert_with(|| CrashSite::new(code, &search.entry, outcome, marks));
                let cause = Cause::new(keys, &search.entry, &arguments, outcome, site.as_ref());
                let group = *known.entry(cause.clone()).or_insert(groups.len());
                match groups.get_mut(group) {
                    Some(group) => group.add(test),
                    None => groups.push(CrashGroup {
                        search: number,
                        cause,
                        tests: vec![test],
                    }),
                }
            }
        }
    }
    groups
}

impl CrashGroup {
    /// Adds the test that was added last, or the next one.
    fn add(&mut self, test: usize) {
        if self.tests.last() != Some(&test) {
            self.tests.push(test);
        }
    }

    /// The crash in a few words.
    pub(super) fn words(&self) -> String {
        self.cause.to_string()
    }

    /// Where it comes in the order of all tests.
    pub(super) fn first(&self) -> (usize, Option<usize>) {
        (self.search, self.tests.first().copied())
    }

    /// Whether its first input waits for timers of a machine.
    pub(super) fn waits(&self, search: &Searched) -> bool {
        let first = self.tests.first().map(|it| search.arguments(*it));
        first.is_some_and(|it| search.entry.waits(&it))
    }

    /// Runs the likeliest and smallest inputs again until one crashes for the same reason.
    pub(super) fn confirm<C: OriginalCode>(
        &self,
        confirming: &Confirming<'_>,
        search: &Searched,
        original: &mut C,
        failure: &mut Option<C::Failure>,
    ) -> RunAgain {
        let tests = search.by_worth(self.tests.clone());
        for test in tests.into_iter().take(ATTEMPTS) {
            match self.run_again(confirming, search, test, original) {
                Ok(Some(Some(found))) => return RunAgain::Crashed(Box::new(found)),
                Ok(Some(None)) => {}
                Ok(None) => return RunAgain::NoTime,
                Err(why) => *failure = Some(why),
            }
        }
        RunAgain::DidNotCrash
    }

    /// Runs a test again; `None` if there is no time. Says how it crashes, if it does so for the
    /// same reason.
    fn run_again<C: OriginalCode>(
        &self,
        confirming: &Confirming<'_>,
        search: &Searched,
        test: usize,
        original: &mut C,
    ) -> Result<Option<Option<Confirmed>>, C::Failure> {
        let arguments = search.arguments(test);
        let schedule = search.schedule(test);
        let input = OrderedInput {
            confirming,
            entry: &search.entry,
            test,
            arguments: &arguments,
            cause: &self.cause,
        };
        // A play waits for any timer, a real machine only for a while: other processes may be busy for
        // ever in that time, but not the machine.
        let is_busy_wait = self.cause.is_endless() && search.entry.waits(&arguments);
        if (schedule.is_some() && !is_busy_wait) || self.cause.is_deadlock() {
            return input.run(&schedule.unwrap_or_default(), original);
        }
        let outcome = original.run(&search.entry, Term::list(arguments.clone()))?;
        let found = outcome.map(|outcome| {
            let found = confirming.crash((&search.entry, test, &arguments), outcome, original);
            found.filter(|it| self.cause.is_confirmed_by(&it.cause))
        });
        // A timer of a real machine may take too long, or be over too early. In its play no time
        // passes.
        match found {
            None | Some(None) if search.entry.waits(&arguments) && !is_busy_wait => {
                input.run(&Schedule::default(), original)
            }
            found => Ok(found),
        }
    }
}
