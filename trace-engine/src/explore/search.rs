//! The loop of the search. Each executor has a thread of its own, which runs an input, replays the
//! run and looks for further inputs; what is shared is locked only to choose and to note.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use erlang_term::Term;
use trace_format::Program;

use super::alternatives::{Answers, Question, Run, answer};
use super::arguments::Arguments;
use super::guesses::Guesses;
use super::paths::{Path, Paths};
use super::queue::{Candidate, Queue};
use super::{Execution, Executor, Gap, Options, Report, Solvers, Test};
use crate::graph::Graph;
use crate::replay::{Decision, Replayed, replay_noting_places};
use crate::visited::{Point, Visited};

/// Searches for inputs that take every path, with as many threads as there are executors. With
/// one executor the tests are the same in the same order every time.
///
/// # Errors
/// When an executor cannot run anything.
pub fn explore<E>(
    program: &Program,
    entry: (usize, usize),
    executors: Vec<E>,
    solvers: &(dyn Fn() -> Solvers + Sync),
    options: &Options,
) -> Result<Report<E::Outcome>, E::Error>
where
    E: Executor + Send,
    E::Outcome: Send,
    E::Error: Send,
{
    let mut queue = Queue::new(options.strategy, options.seed);
    for seed in &options.seeds {
        queue.push(Candidate {
            arguments: Arguments::new(seed),
            parent: None,
            target: None,
        });
    }
    let search = Search {
        program,
        entry,
        options,
        state: Mutex::new(State {
            visited: Visited::default(),
            guesses: Guesses::default(),
            queue,
            tests: Vec::new(),
            report: Report {
                paths: options.paths.as_ref().map(Paths::new),
                ..Report::default()
            },
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
    let mut state = state.unwrap_or_else(PoisonError::into_inner);
    match state.error {
        Some(error) => Err(error),
        None => {
            // Inputs wait although the search is over.
            if !state.queue.is_empty() {
                *state.report.gaps.entry(Gap::Stopped).or_default() = 1;
            }
            state.report.tests = state.tests.into_iter().flatten().collect();
            Ok(state.report)
        }
    }
}

struct Search<'search, E: Executor> {
    program: &'search Program,
    entry: (usize, usize),
    options: &'search Options,
    state: Mutex<State<E>>,
    /// The queue or the number of running inputs changed.
    changed: Condvar,
}

/// What the threads share.
struct State<E: Executor> {
    visited: Visited,
    guesses: Guesses,
    queue: Queue,
    /// By number; those that are still running are missing.
    tests: Vec<Option<Test<E::Outcome>>>,
    report: Report<E::Outcome>,
    running: usize,
    is_over: bool,
    error: Option<E::Error>,
}

/// What a thread works with.
struct Tools<E> {
    executor: E,
    solvers: Solvers,
}

/// An input that is run.
struct Job {
    number: usize,
    candidate: Candidate,
    arguments: Vec<Term>,
}

/// Where a run went, compared with where it should and with the runs before.
#[derive(Debug, Default)]
struct Course {
    diverged: bool,
    repeats: bool,
    path: Option<Path>,
}

impl<E: Executor> Search<'_, E> {
    fn lock(&self) -> MutexGuard<'_, State<E>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self, executor: E, solvers: Solvers) {
        let mut tools = Tools { executor, solvers };
        while let Some((number, candidate)) = self.next(&tools.executor) {
            let start = tools.executor.now();
            let job = Job {
                number,
                arguments: candidate.arguments.terms(),
                candidate,
            };
            match tools.executor.run(&job.arguments) {
                Ok(execution) => {
                    let run_time = tools.executor.now().saturating_sub(start);
                    self.learn(job, execution, &mut tools, run_time);
                }
                Err(error) => {
                    let mut state = self.lock();
                    state.is_over = true;
                    state.error = Some(error);
                }
            }
            self.lock().running -= 1;
            self.changed.notify_all();
        }
        self.changed.notify_all();
    }

    /// The next input and its number, when there is one; `None` when the search is over.
    fn next(&self, executor: &E) -> Option<(usize, Candidate)> {
        let mut state = self.lock();
        loop {
            if state.is_over || (state.queue.is_empty() && state.running == 0) {
                return None;
            }
            let limit = self.options.max_runs;
            let is_spent = limit.is_some_and(|limit| state.tests.len() >= limit);
            if !state.queue.is_empty() && (is_spent || executor.should_stop()) {
                state.is_over = true;
                return None;
            }
            let State { queue, report, .. } = &mut *state;
            if let Some(candidate) = queue.pop(&report.clauses) {
                state.running += 1;
                state.tests.push(None);
                return Some((state.tests.len() - 1, candidate));
            }
            let waited = self.changed.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Takes in what a run did, and finds inputs that go elsewhere.
    fn learn(
        &self,
        job: Job,
        execution: Execution<E::Outcome>,
        tools: &mut Tools<E>,
        run_time: Duration,
    ) {
        let at_run = tools.executor.now();
        let replayed = execution.events.and_then(|events| {
            let modules = self.options.paths.as_ref().map_or(0, |it| it.modules);
            let arguments = &job.arguments;
            let replayed =
                replay_noting_places(self.program, &events, self.entry, arguments, modules);
            replayed.map_err(|error| error.to_string())
        });
        let at_replayed = tools.executor.now();
        let (trace, course, mut answers) = match replayed {
            Ok(replayed) => self.follow(&job, replayed, tools),
            Err(error) => {
                let mut answers = Answers::default();
                answers.gaps.push(Gap::BadLog(error));
                (Vec::new(), Course::default(), answers)
            }
        };
        let statistics = &mut answers.statistics;
        statistics.divergences = u64::from(course.diverged);
        statistics.run_time = run_time;
        statistics.replay_time = at_replayed.saturating_sub(at_run);
        statistics.solve_time = tools.executor.now().saturating_sub(at_replayed);
        if course.diverged {
            answers.gaps.push(Gap::Divergence);
        }
        answers.gaps.extend(execution.cut.map(Gap::CutRun));
        let test = Test {
            parent: job.candidate.parent,
            arguments: job.candidate.arguments,
            outcome: execution.outcome,
            trace,
            diverged: course.diverged,
            repeats: course.repeats,
            path: course.path,
        };
        let mut state = self.lock();
        state.note(job.number, test, answers);
        tools.executor.waiting(state.queue.len());
        if execution.is_finding && self.options.first {
            state.is_over = true;
        }
    }

    fn follow(
        &self,
        job: &Job,
        mut replayed: Replayed,
        tools: &mut Tools<E>,
    ) -> (Vec<u32>, Course, Answers) {
        let is_long = replayed.decisions.len() > self.options.max_decisions;
        replayed.decisions.truncate(self.options.max_decisions);
        let mut state = self.lock();
        state.report.clauses.extend(&replayed.clauses);
        state.report.functions.extend(&replayed.functions);
        let (points, end) = state.points(&mut replayed.decisions, &mut replayed.graph);
        let is_new = state.visited.end(end);
        let paths = state.report.paths.as_mut();
        let path = paths.map(|paths| {
            paths.take_in_opaque(&replayed.opaque);
            paths.end(end, &replayed.places)
        });
        let questions = state.questions(&replayed.decisions, &points);
        drop(state);
        let decisions = replayed.decisions;
        let diverged = job.candidate.target.is_some_and(|target| {
            let mut steps = points.iter().zip(&decisions);
            target.is_certain
                && !steps.any(|(point, step)| *point == target.point && step.taken == target.way)
        });
        let run = Run {
            program: self.program,
            graph: replayed.graph,
            decisions: &decisions,
            arguments: &job.arguments,
            signature: self.options.signature.as_ref(),
            given: &replayed.given,
        };
        let Tools { executor, solvers } = tools;
        let should_stop = || executor.should_stop();
        let limits = self.options.limits;
        let mut answers = answer(run, &questions, solvers, limits, &should_stop);
        if is_long {
            answers.gaps.push(Gap::LongRun);
        }
        let opaque = replayed.opaque.into_iter();
        answers
            .gaps
            .extend(opaque.map(|call| Gap::OpaqueCall(call.name)));
        let course = Course {
            diverged,
            repeats: !is_new,
            path,
        };
        (replayed.trace, course, answers)
    }
}

impl<E: Executor> State<E> {
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

    fn note(&mut self, number: usize, test: Test<E::Outcome>, answers: Answers) {
        self.report.statistics.add(&answers.statistics);
        for gap in answers.gaps {
            *self.report.gaps.entry(gap).or_default() += 1;
        }
        for (arguments, target) in answers.inputs {
            self.queue.push(Candidate {
                arguments,
                parent: Some(number),
                target: Some(target),
            });
        }
        if let Some(slot) = self.tests.get_mut(number) {
            *slot = Some(test);
        }
    }
}
