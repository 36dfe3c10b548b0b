//! Where the runs of a search take place.

use std::fmt::Debug;
use std::time::{Duration, Instant};

use erlang_term::{Atom, Term};
use solver::ReleaseRules;
use trace_engine::explore::{Answers, AskedWay, Attempt, Capacity, ReplayedElsewhere};

use crate::beam::worker::{Limits, Run, Worker};
use crate::failure::Failure;

/// Identifies an input: the number of its task, and its own among the tests of the task.
pub(crate) type InputKey = (usize, usize);

/// An input to be run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RunInput<'run> {
    pub(crate) attempt: Attempt<'run>,
    pub(crate) function: (&'run Atom, &'run Atom),
    pub(crate) limits: &'run Limits,
    /// When the run must have ended.
    pub(crate) end: Option<Instant>,
}

impl RunInput<'_> {
    pub(crate) fn key(&self) -> InputKey {
        (self.attempt.task, self.attempt.number)
    }

    /// The list of its arguments.
    pub(crate) fn arguments(&self) -> Term {
        Term::list(self.attempt.arguments.terms().to_vec())
    }
}

/// Runs inputs, here or elsewhere.
pub(crate) trait Runner: Debug + Send + Sync {
    /// Runs an input; `None` if the run had to be given up because its time was up.
    fn run_input(&mut self, input: RunInput<'_>) -> Result<Option<Run>, Failure>;

    /// May begin with a run that will probably be asked for.
    fn begin_input(&mut self, input: RunInput<'_>);

    /// How many runs it can make at the same time.
    fn capacity(&self) -> Capacity {
        Capacity::One
    }

    /// Waits until one of the runs that it has begun with is made, until questions about one are
    /// answered, or until it should stop.
    fn wait_for_any(&mut self, should_stop: &dyn Fn() -> bool) -> Option<InputKey> {
        let _ = should_stop;
        None
    }

    /// The replay of the last run, if it was made where the run was.
    fn take_replay(&mut self) -> Option<Box<ReplayedElsewhere>> {
        None
    }

    /// Asks whoever has replayed a run for inputs that take these ways; without ways, nothing more is
    /// asked. Returns whether there will be answers.
    fn ask(&mut self, run: InputKey, ways: &[AskedWay]) -> bool {
        let _ = (run, ways);
        false
    }

    /// The answers about a run; `None` if they are lost.
    fn answers(&mut self, run: InputKey) -> Option<Answers> {
        let _ = run;
        None
    }

    /// How long the last run took, if it was made before somebody waited for it.
    fn took(&self) -> Option<Duration> {
        None
    }

    /// What values mean, as far as it is known.
    fn rules(&self) -> ReleaseRules;

    /// Asks for the rules, if they are not known.
    fn ask_rules(&mut self, end: Option<Instant>) -> Result<(), Failure>;

    /// Asks for the order of atoms, which the rules have from then on.
    fn ask_order_of_atoms(&mut self, end: Option<Instant>) -> Result<(), Failure>;

    /// Whether the last run was on a BEAM that has the atoms that matter in the order of the rules.
    fn agrees_on_atoms(&mut self, end: Option<Instant>) -> Result<bool, Failure>;

    /// The atoms whose order matters, in their order.
    fn atoms(&self) -> Vec<Atom>;

    /// Whether messages take their time.
    fn is_delivering(&self) -> bool;
}

impl Runner for Worker {
    fn run_input(&mut self, input: RunInput<'_>) -> Result<Option<Run>, Failure> {
        self.run_until(
            input.function,
            input.arguments(),
            input.attempt.schedule,
            input.limits,
            input.end,
        )
    }

    fn begin_input(&mut self, input: RunInput<'_>) {
        self.begin(
            input.function,
            input.arguments(),
            input.attempt.schedule,
            input.limits,
            input.end,
        );
    }

    fn rules(&self) -> ReleaseRules {
        Self::rules(self)
    }

    fn ask_rules(&mut self, end: Option<Instant>) -> Result<(), Failure> {
        Self::ask_rules(self, end)
    }

    fn ask_order_of_atoms(&mut self, end: Option<Instant>) -> Result<(), Failure> {
        Self::ask_order_of_atoms(self, end)
    }

    fn agrees_on_atoms(&mut self, end: Option<Instant>) -> Result<bool, Failure> {
        Self::agrees_on_atoms(self, end)
    }

    fn atoms(&self) -> Vec<Atom> {
        Self::atoms(self)
    }

    fn is_delivering(&self) -> bool {
        Self::is_delivering(self)
    }
}
