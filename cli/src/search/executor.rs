//! Runs the inputs of a search, and keeps what is known of the runs.

use std::collections::{BTreeSet, VecDeque};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use erlang_term::Term;
use reports::RunEnd;
use solver::ReleaseRules;
use trace_engine::explore::{
    Answers, AskedWay, Attempt, Capacity, Execution, Executor, Gap, Lesson,
};
use trace_format::ProcessLogs;

use crate::beam::BeamError;
use crate::beam::worker::{Limits, Outcome, Run};
use crate::failure::Failure;
use crate::program::target::{Start, Target};
use crate::search::interruption::Interruption;
use crate::search::journal::Journal;
use crate::search::progress::Progress;
use crate::search::run_ends::RunEnds;
use crate::search::runner::{InputKey, RunInput, Runner};
use crate::search::subjects::Subject;
use crate::search::time_limit::TimeLimit;

/// What runs inputs, and the state of the search.
#[derive(Debug)]
pub(crate) struct BeamExecutor<'search> {
    target: &'search Target,
    /// The functions that are run, by the number of their task.
    subjects: &'search [Subject],
    runner: Box<dyn Runner + 'search>,
    limits: Limits,
    ends: RunEnds,
    start: Instant,
    stop: &'search Stop,
    /// The saved runs, by the number of their task.
    journals: &'search [Mutex<Journal>],
    progress: &'search Progress<'search>,
    /// Told of the first crash.
    first_crash: FirstCrash,
    /// The number of the task of the last run.
    task: usize,
    /// Whether the last run is one of the saved runs.
    is_remembered: bool,
    /// The saved runs that will be asked for, if several runs are made at the same time.
    remembered: VecDeque<InputKey>,
}

/// Tells once that something crashed.
#[derive(Debug, Default)]
struct FirstCrash(Option<Sender<()>>);

impl FirstCrash {
    fn note(&mut self, is_finding: bool) {
        if is_finding && let Some(listener) = self.0.take() {
            // Nobody listens if another thread was first.
            let _ = listener.send(());
        }
    }
}

/// When a search stops.
#[derive(Debug)]
pub(crate) struct Stop {
    /// When its time is up.
    time: TimeLimit,
    /// How long a run may take.
    run_time: Duration,
    /// The crashes that take long to confirm: the number of their task, and whether they end the
    /// BEAM.
    slow: Mutex<BTreeSet<(usize, bool)>>,
    /// How many runs it takes to confirm them.
    slow_runs: AtomicU32,
    /// By an interruption.
    pub(crate) interruption: Interruption,
}

impl Stop {
    pub(crate) fn new(time: TimeLimit, limits: &Limits, interruption: Interruption) -> Self {
        Self {
            time,
            run_time: Duration::from_millis(limits.milliseconds),
            slow: Mutex::default(),
            slow_runs: AtomicU32::new(0),
            interruption,
        }
    }

    /// Whether the search should end now.
    pub(crate) fn is_due(&self) -> bool {
        self.interruption.is_set() || Instant::now() >= self.deadline()
    }

    /// When the search ends. There must be time for the slow runs, and for one more to be safe.
    fn deadline(&self) -> Instant {
        let runs = match self.slow_runs.load(Ordering::Relaxed) {
            0 => 0,
            runs => runs.saturating_add(1),
        };
        self.time.end_of_search(self.run_time.saturating_mul(runs))
    }

    /// Notes how a run of a task ended.
    fn note(&self, task: usize, outcome: &Outcome) {
        let ends_beam = match outcome {
            Outcome::Timeout | Outcome::Killed => false,
            Outcome::WorkerDied => true,
            Outcome::Ok(_)
            | Outcome::Exception { .. }
            | Outcome::Steps
            | Outcome::Blocked(_)
            | Outcome::Deadlock { .. } => {
                return;
            }
        };
        let mut slow = self.slow.lock().unwrap_or_else(PoisonError::into_inner);
        if slow.insert((task, ends_beam)) {
            // A run that ends its BEAM is tried twice.
            let runs = 1 + u32::from(ends_beam);
            self.slow_runs.fetch_add(runs, Ordering::Relaxed);
        }
    }
}

impl<'search> BeamExecutor<'search> {
    pub(crate) fn new(
        target: &'search Target,
        subjects: &'search [Subject],
        runner: Box<dyn Runner + 'search>,
        limits: &Limits,
        stop: &'search Stop,
        journals: &'search [Mutex<Journal>],
        progress: &'search Progress<'search>,
    ) -> Self {
        Self {
            target,
            subjects,
            runner,
            limits: limits.clone(),
            ends: RunEnds::new(target.own_sources()),
            start: Instant::now(),
            stop,
            journals,
            progress,
            first_crash: FirstCrash::default(),
            task: 0,
            is_remembered: false,
            remembered: VecDeque::new(),
        }
    }

    /// The same, and tells of the first crash.
    pub(crate) fn telling(self, first_crash: Sender<()>) -> Self {
        Self {
            first_crash: FirstCrash(Some(first_crash)),
            ..self
        }
    }

    /// A run, known or new; `None` if there is no time for it.
    fn run_or_remember(&mut self, attempt: &Attempt<'_>) -> Result<Option<Run>, Failure> {
        let Attempt { task, schedule, .. } = *attempt;
        self.task = task;
        let journal = self.journals.get(task);
        let arguments = journal.map(|_| listed(attempt));
        let saved = journal.zip(arguments.as_ref());
        if let Some(run) = saved.and_then(|(journal, it)| lock(journal).run(it, schedule)) {
            self.runner.ask_rules(Some(self.stop.deadline()))?;
            self.is_remembered = true;
            return Ok(Some(run));
        }
        self.is_remembered = false;
        let Start { module, body, .. } = &subject(self.subjects, task)?.start;
        let run = self.runner.run_input(RunInput {
            attempt: *attempt,
            function: (module, body),
            limits: &self.limits,
            end: Some(self.stop.deadline()),
        });
        let Some(mut run) = run? else {
            return Ok(None);
        };
        self.target.tidy(&mut run.outcome);
        if let Some((journal, arguments)) = saved {
            lock(journal).keep(arguments, schedule, &run)?;
        }
        Ok(Some(run))
    }
}

/// The list of the arguments of a run.
fn listed(attempt: &Attempt<'_>) -> Term {
    Term::list(attempt.arguments.terms().to_vec())
}

fn subject(subjects: &[Subject], task: usize) -> Result<&Subject, Failure> {
    let found = subjects.get(task);
    found.ok_or_else(|| BeamError::BadAnswer("a task is missing".to_owned()).into())
}

/// What is skipped if a log ends before its run did.
fn cut(target: &Target, outcome: &Outcome) -> Option<Gap> {
    match outcome {
        Outcome::Deadlock { .. } => None,
        Outcome::Steps => Some(Gap::LongRun),
        Outcome::Ok(_)
        | Outcome::Exception { .. }
        | Outcome::Timeout
        | Outcome::Killed
        | Outcome::WorkerDied
        | Outcome::Blocked(_) => Some(Gap::CutRun(why_cut(target, outcome))),
    }
}

/// Why a log ends before its run did.
fn why_cut(target: &Target, outcome: &Outcome) -> String {
    match outcome {
        Outcome::Blocked(call) => match target.broken_source_of(call) {
            Some(path) => format!("{call} was called, and {} does not compile", path.display()),
            None => format!("a call of {call} was refused"),
        },
        Outcome::Timeout => "a run took too long".to_owned(),
        Outcome::Killed => "a run used too much memory".to_owned(),
        Outcome::WorkerDied => "a run crashed the BEAM".to_owned(),
        Outcome::Deadlock { .. } => "a run waited for ever".to_owned(),
        Outcome::Steps => "the processes of a run took too many steps".to_owned(),
        Outcome::Exception { class, stack, .. } if class == "exit" && stack.is_empty() => {
            "an exit signal ended a run".to_owned()
        }
        Outcome::Ok(_) | Outcome::Exception { .. } => "a run has too many events".to_owned(),
    }
}

fn lock(journal: &Mutex<Journal>) -> MutexGuard<'_, Journal> {
    journal.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Executor for BeamExecutor<'_> {
    type Outcome = RunEnd;
    type Error = Failure;

    fn run(&mut self, attempt: &Attempt<'_>) -> Result<Option<Execution<RunEnd>>, Failure> {
        let Some(mut run) = self.run_or_remember(attempt)? else {
            return Ok(None);
        };
        let subject = subject(self.subjects, attempt.task)?;
        let processes = std::mem::take(&mut run.gate.processes);
        let end = self.ends.of(&subject.entry, run.outcome, processes);
        self.progress.ran(&subject.entry, attempt, &end.of_entry);
        self.stop.note(attempt.task, &end.of_entry);
        let is_finding = end.is_finding();
        self.first_crash.note(is_finding);
        Ok(Some(Execution {
            is_finding,
            cut: cut(self.target, &end.of_entry),
            outcome: end,
            logs: ProcessLogs::new(run.logs, run.gate.leases)
                .delivering(self.runner.is_delivering()),
            uncontrolled: run.gate.uncontrolled,
            took: self.runner.took().filter(|_| !self.is_remembered),
            replayed: self.runner.take_replay().filter(|_| !self.is_remembered),
        }))
    }

    fn begin(&mut self, attempt: &Attempt<'_>) {
        let journal = self.journals.get(attempt.task);
        let knows = |journal| lock(journal).knows(&listed(attempt), attempt.schedule);
        if journal.is_some_and(knows) {
            if self.runner.capacity() != Capacity::One {
                self.remembered.push_back((attempt.task, attempt.number));
            }
            return;
        }
        if let Ok(Subject { start, .. }) = subject(self.subjects, attempt.task) {
            self.runner.begin_input(RunInput {
                attempt: *attempt,
                function: (&start.module, &start.body),
                limits: &self.limits,
                end: Some(self.stop.deadline()),
            });
        }
    }

    fn capacity(&self) -> Capacity {
        self.runner.capacity()
    }

    fn ask(&mut self, run: InputKey, ways: &[AskedWay]) -> bool {
        self.runner.ask(run, ways)
    }

    fn answers(&mut self, run: InputKey) -> Option<Answers> {
        self.runner.answers(run)
    }

    fn wait_for_any(&mut self) -> Option<InputKey> {
        let remembered = self.remembered.pop_front();
        let stop = self.stop;
        remembered.or_else(|| self.runner.wait_for_any(&|| stop.is_due()))
    }

    fn rules(&self) -> ReleaseRules {
        self.runner.rules()
    }

    fn ask_order_of_atoms(&mut self) -> Result<(), Failure> {
        self.runner.ask_order_of_atoms(Some(self.stop.deadline()))
    }

    fn agrees_on_atoms(&mut self) -> Result<bool, Failure> {
        // The order of atoms in earlier runs is that of all BEAMs from the beginning.
        if self.is_remembered {
            return Ok(true);
        }
        let agrees = self.runner.agrees_on_atoms(Some(self.stop.deadline()))?;
        if let (true, Some(journal)) = (agrees, self.journals.get(self.task)) {
            lock(journal).keep_atoms(self.runner.atoms())?;
        }
        Ok(agrees)
    }

    fn should_stop(&self) -> bool {
        self.stop.is_due()
    }

    fn learned(&self, lesson: &Lesson<'_>) {
        self.progress.learned(lesson);
    }

    fn now(&self) -> Duration {
        self.start.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn the_first_crash_is_told_also_if_other_runs_come_before() {
        let (sender, listener) = channel();
        let mut first_crash = FirstCrash(Some(sender));
        first_crash.note(false);
        assert!(listener.try_recv().is_err());
        first_crash.note(true);
        first_crash.note(true);
        assert_eq!(listener.iter().count(), 1);
    }
}
