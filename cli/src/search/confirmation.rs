//! Runs inputs again on the user's code without instrumentation.

use erlang_term::Term;
use reports::{Entry, OriginalCode, Outcome, OwnSources};

use crate::beam::worker::{Limits, Worker};
use crate::failure::Failure;
use crate::program::target::Target;
use crate::search::subjects::Subject;
use crate::sources::front_end::FrontEnd;

/// A worker for the original code, started for the first input.
#[derive(Debug)]
pub(crate) struct Confirmation<'search> {
    target: &'search Target,
    front_end: &'search FrontEnd,
    subjects: &'search [Subject],
    limits: &'search Limits,
    own_sources: OwnSources,
    worker: Option<Worker>,
}

impl<'search> Confirmation<'search> {
    pub(crate) fn new(
        target: &'search Target,
        front_end: &'search FrontEnd,
        subjects: &'search [Subject],
        limits: &'search Limits,
    ) -> Self {
        Self {
            target,
            front_end,
            subjects,
            limits,
            own_sources: target.own_sources(),
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
        self.own_sources.locate(&mut outcome);
        Ok(outcome)
    }

    fn is_input(&self, entry: &Entry, arguments: &[Term]) -> bool {
        let subject = self.subjects.iter().find(|it| it.entry == *entry);
        let signature = subject.and_then(|it| it.task.signature.as_ref());
        signature.is_none_or(|it| it.admits(arguments))
    }
}
