//! Runs inputs again on the user's code without instrumentation.

use std::time::Instant;

use erlang_term::Term;
use reports::{Entry, OriginalCode, Outcome};

use crate::beam::worker::{Limits, Worker};
use crate::failure::Failure;
use crate::program::target::Target;
use crate::search::time_limit::TimeLimit;
use crate::sources::front_end::FrontEnd;

/// A worker for the original code, started for the first input.
#[derive(Debug)]
pub(crate) struct Confirmation<'search> {
    target: &'search Target,
    front_end: &'search FrontEnd,
    limits: &'search Limits,
    time: TimeLimit,
    worker: Option<Worker>,
}

impl<'search> Confirmation<'search> {
    pub(crate) fn new(
        target: &'search Target,
        front_end: &'search FrontEnd,
        limits: &'search Limits,
        time: TimeLimit,
    ) -> Self {
        Self {
            target,
            front_end,
            limits,
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
        Ok(outcome)
    }
}
