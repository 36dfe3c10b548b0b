//! The decisions of a search by state: paths that come to the same state go on from one point.
//!
//! A point is a decision in a state, or behind another point. The first run that comes to a state
//! asks for all ways there; later ones need not. They may have less depth left, or their paths may
//! say more about the same values, so that fewer ways are open to them. Such a run is *narrower*: it
//! asks for nothing at a point, and it makes no points behind it that others come to.

use flattener::flat::SiteId;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::pruning::{ComparableState, Levels};

/// A point of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct StatePoint(u32);

/// Where a decision is: module, site, number of ways.
pub(super) type DecisionPlace = (usize, SiteId, usize);

/// A run on its way through the graph.
#[derive(Clone, Copy, Debug)]
pub(super) struct StateCursor {
    pub(super) point: StatePoint,
    /// Whether fewer ways may be open to it than to those who came to the point first.
    pub(super) is_narrower: bool,
}

impl StateCursor {
    /// Where all runs begin.
    pub(super) const START: Self = Self {
        point: StatePoint(0),
        is_narrower: false,
    };
}

#[derive(Debug, Default)]
struct StateNode {
    /// The decision there, once a run has made it.
    place: Option<DecisionPlace>,
    /// The ways that were run or asked for, with the point after each that was run.
    ways: SmallVec<[(u32, Option<StatePoint>); 2]>,
}

/// The points of a state, by its levels.
type LevelsOfState = SmallVec<[(Levels, StatePoint); 1]>;

/// A new state is compared with at most so many that have the same values. Those that come first in
/// a search have short paths, of which little is said.
const MOST_COMPARED: usize = 16;

/// What is said of one of several states with the same values.
#[derive(Debug)]
struct SaidOfState {
    said: Box<[u64]>,
    levels: Levels,
    point: StatePoint,
}

/// States by the entry of the call in which they are, and the hashes of their values.
type StatesByValues = FxHashMap<(usize, [u64; 2]), SmallVec<[SaidOfState; 1]>>;

/// The points of a task.
#[derive(Debug)]
pub(super) struct StateGraph {
    nodes: Vec<StateNode>,
    /// Points at which runs made different decisions, although they should not.
    others: FxHashMap<(StatePoint, DecisionPlace), StatePoint>,
    /// By the entry of the call in which they are, and their hashes.
    states: FxHashMap<(usize, [u64; 2]), LevelsOfState>,
    /// If states are compared with wider ones.
    by_values: Option<StatesByValues>,
    /// How many states there are.
    count: usize,
}

impl Default for StateGraph {
    fn default() -> Self {
        Self::new(true)
    }
}

impl StateGraph {
    /// No states. A new one may be compared with wider ones.
    pub(super) fn new(has_wider_states: bool) -> Self {
        Self {
            nodes: vec![StateNode::default()],
            others: FxHashMap::default(),
            states: FxHashMap::default(),
            by_values: has_wider_states.then(FxHashMap::default),
            count: 0,
        }
    }

    /// How many states there are.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    fn node(&mut self, point: StatePoint) -> &mut StateNode {
        let node = self.nodes.get_mut(point.0 as usize);
        node.expect("a point is made with its node")
    }

    /// A point at which nothing was decided yet.
    pub(super) fn new_point(&mut self) -> StatePoint {
        let number = u32::try_from(self.nodes.len()).expect("fewer than 2^32 points");
        self.nodes.push(StateNode::default());
        StatePoint(number)
    }

    /// A run decides something, in a state that may be known, in a call with this entry. Returns the
    /// point of it, and whether there was such a state.
    pub(super) fn arrive(
        &mut self,
        cursor: StateCursor,
        place: DecisionPlace,
        state: Option<&ComparableState>,
        entry: usize,
    ) -> (StateCursor, bool) {
        let own = self.own(cursor, place);
        let Some(state) = state else {
            return (own, false);
        };
        if let Some(known) = self.same(state, entry, own) {
            return (known, known.point != own.point);
        }
        if let Some(point) = self.wider(state, entry) {
            let cursor = StateCursor {
                point,
                is_narrower: true,
            };
            return (cursor, true);
        }
        // What a narrower run finds open does not count for others.
        if !own.is_narrower {
            self.add(state, entry, own.point);
        }
        (own, false)
    }

    /// The point of a state with the same key that has no less depth left.
    fn same(&self, state: &ComparableState, entry: usize, own: StateCursor) -> Option<StateCursor> {
        let known = self.states.get(&(entry, state.key.hash))?;
        let fits = |levels: &Levels| is_no_deeper(levels, &state.key.levels);
        let (levels, point) = known.iter().find(|it| fits(&it.0))?;
        let is_narrower = if *point == own.point {
            own.is_narrower
        } else {
            *levels != state.key.levels
        };
        Some(StateCursor {
            point: *point,
            is_narrower,
        })
    }

    /// The point of a state that has the same values, of which less is said.
    fn wider(&self, state: &ComparableState, entry: usize) -> Option<StatePoint> {
        let known = self.by_values.as_ref()?.get(&(entry, state.values))?;
        let is_wider = |it: &&SaidOfState| {
            // Further roots are in what is said only of the other.
            it.levels.len() <= state.key.levels.len()
                && is_no_deeper(&it.levels, &state.key.levels)
                && state.says_all_of(&it.said)
        };
        known.iter().find(is_wider).map(|it| it.point)
    }

    fn add(&mut self, state: &ComparableState, entry: usize, point: StatePoint) {
        let ComparableState { key, values, said } = state;
        let known = self.states.entry((entry, key.hash)).or_default();
        known.push((key.levels.clone(), point));
        self.count += 1;
        let Some(by_values) = &mut self.by_values else {
            return;
        };
        let known = by_values.entry((entry, *values)).or_default();
        if known.len() < MOST_COMPARED {
            known.push(SaidOfState {
                said: said.clone(),
                levels: key.levels.clone(),
                point,
            });
        }
    }

    /// The point of a decision behind another, without regard to its state.
    fn own(&mut self, cursor: StateCursor, place: DecisionPlace) -> StateCursor {
        let node = self.node(cursor.point);
        if node.place == Some(place) {
            return cursor;
        }
        if node.place.is_none() && !cursor.is_narrower {
            node.place = Some(place);
            return cursor;
        }
        if let Some(known) = self.others.get(&(cursor.point, place)) {
            return StateCursor {
                point: *known,
                ..cursor
            };
        }
        let point = self.new_point();
        self.node(point).place = Some(place);
        if !cursor.is_narrower {
            self.others.insert((cursor.point, place), point);
        }
        StateCursor {
            point,
            is_narrower: false,
        }
    }

    /// A run takes a way.
    pub(super) fn step(&mut self, cursor: StateCursor, way: usize) -> StateCursor {
        let way = number_of(way);
        let known = self.node(cursor.point).ways.iter();
        if let Some(next) = known.filter(|it| it.0 == way).find_map(|it| it.1) {
            return StateCursor {
                point: next,
                ..cursor
            };
        }
        let point = self.new_point();
        if !cursor.is_narrower {
            let ways = &mut self.node(cursor.point).ways;
            match ways.iter_mut().find(|it| it.0 == way) {
                Some(asked) => asked.1 = Some(point),
                None => ways.push((way, Some(point))),
            }
        }
        StateCursor {
            point,
            is_narrower: false,
        }
    }

    /// Notes that a way is asked for. Returns whether it was neither run nor asked for before, and
    /// nobody else will ask for it.
    pub(super) fn ask(&mut self, cursor: StateCursor, way: usize) -> bool {
        let way = number_of(way);
        let ways = &mut self.node(cursor.point).ways;
        if cursor.is_narrower || ways.iter().any(|it| it.0 == way) {
            return false;
        }
        ways.push((way, None));
        true
    }

    /// Notes that a way was asked for on the same path.
    pub(super) fn note_asked(&mut self, cursor: StateCursor, way: usize) {
        self.ask(cursor, way);
    }

    /// Forgets that a way was asked for, unless it was run.
    pub(super) fn take_back(&mut self, point: StatePoint, way: usize) {
        let way = number_of(way);
        let is_it = |it: &(u32, Option<StatePoint>)| it.0 == way && it.1.is_none();
        self.node(point).ways.retain(|it| !is_it(it));
    }
}

/// Whether no root is deeper than the same root of another state.
pub(super) fn is_no_deeper(levels: &Levels, others: &Levels) -> bool {
    levels.iter().zip(others).all(|(own, other)| own <= other)
}

fn number_of(way: usize) -> u32 {
    u32::try_from(way).expect("a case has fewer than 2^32 clauses")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pruning::StateKey;

    const PLACE: DecisionPlace = (0, SiteId(3), 2);

    fn state(hash: u64, levels: &[u16]) -> ComparableState {
        ComparableState {
            key: StateKey {
                hash: [hash, hash],
                levels: levels.iter().copied().collect(),
            },
            values: [hash, hash],
            said: Box::new([]),
        }
    }

    #[test]
    fn ways_of_a_known_state_are_asked_for_once() {
        let mut graph = StateGraph::default();
        let first_state = state(1, &[2]);
        let (first, is_known) = graph.arrive(StateCursor::START, PLACE, Some(&first_state), 0);
        assert!(!is_known && graph.ask(first, 1));
        let next = graph.step(first, 0);
        let (second, _) = graph.arrive(next, PLACE, Some(&state(2, &[])), 0);
        let elsewhere = graph.step(second, 0);
        let (twin, is_known) = graph.arrive(elsewhere, PLACE, Some(&first_state), 0);
        assert!(is_known && !twin.is_narrower);
        assert_eq!(twin.point, first.point);
        assert!(!graph.ask(twin, 1));
        assert_eq!(graph.count(), 2);
    }

    #[test]
    fn a_state_with_more_depth_left_is_another_one() {
        let mut graph = StateGraph::default();
        let (deep, _) = graph.arrive(StateCursor::START, PLACE, Some(&state(1, &[3])), 0);
        let next = graph.step(deep, 0);
        let (high, is_known) = graph.arrive(next, PLACE, Some(&state(1, &[2])), 0);
        assert!(!is_known);
        assert_ne!(high.point, deep.point);
        assert!(graph.ask(high, 1));
    }

    #[test]
    fn a_deeper_run_asks_for_nothing_and_leaves_no_points() {
        let mut graph = StateGraph::default();
        let (high, _) = graph.arrive(StateCursor::START, PLACE, Some(&state(1, &[2])), 0);
        let next = graph.step(high, 0);
        let (deep, is_known) = graph.arrive(next, PLACE, Some(&state(1, &[3])), 0);
        assert!(is_known && deep.is_narrower && !graph.ask(deep, 1));
        let behind = graph.step(deep, 1);
        assert!(!behind.is_narrower);
        // The first one still asks for all ways there.
        assert!(graph.ask(high, 1));
        assert_ne!(graph.step(high, 1).point, behind.point);
    }

    #[test]
    fn a_deeper_run_asks_where_nobody_was() {
        let mut graph = StateGraph::default();
        let (high, _) = graph.arrive(StateCursor::START, PLACE, Some(&state(1, &[2])), 0);
        // The first run ended behind this point.
        let next = graph.step(high, 0);
        let (other, _) = graph.arrive(next, PLACE, Some(&state(2, &[])), 0);
        let elsewhere = graph.step(other, 1);
        let (deep, _) = graph.arrive(elsewhere, PLACE, Some(&state(1, &[3])), 0);
        let end = graph.step(high, 1);
        let behind = graph.step(deep, 1);
        assert!(behind.is_narrower && behind.point == end.point);
        let (own, _) = graph.arrive(behind, PLACE, None, 0);
        assert!(!own.is_narrower && own.point != end.point && graph.ask(own, 1));
    }

    /// A state with the values of all of these, of which this is said.
    fn said(hash: u64, levels: &[u16], said: &[u64]) -> ComparableState {
        ComparableState {
            values: [0, 0],
            said: said.into(),
            ..state(hash, levels)
        }
    }

    #[test]
    fn a_state_is_in_one_of_which_less_is_said() {
        let mut graph = StateGraph::default();
        let wide = said(1, &[2], &[5]);
        let (first, _) = graph.arrive(StateCursor::START, PLACE, Some(&wide), 0);
        let next = graph.step(first, 0);
        let (narrow, is_known) = graph.arrive(next, PLACE, Some(&said(2, &[2, 0], &[5, 7])), 0);
        assert!(is_known && narrow.is_narrower && narrow.point == first.point);
        for other in [
            said(3, &[2], &[7]),
            said(4, &[1], &[5, 7]),
            said(5, &[], &[5, 7]),
        ] {
            let next = graph.step(first, 1);
            let (own, is_known) = graph.arrive(next, PLACE, Some(&other), 0);
            assert!(!is_known && own.point != first.point, "{other:?}");
        }
    }

    #[test]
    fn what_a_narrower_run_finds_does_not_count_for_others() {
        let mut graph = StateGraph::default();
        let (wide, _) = graph.arrive(StateCursor::START, PLACE, Some(&said(1, &[2], &[])), 0);
        let behind = graph.step(wide, 0);
        graph.arrive(behind, PLACE, Some(&state(2, &[])), 0);
        let elsewhere = graph.step(wide, 1);
        let (narrow, _) = graph.arrive(elsewhere, PLACE, Some(&said(3, &[2], &[7])), 0);
        let inside = graph.step(narrow, 0);
        assert!(inside.is_narrower && inside.point == behind.point);
        let own = state(4, &[]);
        let (own_cursor, _) = graph.arrive(inside, PLACE, Some(&own), 0);
        assert!(own_cursor.is_narrower);
        // A run that comes to the same state in another way asks for itself.
        let start = graph.new_point();
        let start = StateCursor {
            point: start,
            is_narrower: false,
        };
        let (again, is_known) = graph.arrive(start, PLACE, Some(&own), 0);
        assert!(!is_known && graph.ask(again, 1));
    }

    #[test]
    fn different_decisions_have_different_points() {
        let mut graph = StateGraph::default();
        let (one, _) = graph.arrive(StateCursor::START, PLACE, None, 0);
        let (other, _) = graph.arrive(StateCursor::START, (0, SiteId(4), 2), None, 0);
        assert_ne!(one.point, other.point);
        assert!(graph.ask(one, 1) && graph.ask(other, 1));
        graph.take_back(other.point, 1);
        assert!(graph.ask(other, 1));
    }
}
