//! The loop of the search. Each executor has a thread of its own, which runs an input, replays the
//! run and looks for further inputs; what is shared is locked only to choose and to note.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use erlang_term::Term;
use trace_format::{Ending, Program, RunLog};

use super::alternatives::{Answers, Patience, Question, Run, answer};
use super::arguments::Arguments;
use super::guesses::Guesses;
use super::paths::{Path, Paths};
use super::queue::{Candidate, Queue};
use super::schedule::{Schedule, Turn};
use super::{
    Attempt, ClauseId, Execution, Executor, Gap, Lesson, Options, Report, Solvers, Task, Test,
};
use crate::replay::{Decision, Replayed, replay_until};
use crate::visited::{Point, Visited};
use solver::graph::Graph;

/// How long the questions of one run are answered while other tasks wait.
const SLICE: Duration = Duration::from_millis(250);

/// Searches for inputs that take every path of each task, with as many threads as there are
/// executors, and gives a report for each task. With one executor the tests of a task are the same
/// in the same order every time.
///
/// When an executor cannot run anything, the search ends there; what it knows by then is in the
/// reports, and the error comes with them.
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
    let search = Search {
        program,
        tasks,
        options,
        state: Mutex::new(State {
            tasks: tasks
                .iter()
                .map(|task| TaskState::new(task, options))
                .collect(),
            schedule: Schedule::new(tasks.len(), options.max_runs),
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
    tasks: &'search [Task],
    options: &'search Options,
    state: Mutex<State<E>>,
    /// A queue or the number of running inputs changed.
    changed: Condvar,
}

/// What the threads share.
struct State<E: Executor> {
    tasks: Vec<TaskState<E::Outcome>>,
    schedule: Schedule,
    running: usize,
    is_over: bool,
    error: Option<E::Error>,
}

/// What is known of the paths of a task.
struct TaskState<O> {
    visited: Visited,
    guesses: Guesses,
    queue: Queue,
    /// By number; those that are still running are missing.
    tests: Vec<Option<Test<O>>>,
    report: Report<O>,
    /// Runs whose questions were not all asked because others had their turn.
    paused: VecDeque<Paused>,
}

/// A run of which more is to be asked.
struct Paused {
    number: usize,
    candidate: Candidate,
    log: Vec<u8>,
}

/// What a thread works with.
struct Tools<E> {
    executor: E,
    solvers: Solvers,
}

/// An input that is run.
struct Job<'search> {
    task: &'search Task,
    task_number: usize,
    number: usize,
    candidate: Candidate,
    arguments: Vec<Term>,
    /// What it did, if it was run before and more is to be asked.
    known_log: Option<Vec<u8>>,
    /// Whether other tasks wait.
    is_awaited: bool,
}

impl Job<'_> {
    fn attempt(&self) -> Attempt<'_> {
        Attempt {
            task: self.task_number,
            number: self.number,
            arguments: &self.arguments,
            parent: self.candidate.parent,
            aim: self.candidate.target.and_then(|target| target.clause),
        }
    }
}

/// Where a run went, compared with where it should and with the runs before.
#[derive(Debug, Default)]
struct Course {
    trace: Vec<u32>,
    new_clauses: Vec<ClauseId>,
    /// Whether its log ends before the run did.
    is_cut: bool,
    diverged: bool,
    repeats: bool,
    path: Option<Path>,
    /// What was left out in the run itself, whatever is asked.
    gaps: Vec<Gap>,
}

impl<'search, E: Executor + Sync> Search<'search, E> {
    fn lock(&self) -> MutexGuard<'_, State<E>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self, executor: E, solvers: Solvers) {
        let mut tools = Tools { executor, solvers };
        while let Some(mut job) = self.next(&tools.executor) {
            let start = tools.executor.now();
            let task = job.task_number;
            if let Some(log) = job.known_log.take() {
                self.ask_on(job, log, &mut tools);
            } else {
                match tools.executor.run(&job.attempt()) {
                    Ok(execution) => {
                        let run_time = tools.executor.now().saturating_sub(start);
                        self.learn(job, execution, &mut tools, run_time);
                    }
                    Err(error) => {
                        let mut state = self.lock();
                        state.is_over = true;
                        state.error = Some(error);
                        // Its input still waits, so the search is not complete.
                        if let Some(known) = state.tasks.get_mut(task) {
                            known.queue.push(job.candidate);
                        }
                    }
                }
            }
            let mut state = self.lock();
            state.running -= 1;
            let time = tools.executor.now().saturating_sub(start);
            state.schedule.took(task, time);
            drop(state);
            self.changed.notify_all();
        }
        self.changed.notify_all();
    }

    /// The next input, when there is one; `None` when the search is over.
    fn next(&self, executor: &E) -> Option<Job<'search>> {
        let mut state = self.lock();
        loop {
            if state.is_over {
                return None;
            }
            let is_idle = state.running == 0;
            let State {
                tasks, schedule, ..
            } = &mut *state;
            let has_inputs = |task: usize| tasks.get(task).is_some_and(TaskState::is_waiting);
            match schedule.next(has_inputs, is_idle) {
                Turn::Of(number) if !executor.should_stop() => {
                    let task = self.tasks.get(number)?;
                    let job = state.begin(number, task)?;
                    return Some(job);
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

    /// Takes in what a run did, and finds inputs that go elsewhere.
    fn learn(
        &self,
        job: Job<'_>,
        execution: Execution<E::Outcome>,
        tools: &mut Tools<E>,
        run_time: Duration,
    ) {
        let mut course = Course::default();
        let mut answers = self.replay_and_ask(&job, &execution.log, tools, &mut course);
        // What is missing of a log may have gone where it should.
        course.diverged &= !course.is_cut;
        answers.statistics.divergences = u64::from(course.diverged);
        answers.statistics.run_time = run_time;
        if course.diverged {
            answers.gaps.push(Gap::Divergence);
        }
        answers.gaps.extend(course.gaps);
        if course.is_cut {
            answers.gaps.push(Gap::CutRun(execution.why_cut));
        }
        let test = Test {
            parent: job.candidate.parent,
            arguments: job.candidate.arguments.clone(),
            outcome: execution.outcome,
            trace: course.trace,
            diverged: course.diverged,
            repeats: course.repeats,
            new_clauses: course.new_clauses.clone(),
            path: course.path,
        };
        let statistics = answers.statistics;
        let mut state = self.lock();
        if let Some(known) = state.tasks.get_mut(job.task_number) {
            if let Some(slot) = known.tests.get_mut(job.number) {
                *slot = Some(test);
            }
            known.note(&job, answers, execution.log);
        }
        tools.executor.learned(&Lesson {
            task: job.task_number,
            clauses: &course.new_clauses,
            statistics: &statistics,
            waiting: state.tasks.iter().map(|it| it.queue.len()).sum(),
        });
        if execution.is_finding && self.options.first {
            state.is_over = true;
        }
    }

    /// Goes on with the questions about a run that was taken in before.
    fn ask_on(&self, job: Job<'_>, log: Vec<u8>, tools: &mut Tools<E>) {
        let answers = self.replay_and_ask(&job, &log, tools, &mut Course::default());
        let mut state = self.lock();
        if let Some(known) = state.tasks.get_mut(job.task_number) {
            known.note(&job, answers, log);
        }
    }

    fn replay_and_ask(
        &self,
        job: &Job<'_>,
        log: &[u8],
        tools: &mut Tools<E>,
        course: &mut Course,
    ) -> Answers {
        let start = tools.executor.now();
        let modules = job.task.paths.as_ref().map_or(0, |it| it.modules);
        let log = RunLog {
            program: self.program,
            wire: self.options.wire,
            bytes: log,
            entry: Some(job.task.entry),
            limit: self.options.max_events,
        };
        let stop = || tools.executor.should_stop();
        let replayed = replay_until(&log, &job.arguments, modules, &stop);
        let at_replayed = tools.executor.now();
        let mut answers = match replayed {
            Ok(replayed) => self.follow(job, replayed, tools, course),
            Err(error) => Answers::bad_log(error.to_string()),
        };
        answers.statistics.replay_time = at_replayed.saturating_sub(start);
        answers.statistics.solve_time = tools.executor.now().saturating_sub(at_replayed);
        answers
    }

    fn follow(
        &self,
        job: &Job<'_>,
        mut replayed: Replayed,
        tools: &mut Tools<E>,
        course: &mut Course,
    ) -> Answers {
        course.is_cut = replayed.ending == Ending::Open && !replayed.is_stopped;
        let is_long = replayed.decisions.len() > self.options.max_decisions;
        replayed.decisions.truncate(self.options.max_decisions);
        let mut state = self.lock();
        let Some(known) = state.tasks.get_mut(job.task_number) else {
            return Answers::default();
        };
        course.new_clauses = known.reach(&replayed);
        let (points, end) = known.points(&mut replayed.decisions, &mut replayed.graph);
        course.repeats = !known.visited.end(end);
        course.path = known.report.paths.as_mut().map(|paths| {
            paths.take_in_opaque(&replayed.opaque);
            paths.end(end, &replayed.places)
        });
        let questions = known.questions(&replayed.decisions, &points);
        drop(state);
        let decisions = replayed.decisions;
        course.trace = replayed.trace;
        course.diverged = job.candidate.target.is_some_and(|target| {
            let mut steps = points.iter().zip(&decisions);
            target.is_certain
                && !replayed.is_stopped
                && !steps.any(|(point, step)| *point == target.point && step.taken == target.way)
        });
        let run = Run {
            program: self.program,
            graph: replayed.graph,
            decisions: &decisions,
            arguments: &job.arguments,
            signature: job.task.signature.as_ref(),
            given: &replayed.given,
        };
        let Tools { executor, solvers } = tools;
        let start = executor.now();
        let patience = Patience {
            should_stop: &|| executor.should_stop(),
            should_pause: &|| job.is_awaited && executor.now().saturating_sub(start) > SLICE,
        };
        let mut answers = answer(run, &questions, solvers, job.task.limits, &patience);
        if replayed.is_stopped {
            answers.gaps.push(Gap::Stopped);
        }
        let opaque = replayed.opaque.into_iter();
        course.gaps.extend(is_long.then_some(Gap::LongRun));
        course
            .gaps
            .extend(opaque.map(|call| Gap::OpaqueCall(call.name)));
        answers
    }
}

impl<E: Executor> State<E> {
    /// Takes the next input of a task out of its queue.
    fn begin<'search>(&mut self, number: usize, task: &'search Task) -> Option<Job<'search>> {
        let mut others = self.tasks.iter().enumerate().filter(|it| it.0 != number);
        let is_awaited = others.any(|it| it.1.is_waiting());
        let known = self.tasks.get_mut(number)?;
        let (test, candidate, known_log) = match known.paused.pop_front() {
            Some(paused) => (paused.number, paused.candidate, Some(paused.log)),
            None => {
                let candidate = known.queue.pop(&known.report.clauses)?;
                known.tests.push(None);
                self.schedule.begins(number);
                (known.tests.len() - 1, candidate, None)
            }
        };
        self.running += 1;
        Some(Job {
            task,
            task_number: number,
            number: test,
            arguments: candidate.arguments.terms(),
            candidate,
            known_log,
            is_awaited,
        })
    }
}

impl<O> TaskState<O> {
    fn new(task: &Task, options: &Options) -> Self {
        let mut queue = Queue::new(options.strategy, options.seed);
        for seed in &task.seeds {
            queue.push(Candidate {
                arguments: Arguments::new(seed),
                parent: None,
                target: None,
            });
        }
        Self {
            visited: Visited::default(),
            guesses: Guesses::default(),
            queue,
            tests: Vec::new(),
            report: Report {
                paths: task.paths.as_ref().map(Paths::new),
                ..Report::default()
            },
            paused: VecDeque::new(),
        }
    }

    /// Whether something is to be done.
    fn is_waiting(&self) -> bool {
        !self.paused.is_empty() || !self.queue.is_empty()
    }

    fn into_report(mut self) -> Report<O> {
        // Something waits although the search is over.
        if self.is_waiting() {
            *self.report.gaps.entry(Gap::Stopped).or_default() = 1;
        }
        self.report.tests = without_missing(self.tests);
        self.report
    }

    /// Notes what a run reached, and returns the clauses that were not reached before.
    fn reach(&mut self, replayed: &Replayed) -> Vec<ClauseId> {
        self.report.functions.extend(&replayed.functions);
        let clauses = replayed.clauses.iter().copied();
        let known = &mut self.report.clauses;
        clauses.filter(|clause| known.insert(*clause)).collect()
    }

    /// The points at which decisions were made, and the one behind the last.
    fn points(&mut self, decisions: &mut [Decision], graph: &mut Graph) -> (Vec<Point>, Point) {
        let mut at = Visited::START;
        let mut points = Vec::with_capacity(decisions.len());
        for decision in decisions {
            points.push(at);
            self.guesses.take_in(at, decision, graph);
            let next = self.visited.step(at, decision.taken);
            if let Some(paths) = &mut self.report.paths {
                paths.take_in(at, next, decision, graph);
            }
            at = next;
        }
        (points, at)
    }

    /// The ways that nobody has asked for.
    fn questions(&mut self, decisions: &[Decision], points: &[Point]) -> Vec<Question> {
        let mut questions = Vec::new();
        for (number, (decision, point)) in decisions.iter().zip(points).enumerate() {
            for way in 0..decision.ways.len() {
                if way != decision.taken && self.visited.ask(*point, way) {
                    questions.push(Question {
                        decision: number,
                        point: *point,
                        way,
                    });
                }
            }
        }
        questions
    }

    /// Takes in answers about a run. If questions are left, it is kept for its next turn.
    fn note(&mut self, job: &Job<'_>, answers: Answers, log: Vec<u8>) {
        self.report.statistics.add(&answers.statistics);
        for gap in answers.gaps {
            *self.report.gaps.entry(gap).or_default() += 1;
        }
        for (arguments, target) in answers.inputs {
            self.queue.push(Candidate {
                arguments,
                parent: Some(job.number),
                target: Some(target),
            });
        }
        if answers.left.is_empty() {
            return;
        }
        for question in &answers.left {
            self.visited.take_back(question.point, question.way);
        }
        self.paused.push_back(Paused {
            number: job.number,
            candidate: job.candidate.clone(),
            log,
        });
    }
}

/// Tests in their order. Where one is missing, because it could not be run, those behind it get
/// other numbers, and so do the parents that they name.
fn without_missing<O>(tests: Vec<Option<Test<O>>>) -> Vec<Test<O>> {
    let mut numbers = Vec::with_capacity(tests.len());
    let mut present = Vec::with_capacity(tests.len());
    for test in tests {
        numbers.push(present.len());
        present.extend(test);
    }
    for test in &mut present {
        test.parent = test.parent.and_then(|it| numbers.get(it).copied());
    }
    present
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parents_are_named_by_the_numbers_that_are_left() {
        let test = |parent| {
            Some(Test {
                parent,
                arguments: Arguments::new(&[]),
                outcome: (),
                trace: Vec::new(),
                diverged: false,
                repeats: false,
                path: None,
                new_clauses: Vec::new(),
            })
        };
        let tests = vec![test(None), None, test(Some(0)), None, test(Some(2))];
        let parents = without_missing(tests).into_iter().map(|test| test.parent);
        assert_eq!(parents.collect::<Vec<_>>(), [None, Some(0), Some(1)]);
    }
}
