//! Runs inputs again on the user's code without instrumentation.

use erlang_term::{Atom, Term};
use reports::{Entry, OriginalCode, Outcome, REJECTED_INPUT};

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
            None => {
                let beams = target.original_beams(self.front_end)?;
                Worker::for_original_code(beams, target.configuration.clone())
                    .with(self.front_end.standby())
            }
        };
        let Entry { module, function } = target.start(entry);
        let run = worker.run(&module, &function.name, arguments.clone(), self.limits);
        let mut outcome = run?.outcome;
        let was_ended = matches!(
            outcome,
            Outcome::Timeout | Outcome::Killed | Outcome::WorkerDied
        );
        if was_ended && !can_be_made(&mut worker, arguments, self.limits)? {
            outcome = Outcome::Exception {
                class: "exit".to_owned(),
                reason: REJECTED_INPUT.to_owned(),
                stack: Vec::new(),
            };
        }
        self.worker = Some(worker);
        if let Some(contract) = &target.contract {
            contract.tidy(&mut outcome);
        }
        Ok(outcome)
    }
}

/// Whether the values of an input can be made. If not, it is no crash of the entry that the run was
/// ended.
fn can_be_made(worker: &mut Worker, arguments: Term, limits: &Limits) -> Result<bool, Failure> {
    if !arguments.has_recipes() {
        return Ok(true);
    }
    let [module, function] = ["erlang", "is_list"].map(Atom::new);
    let run = worker.run(&module, &function, Term::list([arguments]), limits)?;
    Ok(matches!(run.outcome, Outcome::Ok(_)))
}
