//! Runs that crash, one for each place and reason, confirmed on the code as it is.

use diagnostic::Diagnostic;
use erlang_term::Term;
use trace_engine::explore::{Gap, Report};

use crate::contract::is_rejected;
use crate::entry::Entry;
use crate::exploration::argument_texts;
use crate::failure::Failure;
use crate::front_end::FrontEnd;
use crate::target::Target;
use crate::worker::{Limits, Outcome, StackEntry, Worker};

/// How many inputs of one finding are run again on the code as it is.
const ATTEMPTS: usize = 3;

/// A crash.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    /// The number of the test, from 0.
    pub(crate) test: usize,
    /// The smallest arguments.
    pub(crate) arguments: Vec<String>,
    /// How it ends on the code as it is.
    pub(crate) outcome: Outcome,
    /// Other arguments that crash in the same place for the same reason.
    pub(crate) also: Vec<Vec<String>>,
}

/// Whether a run ended in a way that is reported.
pub(crate) fn is_finding(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Ok(_) | Outcome::Blocked(_) => false,
        _ if is_rejected(outcome) => false,
        Outcome::Exception { class, reason, .. } => class != "exit" || !is_normal_exit(reason),
        Outcome::Timeout | Outcome::Killed | Outcome::WorkerDied => true,
    }
}

fn is_normal_exit(reason: &str) -> bool {
    reason == "normal" || reason == "shutdown" || reason.starts_with("{shutdown,")
}

/// What two runs have in common that crash for the same reason.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Cause {
    kind: String,
    reason: String,
    place: Option<(String, i64)>,
}

impl Cause {
    pub(crate) fn of(outcome: &Outcome) -> Self {
        let plain = |kind: &str| Self {
            kind: kind.to_owned(),
            reason: String::new(),
            place: None,
        };
        match outcome {
            Outcome::Exception {
                class,
                reason,
                stack,
            } => Self {
                kind: class.clone(),
                reason: tag(reason).to_owned(),
                place: place(stack).map(|entry| (entry.file.clone(), entry.line)),
            },
            Outcome::Timeout => plain("timeout"),
            Outcome::Killed => plain("killed"),
            Outcome::WorkerDied => plain("worker died"),
            Outcome::Ok(_) | Outcome::Blocked(_) => plain("none"),
        }
    }

    /// Whether a run on the code as it is crashes for the same reason. Its places may be others.
    fn is_that_of(&self, outcome: &Outcome) -> bool {
        let other = Self::of(outcome);
        (&self.kind, &self.reason) == (&other.kind, &other.reason)
    }

    fn unconfirmed(&self) -> Gap {
        let mut text = self.kind.clone();
        if !self.reason.is_empty() {
            text = format!("{text}: {}", self.reason);
        }
        if let Some((file, line)) = &self.place {
            text = format!("{text} ({file}:{line})");
        }
        Gap::Unconfirmed(text)
    }
}

/// The part of a reason that does not depend on the input: `badmatch` of `{badmatch,7}`.
fn tag(reason: &str) -> &str {
    let inner = reason.strip_prefix('{').unwrap_or(reason);
    inner.split([',', '}']).next().unwrap_or(inner)
}

/// The innermost function with a known place.
pub(crate) fn place(stack: &[StackEntry]) -> Option<&StackEntry> {
    stack.iter().find(|entry| entry.line > 0)
}

/// Runs crashes again on the code as it is.
#[derive(Debug)]
pub(crate) struct Confirmation<'search> {
    target: &'search Target,
    front_end: &'search FrontEnd,
    limits: &'search Limits,
    /// Made for the first crash.
    worker: Option<Worker>,
    /// Why a crash could not be run again.
    failure: Option<Failure>,
}

impl<'search> Confirmation<'search> {
    pub(crate) fn new(
        target: &'search Target,
        front_end: &'search FrontEnd,
        limits: &'search Limits,
    ) -> Self {
        Self {
            target,
            front_end,
            limits,
            worker: None,
            failure: None,
        }
    }

    /// Why crashes could not be run again, if that was so.
    pub(crate) fn take_failure(&mut self) -> Vec<Diagnostic> {
        self.failure.take().map_or(Vec::new(), |failure| failure.0)
    }

    /// Runs an input on the code as it is.
    pub(crate) fn run(&mut self, entry: &Entry, arguments: Term) -> Result<Outcome, Failure> {
        let target = self.target;
        let mut worker = match self.worker.take() {
            Some(worker) => worker,
            None => {
                let beams = target.original_beams(self.front_end)?;
                Worker::for_original_code(beams, target.configuration.clone())
                    .with(self.front_end.standby())
            }
        };
        let Entry { module, function } = target.start(entry);
        let run = worker.run(&module, &function.name, arguments, self.limits);
        self.worker = Some(worker);
        let mut outcome = run?.outcome;
        if let Some(contract) = &target.contract {
            contract.tidy(&mut outcome);
        }
        Ok(outcome)
    }
}

/// All crashes among the tests of a function. What does not crash on the code as it is becomes a
/// gap.
pub(crate) fn findings(
    entry: &Entry,
    report: &mut Report<Outcome>,
    confirmation: &mut Confirmation<'_>,
) -> Vec<Finding> {
    let Report { tests, gaps, .. } = report;
    let mut groups: Vec<(Cause, Vec<usize>)> = Vec::new();
    for (number, test) in tests.iter().enumerate() {
        if !is_finding(&test.outcome) {
            continue;
        }
        let cause = Cause::of(&test.outcome);
        match groups.iter_mut().find(|(known, _)| *known == cause) {
            Some((_, numbers)) => numbers.push(number),
            None => groups.push((cause, vec![number])),
        }
    }
    let mut findings = Vec::new();
    for (cause, mut numbers) in groups {
        let arguments = |number: usize| -> Vec<Term> {
            let test = tests.get(number);
            test.map_or(Vec::new(), |test| test.arguments.terms())
        };
        let texts = |number: usize| argument_texts(&arguments(number));
        numbers.sort_by_cached_key(|number| texts(*number).iter().map(String::len).sum::<usize>());
        let mut confirmed = None;
        for number in numbers.iter().take(ATTEMPTS) {
            match confirmation.run(entry, Term::list(arguments(*number))) {
                Ok(outcome) if is_finding(&outcome) && cause.is_that_of(&outcome) => {
                    confirmed = Some((*number, outcome));
                    break;
                }
                Ok(_) => {}
                // The rest of the report is worth as much without this one.
                Err(failure) => confirmation.failure = Some(failure),
            }
        }
        match confirmed {
            Some((number, outcome)) => {
                let others = numbers.iter().filter(|other| **other != number);
                findings.push(Finding {
                    test: number,
                    arguments: texts(number),
                    outcome,
                    also: others.map(|other| texts(*other)).collect(),
                });
            }
            None => *gaps.entry(cause.unconfirmed()).or_default() += numbers.len(),
        }
    }
    findings
}
