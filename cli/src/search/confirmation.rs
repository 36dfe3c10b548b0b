//! Runs inputs again on the user's code without instrumentation.

use std::time::Instant;

use erlang_term::Term;
use reports::{Entry, OriginalCode, Outcome, OwnSources};

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
            worker: None,
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
            None => target.original_worker(self.front_end),
        };
        let mut worker = match worker {
            Err(_) if Instant::now() >= end => return Ok(None),
            worker => worker?,
        };
        let Entry { module, function } = target.start(entry);
        let module = target.renaming.loaded_as(&module);
        let run = worker.run_until(module, &function.name, arguments, self.limits, Some(end));
        self.worker = Some(worker);
        let mut outcome = run?.map(|run| run.outcome);
        if let (Some(contract), Some(outcome)) = (&target.contract, &mut outcome) {
            contract.tidy(outcome);
        }
        if let Some(outcome) = &mut outcome {
            self.own_sources.locate(outcome);
        }
        Ok(outcome)
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
