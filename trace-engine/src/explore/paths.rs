//! The paths of tests and the places they reached, kept for reports that show them.
//!
//! Paths share their beginnings: a step is kept once for all tests that take it. So memory grows
//! with what is new in each test, not with the length of its path.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use flattener::flat::SiteId;
use indexmap::IndexSet;

use super::merged_ways::{MergedWay, MergedWays};
use super::path_step::{PathStep, StepKey};
use super::state_graph::StatePoint;
use crate::replay::{Decision, Mark, OpaqueCall, Places};
use solver::graph::{Condition, Graph, Words};

/// The limit of the text of a condition, in characters; some are a little longer.
const LONGEST_CONDITION: usize = 240;

/// What to keep of paths.
#[derive(Clone, Debug, Default)]
pub struct KeptPaths {
    /// Keep the places in this many of the first modules.
    pub modules: usize,
    /// The names of the arguments in conditions.
    pub names: Vec<String>,
}

/// The path of one test.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path {
    /// Its last step; `None` if nothing was decided.
    pub last: Option<u32>,
    /// The numbers of the places it reached, as a bit set.
    places: Box<[u64]>,
}

impl Path {
    /// Whether it reached the place with this number.
    pub fn reaches(&self, place: usize) -> bool {
        let word = self.places.get(place / 64);
        word.is_some_and(|word| word >> (place % 64) & 1 == 1)
    }
}

/// The paths of all tests.
#[derive(Debug, Default)]
pub struct Paths {
    names: Vec<String>,
    steps: Vec<PathStep>,
    /// The numbers of steps.
    numbers: HashMap<StepKey, u32>,
    conditions: IndexSet<Box<str>>,
    places: IndexSet<(usize, Mark)>,
    merged: MergedWays,
    opaque: BTreeMap<String, BTreeSet<(usize, SiteId)>>,
}

impl Paths {
    pub(super) fn new(kept: &KeptPaths) -> Self {
        Self {
            names: kept.names.clone(),
            ..Self::default()
        }
    }

    /// All steps. Each comes after the one before it on its path.
    pub fn steps(&self) -> &[PathStep] {
        &self.steps
    }

    /// The condition on which a step is taken, as Erlang source.
    pub fn condition(&self, step: &PathStep) -> &str {
        let text = self.conditions.get_index(step.condition as usize);
        text.map_or("", |text| text)
    }

    /// The steps of a path, from the first.
    pub fn steps_of(&self, path: &Path) -> Vec<PathStep> {
        let mut steps = Vec::new();
        let mut at = path.last;
        while let Some(step) = at.and_then(|number| self.steps.get(number as usize)) {
            steps.push(*step);
            at = step.before;
        }
        steps.reverse();
        steps
    }

    /// The number of a place, if a test reached it.
    pub fn place(&self, module: usize, mark: Mark) -> Option<usize> {
        self.places.get_index_of(&(module, mark))
    }

    /// The places of opaque calls of a function.
    pub fn opaque_places(&self, name: &str) -> impl Iterator<Item = (usize, SiteId)> {
        self.opaque.get(name).into_iter().flatten().copied()
    }

    /// Ways that were not run, because they go on as others that were.
    pub fn merged_ways(&self) -> impl Iterator<Item = MergedWay> {
        let is_run = move |step: &PathStep| self.numbers.get(&step.key()).copied();
        self.merged.found(is_run)
    }

    /// How many more there are that are not kept.
    pub fn merged_ways_left_out(&self) -> usize {
        self.merged.left_out()
    }

    /// Adds a decision after a step, or after none. Returns its step.
    pub(super) fn take_in(
        &mut self,
        before: Option<u32>,
        decision: &Decision,
        graph: &Graph,
    ) -> Option<u32> {
        let key = (
            before,
            number(decision.module),
            decision.site,
            number(decision.taken),
        );
        if let Some(known) = self.numbers.get(&key) {
            return Some(*known);
        }
        self.numbers.insert(key, number(self.steps.len()));
        let step = self.step(before, decision, decision.taken, graph);
        self.steps.push(step);
        Some(number(self.steps.len() - 1))
    }

    /// A way of a decision after a step.
    fn step(
        &mut self,
        before: Option<u32>,
        decision: &Decision,
        way: usize,
        graph: &Graph,
    ) -> PathStep {
        let text = condition_text(decision, way, graph, &self.names);
        let (condition, _) = self.conditions.insert_full(text.into());
        // Clauses before the first way are excluded by earlier decisions.
        let clause = decision.clause.map(|it| it + way - decision.taken);
        PathStep {
            before,
            module: number(decision.module),
            site: decision.site,
            way: number(way),
            clause: clause.map(number),
            is_given: decision.given.is_some(),
            condition: number(condition),
        }
    }

    /// A run decides something after a step, in this state.
    pub(super) fn arrive(&mut self, state: StatePoint, before: Option<u32>) {
        self.merged.arrive(state, before);
    }

    /// A way of a decision after a step is not asked for, because it goes on as the same way does
    /// in the first run that came to this state.
    pub(super) fn take_in_merged(
        &mut self,
        before: Option<u32>,
        (decision, way): (&Decision, usize),
        state: StatePoint,
        graph: &Graph,
    ) {
        if self.merged.has_room() {
            let step = self.step(before, decision, way, graph);
            self.merged.add(step, state);
        }
    }

    /// The path of a test with this last step.
    pub(super) fn end(&mut self, last: Option<u32>, reached: &Places) -> Path {
        let mut places: Vec<u64> = Vec::new();
        for place in reached.sorted() {
            let (number, _) = self.places.insert_full(place);
            if places.len() <= number / 64 {
                places.resize(number / 64 + 1, 0);
            }
            if let Some(word) = places.get_mut(number / 64) {
                *word |= 1 << (number % 64);
            }
        }
        Path {
            last,
            places: places.into(),
        }
    }

    /// Adds opaque calls.
    pub(super) fn take_in_opaque(&mut self, calls: &[OpaqueCall]) {
        for call in calls {
            let places = self.opaque.entry(call.name.clone()).or_default();
            places.extend(call.place);
        }
    }
}

fn number(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// The condition of a branch; for the last branch, that no other condition holds.
fn condition_text(decision: &Decision, way: usize, graph: &Graph, names: &[String]) -> String {
    let own = decision.ways.get(way).copied();
    let conditions = match own {
        Some(own) if own != Condition::TRUE => vec![own],
        _ => {
            let before = decision.ways.iter().take(way);
            let before = before.filter(|it| !it.is_constant());
            before.map(|condition| !*condition).collect()
        }
    };
    Words::new(graph, names, LONGEST_CONDITION).conditions(&conditions)
}
