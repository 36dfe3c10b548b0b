//! Functions that are searched together do not disturb each other: each has the tests that it has
//! alone, in the same order, however often it has to wait in the middle of its questions.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use end_to_end::erlang::package_path;
use end_to_end::exploring::{BeamExecutor, Explored, plan};
use erlang_term::Term;
use erlconcolic::worker::Outcome;
use solver::NativeIntegers;
use trace_engine::explore::{Attempt, Execution, Executor, Report, Solvers, Task, explore};

const FUNCTIONS: [&str; 3] = ["parse", "weekday", "day_of_year"];
/// Runs of each function.
const RUNS: usize = 15;

/// Each look at its clock takes a second, so that no function has more than one question answered
/// in its turn.
struct Hurried<'program> {
    executor: BeamExecutor<'program>,
    seconds: AtomicU64,
}

impl Executor for Hurried<'_> {
    type Outcome = Outcome;
    type Error = String;

    fn run(&mut self, attempt: &Attempt<'_>) -> Result<Option<Execution<Outcome>>, String> {
        let name = FUNCTIONS.get(attempt.task).ok_or("no such task")?;
        self.executor.set_function(name, 1);
        (&mut self.executor).run(attempt)
    }

    fn now(&self) -> Duration {
        Duration::from_secs(self.seconds.fetch_add(1, Ordering::Relaxed) + 1)
    }
}

fn seed(function: &str) -> Term {
    match function {
        "parse" => Term::list([]),
        _ => Term::Tuple(vec![
            Term::atom("date"),
            Term::Integer(0.into()),
            Term::Integer(1.into()),
            Term::Integer(1.into()),
        ]),
    }
}

fn task(explored: &Explored, function: &str) -> Task {
    let mut task = plan(8, 0).task;
    task.entry = explored.entry(function, 1);
    task.seeds = vec![vec![seed(function)]];
    task
}

fn solvers() -> Solvers {
    Solvers {
        integers: Box::new(NativeIntegers::default()),
        fallback: None,
    }
}

fn inputs(report: &Report<Outcome>) -> Vec<String> {
    let tests = report.tests.iter();
    tests
        .map(|test| Term::list(test.arguments.terms()).to_string())
        .collect()
}

#[test]
fn each_function_has_the_tests_that_it_has_alone() {
    let explored = Explored::new(package_path("../samples/dates/dates.erl"));
    let all = plan(8, FUNCTIONS.len() * RUNS).options;
    let one = plan(8, RUNS).options;
    let tasks = FUNCTIONS.map(|function| task(&explored, function));
    let hurried = Hurried {
        executor: explored.executor("parse", 1),
        seconds: AtomicU64::new(0),
    };
    let (together, error) = explore(&explored.program, &tasks, vec![hurried], &solvers, &all);
    assert_eq!(error, None, "they can be explored");
    for ((function, task), report) in FUNCTIONS.iter().zip(&tasks).zip(&together) {
        let mut executor = explored.executor(function, 1);
        let executors = vec![&mut executor];
        let alone = [task.clone()];
        let (alone, error) = explore(&explored.program, &alone, executors, &solvers, &one);
        assert_eq!(error, None, "it can be explored");
        let alone = alone.first().expect("there is one");
        assert_eq!(inputs(report), inputs(alone), "{function}");
        assert_eq!(report.tests.len(), RUNS, "{function}");
    }
}
