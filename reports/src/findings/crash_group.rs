//! The crashes of one function with the same cause.

use std::collections::HashMap;

use erlang_term::Term;

use super::cause::Cause;
use super::finding::CrashInput;
use super::reason_key::ReasonKeys;
use crate::crash_site::CrashSite;
use crate::entry::{Entry, argument_texts};
use crate::explored_code::ExploredCode;
use crate::language::Language;
use crate::original_code::OriginalCode;
use crate::outcome::{Outcome, StackEntry};
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

/// An input of a group that crashes on the original code.
#[derive(Debug)]
pub(super) struct Confirmed {
    /// The test of the group with this input, or with a larger one.
    pub(super) test: usize,
    /// Whether the input is smaller than that of the test.
    pub(super) is_shrunk: bool,
    pub(super) arguments: Vec<Term>,
    pub(super) cause: Cause,
    pub(super) outcome: Outcome,
    /// The message of the exception, where the program has words of its own for it.
    pub(super) message: Option<String>,
    pub(super) site: Option<CrashSite>,
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

/// The code in which causes of crashes are looked up.
#[derive(Debug)]
pub(super) struct Confirming<'code> {
    pub(super) code: &'code ExploredCode<'code>,
    pub(super) keys: &'code ReasonKeys<'code>,
}

impl Confirming<'_> {
    /// A run on the original code, if it crashed.
    pub(super) fn crash(
        &self,
        entry: &Entry,
        test: usize,
        arguments: &[Term],
        outcome: Outcome,
    ) -> Option<Confirmed> {
        if !outcome.is_finding() {
            return None;
        }
        let site = CrashSite::new(self.code, entry, &outcome);
        let cause = Cause::new(self.keys, entry, arguments, &outcome, site.as_ref());
        Some(Confirmed {
            test,
            is_shrunk: false,
            arguments: arguments.to_vec(),
            cause,
            outcome,
            message: None,
            site,
        })
    }
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
        let mut sites: HashMap<&[StackEntry], Option<CrashSite>> = HashMap::new();
        for (test, arguments, outcome) in search.crashes() {
            let site = sites.entry(outcome.stack());
            let site = site.or_insert_with(|| CrashSite::new(code, &search.entry, outcome));
            let cause = Cause::new(keys, &search.entry, &arguments, outcome, site.as_ref());
            let group = *known.entry(cause.clone()).or_insert(groups.len());
            match groups.get_mut(group) {
                Some(group) => group.tests.push(test),
                None => groups.push(CrashGroup {
                    search: number,
                    cause,
                    tests: vec![test],
                }),
            }
        }
    }
    groups
}

impl CrashGroup {
    /// The crash in a few words.
    pub(super) fn words(&self) -> String {
        self.cause.to_string()
    }

    /// Where it comes in the order of all tests.
    pub(super) fn first(&self) -> (usize, Option<usize>) {
        (self.search, self.tests.first().copied())
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
            let arguments = search.arguments(test);
            match original.run(&search.entry, Term::list(arguments.clone())) {
                Ok(Some(outcome)) => {
                    let found = confirming.crash(&search.entry, test, &arguments, outcome);
                    let found = found.filter(|it| self.cause.is_confirmed_by(&it.cause));
                    if let Some(found) = found {
                        return RunAgain::Crashed(Box::new(found));
                    }
                }
                Ok(None) => return RunAgain::NoTime,
                Err(why) => *failure = Some(why),
            }
        }
        RunAgain::DidNotCrash
    }
}

impl Confirmed {
    /// The length of its arguments as text.
    pub(super) fn size(&self) -> usize {
        let texts = argument_texts(&self.arguments);
        texts.iter().map(String::len).sum()
    }

    /// Whether a program is likely to get this input.
    pub(super) fn is_plain(&self, search: &Searched) -> bool {
        search.is_plain(&self.arguments, &self.outcome)
    }

    /// With the message that the program has for its exception.
    pub(super) fn with_message<C: OriginalCode>(mut self, entry: &Entry, original: &mut C) -> Self {
        let is_raised = matches!(self.outcome, Outcome::Exception { .. });
        let is_own = is_raised && !self.outcome.breaks_postcondition();
        if is_own && Language::of(&entry.module) == Language::Elixir {
            self.message = original.banner(entry, Term::list(self.arguments.clone()));
        }
        self
    }

    pub(super) fn input(&self, search: usize) -> CrashInput {
        CrashInput {
            search,
            test: self.test,
            is_shrunk: self.is_shrunk,
            arguments: argument_texts(&self.arguments),
        }
    }
}
