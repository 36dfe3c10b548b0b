//! Runs the inputs of a search on a BEAM.

use std::time::{Duration, Instant};

use erlang_term::{Atom, Term};
use trace_engine::explore::{Execution, Executor};
use trace_format::{Ending, body_name, decode};

use crate::exploration::findings::is_finding;
use crate::failure::Failure;
use crate::target::Target;
use crate::worker::{Limits, Outcome, Worker};

/// A worker, and what it needs to know.
#[derive(Debug)]
pub(crate) struct BeamExecutor<'search> {
    target: &'search Target,
    worker: Worker,
    entry: (usize, usize),
    body: Atom,
    limits: Limits,
    start: Instant,
    deadline: Instant,
}

impl<'search> BeamExecutor<'search> {
    pub(crate) fn new(
        target: &'search Target,
        limits: Limits,
        deadline: Instant,
    ) -> Result<Self, Failure> {
        let entry = &target.entry;
        let (beams, configuration) = (target.beams.clone(), target.configuration.clone());
        Ok(Self {
            target,
            worker: Worker::new(&target.program, beams, configuration),
            entry: target.entry_number()?,
            body: body_name(&entry.function),
            limits,
            start: Instant::now(),
            deadline,
        })
    }
}

impl Executor for BeamExecutor<'_> {
    type Outcome = Outcome;
    type Error = Failure;

    fn run(&mut self, arguments: &[Term]) -> Result<Execution<Outcome>, Failure> {
        let module = &self.target.entry.module;
        let list = Term::list(arguments.to_vec());
        let run = self.worker.run(module, &self.body, list, &self.limits)?;
        let log = run.logs.first().map(Vec::as_slice).unwrap_or_default();
        let decoded = decode(
            &self.target.program,
            self.target.wire,
            log,
            Some(self.entry),
        );
        let is_cut = decoded
            .as_ref()
            .is_ok_and(|decoded| decoded.ending == Ending::Open);
        Ok(Execution {
            is_finding: is_finding(&run.outcome),
            outcome: run.outcome,
            events: decoded
                .map(|decoded| decoded.events)
                .map_err(|error| error.to_string()),
            is_cut,
        })
    }

    fn should_stop(&mut self) -> bool {
        Instant::now() >= self.deadline
    }

    fn now(&self) -> Duration {
        self.start.elapsed()
    }
}
