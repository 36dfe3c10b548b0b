//! The states that a task has come to, and the ways that were not asked for because of them.

use std::collections::BTreeMap;

use flattener::flat::SiteId;
use rustc_hash::{FxHashMap, FxHashSet};

use super::super::candidate::Candidate;
use super::super::gap::Gap;
use super::super::key_effort::KeyEffort;
use super::super::report::Pruned;
use super::super::state_graph::{StateCursor, StateGraph, StatePoint};
use super::covered_states::CoveredStates;
use super::path_point::PathPoint;
use super::paused::Paused;
use crate::replay::{Decision, ReachedState, Segments};
use crate::visited::Point;

/// How many bytes of logs are kept for ways that are asked for later.
const MOST_BYTES: usize = 64 << 20;

/// What is known of the states of a task.
#[derive(Debug, Default)]
pub(super) struct KnownStates {
    graph: StateGraph,
    /// The states of points on paths, where they were found.
    arrived: FxHashMap<Point, StateCursor>,
    effort: KeyEffort,
    /// Ways about which the solver could not tell.
    unsolved: BTreeMap<(StatePoint, usize), UnsolvedState>,
    /// The first run that came to a state where a way had been asked for, by its number.
    twins: FxHashMap<(StatePoint, usize), usize>,
    /// How many ways were not asked for, because they were asked for in the same state elsewhere.
    merged_ways: usize,
    /// The runs that have such ways.
    runs: Vec<Paused>,
    /// The length of their logs.
    bytes: usize,
    /// Whether there were too many of them.
    has_dropped: bool,
    /// Which states are covered by others, if that is of interest.
    covered: Option<CoveredStates>,
}

/// A way about which the solver could not tell.
#[derive(Debug)]
struct UnsolvedState {
    gap: Gap,
    was_asked_again: bool,
}

impl KnownStates {
    /// No states yet. Whether it is of interest which of them are covered by others.
    pub(super) fn new(has_interpolants: bool) -> Self {
        Self {
            covered: has_interpolants.then(CoveredStates::default),
            ..Self::default()
        }
    }

    /// How many states are known, and how many ways were not asked for.
    pub(super) fn counts(&self) -> Pruned {
        Pruned {
            points: self.graph.count(),
            ways: self.merged_ways,
            proved_after: None,
            all_run: false,
        }
    }

    /// The sites at which states get no keys in the next run.
    pub(super) fn begin_run(&mut self) -> FxHashSet<(usize, SiteId)> {
        self.effort.begin_run()
    }

    /// Whether states of the next run have shapes, and from which decision on at least.
    pub(super) fn shapes(&self, candidate: &Candidate) -> (bool, Option<usize>) {
        let covered = self.covered.as_ref().filter(|it| it.is_worth_it());
        let start = covered.and_then(|it| it.start(candidate));
        (covered.is_some(), start)
    }

    /// Adds what a run says about states that are covered.
    pub(super) fn add_run(
        &mut self,
        run: usize,
        candidate: &Candidate,
        points: &[PathPoint],
        found: (&[ReachedState], Option<&Segments>),
    ) {
        if let Some(covered) = &mut self.covered {
            covered.add(run, candidate, points, found);
        }
    }

    /// The first decision of a run whose state is covered by others.
    pub(super) fn covered_from(&mut self, run: usize) -> Option<usize> {
        self.covered.as_mut()?.covered_from(run)
    }

    /// Whether an input is not run, because it passes a state that is covered by others.
    pub(super) fn drops(&mut self, candidate: &Candidate) -> bool {
        let covered = self.covered.as_mut();
        let is_dropped = covered.is_some_and(|it| it.drops(candidate));
        self.merged_ways += usize::from(is_dropped);
        is_dropped
    }

    /// A run decides something at a point of its path, in this state if it is known.
    pub(super) fn arrive(
        &mut self,
        point: Point,
        cursor: StateCursor,
        decision: &Decision,
        state: Option<&ReachedState>,
    ) -> StateCursor {
        if let Some(known) = self.arrived.get(&point) {
            return *known;
        }
        let place = (decision.module, decision.site, decision.ways.len());
        let key = state.and_then(|state| state.key.as_ref());
        let (cursor, is_known) = self.graph.arrive(cursor, place, key);
        if let Some(state) = state {
            let site = (decision.module, decision.site);
            self.effort.add(site, state.work, is_known);
        }
        self.arrived.insert(point, cursor);
        cursor
    }

    /// A run takes a way.
    pub(super) fn step(&mut self, cursor: StateCursor, way: usize) -> StateCursor {
        self.graph.step(cursor, way)
    }

    /// Notes that a way is asked for. Returns whether it was neither run nor asked for before.
    pub(super) fn ask(&mut self, cursor: StateCursor, way: usize) -> bool {
        self.graph.ask(cursor, way)
    }

    /// Forgets that a way was asked for.
    pub(super) fn take_back(&mut self, point: StatePoint, way: usize) {
        self.graph.take_back(point, way);
    }

    /// A run could take a way that was asked for in the same state.
    pub(super) fn note_twin(&mut self, cursor: StateCursor, way: usize, run: usize) {
        if !cursor.is_deeper {
            self.twins.entry((cursor.point, way)).or_insert(run);
        }
    }

    /// The solver could not tell about a way. Returns whether that is new.
    pub(super) fn note_unsolved(&mut self, way: (StatePoint, usize), gap: &Gap) -> bool {
        let is_new = !self.unsolved.contains_key(&way);
        self.unsolved.entry(way).or_insert_with(|| UnsolvedState {
            gap: gap.clone(),
            was_asked_again: false,
        });
        is_new
    }

    /// Whether the solver could not tell about a way.
    pub(super) fn is_unsolved(&self, point: StatePoint, way: usize) -> bool {
        self.unsolved.contains_key(&(point, way))
    }

    /// The solver can tell about a way now. Returns the gap that it was.
    pub(super) fn settle(&mut self, way: (StatePoint, usize)) -> Option<Gap> {
        self.unsolved.remove(&way).map(|it| it.gap)
    }

    /// Runs about which more is asked, because they are in the same state as one where the solver
    /// could not tell. Each such way is asked for once more.
    pub(super) fn ask_again(&mut self) -> Vec<Paused> {
        let mut numbers = FxHashSet::default();
        for (way, unsolved) in &mut self.unsolved {
            let twin = self.twins.get(way).filter(|_| !unsolved.was_asked_again);
            if let Some(run) = twin.filter(|run| self.runs.iter().any(|it| it.number == **run)) {
                unsolved.was_asked_again = true;
                numbers.insert(*run);
                self.graph.take_back(way.0, way.1);
            }
        }
        let is_wanted = |run: &mut Paused| numbers.contains(&run.number);
        let wanted: Vec<Paused> = self.runs.extract_if(.., is_wanted).collect();
        self.bytes -= wanted.iter().map(|it| it.logs.entry().len()).sum::<usize>();
        wanted
    }

    /// Counts ways that are not asked for.
    pub(super) fn add_merged_ways(&mut self, count: usize) {
        self.merged_ways += count;
    }

    /// Keeps a run with ways that were not asked for, unless there are too many already.
    pub(super) fn keep(&mut self, run: Paused) {
        let bytes = run.logs.entry().len();
        if self.bytes + bytes <= MOST_BYTES {
            self.bytes += bytes;
            self.runs.push(run);
        } else {
            self.has_dropped = true;
        }
    }

    /// The runs with ways that were not asked for, whether these are all, and inputs that were not
    /// run.
    pub(super) fn into_runs(self) -> (Vec<Paused>, bool, Vec<Candidate>) {
        let dropped = self.covered.map(CoveredStates::into_dropped);
        (self.runs, !self.has_dropped, dropped.unwrap_or_default())
    }
}
