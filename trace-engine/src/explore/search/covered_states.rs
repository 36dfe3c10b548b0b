//! The states of the runs of a task, and which of them are covered by others.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::super::candidate::Candidate;
use super::super::interpolants::{Interpolants, KeyHash};
use super::path_point::PathPoint;
use crate::replay::{ReachedState, Segments};
use crate::visited::Point;

/// So many runs are replayed a second time in any case.
const FIRST_RUNS: usize = 24;
/// So many, as long as no two states have the same shape.
const FIRST_SHAPES: usize = 8;
/// After that, one of so many runs is, or fewer as long as no state is covered.
const OTHER_RUNS: usize = 32;
const OTHER_RUNS_IN_VAIN: usize = 128;
/// And so many more for each state that is covered.
const PAID_RUNS: usize = 4;

/// A state on the path of a run.
#[derive(Clone, Copy, Debug)]
struct PassedState {
    /// The number of its decision.
    decision: usize,
    /// Its point on the path.
    point: Point,
    key: KeyHash,
}

/// The states on the paths of runs, by their numbers.
type PassedByRun = FxHashMap<usize, Arc<[PassedState]>>;

/// The states of runs, and which of them are covered.
#[derive(Debug, Default)]
pub(super) struct CoveredStates {
    interpolants: Interpolants,
    /// The states on the paths of runs, by their numbers.
    passed: PassedByRun,
    /// Inputs that were not run because they pass a state that is covered.
    dropped: Vec<Candidate>,
    /// How many runs there were.
    runs: usize,
    /// How many of them were replayed a second time.
    replayed: usize,
}

impl CoveredStates {
    /// Whether the next run is to be replayed a second time. That is work, and pays if states are
    /// covered.
    pub(super) fn is_worth_it(&self) -> bool {
        let covered = self.interpolants.covered();
        let paid = covered * PAID_RUNS;
        let others = if covered == 0 {
            OTHER_RUNS_IN_VAIN
        } else {
            OTHER_RUNS
        };
        let most = if self.interpolants.has_twins() {
            FIRST_RUNS + paid
        } else {
            FIRST_SHAPES
        };
        self.replayed < most + self.runs / others
    }

    /// The decision from which on the states of a run have to be known: the last state before it
    /// leaves the path of its parent.
    pub(super) fn start(&self, candidate: &Candidate) -> Option<usize> {
        let passed = passed_before(&self.passed, candidate);
        passed.last().map(|it| it.decision)
    }

    /// Adds a run with the points on its path, the states that it reached, and its segments.
    pub(super) fn add(
        &mut self,
        run: usize,
        candidate: &Candidate,
        points: &[PathPoint],
        (states, segments): (&[ReachedState], Option<&Segments>),
    ) {
        let first = states.first().map_or(usize::MAX, |it| it.decision);
        let is_there = |it: &PassedState| {
            points
                .get(it.decision)
                .is_some_and(|at| at.point == it.point)
        };
        let before = passed_before(&self.passed, candidate).iter().copied();
        let before = before.filter(|it| it.decision < first && is_there(it));
        let mut passed: Vec<PassedState> = before.collect();
        for state in states {
            let at = points.get(state.decision);
            if let (Some(at), Some(known), Some(_)) = (at, &state.state, &state.shape) {
                passed.push(PassedState {
                    decision: state.decision,
                    point: at.point,
                    key: known.key.hash,
                });
            }
        }
        self.passed.insert(run, passed.into());
        self.runs += 1;
        if let Some(segments) = segments {
            self.replayed += 1;
            self.interpolants.add(states, segments);
        }
    }

    /// The first decision of a run whose state is covered.
    pub(super) fn covered_from(&mut self, run: usize) -> Option<usize> {
        let passed = Arc::clone(self.passed.get(&run)?);
        let mut passed = passed.iter();
        let covered = passed.find(|it| self.interpolants.is_covered(it.key));
        covered.map(|it| it.decision)
    }

    /// Whether an input passes a state that is covered. Then it is kept apart.
    pub(super) fn drops(&mut self, candidate: &Candidate) -> bool {
        let mut passed = passed_before(&self.passed, candidate).iter();
        let is_covered = passed.any(|it| self.interpolants.is_covered(it.key));
        if is_covered {
            self.dropped.push(candidate.clone());
        }
        is_covered
    }

    /// The inputs that were not run.
    pub(super) fn into_dropped(self) -> Vec<Candidate> {
        self.dropped
    }
}

/// The states before an input leaves the path of its parent.
fn passed_before<'runs>(passed: &'runs PassedByRun, candidate: &Candidate) -> &'runs [PassedState] {
    let of_parent = candidate.parent.and_then(|it| passed.get(&it));
    let (Some(target), Some(passed)) = (candidate.target, of_parent) else {
        return &[];
    };
    let count = passed.partition_point(|it| it.decision <= target.decision);
    passed.get(..count).unwrap_or_default()
}
