//! Runs inputs again on the user's code without instrumentation.

use std::sync::Arc;
use std::time::Instant;

use erlang_term::{Atom, Term};
use reports::{Entry, OriginalCode, Outcome, OwnSources, REJECTED_INPUT, printed_text};
use trace_format::Schedule;

use crate::beam::BeamRules;
use crate::beam::worker::{Limits, Worker};
use crate::failure::Failure;
use crate::program::target::Target;
use crate::search::subjects::Subject;
use crate::search::time_limit::TimeLimit;
use crate::sources::front_end::FrontEnd;

/// A worker for the original code, started for the first input.
#[derive(Debug)]
pub(crate) struct Confirmation<'search> {
    target: &'search Target,
    front_end: &'search FrontEnd,
    subjects: &'search [Subject],
    limits: &'search Limits,
    own_sources: OwnSources,
    time: TimeLimit,
    rules: Arc<BeamRules>,
    worker: Option<Worker>,
}

impl<'search> Confirmation<'search> {
    pub(crate) fn new(
        target: &'search Target,
        front_end: &'search FrontEnd,
        subjects: &'search [Subject],
        limits: &'search Limits,
        time: TimeLimit,
    ) -> Self {
        Self {
            target,
            front_end,
            subjects,
            limits,
            own_sources: target.own_sources(),
            time,
            rules: Arc::default(),
            worker: None,
        }
    }

    /// The same, with the rules of the search.
    pub(crate) fn with_rules(self, rules: Arc<BeamRules>) -> Self {
        Self { rules, ..self }
    }
}

impl Confirmation<'_> {
    /// The text that a function of the runtime returns, beside the original code.
    fn text_of(&mut self, module: &str, function: &str, arguments: Term) -> Option<String> {
        let [module, function] = [module, function].map(Atom::new);
        let (limits, end) = (self.limits, self.time.end());
        let worker = self.worker.as_mut()?;
        let run = worker.run_until(
            (&module, &function),
            arguments,
            Schedule::run_on(),
            limits,
            Some(end),
        );
        match run.ok()??.outcome {
            Outcome::Ok(text) => printed_text(&text),
            Outcome::Exception { .. }
            | Outcome::Timeout
            | Outcome::Killed
            | Outcome::WorkerDied
            | Outcome::Deadlock { .. }
            | Outcome::Steps
            | Outcome::Blocked(_) => None,
        }
    }
}

impl OriginalCode for Confirmation<'_> {
    type Failure = Failure;

    fn run(&mut self, entry: &Entry, arguments: Term) -> Result<Option<Outcome>, Failure> {
        let target = self.target;
        let end = self.time.end();
        let worker = match self.worker.take() {
            Some(worker) => Ok(worker),
            None => target
                .original_worker(self.front_end)
                .map(|it| it.with_rules(Arc::clone(&self.rules))),
        };
        let mut worker = match worker {
            Err(_) if Instant::now() >= end => return Ok(None),
            worker => worker?,
        };
        let Entry { module, function } = target.start(entry);
        let module = target.renaming.loaded_as(&module);
        let run = worker.run_until(
            (module, &function.name),
            arguments.clone(),
            Schedule::run_on(),
            self.limits,
            Some(end),
        );
        let mut outcome = run?.map(|run| run.outcome);
        let was_ended = matches!(
            outcome,
            Some(Outcome::Timeout | Outcome::Killed | Outcome::WorkerDied)
        );
        if was_ended && !can_be_made(&mut worker, arguments, self.limits, end)? {
            outcome = Some(Outcome::Exception {
                class: "exit".to_owned(),
                reason: REJECTED_INPUT.to_owned(),
                stack: Vec::new(),
            });
        }
        self.worker = Some(worker);
        if let (Some(contract), Some(outcome)) = (&target.contract, &mut outcome) {
            contract.tidy(outcome);
        }
        if let Some(outcome) = &mut outcome {
            self.own_sources.locate(outcome);
        }
        Ok(outcome)
    }

    fn banner(&mut self, entry: &Entry, arguments: Term) -> Option<String> {
        let Entry { module, function } = self.target.start(entry);
        let module = self.target.renaming.loaded_as(&module).clone();
        let given = [Term::Atom(module), Term::Atom(function.name), arguments];
        let banner = self.text_of("erlconcolic_exception", "banner", Term::list(given));
        banner.filter(|it| !it.is_empty())
    }

    fn formatted(&mut self, source: &str, columns: usize) -> Option<String> {
        let columns = Term::Integer(i64::try_from(columns).ok()?.into());
        let given = Term::list([Term::binary(source), columns]);
        self.text_of("erlconcolic_formatter", "format", given)
    }

    fn has_time_to_shrink(&self) -> bool {
        Instant::now() < self.time.end_of_shrinking()
    }

    fn is_input(&self, entry: &Entry, arguments: &[Term]) -> bool {
        let subject = self.subjects.iter().find(|it| it.entry == *entry);
        let signature = subject.and_then(|it| it.task.signature.as_ref());
        signature.is_none_or(|it| it.admits(arguments))
    }
}

/// Whether the values of an input can be made. If not, it is no crash of the entry that the run was
/// ended.
fn can_be_made(
    worker: &mut Worker,
    arguments: Term,
    limits: &Limits,
    end: Instant,
) -> Result<bool, Failure> {
    if !arguments.has_recipes() {
        return Ok(true);
    }
    let [module, function] = ["erlang", "is_list"].map(Atom::new);
    let arguments = Term::list([arguments]);
    let run = worker.run_until(
        (&module, &function),
        arguments,
        Schedule::run_on(),
        limits,
        Some(end),
    )?;
    Ok(run.is_some_and(|run| matches!(run.outcome, Outcome::Ok(_))))
}
