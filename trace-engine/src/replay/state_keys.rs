//! The keys of the states in which a run decides something.
//!
//! A state is that before a statement, at the first decision of it. It has no key where something
//! counts that is not written down: a call of code that is not followed, a dictionary, a mailbox,
//! other processes.

use flattener::flat::{SiteId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use solver::types::Signature;
use trace_format::CallKind;

use super::open_call::{CapturedByFunctions, OpenCall};
use super::process::Process;
use super::reached_state::ReachedState;
use super::run_state::RunState;
use super::stack::Frame;
use crate::pruning::{ComparableState, LiveValue, Pruning, ReportedAt, StateTracker, ViewRule};

/// More functions than this on the stack are too many.
const MOST_FUNCTIONS: usize = 200;

/// More words than this are not written for the states of a site in one run.
const MOST_WORK: usize = 100_000;

/// Most states have fewer words, and fewer values.
const USUAL_WORDS: usize = 250;
pub(super) const USUAL_VALUES: usize = 16;

/// How states get keys.
#[derive(Clone, Copy, Debug)]
pub struct KeyedStates<'search> {
    pub(crate) pruning: &'search Pruning,
    /// The types of the arguments.
    pub(crate) signature: Option<&'search Signature>,
    /// The first decision whose state gets a key. The states before are known.
    pub(crate) first: usize,
    /// Whether states have shapes as well.
    pub(crate) has_shapes: bool,
    /// Sites of modules at which states get no keys.
    pub(crate) skipped: &'search FxHashSet<(usize, SiteId)>,
    /// Whether calls are states of their own.
    pub(crate) with_calls: bool,
}

/// Words for a place, and live values with the levels of their functions.
type CollectedState<'search> = (Vec<u64>, Vec<(LiveValue<'search>, usize)>);

/// Makes the keys of a run.
#[derive(Debug)]
pub(super) struct StateKeys<'search> {
    pub(super) states: KeyedStates<'search>,
    pub(super) tracker: StateTracker<'search>,
    /// The number of decisions that the tracker knows.
    told: usize,
    /// How much work the keys of sites were.
    pub(super) work: FxHashMap<(usize, SiteId), usize>,
    /// Calls that are explored by themselves and have not ended.
    pub(super) open: Vec<OpenCall<'search>>,
    pub(super) captured: CapturedByFunctions,
}

impl<'search> StateKeys<'search> {
    pub(super) fn new(states: KeyedStates<'search>) -> Self {
        Self {
            states,
            tracker: StateTracker::new(states.signature),
            told: 0,
            work: FxHashMap::default(),
            open: Vec::new(),
            captured: CapturedByFunctions::default(),
        }
    }

    /// An event was replayed. If something was decided there, the state before it is noted. The
    /// variables that are live before a statement have the same values after it.
    pub(super) fn note(&mut self, run: &mut RunState<'_>, process: &Process<'_>, before: usize) {
        let Some(decision) = run.replayed.decisions.get(before) else {
            return;
        };
        let place = (decision.module, decision.site);
        if before < self.states.first {
            return;
        }
        if self.states.skipped.contains(&place) || !is_known(run) || self.tracker.is_lost() {
            return;
        }
        if self.is_spent(place) {
            return;
        }
        let ways = decision.ways.len();
        let mut collected = None;
        let (state, work) = self.state(run, process, before, (place, ways), &mut collected);
        *self.work.entry(place).or_default() += work;
        // In a call that is explored by itself, what follows its end does not belong to the state.
        let is_outermost = self.open.last().is_none_or(|it| it.level == 0);
        let is_wanted = self.states.has_shapes && state.is_some() && is_outermost;
        let collected = collected.filter(|_| is_wanted);
        let shape = collected.and_then(|(place, live)| {
            let RunState {
                input, replayed, ..
            } = &mut *run;
            let values = (&mut replayed.graph, input);
            self.tracker.shape(values, place, &live)
        });
        run.replayed.states.push(ReachedState {
            decision: before,
            event: process.events,
            depth: process.stack.depth(),
            place,
            state,
            shape,
            work,
        });
    }

    fn state(
        &mut self,
        run: &RunState<'_>,
        process: &Process<'_>,
        before: usize,
        ((module, site), ways): ((usize, SiteId), usize),
        collected: &mut Option<CollectedState<'search>>,
    ) -> (Option<ComparableState>, usize) {
        self.tell(run, before);
        let replayed = &run.replayed;
        let frame = &process.stack.frame;
        let runs_there = frame.code.callable_at(site) == Some(frame.callable);
        if frame.module != module || !runs_there {
            return (None, 0);
        }
        let mut place = place_words(ways as u64);
        let mut live = Vec::with_capacity(USUAL_VALUES);
        if self.collect(process, site, &mut place, &mut live).is_none() {
            return (None, live.len());
        }
        // Elsewhere the ways may be others.
        let shape_place = place.iter().skip(1).copied();
        *collected = Some((shape_place.collect(), live.clone()));
        let live: Vec<LiveValue<'search>> = live.into_iter().map(|it| it.0).collect();
        self.tracker.state(&replayed.graph, place, &live)
    }

    /// Whether the keys of a site were too much work already.
    pub(super) fn is_spent(&self, place: (usize, SiteId)) -> bool {
        self.work.get(&place).is_some_and(|work| *work > MOST_WORK)
    }

    /// Tells the tracker the first decisions of a run, this many.
    pub(super) fn tell(&mut self, run: &RunState<'_>, count: usize) {
        let replayed = &run.replayed;
        for decision in replayed.decisions.iter().take(count).skip(self.told) {
            let before = decision.ways.iter().take(decision.taken);
            let own = decision.ways.get(decision.taken);
            for condition in before.map(|it| !*it).chain(own.copied()) {
                self.tracker.add(&replayed.graph, condition);
            }
        }
        self.told = self.told.max(count);
    }

    /// Collects the places and the live values of all running functions that do something more, from
    /// the call on that is explored by itself.
    fn collect(
        &self,
        process: &Process<'_>,
        site: SiteId,
        place: &mut Vec<u64>,
        live: &mut Vec<(LiveValue<'search>, usize)>,
    ) -> Option<()> {
        let level = process.stack.depth();
        self.collect_waiting(process, level, place, live)?;
        let frame = &process.stack.frame;
        let function = (frame.module, frame.function);
        let known = self.states.pruning.live(frame.code, function, site)?;
        self.add_live(process, (level, frame), (site, &known.before), place, live)?;
        self.add_place_of_report(process, self.first_level(), place);
        Some(())
    }

    /// The level of the call in which a run is that is explored by itself.
    fn first_level(&self) -> usize {
        self.open.last().map_or(0, |it| it.level)
    }

    /// If the running function may be gone when something is raised in its place: adds words for the
    /// places at which that may be reported, in functions from this one on.
    pub(super) fn add_place_of_report(
        &self,
        process: &Process<'_>,
        first: usize,
        place: &mut Vec<u64>,
    ) {
        let frame = &process.stack.frame;
        let pruning = self.states.pruning;
        if pruning.may_leave((frame.module, frame.function)) {
            self.add_reported(&frames_from(process, first), place);
        }
    }

    /// If the last of these functions may be gone when something is raised in its place: adds words
    /// for the places at which that may be reported.
    fn add_reported(&self, frames: &[&Frame<'_>], place: &mut Vec<u64>) {
        let pruning = self.states.pruning;
        let leaves = |it: &&Frame<'_>| pruning.may_leave((it.module, it.function));
        if !frames.last().is_some_and(leaves) {
            return;
        }
        let start = place.len();
        for pair in frames.windows(2).rev() {
            let [frame, callee] = pair else { continue };
            let Some(call) = callee.caller.map(|it| it.site) else {
                break;
            };
            let at = pruning.reported_at(frame.module);
            if at == ReportedAt::Elsewhere || frame.code.plan.is_tail_call(call) {
                continue;
            }
            let words = [frame.module as u64, u64::from(call.0)];
            let known = place.get(start..).unwrap_or_default();
            // A call of a value may be one in place of its caller.
            let is_certain = frame.code.plan.kind(call) != Some(CallKind::Computed);
            if !known.chunks(2).any(|it| it == words) {
                place.extend(words);
            }
            if at == ReportedAt::Here && is_certain {
                break;
            }
        }
    }

    /// The same for the functions that wait for the one with this number on the stack.
    pub(super) fn collect_waiting(
        &self,
        process: &Process<'_>,
        level: usize,
        place: &mut Vec<u64>,
        live: &mut Vec<(LiveValue<'search>, usize)>,
    ) -> Option<()> {
        let first = self.first_level();
        if level - first > MOST_FUNCTIONS {
            return None;
        }
        let frames = frames_from(process, first);
        for (number, pair) in frames.windows(2).enumerate() {
            let [frame, callee] = pair else { continue };
            let call = callee.caller?.site;
            let function = (frame.module, frame.function);
            let known = self.states.pruning.live(frame.code, function, call)?;
            let is_gone = known.is_last || frame.code.plan.is_tail_call(call);
            if is_gone || !ViewRule::Callers.is_kept() {
                continue;
            }
            let at = (first + number, *frame);
            self.add_live(process, at, (call, &known.after), place, live)?;
            self.add_reported(frames.get(..=number).unwrap_or_default(), place);
        }
        // What follows are values, not a place.
        place.push(u64::MAX);
        Some(())
    }

    fn add_live(
        &self,
        process: &Process<'_>,
        (level, frame): (usize, &Frame<'_>),
        (site, variables): (SiteId, &[VarId]),
        place: &mut Vec<u64>,
        live: &mut Vec<(LiveValue<'search>, usize)>,
    ) -> Option<()> {
        let function = (frame.module, frame.function);
        place.extend([frame.module as u64, u64::from(site.0)]);
        for variable in variables {
            let view = self.states.pruning.view(function, *variable);
            if view.is_nothing() {
                continue;
            }
            let value = LiveValue {
                frame: place.len(),
                variable: variable.0,
                node: process.stack.environment.value_in(level, *variable)?,
                view,
            };
            live.push((value, level));
        }
        Some(())
    }
}

/// The running functions from this one on.
fn frames_from<'process, 'run>(
    process: &'process Process<'run>,
    first: usize,
) -> SmallVec<[&'process Frame<'run>; 16]> {
    process.stack.frames().skip(first).collect()
}

/// Words for a place, the first of many.
pub(super) fn place_words(first: u64) -> Vec<u64> {
    let mut words = Vec::with_capacity(USUAL_WORDS);
    words.push(first);
    words
}

/// Whether all that counts in a run is known.
pub(super) fn is_known(run: &RunState<'_>) -> bool {
    let replayed = &run.replayed;
    let is_alone = run.together.is_none() && !run.has_spawned;
    let has_left = run.has_left && ViewRule::Effects.is_kept();
    is_alone && !has_left && replayed.opaque.is_empty() && replayed.given.is_empty()
}
