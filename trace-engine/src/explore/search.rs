//! The loop of the search. Each executor has a thread of its own, which runs an input, replays the
//! run and looks for further inputs. Where many orders of steps are run, the executor begins with the
//! next two runs meanwhile; an executor that makes several runs at the same time begins with as many as
//! it can. The shared state is locked only to choose an input and to add results.

mod course_of_run;
mod covered_states;
mod job;
mod known_states;
mod orders;
mod other_orders;
mod path_point;
mod paused;
mod task_state;

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use trace_format::{ProcessLogs, Program, RunLog};

use self::course_of_run::Course;
use self::job::Job;
use self::known_states::KnownStates;
use self::orders::{ManyProcesses, Planning, exceeds};
pub use self::other_orders::{RecordedRun, other_orders};
use self::task_state::{MergedHere, TaskState};
use super::alternatives::{Patience, Run, solve};
use super::call_walk::CallWalk;
use super::candidate::Candidate;
use super::executor::{Capacity, Execution, Executor, Lesson};
use super::gap::Gap;
use super::long_runs::{AskedDecisions, FOLLOWED};
use super::report::{Pruned, Report, Test};
use super::rotation::{Rotation, Turn};
use super::solutions::{Alternative, Solutions};
use super::strategies::Ground;
use super::task::{Options, Solvers, Task, WantedPaths};
use crate::pruning::Pruning;
use crate::replay::{
    Bounds, KeyedStates, Noted, NotedMarks, ReplayError, Replayed, Rest, RunEvent, Segments,
    replay_run, replay_segments,
};
use solver::ReleaseRules;

/// How long the solver works on one run while other tasks wait.
const SLICE: Duration = Duration::from_millis(250);

/// How many runs an executor may begin with before they are asked for: while one is replayed, the
/// next is made, and the one after it must be there when that is done.
const MOST_AHEAD: usize = 2;

/// Runs with longer logs are not replayed a second time: that is sure to take long, and not sure to
/// save anything.
const MOST_BYTES_TWICE: usize = 32_000;

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
    pruning: Option<Pruning<'search>>,
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
struct Tools<'search, E> {
    executor: E,
    solvers: Solvers,
    /// What is run next, as far as that is known.
    ahead: VecDeque<Job<'search>>,
}

/// A run and its replay; `None` if there was no time for it.
type Ran<E> =
    Result<Option<(Execution<<E as Executor>::Outcome>, Followed)>, <E as Executor>::Error>;

/// A run that was replayed.
struct Followed {
    replayed: Result<Replayed, ReplayError>,
    /// Its parts between states, if they are of interest.
    segments: Option<Segments>,
    /// What values meant in it.
    rules: ReleaseRules,
    run_time: Duration,
    replay_time: Duration,
}

impl<'search, E: Executor + Sync> Search<'search, E> {
    fn lock(&self) -> MutexGuard<'_, State<E>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self, executor: E, solvers: Solvers) {
        let mut tools = Tools {
            executor,
            solvers,
            ahead: VecDeque::new(),
        };
        while let Some(mut job) = self.next(&mut tools) {
            let start = tools.executor.now();
            let task = job.task_number;
            if let Some(logs) = job.known_logs.take() {
                self.ask_on(job, logs, &mut tools);
            } else {
                match self.run(&job, &mut tools) {
                    Ok(Some((execution, followed))) => {
                        self.learn(job, execution, followed, &mut tools);
                    }
                    Ok(None) => self.end_before(job, None),
                    Err(error) => self.end_before(job, Some(error)),
                }
            }
            let mut state = self.lock();
            state.running -= 1;
            if let Some(known) = state.tasks.get_mut(task) {
                known.running -= 1;
            }
            let time = tools.executor.now().saturating_sub(start);
            state.rotation.took(task, time);
            drop(state);
            self.changed.notify_all();
        }
        self.changed.notify_all();
    }

    /// Runs an input and replays the run; `None` if there was no time. Where the order of atoms
    /// matters, it is asked for, and the run is repeated if its BEAM has another one.
    fn run(&self, job: &Job<'_>, tools: &mut Tools<'search, E>) -> Ran<E> {
        let mut tries = 0;
        loop {
            let start = tools.executor.now();
            let Some(execution) = tools.executor.run(&job.attempt())? else {
                return Ok(None);
            };
            let waited = tools.executor.now().saturating_sub(start);
            let run_time = execution.took.unwrap_or(waited);
            // What comes next depends on what an input tells, but hardly on what an order of steps
            // does.
            if job.candidate.order.is_some() {
                while tools.ahead.len() < MOST_AHEAD && self.look_ahead(tools) {}
            }
            let logs = &execution.logs;
            let mut followed = self.replay(job, logs, tools, Rest::Coverage);
            if followed.rules.atoms.is_missing() {
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
        tools.ahead.push_back(job);
        true
    }

    /// What was chosen to be run next; all that waits in the queue again if the search is over.
    fn take_ahead(&self, tools: &mut Tools<'search, E>) -> Option<Job<'search>> {
        tools.ahead.front()?;
        let made = tools.executor.wait_for_any();
        let is_made = |job: &Job<'_>| Some((job.task_number, job.number)) == made;
        let place = tools.ahead.iter().position(is_made).unwrap_or(0);
        let job = tools.ahead.remove(place)?;
        let mut state = self.lock();
        if !state.is_over && !tools.executor.should_stop() {
            return Some(job);
        }
        state.is_over = true;
        for job in std::iter::once(job).chain(tools.ahead.drain(..)) {
            state.running -= 1;
            if let Some(known) = state.tasks.get_mut(job.task_number) {
                known.running -= 1;
                known.queue.push(job.candidate);
            }
        }
        None
    }

    /// Chooses what to do next; `None` when the search is over.
    fn next(&self, tools: &mut Tools<'search, E>) -> Option<Job<'search>> {
        loop {
            while tools.executor.capacity() == Capacity::More && self.look_ahead(tools) {}
            if let Some(job) = self.take_ahead(tools) {
                return Some(job);
            }
            let job = self.wait_for_input(&tools.executor)?;
            if tools.executor.capacity() != Capacity::More || !job.is_new {
                return Some(job);
            }
            tools.executor.begin(&job.attempt());
            tools.ahead.push_back(job);
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

    /// Finds inputs that take other paths than a run.
    fn learn(
        &self,
        job: Job<'_>,
        execution: Execution<E::Outcome>,
        followed: Followed,
        tools: &mut Tools<'search, E>,
    ) {
        let mut course = Course {
            is_controlled: execution.uncontrolled.is_empty(),
            ..Course::default()
        };
        let run_time = followed.run_time;
        let mut solutions = self.ask(&job, followed, tools, &mut course);
        // The part that is missing in a log may have followed the prediction.
        course.diverged &= !course.is_cut;
        if course.is_made_before(&job) || course.is_vain(&job, &solutions) {
            return self.lock().forget(&job);
        }
        solutions.statistics.add(&course.order_statistics);
        solutions.statistics.divergences = u64::from(course.diverged);
        solutions.statistics.run_time = run_time;
        if course.diverged {
            solutions.gaps.push(Gap::Divergence);
        }
        let uncontrolled = execution.uncontrolled.into_iter().map(Gap::Uncontrolled);
        let uncontrolled = uncontrolled.filter(|it| !course.gaps.contains(it));
        solutions.gaps.extend(uncontrolled);
        solutions.gaps.extend(course.gaps);
        if course.is_cut {
            solutions.gaps.extend(execution.cut);
        }
        course.trace.shrink_to_fit();
        let order = job.candidate.order.as_ref();
        let race = order.and_then(|order| order.race);
        let test = Test {
            parent: job.candidate.parent,
            arguments: job.candidate.arguments.clone(),
            outcome: execution.outcome,
            trace: course.trace,
            diverged: course.diverged,
            repeats: course.repeats,
            new_clauses: course.new_clauses.clone(),
            other_processes: execution.logs.others().count(),
            schedule: course.schedule.map(|it| it.to_string().into()),
            race: race.map(Box::new),
            path: course.path,
            marks: course.marks.into(),
        };
        let statistics = solutions.statistics;
        let mut state = self.lock();
        if let Some(known) = state.tasks.get_mut(job.task_number) {
            if let Some(slot) = known.tests.get_mut(job.number) {
                *slot = Some(test);
            }
            known.add(&job, solutions, execution.logs);
        }
        tools.executor.learned(&Lesson {
            task: job.task_number,
            clauses: &course.new_clauses,
            statistics: &statistics,
            waiting: state.tasks.iter().map(|it| it.queue.len()).sum(),
            pruned: pruned_in_all(&state.tasks),
        });
        if execution.is_finding && self.options.first {
            state.is_over = true;
        }
    }

    /// Goes on with the questions about an earlier run.
    fn ask_on(&self, job: Job<'_>, logs: ProcessLogs, tools: &mut Tools<'search, E>) {
        let mut course = Course::default();
        let followed = self.replay(&job, &logs, tools, Rest::Nothing);
        let solutions = self.ask(&job, followed, tools, &mut course);
        let mut state = self.lock();
        if let Some(known) = state.tasks.get_mut(job.task_number) {
            known.add(&job, solutions, logs);
        }
    }

    fn replay(
        &self,
        job: &Job<'_>,
        logs: &ProcessLogs,
        tools: &Tools<'search, E>,
        rest: Rest,
    ) -> Followed {
        let start = tools.executor.now();
        let modules = job.task.paths.as_ref().map_or(0, |it| it.modules);
        let log = RunLog {
            program: self.program,
            wire: self.options.wire,
            bytes: logs.entry(),
            entry: Some(job.task.entry),
            limit: self.options.max_events,
        };
        let bounds = Bounds {
            max_decisions: self.options.max_decisions.saturating_mul(FOLLOWED),
            max_decisions_of_several: self.options.max_decisions,
            rest,
        };
        let executor = &tools.executor;
        let takes_long = || executor.now().saturating_sub(start) > self.options.max_replay;
        let stop = || executor.should_stop() || takes_long();
        let rules = executor.rules();
        let states = self.pruning.as_ref().zip(job.skipped.as_ref());
        let states = states.map(|(pruning, skipped)| KeyedStates {
            pruning,
            signature: job.task.signature.as_ref(),
            first: job.first_keyed_decision(),
            has_shapes: job.shapes.0 && logs.entry().len() <= MOST_BYTES_TWICE,
            skipped,
            with_calls: job.with_calls,
        });
        let noted = Noted {
            modules,
            marks: job.task.marks.map(|modules| NotedMarks {
                modules,
                has_values: false,
            }),
            views: self.pruning.as_ref(),
            states,
        };
        let replayed = replay_run(&log, logs, &rules, &job.arguments, noted, bounds, &stop);
        let segments = replayed.as_ref().ok().and_then(|replayed| {
            let has_shapes = replayed.states.iter().any(|it| it.shape.is_some());
            let is_short = replayed.decisions.len() <= self.options.max_decisions;
            let states = (replayed.states.as_slice(), modules);
            let again = || replay_segments(&log, &rules, &job.arguments, states, &stop);
            (has_shapes && is_short).then(again).flatten()
        });
        Followed {
            replayed,
            segments,
            rules,
            run_time: Duration::ZERO,
            replay_time: executor.now().saturating_sub(start),
        }
    }

    /// Asks for inputs that take other paths than a run.
    fn ask(
        &self,
        job: &Job<'_>,
        followed: Followed,
        tools: &mut Tools<'search, E>,
        course: &mut Course,
    ) -> Solutions {
        let start = tools.executor.now();
        let mut solutions = match followed.replayed {
            Ok(replayed) => self.follow(job, (replayed, followed.segments), tools, course),
            Err(error) => Solutions::bad_log(error.to_string()),
        };
        solutions.statistics.replay_time = followed.replay_time;
        solutions.statistics.solve_time = tools.executor.now().saturating_sub(start);
        solutions
    }

    fn follow(
        &self,
        job: &Job<'_>,
        (mut replayed, segments): (Replayed, Option<Segments>),
        tools: &mut Tools<'search, E>,
        course: &mut Course,
    ) -> Solutions {
        course.is_cut = replayed.is_cut();
        let is_over = tools.executor.should_stop();
        // Otherwise replaying it took too long.
        let is_long = self.cut_decisions(&mut replayed) || (replayed.is_stopped && !is_over);
        let asked = AskedDecisions::new(&replayed.decisions, self.options.max_decisions);
        let mut events = std::mem::take(&mut replayed.events);
        let deaths = std::mem::take(&mut replayed.deaths);
        if self.options.any_time {
            events.iter_mut().for_each(RunEvent::without_waiting);
        }
        let happened = (events.as_slice(), deaths.as_slice());
        let any_time = self.options.any_time;
        let mut many = ManyProcesses::new(self.program, happened, &mut replayed, any_time);
        if let Some(many) = &mut many {
            many.is_certain &= course.is_controlled;
        }
        let mut state = self.lock();
        let Some(known) = state.tasks.get_mut(job.task_number) else {
            return Solutions::default();
        };
        course.new_clauses = known.reach(&replayed, job);
        let alternatives = match &mut many {
            Some(many) => {
                let many = self.take_in_many(known, job, many, &mut replayed, course);
                (many, MergedHere::default())
            }
            None => take_in_one(known, job, (&mut replayed, segments.as_ref()), course),
        };
        let (mut alternatives, merged) = alternatives;
        alternatives.retain(|it| asked.contains(it.decision));
        course.path = known.path(&replayed, &merged);
        course.diverged &= !replayed.is_stopped;
        drop(state);
        let decisions = replayed.decisions;
        course.trace = replayed.trace;
        course.marks = replayed.marks;
        let run = Run {
            program: self.program,
            graph: replayed.graph,
            decisions: &decisions,
            history: many.as_ref().map(|many| &many.history),
            arguments: &job.arguments,
            signature: job.task.signature.as_ref(),
            given: &replayed.given,
            machine_states: &replayed.machine_states,
        };
        let Tools {
            executor, solvers, ..
        } = tools;
        let start = executor.now();
        let patience = Patience {
            should_stop: &|| executor.should_stop(),
            should_pause: &|| job.is_awaited && executor.now().saturating_sub(start) > SLICE,
        };
        let mut solutions = solve(run, &alternatives, solvers, job.task.limits, &patience);
        solutions.merged_ways = merged.ways.len();
        self.plan_inputs(job, many.as_ref(), &alternatives, &mut solutions);
        if replayed.is_stopped && is_over {
            solutions.gaps.push(Gap::Stopped);
        }
        let opaque = replayed.opaque.into_iter();
        let has_gap = is_long || asked.leaves_out();
        course.gaps.extend(has_gap.then_some(Gap::LongRun));
        course
            .gaps
            .extend(opaque.map(|call| Gap::OpaqueCall(call.name)));
        let uncontrolled = replayed.uncontrolled.into_iter();
        course
            .gaps
            .extend(uncontrolled.map(|call| Gap::Uncontrolled(call.name)));
        solutions
    }

    /// Drops the decisions that are too many; whether there were some.
    fn cut_decisions(&self, replayed: &mut Replayed) -> bool {
        let most = self.options.max_decisions;
        let is_alone = replayed.processes.len() <= 1;
        let followed = if is_alone {
            most.saturating_mul(FOLLOWED)
        } else {
            most
        };
        let is_cut = replayed.decisions.len() > followed;
        replayed.decisions.truncate(followed);
        is_cut
    }

    /// Adds a run of several processes: plans other orders of its steps, and returns the ways of
    /// its decisions that were not asked for.
    fn take_in_many(
        &self,
        known: &mut TaskState<E::Outcome>,
        job: &Job<'_>,
        many: &mut ManyProcesses<'_>,
        replayed: &mut Replayed,
        course: &mut Course,
    ) -> Vec<Alternative> {
        let Replayed {
            decisions, graph, ..
        } = replayed;
        many.points = known.identify(&many.history, decisions, graph);
        course.diverged = !known.is_as_planned(&job.candidate, &many.points);
        let schedule = many.own_schedule();
        course.order_statistics.schedules = 1;
        course.order_statistics.steps = schedule.steps();
        course.order_statistics.switches = schedule.switches() as u64;
        course.schedule = Some(schedule);
        course.repeats = !known.note_run(many);
        if let (Some(order), false) = (&job.candidate.order, course.diverged) {
            // From now on a run contains it.
            known.made.forget(order.part.hash_code());
        }
        if course.repeats && job.is_new {
            return Vec::new();
        }
        let planning = Planning {
            arguments: &job.candidate.arguments,
            parent: job.number,
            max_switches: self.options.max_switches,
        };
        let counts = known.plan_orders(many, &planning);
        course
            .gaps
            .extend((counts.too_long > 0).then_some(Gap::ScheduleBound));
        course.order_statistics.races = counts.races;
        known.ways_among(many, decisions)
    }

    /// Makes what to run next of the solutions.
    fn plan_inputs(
        &self,
        job: &Job<'_>,
        many: Option<&ManyProcesses<'_>>,
        alternatives: &[Alternative],
        solutions: &mut Solutions,
    ) {
        let mut state = self.lock();
        let Some(known) = state.tasks.get_mut(job.task_number) else {
            return;
        };
        known.refuted.extend(solutions.refuted.drain(..));
        for solution in solutions.inputs.drain(..) {
            let order = match many {
                Some(many) => known.plan_way(many, alternatives, &solution),
                None => Some(None),
            };
            let planned = order.as_ref().and_then(Option::as_ref);
            if planned.is_some_and(|it| exceeds(&it.schedule, self.options.max_switches)) {
                solutions.gaps.push(Gap::ScheduleBound);
                continue;
            }
            if let Some(order) = order {
                solutions.candidates.push(Candidate {
                    arguments: solution.arguments,
                    parent: Some(job.number),
                    target: Some(solution.target),
                    order,
                    is_exchanged: false,
                });
            }
        }
    }
}

/// The states of all tasks.
fn pruned_in_all<O>(tasks: &[TaskState<O>]) -> Pruned {
    let mut all = Pruned::default();
    tasks.iter().for_each(|it| all.add(it.pruned()));
    all
}

/// Adds a run of one process, and returns the ways of its decisions that were not asked for, and
/// those that were asked for in the same states elsewhere.
fn take_in_one<O>(
    known: &mut TaskState<O>,
    job: &Job<'_>,
    (replayed, segments): (&mut Replayed, Option<&Segments>),
    course: &mut Course,
) -> (Vec<Alternative>, MergedHere) {
    let Replayed {
        decisions,
        graph,
        states,
        calls,
        ..
    } = &mut *replayed;
    let walk = CallWalk::new(job.number, &job.arguments, job.first_new_decision());
    let (points, end) = known.points(decisions, (states, calls), graph, walk);
    if let Some(states) = known.states.as_mut().filter(|_| job.is_new) {
        let found = (replayed.states.as_slice(), segments);
        states.add_run(job.number, &job.candidate, &points, found);
    }
    let decisions = &replayed.decisions;
    course.repeats = !known.visited.end(end);
    course.diverged = job.candidate.target.is_some_and(|target| {
        let mut steps = points.iter().zip(decisions);
        target.is_certain
            && !steps.any(|(at, step)| at.point == target.point && step.taken == target.way)
    });
    known.alternatives(decisions, &points, job)
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
            arguments: candidate.arguments.terms(),
            schedule: candidate.schedule(),
            candidate,
            is_new: known_logs.is_none(),
            known_logs,
            is_awaited,
        })
    }
}
