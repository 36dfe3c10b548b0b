//! The loop of the search. Each executor has a thread of its own, which runs an input, replays the
//! run and looks for further inputs. Where many orders of steps are run, the executor begins with the
//! next two runs meanwhile; an executor that makes several runs at the same time begins with as many as
//! it can. The shared state is locked only to choose an input and to add results.

mod asked_run;
mod course_of_run;
mod covered_states;
mod followed;
mod job;
mod known_states;
mod looking;
mod orders;
mod other_orders;
mod path_point;
mod paused;
mod task_state;
mod under_way;

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use trace_format::Program;

use self::asked_run::AskedRun;
use self::followed::Followed;
use self::job::Job;
use self::known_states::KnownStates;
pub use self::other_orders::{RecordedRun, other_orders};
use self::task_state::TaskState;
use self::under_way::UnderWay;
use super::arguments::RunArguments;
use super::executor::{Capacity, Execution, Executor};
use super::report::Report;
use super::rotation::{Rotation, Turn};
use super::strategies::Ground;
use super::task::{Options, Solvers, Task, WantedPaths};
use crate::pruning::Pruning;
use crate::replay::Rest;

/// How many runs an executor may begin with before they are asked for: while one is replayed, the
/// next is made, and the one after it must be there when that is done.
const MOST_AHEAD: usize = 2;

/// How often an executor that has no room for a run is asked again.
const PAUSE: Duration = Duration::from_millis(5);

/// How often an input is run until its BEAM has the order of atoms that others have.
const TRIES: usize = 3;

/// Searches for inputs that take every path of each task, with as many threads as there are
/// executors, and gives a report for each task. With one executor the tests of a task are the same
/// in the same order every time.
///
/// When an executor cannot run anything, the search ends. The reports hold the results so far, and
/// the error comes with them.
pub fn explore<E>(
    program: &Program,
    tasks: &[Task],
    executors: Vec<E>,
    solvers: &(dyn Fn() -> Solvers + Sync),
    options: &Options,
) -> (Vec<Report<E::Outcome>>, Option<E::Error>)
where
    E: Executor + Send + Sync,
    E::Outcome: Send,
    E::Error: Send,
{
    let entries: Vec<(usize, usize)> = tasks.iter().map(|task| task.entry).collect();
    let ground = Ground::new(program, &entries, options.seed);
    let search = Search {
        program,
        pruning: (options.paths != WantedPaths::All).then(|| Pruning::new(program, &entries)),
        tasks,
        options,
        threads: executors.len(),
        state: Mutex::new(State {
            tasks: tasks
                .iter()
                .map(|task| TaskState::new(task, options, &ground))
                .collect(),
            rotation: Rotation::new(tasks.len(), options.max_runs),
            running: 0,
            is_over: false,
            error: None,
        }),
        changed: Condvar::new(),
    };
    std::thread::scope(|scope| {
        for executor in executors {
            let search = &search;
            scope.spawn(move || search.work(executor, solvers()));
        }
    });
    let state = search.state.into_inner();
    let state = state.unwrap_or_else(PoisonError::into_inner);
    let reports = state.tasks.into_iter().map(TaskState::into_report);
    (reports.collect(), state.error)
}

struct Search<'search, E: Executor> {
    program: &'search Program,
    /// What is known of the program, if states are compared.
    pruning: Option<Pruning>,
    tasks: &'search [Task],
    options: &'search Options,
    threads: usize,
    state: Mutex<State<E>>,
    /// A queue or the number of running inputs changed.
    changed: Condvar,
}

/// What the threads share.
struct State<E: Executor> {
    tasks: Vec<TaskState<E::Outcome>>,
    rotation: Rotation,
    running: usize,
    is_over: bool,
    error: Option<E::Error>,
}

/// The tools of a thread.
struct Tools<'search, E: Executor> {
    executor: E,
    solvers: Solvers,
    /// What is run next, as far as that is known.
    ahead: UnderWay<Job<'search>>,
    /// Runs whose questions are answered elsewhere.
    asked: UnderWay<AskedRun<'search, E::Outcome>>,
}

/// What a thread does next.
enum Work<'search, O> {
    /// It runs an input, or asks more about a run.
    Input(Box<Job<'search>>),
    /// It goes on with a run whose questions are answered, or will not be.
    Answered(Box<AskedRun<'search, O>>),
}

/// A run and its replay; `None` if there was no time for it.
type Ran<E> =
    Result<Option<(Execution<<E as Executor>::Outcome>, Followed)>, <E as Executor>::Error>;

impl<'search, E: Executor + Sync> Search<'search, E> {
    fn lock(&self) -> MutexGuard<'_, State<E>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self, executor: E, solvers: Solvers) {
        let mut tools = Tools {
            executor,
            solvers,
            ahead: UnderWay::default(),
            asked: UnderWay::default(),
        };
        while let Some(work) = self.next(&mut tools) {
            let start = tools.executor.now();
            let task = work.task();
            let is_done = self.do_work(work, &mut tools);
            let mut state = self.lock();
            if is_done {
                state.running -= 1;
                if let Some(known) = state.tasks.get_mut(task) {
                    known.running -= 1;
                }
            }
            let time = tools.executor.now().saturating_sub(start);
            state.rotation.took(task, time);
            drop(state);
            self.changed.notify_all();
        }
        self.changed.notify_all();
    }

    /// Returns whether the input is done with. Otherwise somebody answers questions about it.
    fn do_work(&self, work: Work<'search, E::Outcome>, tools: &mut Tools<'search, E>) -> bool {
        let mut job = match work {
            Work::Input(job) => *job,
            Work::Answered(asked) => {
                self.take_answers(*asked, tools);
                return true;
            }
        };
        if let Some(logs) = job.known_logs.take() {
            self.ask_on(job, logs, tools);
            return true;
        }
        match self.run(&job, tools) {
            Ok(Some((execution, followed))) => return self.learn(job, execution, followed, tools),
            Ok(None) => self.end_before(job, None),
            Err(error) => self.end_before(job, Some(error)),
        }
        true
    }

    /// Runs an input and replays the run; `None` if there was no time. Where the order of atoms
    /// matters, it is asked for, and the run is repeated if its BEAM has another one.
    fn run(&self, job: &Job<'_>, tools: &mut Tools<'search, E>) -> Ran<E> {
        let mut tries = 0;
        loop {
            let start = tools.executor.now();
            let Some(mut execution) = tools.executor.run(&job.attempt())? else {
                return Ok(None);
            };
            let waited = tools.executor.now().saturating_sub(start);
            let run_time = execution.took.unwrap_or(waited);
            // What comes next depends on what an input tells, but hardly on what an order of steps
            // does.
            if job.candidate.order.is_some() {
                while tools.ahead.len() < MOST_AHEAD && self.look_ahead(tools) {}
            }
            let elsewhere = execution.replayed.take();
            let logs = &execution.logs;
            let mut followed = match elsewhere {
                Some(elsewhere) => Followed::elsewhere(*elsewhere),
                None => self.replay(job, logs, tools, Rest::Coverage),
            };
            if !followed.is_elsewhere && followed.rules.atoms.is_missing() {
                tools.executor.ask_order_of_atoms()?;
                followed = self.replay(job, logs, tools, Rest::Coverage);
            }
            followed.run_time = run_time;
            tries += 1;
            if tools.executor.agrees_on_atoms()? || tries == TRIES {
                return Ok(Some((execution, followed)));
            }
        }
    }

    /// Ends the search. The input still waits, so the search is incomplete.
    fn end_before(&self, job: Job<'_>, error: Option<E::Error>) {
        let mut state = self.lock();
        state.is_over = true;
        state.error = error.or(state.error.take());
        if let Some(known) = state.tasks.get_mut(job.task_number) {
            known.queue.push(job.candidate);
        }
    }

    /// Chooses what is run next, and lets the executor begin with it. Only if enough is left for the
    /// other threads. Returns whether something was chosen.
    fn look_ahead(&self, tools: &mut Tools<'search, E>) -> bool {
        let mut state = self.lock();
        let State {
            tasks,
            rotation,
            is_over,
            ..
        } = &mut *state;
        let waiting: usize = tasks.iter().map(|it| it.queue.len()).sum();
        let of_each = match tools.executor.capacity() {
            Capacity::One => tools.ahead.len() + 1,
            Capacity::More | Capacity::Full => 1,
        };
        if *is_over || waiting < self.threads * of_each {
            return false;
        }
        let has_inputs = |task: usize| tasks.get(task).is_some_and(TaskState::is_waiting);
        let Turn::Of(number) = rotation.next(has_inputs, false) else {
            return false;
        };
        let has_questions = tasks.get(number).is_some_and(|it| !it.paused.is_empty());
        if has_questions {
            return false;
        }
        let task = self.tasks.get(number);
        let job = task.and_then(|task| state.begin(number, task));
        drop(state);
        let Some(job) = job else {
            return false;
        };
        tools.executor.begin(&job.attempt());
        tools.ahead.push(job.key(), Box::new(job));
        true
    }

    /// What the executor has begun with and is done with. If the search is over, what was chosen waits
    /// in the queue again, and questions are not answered.
    fn take_begun(&self, tools: &mut Tools<'search, E>) -> Option<Work<'search, E::Outcome>> {
        if tools.ahead.is_empty() && tools.asked.is_empty() {
            return None;
        }
        let key = tools.executor.wait_for_any();
        let mut state = self.lock();
        if state.is_over || tools.executor.should_stop() {
            state.is_over = true;
            while let Some(job) = tools.ahead.take_first() {
                state.running -= 1;
                if let Some(known) = state.tasks.get_mut(job.task_number) {
                    known.running -= 1;
                    known.queue.push(job.candidate);
                }
            }
            return tools.asked.take_first().map(Work::Answered);
        }
        drop(state);
        if let Some(answered) = key.and_then(|key| tools.asked.take(key)) {
            return Some(Work::Answered(answered));
        }
        let made = key.and_then(|key| tools.ahead.take(key));
        made.or_else(|| tools.ahead.take_first()).map(Work::Input)
    }

    /// Chooses what to do next; `None` when the search is over.
    fn next(&self, tools: &mut Tools<'search, E>) -> Option<Work<'search, E::Outcome>> {
        loop {
            while tools.executor.capacity() == Capacity::More && self.look_ahead(tools) {}
            if let Some(work) = self.take_begun(tools) {
                return Some(work);
            }
            let job = self.wait_for_input(&tools.executor)?;
            if tools.executor.capacity() != Capacity::More || !job.is_new {
                return Some(Work::Input(Box::new(job)));
            }
            tools.executor.begin(&job.attempt());
            tools.ahead.push(job.key(), Box::new(job));
        }
    }

    /// Waits for the next input; `None` when the search is over.
    fn wait_for_input(&self, executor: &E) -> Option<Job<'search>> {
        let mut state = self.lock();
        loop {
            if state.is_over {
                return None;
            }
            let is_idle = state.running == 0;
            if !state.tasks.iter().any(TaskState::is_about_states) {
                state.tasks.iter_mut().for_each(TaskState::go_beyond_states);
            }
            let is_full = executor.capacity() == Capacity::Full;
            if is_full && state.tasks.iter().any(TaskState::is_waiting) {
                // Others may take the inputs meanwhile.
                if executor.should_stop() {
                    state.is_over = true;
                    return None;
                }
                let waited = self.changed.wait_timeout(state, PAUSE);
                state = waited.unwrap_or_else(PoisonError::into_inner).0;
                continue;
            }
            let State {
                tasks, rotation, ..
            } = &mut *state;
            let has_inputs = |task: usize| tasks.get(task).is_some_and(TaskState::is_waiting);
            match rotation.next(has_inputs, is_idle) {
                Turn::Of(number) if !executor.should_stop() => {
                    let task = self.tasks.get(number)?;
                    if let Some(job) = state.begin(number, task) {
                        return Some(job);
                    }
                    // What waited was run meanwhile, as part of other runs.
                    continue;
                }
                Turn::Of(_) | Turn::Spent => {
                    state.is_over = true;
                    return None;
                }
                Turn::Nobody if is_idle => return None,
                Turn::Nobody => {}
            }
            let waited = self.changed.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl<O> Work<'_, O> {
    fn task(&self) -> usize {
        match self {
            Self::Input(job) => job.task_number,
            Self::Answered(asked) => asked.made.job.task_number,
        }
    }
}

impl<E: Executor> State<E> {
    /// Forgets a run that counts for nothing.
    fn forget(&mut self, job: &Job<'_>) {
        self.rotation.gives_back(job.task_number);
    }

    /// Takes the next input of a task out of its queue, or a run with questions that are left.
    fn begin<'search>(&mut self, number: usize, task: &'search Task) -> Option<Job<'search>> {
        let mut others = self.tasks.iter().enumerate().filter(|it| it.0 != number);
        let is_awaited = others.any(|it| it.1.is_waiting());
        let known = self.tasks.get_mut(number)?;
        let (test, candidate, known_logs) = match known.paused.pop_front() {
            Some(paused) => (paused.number, paused.candidate, Some(paused.logs)),
            None => {
                let candidate = known.next_candidate()?;
                known.tests.push(None);
                self.rotation.begins(number);
                (known.tests.len() - 1, candidate, None)
            }
        };
        self.running += 1;
        known.running += 1;
        let shapes = known.states.as_ref().filter(|_| known_logs.is_none());
        let shapes = shapes.map(|it| it.shapes(&candidate));
        Some(Job {
            shapes: shapes.unwrap_or_default(),
            with_calls: known.states.as_ref().is_some_and(KnownStates::has_calls),
            may_forget: known.states.as_ref().is_some_and(KnownStates::may_forget),
            skipped: known.states.as_mut().map(|it| it.begin_run(test)),
            task,
            task_number: number,
            number: test,
            arguments: RunArguments::new(candidate.arguments.clone()),
            schedule: candidate.schedule(),
            candidate,
            is_new: known_logs.is_none(),
            known_logs,
            is_awaited,
        })
    }
}
