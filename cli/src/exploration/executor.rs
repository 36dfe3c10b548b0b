//! Runs the inputs of a search on a BEAM.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use erlang_term::{Atom, Term};
use trace_engine::explore::{Execution, Executor};
use trace_format::{Ending, body_name, decode_up_to};

use crate::exploration::findings::is_finding;
use crate::exploration::journal::Journal;
use crate::exploration::progress::Progress;
use crate::failure::Failure;
use crate::target::Target;
use crate::worker::{Limits, Outcome, Run, Worker};

/// Events of a run that are looked at: some 100 MB.
const MAX_EVENTS: usize = 1_000_000;

/// A worker, and what it needs to know.
#[derive(Debug)]
pub(crate) struct BeamExecutor<'search> {
    target: &'search Target,
    worker: Worker,
    entry: (usize, usize),
    module: Atom,
    body: Atom,
    limits: Limits,
    start: Instant,
    stop: &'search Stop,
    /// Where runs are kept.
    journal: Option<&'search Mutex<Journal>>,
    progress: &'search Progress,
}

/// When a search ends before it is done.
#[derive(Debug)]
pub(crate) struct Stop {
    /// After this moment.
    pub(crate) deadline: Instant,
    /// When the user interrupts it.
    pub(crate) interrupted: Arc<AtomicBool>,
}

impl Stop {
    /// Whether the user interrupted the search.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }
}

impl<'search> BeamExecutor<'search> {
    pub(crate) fn new(
        target: &'search Target,
        limits: Limits,
        stop: &'search Stop,
        journal: Option<&'search Mutex<Journal>>,
        progress: &'search Progress,
    ) -> Result<Self, Failure> {
        let (beams, configuration) = (target.beams.clone(), target.configuration.clone());
        Ok(Self {
            target,
            worker: Worker::new(&target.program, beams, configuration),
            entry: target.start_number()?,
            module: target.loaded_start(),
            body: body_name(&target.start().function),
            limits,
            start: Instant::now(),
            stop,
            journal,
            progress,
        })
    }
}

impl BeamExecutor<'_> {
    fn run_or_remember(&mut self, arguments: Term) -> Result<Run, Failure> {
        if let Some(run) = self
            .journal
            .and_then(|journal| lock(journal).run(&arguments))
        {
            return Ok(run);
        }
        let mut run = self
            .worker
            .run(&self.module, &self.body, arguments.clone(), &self.limits)?;
        if let Some(contract) = &self.target.contract {
            contract.tidy(&mut run.outcome);
        }
        if let Some(journal) = self.journal {
            lock(journal).keep(&arguments, &run)?;
        }
        Ok(run)
    }
}

/// Why a log ends before its run did.
fn why_cut(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Blocked(call) => format!("a call of {call} was refused"),
        Outcome::Timeout => "a run took too long".to_owned(),
        Outcome::Killed => "a run took too much memory".to_owned(),
        Outcome::WorkerDied => "a run brought the BEAM down".to_owned(),
        Outcome::Ok(_) | Outcome::Exception { .. } => "a run has too many events".to_owned(),
    }
}

fn lock(journal: &Mutex<Journal>) -> MutexGuard<'_, Journal> {
    journal.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Executor for BeamExecutor<'_> {
    type Outcome = Outcome;
    type Error = Failure;

    fn run(&mut self, arguments: &[Term]) -> Result<Execution<Outcome>, Failure> {
        let run = self.run_or_remember(Term::list(arguments.to_vec()))?;
        self.progress.ran(arguments, &run.outcome);
        let log = run.logs.first().map(Vec::as_slice).unwrap_or_default();
        let decoded = decode_up_to(
            &self.target.program,
            self.target.wire,
            log,
            Some(self.entry),
            MAX_EVENTS,
        );
        let is_cut = decoded
            .as_ref()
            .is_ok_and(|decoded| decoded.ending == Ending::Open);
        Ok(Execution {
            is_finding: is_finding(&run.outcome),
            cut: is_cut.then(|| why_cut(&run.outcome)),
            outcome: run.outcome,
            events: decoded
                .map(|decoded| decoded.events)
                .map_err(|error| error.to_string()),
        })
    }

    fn should_stop(&self) -> bool {
        self.stop.is_interrupted() || Instant::now() >= self.stop.deadline
    }

    fn waiting(&self, inputs: usize) {
        self.progress.waiting(inputs);
    }

    fn now(&self) -> Duration {
        self.start.elapsed()
    }
}
