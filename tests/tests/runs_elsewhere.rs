//! An executor that makes many runs at the same time, as nodes do, finds the same paths, in whatever
//! order its runs are made.

use std::collections::BTreeSet;

use end_to_end::erlang::package_path;
use end_to_end::exploring::{BeamExecutor, Explored, plan};
use erlconcolic::worker::Outcome;
use solver::NativeIntegers;
use trace_engine::explore::{
    Attempt, Capacity, Execution, Executor, Report, Solvers, WantedPaths, explore,
};

/// How many runs it makes at the same time.
const AT_ONCE: usize = 7;
const DEPTH: u32 = 4;

/// Makes the run last with which it has begun first.
struct Elsewhere<'program> {
    executor: BeamExecutor<'program>,
    begun: Vec<(usize, usize)>,
    /// How many it had begun with at most.
    most_begun: &'program mut usize,
}

impl Executor for Elsewhere<'_> {
    type Outcome = Outcome;
    type Error = String;

    fn run(&mut self, attempt: &Attempt<'_>) -> Result<Option<Execution<Outcome>>, String> {
        let key = (attempt.task, attempt.number);
        self.begun.retain(|it| *it != key);
        (&mut self.executor).run(attempt)
    }

    fn begin(&mut self, attempt: &Attempt<'_>) {
        self.begun.push((attempt.task, attempt.number));
        *self.most_begun = self.begun.len().max(*self.most_begun);
    }

    fn capacity(&self) -> Capacity {
        if self.begun.len() < AT_ONCE {
            Capacity::More
        } else {
            Capacity::Full
        }
    }

    fn wait_for_any(&mut self) -> Option<(usize, usize)> {
        self.begun.last().copied()
    }
}

fn solvers() -> Solvers {
    Solvers {
        integers: Box::new(NativeIntegers::default()),
        fallback: None,
    }
}

fn paths(report: &Report<Outcome>) -> BTreeSet<Vec<u32>> {
    report.tests.iter().map(|it| it.trace.clone()).collect()
}

#[test]
fn the_same_paths_are_found_in_another_order() {
    let explored = Explored::new(package_path("erlang_samples/many_paths.erl"));
    for wanted in [WantedPaths::All, WantedPaths::States] {
        let mut plan = plan(DEPTH, 10_000);
        plan.task.entry = explored.entry("count", 1);
        plan.options.paths = wanted;
        let tasks = [plan.task];
        let mut one = explored.executor("count", 1);
        let (here, error) = explore(
            &explored.program,
            &tasks,
            vec![&mut one],
            &solvers,
            &plan.options,
        );
        assert_eq!(error, None);
        let mut most_begun = 0;
        let elsewhere = Elsewhere {
            executor: explored.executor("count", 1),
            begun: Vec::new(),
            most_begun: &mut most_begun,
        };
        let (there, error) = explore(
            &explored.program,
            &tasks,
            vec![elsewhere],
            &solvers,
            &plan.options,
        );
        assert_eq!(error, None);
        let ([here], [there]) = (here.as_slice(), there.as_slice()) else {
            panic!("there is one task");
        };
        assert!(here.gaps.is_empty() && there.gaps.is_empty());
        if wanted == WantedPaths::All {
            assert_eq!(paths(there), paths(here));
            assert_eq!(most_begun, AT_ONCE);
        } else {
            assert_eq!(there.functions, here.functions);
        }
    }
}
