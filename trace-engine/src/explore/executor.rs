//! What the search asks of whoever runs inputs.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use solver::ReleaseRules;
use trace_format::{ProcessLogs, Schedule};

use super::arguments::RunArguments;
use super::assistant::{AskedWay, OrderedKeys, ReplayOrder};
use super::clause_id::ClauseId;
use super::gap::Gap;
use super::replaying::WantedKeys;
use super::report::{Pruned, Statistics};
use super::solutions::Answers;
use crate::replay::ReplaySummary;

/// Runs inputs.
pub trait Executor {
    /// How a run ended.
    type Outcome;
    /// Why nothing can be run.
    type Error;

    /// Runs one input; `None` if there was no time to run it to its end. Then the search ends.
    ///
    /// # Errors
    /// When nothing can be run.
    fn run(
        &mut self,
        attempt: &Attempt<'_>,
    ) -> Result<Option<Execution<Self::Outcome>>, Self::Error>;

    /// Is told which input is run next, while the run before is looked at: it may begin with it.
    fn begin(&mut self, attempt: &Attempt<'_>) {
        let _ = attempt;
    }

    /// How many runs it can make at the same time.
    fn capacity(&self) -> Capacity {
        Capacity::One
    }

    /// Asks whoever has replayed a run, given by task and number of its attempt, for inputs that take
    /// these ways. Returns whether there will be answers. Without ways, nothing more is asked about it.
    fn ask(&mut self, run: (usize, usize), ways: &[AskedWay]) -> bool {
        let _ = (run, ways);
        false
    }

    /// The answers about a run; `None` if they are lost.
    fn answers(&mut self, run: (usize, usize)) -> Option<Answers> {
        let _ = run;
        None
    }

    /// Waits until one of the runs that it has begun with is made, or questions about one are answered.
    /// Returns task and number of its attempt; `None` if that is the one with which it has begun first.
    fn wait_for_any(&mut self) -> Option<(usize, usize)> {
        None
    }

    /// What values mean on the BEAMs of the search.
    fn rules(&self) -> ReleaseRules {
        ReleaseRules::default()
    }

    /// Asks a BEAM for the order of atoms, which the rules have from then on.
    ///
    /// # Errors
    /// When it cannot be asked.
    fn ask_order_of_atoms(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Whether the BEAM of the last run has the order of atoms that the rules have. If not, the
    /// run tells nothing, and the next one is on a BEAM that has it.
    ///
    /// # Errors
    /// When the BEAM cannot be asked.
    fn agrees_on_atoms(&mut self) -> Result<bool, Self::Error> {
        Ok(true)
    }

    /// Whether the search should end now. This is asked often, also within questions to the
    /// solver, and by a thread that watches Z3.
    fn should_stop(&self) -> bool {
        false
    }

    /// Receives the results of each run.
    fn learned(&self, lesson: &Lesson<'_>) {
        let _ = lesson;
    }

    /// The time since some moment, for statistics.
    fn now(&self) -> Duration {
        Duration::ZERO
    }
}

/// Whether an executor can begin with a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capacity {
    /// It makes one run after another.
    One,
    /// It makes several runs at the same time, and can begin with another one.
    More,
    /// The same, but not now.
    Full,
}

/// An input to be run, and why.
#[derive(Clone, Copy, Debug)]
pub struct Attempt<'run> {
    /// The number of its task.
    pub task: usize,
    /// Its number among the tests of the task, from 0.
    pub number: usize,
    /// The input.
    pub arguments: &'run RunArguments,
    /// Which process takes its steps when.
    pub schedule: &'run Schedule,
    /// The test it was made from; none for a seed input.
    pub parent: Option<usize>,
    /// The clause that it should reach, if it is known.
    pub aim: Option<ClauseId>,
    /// How it is replayed, if that may be done where the run is made.
    pub(super) replay: Option<WantedReplay<'run>>,
}

/// What the replay of a run is for.
#[derive(Clone, Copy, Debug)]
pub(super) struct WantedReplay<'run> {
    /// If states are compared: which of them get keys.
    pub(super) keys: Option<WantedKeys<'run>>,
    /// The first decision whose other ways are sure to be asked for, if there is one.
    pub(super) asked_from: Option<usize>,
}

impl Attempt<'_> {
    /// How the run is replayed, for whoever makes it; `None` if the search has to do that itself.
    pub fn replay_order(&self) -> Option<ReplayOrder> {
        let replay = self.replay?;
        let keys = replay.keys.map(|keys| OrderedKeys {
            first: keys.first,
            skipped: keys.skipped.iter().copied().collect(),
            with_calls: keys.with_calls,
        });
        Some(ReplayOrder {
            task: self.task,
            keys,
            asked_from: replay.asked_from,
        })
    }
}

/// The results of a run.
#[derive(Clone, Copy, Debug)]
pub struct Lesson<'run> {
    /// The number of its task.
    pub task: usize,
    /// The clauses that no test of its task reached before.
    pub clauses: &'run [ClauseId],
    /// Counters of the questions that followed from it.
    pub statistics: &'run Statistics,
    /// How many inputs of all tasks wait to be run.
    pub waiting: usize,
    /// The states of all tasks, and the ways that were not asked for because of them.
    pub pruned: Pruned,
}

/// What one run did.
#[derive(Debug)]
pub struct Execution<O> {
    /// How it ended.
    pub outcome: O,
    /// What its processes logged.
    pub logs: ProcessLogs,
    /// What is skipped if the log of the first process ends before the function returns; `None` if
    /// nothing is, because it never would.
    pub cut: Option<Gap>,
    /// What could not be controlled, by name.
    pub uncontrolled: Vec<String>,
    /// Whether this is what `--first` looks for.
    pub is_finding: bool,
    /// How long it took, if it was made before it was asked for.
    pub took: Option<Duration>,
    /// Its replay, if that was made where the run was.
    pub replayed: Option<Box<ReplayedElsewhere>>,
}

/// A replay that was made where the run was.
#[derive(Debug, Serialize, Deserialize)]
pub struct ReplayedElsewhere {
    /// What the search needs of it.
    pub summary: ReplaySummary,
    /// How long it took.
    pub took: Duration,
    /// The answers about all ways that were sure to be asked for, if they were looked for at once.
    pub answers: Option<Answers>,
}
