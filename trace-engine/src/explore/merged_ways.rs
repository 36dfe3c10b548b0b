//! Ways of decisions that were not run because they go on as others, for reports that show paths.

use rustc_hash::{FxHashMap, FxHashSet};

use super::path_step::{PathStep, StepKey};
use super::state_graph::StatePoint;

/// At most this many are kept.
const MOST: usize = 5_000;

/// A way that was not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MergedWay {
    /// The way.
    pub step: PathStep,
    /// The number of the step as which it goes on: the same way of the same decision on the path of
    /// a test that was in the same state.
    pub goes_on_as: u32,
}

/// Such ways, and the first runs in each state.
#[derive(Debug, Default)]
pub(super) struct MergedWays {
    /// The step before the first decision in each state.
    first: FxHashMap<StatePoint, Option<u32>>,
    ways: Vec<(PathStep, StatePoint)>,
    known: FxHashSet<StepKey>,
    left_out: usize,
}

impl MergedWays {
    /// A run decides something after a step, in this state.
    pub(super) fn arrive(&mut self, state: StatePoint, before: Option<u32>) {
        self.first.entry(state).or_insert(before);
    }

    /// Whether one more can be kept; if not, it is counted.
    pub(super) fn has_room(&mut self) -> bool {
        let has_room = self.ways.len() < MOST;
        self.left_out += usize::from(!has_room);
        has_room
    }

    /// How many were not kept.
    pub(super) fn left_out(&self) -> usize {
        self.left_out
    }

    /// Adds a way that goes on as the first run in this state.
    pub(super) fn add(&mut self, step: PathStep, state: StatePoint) {
        if self.known.insert(step.key()) {
            self.ways.push((step, state));
        }
    }

    /// Those that were not run in the end, and whose twins were: others are impossible, or nobody
    /// came to them. `is_run` gives the number of a step that was run.
    pub(super) fn found(
        &self,
        is_run: impl Fn(&PathStep) -> Option<u32>,
    ) -> impl Iterator<Item = MergedWay> {
        self.ways.iter().filter_map(move |(step, state)| {
            let before = *self.first.get(state)?;
            let goes_on_as = is_run(&PathStep { before, ..*step })?;
            let step = *step;
            is_run(&step)
                .is_none()
                .then_some(MergedWay { step, goes_on_as })
        })
    }
}
