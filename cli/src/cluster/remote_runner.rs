//! Runs inputs on nodes.

use std::env;
use std::sync::mpsc::RecvTimeoutError;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use erlang_term::{Atom, Term};
use solver::ReleaseRules;
use trace_format::Schedule;

use super::frame::Order;
use super::pool::Pool;
use super::session::{Answer, Session};
use crate::beam::BeamRules;
use crate::beam::worker::{Limits, Outcome, Run, Worker};
use crate::failure::Failure;
use crate::search::runner::Runner;

/// How many nodes may be lost while they have an input. It may be the reason, so it is run here then.
const MOST_LOST: usize = 2;

/// How much longer a node may take for a run than the run itself, for each time it tries: the same
/// that a worker gives its BEAM, and the network.
const PATIENCE: Duration = Duration::from_secs(15);
/// Sets the patience of a worker in milliseconds, for tests.
const PATIENCE_VARIABLE: &str = "ERLCONCOLIC_PATIENCE";

/// Runs inputs in a session with a node. When that is lost, the input goes to another node, or to a
/// worker here if there is none.
#[derive(Debug)]
pub(crate) struct RemoteRunner<'search> {
    pool: &'search Pool,
    session: Arc<Session>,
    /// For all runners of the search.
    here: &'search Mutex<Worker>,
    rules: Arc<BeamRules>,
    is_delivering: bool,
    agreed_in_run: usize,
}

impl<'search> RemoteRunner<'search> {
    /// A runner for a node that has come; waits for one. `None` when the search is over.
    pub(crate) fn wait_for(
        pool: &'search Pool,
        here: &'search Mutex<Worker>,
        rules: &Arc<BeamRules>,
        should_stop: &dyn Fn() -> bool,
    ) -> Option<Self> {
        let session = pool.wait_for_session(should_stop)?;
        Some(Self {
            pool,
            session,
            is_delivering: lock(here).is_delivering(),
            here,
            rules: Arc::clone(rules),
            agreed_in_run: 0,
        })
    }

    /// Runs an input on a node, and waits until a certain time.
    fn ask(&self, session: &Session, order: Order, end: Option<Instant>) -> Asked {
        let Some(answer) = session.expect(order.id) else {
            return Asked::Lost;
        };
        let patience = patience(&order.limits, session);
        self.pool.send(session, order);
        let left = end.map(|end| end.saturating_duration_since(Instant::now()));
        let time = left.map_or(patience, |left| left.min(patience));
        match answer.recv_timeout(time) {
            Ok(Answer::Ran(run, agreed)) => Asked::Ran(*run, agreed),
            Ok(Answer::Failed(why)) => {
                self.pool.give_up(session, &why);
                Asked::Lost
            }
            Err(RecvTimeoutError::Disconnected) => Asked::Lost,
            Err(RecvTimeoutError::Timeout) if time < patience => Asked::TimeIsUp,
            Err(RecvTimeoutError::Timeout) => {
                self.pool
                    .give_up(session, "it has not answered for too long");
                Asked::Lost
            }
        }
    }

    /// The session to use: that of this runner, or another one.
    fn usable_session(&self) -> Option<Arc<Session>> {
        if self.session.takes_more() {
            return Some(Arc::clone(&self.session));
        }
        self.pool.least_busy()
    }
}

/// What became of an input.
enum Asked {
    Ran(Run, usize),
    Lost,
    TimeIsUp,
}

/// How long a node may take: each input before this one may need all its time, twice.
fn patience(limits: &Limits, session: &Session) -> Duration {
    let set = env::var(PATIENCE_VARIABLE).ok();
    let set = set.and_then(|text| text.parse().ok());
    let patience = set.map_or(PATIENCE, Duration::from_millis);
    let each = Duration::from_millis(limits.milliseconds).saturating_add(patience);
    let before = session.waiting() / session.workers().max(1);
    let runs = u32::try_from(2 * (before + 1)).unwrap_or(u32::MAX);
    each.saturating_mul(runs)
}

fn lock(worker: &Mutex<Worker>) -> MutexGuard<'_, Worker> {
    worker.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Runner for RemoteRunner<'_> {
    fn run_until(
        &mut self,
        (module, function): (&Atom, &Atom),
        arguments: Term,
        schedule: &Schedule,
        limits: &Limits,
        end: Option<Instant>,
    ) -> Result<Option<Run>, Failure> {
        lock(self.here).ask_rules(end)?;
        for _ in 0..MOST_LOST {
            let Some(session) = self.usable_session() else {
                break;
            };
            let order = Order {
                id: self.pool.new_id(),
                module: module.clone(),
                function: function.clone(),
                arguments: arguments.clone(),
                schedule: schedule.clone(),
                limits: limits.clone(),
                atoms: self.rules.atoms(),
            };
            match self.ask(&session, order, end) {
                Asked::Ran(run, agreed) => {
                    self.agreed_in_run = agreed;
                    let is_late = end.is_some_and(|end| Instant::now() >= end);
                    let may_be_late = matches!(run.outcome, Outcome::Timeout | Outcome::WorkerDied);
                    return Ok((!is_late || !may_be_late).then_some(run));
                }
                Asked::Lost => {}
                Asked::TimeIsUp => return Ok(None),
            }
        }
        let mut here = lock(self.here);
        let run = here.run_until((module, function), arguments, schedule, limits, end)?;
        self.agreed_in_run = here.agreed_in_run();
        Ok(run)
    }

    /// Other runners keep the node busy meanwhile.
    fn begin(&mut self, _: (&Atom, &Atom), _: Term, _: &Schedule, _: &Limits, _: Option<Instant>) {}

    fn rules(&self) -> ReleaseRules {
        self.rules.rules()
    }

    fn ask_rules(&mut self, end: Option<Instant>) -> Result<(), Failure> {
        lock(self.here).ask_rules(end)
    }

    fn ask_order_of_atoms(&mut self, end: Option<Instant>) -> Result<(), Failure> {
        lock(self.here).ask_order_of_atoms(end)
    }

    fn agrees_on_atoms(&mut self, _: Option<Instant>) -> Result<bool, Failure> {
        Ok(self.rules.count() <= self.agreed_in_run)
    }

    fn atoms(&self) -> Vec<Atom> {
        self.rules.atoms()
    }

    fn is_delivering(&self) -> bool {
        self.is_delivering
    }

    fn has_left(&self) -> bool {
        !self.session.takes_more()
    }
}
