//! The state of the search of one task.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;
use solver::graph::Graph;
use trace_format::ProcessLogs;

use super::super::arguments::Arguments;
use super::super::candidate::Candidate;
use super::super::clause_id::ClauseId;
use super::super::gap::Gap;
use super::super::guesses::Guesses;
use super::super::paths::{Path, Paths};
use super::super::report::{Report, Test};
use super::super::solutions::{Alternative, Solutions};
use super::super::strategies::Queue;
use super::super::task::{Options, Task};
use super::job::Job;
use crate::concurrency::MadeRuns;
use crate::replay::{Decision, Replayed};
use crate::visited::{Point, Visited};

/// The paths of a task that are known, and the inputs that wait.
pub(super) struct TaskState<O> {
    pub(super) visited: Visited,
    pub(super) guesses: Guesses,
    /// The runs of several processes that were made or planned.
    pub(super) made: MadeRuns,
    /// Branches that no input takes, whatever other processes do.
    pub(super) refuted: FxHashSet<(Point, usize)>,
    pub(super) queue: Box<dyn Queue>,
    /// By number; tests that still run are missing.
    pub(super) tests: Vec<Option<Test<O>>>,
    pub(super) report: Report<O>,
    /// Runs with questions that wait for the next turn of this task.
    pub(super) paused: VecDeque<Paused>,
}

/// A run about which more is asked later.
pub(super) struct Paused {
    pub(super) number: usize,
    pub(super) candidate: Candidate,
    pub(super) logs: ProcessLogs,
}

impl<O> TaskState<O> {
    /// The state before the first run.
    pub(super) fn new(task: &Task, options: &Options) -> Self {
        let mut queue = options.strategy.queue(options.seed);
        for seed in &task.seeds {
            queue.push(Candidate {
                arguments: Arguments::new(seed),
                parent: None,
                target: None,
                order: None,
            });
        }
        Self {
            visited: Visited::default(),
            guesses: Guesses::default(),
            made: MadeRuns::default(),
            refuted: FxHashSet::default(),
            queue,
            tests: Vec::new(),
            report: Report {
                paths: task.paths.as_ref().map(Paths::new),
                ..Report::default()
            },
            paused: VecDeque::new(),
        }
    }

    /// Whether there is something to do.
    pub(super) fn is_waiting(&self) -> bool {
        !self.paused.is_empty() || !self.queue.is_empty()
    }

    /// Takes out the next input, unless the order that was planned for it was run meanwhile.
    pub(super) fn next_candidate(&mut self) -> Option<Candidate> {
        loop {
            let candidate = self.queue.pop(&self.report.clauses)?;
            match &candidate.order {
                Some(order) if order.part.was_run(&self.visited, &self.made) => {
                    self.made.forget(order.part.hash_code());
                }
                Some(_) | None => return Some(candidate),
            }
        }
    }

    /// The report, when the search is over.
    pub(super) fn into_report(mut self) -> Report<O> {
        if self.is_waiting() {
            *self.report.gaps.entry(Gap::Stopped).or_default() = 1;
        }
        self.report.tests = without_missing(self.tests);
        self.report
    }

    /// Notes what a run reached. Returns the clauses that no run reached before.
    pub(super) fn reach(&mut self, replayed: &Replayed) -> Vec<ClauseId> {
        self.report.functions.extend(&replayed.functions);
        let clauses = replayed.clauses.iter().copied();
        let known = &mut self.report.clauses;
        clauses.filter(|clause| known.insert(*clause)).collect()
    }

    /// The points at which decisions were made, and the point after the last.
    pub(super) fn points(
        &mut self,
        decisions: &mut [Decision],
        graph: &mut Graph,
    ) -> (Vec<Point>, Point) {
        let mut at = Visited::START;
        let mut points = Vec::with_capacity(decisions.len());
        for decision in decisions {
            points.push(at);
            self.guesses.take_in(at, decision, graph);
            at = self.visited.step(at, decision.taken);
        }
        (points, at)
    }

    /// Notes the path of a run, if paths are kept.
    pub(super) fn path(&mut self, replayed: &Replayed) -> Option<Path> {
        let paths = self.report.paths.as_mut()?;
        paths.take_in_opaque(&replayed.opaque);
        let mut last = None;
        for decision in &replayed.decisions {
            last = paths.take_in(last, decision, &replayed.graph);
        }
        Some(paths.end(last, &replayed.places))
    }

    /// The alternatives that were not asked for yet.
    pub(super) fn alternatives(
        &mut self,
        decisions: &[Decision],
        points: &[Point],
    ) -> Vec<Alternative> {
        let mut alternatives = Vec::new();
        for (number, (decision, point)) in decisions.iter().zip(points).enumerate() {
            for way in 0..decision.ways.len() {
                if way != decision.taken && self.visited.ask(*point, way) {
                    alternatives.push(Alternative {
                        decision: number,
                        point: *point,
                        way,
                        among: None,
                    });
                }
            }
        }
        alternatives
    }

    /// Adds what the solver found for a run. A run with questions that are left is kept for the
    /// next turn.
    pub(super) fn add(&mut self, job: &Job<'_>, solutions: Solutions, logs: ProcessLogs) {
        self.report.statistics.add(&solutions.statistics);
        for gap in solutions.gaps {
            *self.report.gaps.entry(gap).or_default() += 1;
        }
        for candidate in solutions.candidates {
            self.queue.push(candidate);
        }
        if solutions.left.is_empty() {
            return;
        }
        for alternative in &solutions.left {
            match &alternative.among {
                Some(among) => self.made.forget(among.hash),
                None => self.visited.take_back(alternative.point, alternative.way),
            }
        }
        self.paused.push_back(Paused {
            number: job.number,
            candidate: job.candidate.clone(),
            logs,
        });
    }
}

/// The tests in their order. Where one is missing because it could not be run, later tests get
/// other numbers, also as parents.
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
    fn parents_have_the_new_numbers() {
        let test = |parent| {
            Some(Test {
                parent,
                arguments: Arguments::new(&[]),
                outcome: (),
                trace: Vec::new(),
                diverged: false,
                repeats: false,
                path: None,
                other_processes: 0,
                schedule: None,
                race: None,
                new_clauses: Vec::new(),
            })
        };
        let tests = vec![test(None), None, test(Some(0)), None, test(Some(2))];
        let parents = without_missing(tests).into_iter().map(|test| test.parent);
        assert_eq!(parents.collect::<Vec<_>>(), [None, Some(0), Some(1)]);
    }
}
