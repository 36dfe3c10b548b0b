//! Runs inputs again on the user's code without instrumentation.

use erlang_term::Term;
use reports::{Entry, OriginalCode, Outcome};

use crate::beam::worker::{Limits, Worker};
use crate::failure::Failure;
use crate::program::target::Target;
use crate::sources::front_end::FrontEnd;

/// A worker for the original code, started for the first input.
#[derive(Debug)]
pub(crate) struct Confirmation<'search> {
    target: &'search Target,
    front_end: &'search FrontEnd,
    limits: &'search Limits,
    worker: Option<Worker>,
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
        }
    }
}

impl OriginalCode for Confirmation<'_> {
    type Failure = Failure;

    fn run(&mut self, entry: &Entry, arguments: Term) -> Result<Outcome, Failure> {
        let target = self.target;
        let mut worker = match self.worker.take() {
            Some(worker) => worker,
            None => target.original_worker(self.front_end)?,
        };
        let Entry { module, function } = target.start(entry);
        let module = target.renaming.loaded_as(&module);
        let run = worker.run(module, &function.name, arguments, self.limits);
        self.worker = Some(worker);
        let mut outcome = run?.outcome;
        if let Some(contract) = &target.contract {
            contract.tidy(&mut outcome);
        }
        Ok(outcome)
    }
}
