//! The states that a task has come to, and the ways that were not asked for because of them.

use std::collections::BTreeMap;
use std::sync::Arc;

use erlang_term::Term;
use rustc_hash::{FxHashMap, FxHashSet};

use super::super::call_graph::{CallGraph, MissingPairs};
use super::super::call_walk::CallWalk;
use super::super::candidate::Candidate;
use super::super::gap::Gap;
use super::super::key_effort::{KeyEffort, KeyUse, KeyedSite};
use super::super::report::Pruned;
use super::super::state_graph::{StateCursor, StateGraph, StatePoint};
use super::super::task::Options;
use super::covered_states::CoveredStates;
use super::path_point::PathPoint;
use super::paused::Paused;
use crate::replay::{CallMark, CallMarkKind, Decision, ReachedState, Segments};
use crate::visited::Point;

/// How many bytes of logs are kept for ways that are asked for later.
const MOST_BYTES: usize = 64 << 20;
/// After so many runs, callers and exits that did not come together have turns.
const FIRST_PAIR: usize = 100;

/// What is known of the states of a task.
#[derive(Debug, Default)]
pub(super) struct KnownStates {
    graph: StateGraph,
    /// The states of points on paths, where they were found, and the calls in which they are.
    arrived: FxHashMap<Point, (u64, StateCursor)>,
    effort: KeyEffort,
    /// By the numbers of runs: the sites that got no keys, if calls are explored by themselves.
    skipped: Vec<Option<Arc<FxHashSet<KeyedSite>>>>,
    /// The run with the caller for which the next run is made.
    made_for: Option<usize>,
    /// Ways about which the solver could not tell.
    unsolved: BTreeMap<(StatePoint, usize), UnsolvedState>,
    /// The first run that came to a state where a way had been asked for, by its number.
    twins: FxHashMap<(StatePoint, usize), usize>,
    /// The calls that are explored by themselves, if any are.
    calls: Option<CallGraph>,
    /// Whether calls are not explored by themselves any more.
    has_given_up: bool,
    /// Points at which calls began.
    begun: FxHashSet<StatePoint>,
    /// How many ways were not asked for, because they were asked for in the same state elsewhere.
    merged_ways: usize,
    /// The runs that have such ways, or all if calls are explored by themselves.
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
    /// None.
    pub(super) fn new(options: &Options) -> Self {
        Self {
            graph: StateGraph::new(options.has_wider_states),
            calls: options.calls.then(CallGraph::default),
            covered: options.has_interpolants.then(CoveredStates::default),
            ..Self::default()
        }
    }

    /// Whether calls are explored by themselves.
    pub(super) fn has_calls(&self) -> bool {
        self.calls.is_some()
    }

    /// A run begins or ends a call. Returns where it goes on.
    pub(super) fn pass<'run>(
        &mut self,
        cursor: StateCursor,
        mark: &'run CallMark,
        walk: &mut CallWalk<'run>,
    ) -> StateCursor {
        let Some(calls) = &mut self.calls else {
            return cursor;
        };
        let is_new = walk.is_new() && !walk.is_silent();
        let (next, pays) = match &mark.kind {
            CallMarkKind::Begins(call) => {
                let (next, is_known) = calls.begin(&mut self.graph, walk, call);
                let is_first = self.begun.insert(cursor.point);
                (next, is_new && is_known && is_first)
            }
            CallMarkKind::Depends => (cursor, false),
            CallMarkKind::Ends(key) => {
                let next = calls.end(&mut self.graph, walk, key.as_ref());
                (next.unwrap_or(cursor), false)
            }
        };
        if !walk.is_again() {
            let has_failed = matches!(mark.kind, CallMarkKind::Depends);
            let use_of_key = if has_failed {
                KeyUse::NoCall
            } else {
                KeyUse::Call { pays }
            };
            self.effort.add_call(mark.site, mark.work, use_of_key);
        }
        next
    }

    /// What is missing when nothing else is left to do. Inputs are at most this deep.
    pub(super) fn missing(&mut self, most_depth: usize) -> MissingPairs {
        let Some(calls) = &mut self.calls else {
            return MissingPairs::Nothing;
        };
        let missing = calls.missing(most_depth);
        if let MissingPairs::Input(run, _) = &missing {
            self.made_for = Some(*run);
        }
        if matches!(missing, MissingPairs::Again) && self.has_dropped {
            return MissingPairs::Lost;
        }
        missing
    }

    /// An input for a caller and an exit of its call, if the next run, which has this number, is one
    /// for such pairs: every other one in a long search. Otherwise they would wait for ever there.
    pub(super) fn early_pair(
        &mut self,
        run: usize,
        most_depth: usize,
    ) -> Option<(usize, Vec<Term>)> {
        if run < FIRST_PAIR || run % 2 == 1 {
            return None;
        }
        let pair = self.calls.as_mut()?.early_pair(most_depth)?;
        self.made_for = Some(pair.0);
        Some(pair)
    }

    /// Begins again with all runs, which are returned, and explores no calls by themselves; `None` if
    /// some runs are lost.
    pub(super) fn give_up_calls(&mut self) -> Option<Vec<Paused>> {
        if self.has_dropped {
            return None;
        }
        let runs = self.restart();
        self.calls = None;
        self.has_given_up = true;
        Some(runs)
    }

    /// Whether the states of runs may be forgotten, so that they get keys again.
    pub(super) fn may_forget(&self) -> bool {
        self.calls.is_some() || self.has_given_up
    }

    /// Begins again with all runs, which are returned.
    pub(super) fn restart(&mut self) -> Vec<Paused> {
        if let Some(calls) = &mut self.calls {
            calls.restart();
        }
        self.covered = None;
        self.graph = StateGraph::default();
        self.arrived.clear();
        self.begun.clear();
        self.unsolved.clear();
        self.twins.clear();
        self.bytes = 0;
        std::mem::take(&mut self.runs)
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

    /// The sites at which states and calls get no keys in a run, the next one or one that is looked
    /// at again. With other keys it would have other callers, so they are the same each time, and
    /// the same in a run that is made for a caller.
    pub(super) fn begin_run(&mut self, run: usize) -> Arc<FxHashSet<KeyedSite>> {
        if self.calls.is_none() {
            return self.effort.begin_run();
        }
        let pair = self.made_for.take().filter(|_| run >= self.skipped.len());
        let pair = pair.and_then(|it| self.skipped.get(it)?.clone());
        let known = self.skipped.get(run).cloned().flatten().or(pair);
        let skipped = known.unwrap_or_else(|| self.effort.begin_run());
        if self.skipped.len() <= run {
            self.skipped.resize(run + 1, None);
        }
        if let Some(of_run) = self.skipped.get_mut(run) {
            *of_run = Some(Arc::clone(&skipped));
        }
        skipped
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
        walk: &CallWalk<'_>,
    ) -> StateCursor {
        let stack = walk.stack();
        if let Some((_, known)) = self.arrived.get(&point).filter(|it| it.0 == stack) {
            return *known;
        }
        let place = (decision.module, decision.site, decision.ways.len());
        let known = state.and_then(|state| state.state.as_ref());
        let (cursor, is_known) = self.graph.arrive(cursor, place, known, walk.entry());
        if let Some(state) = state.filter(|_| walk.is_new()) {
            let site = (decision.module, decision.site);
            self.effort.add(site, state.work, is_known);
        }
        self.arrived.insert(point, (stack, cursor));
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

    /// Notes that a way was asked for on the same path.
    pub(super) fn note_asked(&mut self, cursor: StateCursor, way: usize) {
        self.graph.note_asked(cursor, way);
    }

    /// Forgets that a way was asked for.
    pub(super) fn take_back(&mut self, point: StatePoint, way: usize) {
        self.graph.take_back(point, way);
    }

    /// A run could take a way that was asked for in the same state.
    pub(super) fn note_twin(&mut self, cursor: StateCursor, way: usize, run: usize) {
        if !cursor.is_narrower {
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
        let mut runs = self.runs;
        runs.retain(|run| run.has_merged_ways);
        (runs, !self.has_dropped, dropped.unwrap_or_default())
    }
}
