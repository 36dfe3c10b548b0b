//! Findings: runs that crash, one for each place and reason, confirmed on the original code.

use erlang_term::Term;
use trace_engine::explore::{Gap, Report};

use crate::entry::{Entry, argument_texts};
use crate::original_code::OriginalCode;
use crate::outcome::Outcome;

/// How many inputs of one finding are run again on the original code.
const ATTEMPTS: usize = 3;

/// A crash.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The number of the test, from 0.
    pub test: usize,
    /// The smallest arguments.
    pub arguments: Vec<String>,
    /// How it ends on the original code.
    pub outcome: Outcome,
    /// Other arguments that crash in the same place for the same reason.
    pub also: Vec<Vec<String>>,
}

/// Why a run crashed. Runs with the same cause are one finding.
#[derive(Debug, PartialEq, Eq)]
pub struct Cause {
    kind: String,
    reason: String,
    place: Option<(String, i64)>,
}

impl Cause {
    /// The cause of a crash.
    pub fn of(outcome: &Outcome) -> Self {
        let plain = |kind: &str| Self {
            kind: kind.to_owned(),
            reason: String::new(),
            place: None,
        };
        match outcome {
            Outcome::Exception { class, reason, .. } => Self {
                kind: class.clone(),
                reason: tag(reason).to_owned(),
                place: outcome
                    .crash_site()
                    .map(|entry| (entry.file.clone(), entry.line)),
            },
            Outcome::Timeout => plain("timeout"),
            Outcome::Killed => plain("killed"),
            Outcome::WorkerDied => plain("worker died"),
            Outcome::Ok(_) | Outcome::Blocked(_) => plain("none"),
        }
    }

    /// Whether a run on the original code crashes for the same reason. The places may differ.
    fn is_that_of(&self, outcome: &Outcome) -> bool {
        let other = Self::of(outcome);
        (&self.kind, &self.reason) == (&other.kind, &other.reason)
    }

    /// Whether a run that crashes for this reason takes long, and so do all that confirm it.
    fn takes_long(&self) -> bool {
        self.kind == "timeout"
    }

    /// The crash in a few words.
    fn words(&self) -> String {
        let mut text = self.kind.clone();
        if !self.reason.is_empty() {
            text = format!("{text}: {}", self.reason);
        }
        if let Some((file, line)) = &self.place {
            text = format!("{text} ({file}:{line})");
        }
        text
    }
}

/// The part of a reason that does not depend on the input: `badmatch` of `{badmatch,7}`.
fn tag(reason: &str) -> &str {
    let inner = reason.strip_prefix('{').unwrap_or(reason);
    inner.split([',', '}']).next().unwrap_or(inner)
}

/// Groups the crashes of a function by cause, and runs the smallest inputs of each group again. A
/// group that does not crash on the original code becomes a gap. Also returns why an input could
/// not be run again: the rest of the report is still worth having.
pub(crate) fn findings<C: OriginalCode>(
    entry: &Entry,
    report: &mut Report<Outcome>,
    original: &mut C,
) -> (Vec<Finding>, Option<C::Failure>) {
    let Report { tests, gaps, .. } = report;
    let mut groups: Vec<(Cause, Vec<usize>)> = Vec::new();
    for (number, test) in tests.iter().enumerate() {
        if !test.outcome.is_finding() {
            continue;
        }
        let cause = Cause::of(&test.outcome);
        match groups.iter_mut().find(|(known, _)| *known == cause) {
            Some((_, numbers)) => numbers.push(number),
            None => groups.push((cause, vec![number])),
        }
    }
    // Cheap ones first, since the time may be up before the last.
    groups.sort_by_key(|(cause, _)| cause.takes_long());
    let mut findings = Vec::new();
    let mut failure = None;
    for (cause, mut numbers) in groups {
        let first = numbers.first().copied();
        let arguments = |number: usize| -> Vec<Term> {
            let test = tests.get(number);
            test.map_or(Vec::new(), |test| test.arguments.terms())
        };
        let texts = |number: usize| argument_texts(&arguments(number));
        numbers.sort_by_cached_key(|number| texts(*number).iter().map(String::len).sum::<usize>());
        let mut confirmed = None;
        let mut is_checked = true;
        for number in numbers.iter().take(ATTEMPTS) {
            match original.run(entry, Term::list(arguments(*number))) {
                Ok(Some(outcome)) if outcome.is_finding() && cause.is_that_of(&outcome) => {
                    confirmed = Some((*number, outcome));
                    break;
                }
                Ok(Some(_)) => {}
                Ok(None) => {
                    is_checked = false;
                    break;
                }
                Err(why) => failure = Some(why),
            }
        }
        match confirmed {
            Some((number, outcome)) => {
                let others = numbers.iter().filter(|other| **other != number);
                let finding = Finding {
                    test: number,
                    arguments: texts(number),
                    outcome,
                    also: others.map(|other| texts(*other)).collect(),
                };
                findings.push((first, finding));
            }
            None => {
                let gap = if is_checked {
                    Gap::Unconfirmed(cause.words())
                } else {
                    Gap::UncheckedCrash(cause.words())
                };
                *gaps.entry(gap).or_default() += numbers.len();
            }
        }
    }
    findings.sort_by_key(|(first, _)| *first);
    (findings.into_iter().map(|it| it.1).collect(), failure)
}
