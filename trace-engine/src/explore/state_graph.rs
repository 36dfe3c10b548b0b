//! The decisions of a search by state: paths that come to the same state go on from one point.
//!
//! A point is a decision in a state, or behind another point. The first run that comes to a state
//! asks for all ways there; later ones need not. They may have less depth left, so that fewer ways
//! are open to them. Such a run is *deeper*: it asks for nothing at a point, and it makes no points
//! behind it that others come to.

use flattener::flat::SiteId;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::pruning::{Levels, StateKey};

/// A point of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct StatePoint(u32);

/// Where a decision is: module, site, number of ways.
pub(super) type DecisionPlace = (usize, SiteId, usize);

/// A run on its way through the graph.
#[derive(Clone, Copy, Debug)]
pub(super) struct StateCursor {
    pub(super) point: StatePoint,
    /// Whether it may have less depth left than those who came to the point first.
    pub(super) is_deeper: bool,
}

impl StateCursor {
    /// Where all runs begin.
    pub(super) const START: Self = Self {
        point: StatePoint(0),
        is_deeper: false,
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

/// So many states with the same values are compared with a new one.
const MOST_COMPARED: usize = 16;

/// States with the same values: what the path says about them, their levels and their points.
type SaidOfValues = SmallVec<[(Box<[u64]>, Levels, StatePoint); 1]>;

/// The points of a task.
#[derive(Debug)]
pub(super) struct StateGraph {
    nodes: Vec<StateNode>,
    /// Points at which runs made different decisions, although they should not.
    others: FxHashMap<(StatePoint, DecisionPlace), StatePoint>,
    /// By the entry of the call in which they are, and their hashes.
    states: FxHashMap<(usize, [u64; 2]), LevelsOfState>,
    /// By the entry, and hashes of their values.
    by_values: FxHashMap<(usize, [u64; 2]), SaidOfValues>,
    /// How many states were in another one with other conditions.
    pub(super) included: usize,
    /// How many states there are.
    count: usize,
}

impl Default for StateGraph {
    fn default() -> Self {
        Self {
            nodes: vec![StateNode::default()],
            others: FxHashMap::default(),
            states: FxHashMap::default(),
            by_values: FxHashMap::default(),
            included: 0,
            count: 0,
        }
    }
}

impl StateGraph {
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

    /// A run decides something, in a state that may have a key, in a call with this entry. Returns
    /// the point of it, and whether the state was known.
    pub(super) fn arrive(
        &mut self,
        cursor: StateCursor,
        place: DecisionPlace,
        key: Option<&StateKey>,
        entry: usize,
    ) -> (StateCursor, bool) {
        let own = self.own(cursor, place);
        let Some(key) = key else {
            return (own, false);
        };
        let known = self.states.entry((entry, key.hash)).or_default();
        let fits = |levels: &Levels| {
            let mut levels = levels.iter().zip(&key.levels);
            levels.all(|(known, own)| known <= own)
        };
        if let Some((levels, point)) = known.iter().find(|it| fits(&it.0)) {
            let is_same = *point == own.point;
            let cursor = StateCursor {
                point: *point,
                is_deeper: if is_same {
                    own.is_deeper
                } else {
                    *levels != key.levels
                },
            };
            return (cursor, !is_same);
        }
        if let Some(wider) = self.wider(key, entry, own.point) {
            self.included += 1;
            let cursor = StateCursor {
                point: wider,
                is_deeper: true,
            };
            return (cursor, true);
        }
        let known = self.states.entry((entry, key.hash)).or_default();
        known.push((key.levels.clone(), own.point));
        let said = self.by_values.entry((entry, key.parts.values)).or_default();
        if said.len() < MOST_COMPARED {
            said.push((
                key.parts.conditions.clone(),
                key.levels.clone(),
                own.point,
            ));
        }
        self.count += 1;
        (own, false)
    }

    /// The point of a state that has the same values, and of which less is said.
    fn wider(&self, key: &StateKey, entry: usize, own: StatePoint) -> Option<StatePoint> {
        if std::env::var_os("NO_INCLUSION").is_some() {
            return None;
        }
        let known = self.by_values.get(&(entry, key.parts.values))?;
        let is_wider = |(conditions, levels, point): &&(Box<[u64]>, Levels, StatePoint)| {
            let mut own_conditions = key.parts.conditions.iter();
            let mut pairs = levels.iter().zip(&key.levels);
            *point != own
                && levels.len() <= key.levels.len()
                && pairs.all(|(known, own)| known <= own)
                && conditions.iter().all(|it| own_conditions.any(|own| own == it))
        };
        known.iter().find(is_wider).map(|it| it.2)
    }

    /// The point of a decision behind another, without regard to its state.
    fn own(&mut self, cursor: StateCursor, place: DecisionPlace) -> StateCursor {
        let node = self.node(cursor.point);
        if node.place == Some(place) {
            return cursor;
        }
        if node.place.is_none() && !cursor.is_deeper {
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
        if !cursor.is_deeper {
            self.others.insert((cursor.point, place), point);
        }
        StateCursor {
            point,
            is_deeper: false,
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
        if !cursor.is_deeper {
            let ways = &mut self.node(cursor.point).ways;
            match ways.iter_mut().find(|it| it.0 == way) {
                Some(asked) => asked.1 = Some(point),
                None => ways.push((way, Some(point))),
            }
        }
        StateCursor {
            point,
            is_deeper: false,
        }
    }

    /// Notes that a way is asked for. Returns whether it was neither run nor asked for before, and
    /// nobody else will ask for it.
    pub(super) fn ask(&mut self, cursor: StateCursor, way: usize) -> bool {
        let way = number_of(way);
        let ways = &mut self.node(cursor.point).ways;
        if cursor.is_deeper || ways.iter().any(|it| it.0 == way) {
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

fn number_of(way: usize) -> u32 {
    u32::try_from(way).expect("a case has fewer than 2^32 clauses")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pruning::StateParts;

    const PLACE: DecisionPlace = (0, SiteId(3), 2);

    fn key(hash: u64, levels: &[u16]) -> StateKey {
        StateKey {
            hash: [hash, hash],
            levels: levels.iter().copied().collect(),
            parts: StateParts {
                values: [hash, hash],
                ..StateParts::default()
            },
        }
    }

    #[test]
    fn ways_of_a_known_state_are_asked_for_once() {
        let mut graph = StateGraph::default();
        let state = key(1, &[2]);
        let (first, is_known) = graph.arrive(StateCursor::START, PLACE, Some(&state), 0);
        assert!(!is_known && graph.ask(first, 1));
        let next = graph.step(first, 0);
        let (second, _) = graph.arrive(next, PLACE, Some(&key(2, &[])), 0);
        let elsewhere = graph.step(second, 0);
        let (twin, is_known) = graph.arrive(elsewhere, PLACE, Some(&state), 0);
        assert!(is_known && !twin.is_deeper);
        assert_eq!(twin.point, first.point);
        assert!(!graph.ask(twin, 1));
        assert_eq!(graph.count(), 2);
    }

    #[test]
    fn a_state_with_more_depth_left_is_another_one() {
        let mut graph = StateGraph::default();
        let (deep, _) = graph.arrive(StateCursor::START, PLACE, Some(&key(1, &[3])), 0);
        let next = graph.step(deep, 0);
        let (high, is_known) = graph.arrive(next, PLACE, Some(&key(1, &[2])), 0);
        assert!(!is_known);
        assert_ne!(high.point, deep.point);
        assert!(graph.ask(high, 1));
    }

    #[test]
    fn a_deeper_run_asks_for_nothing_and_leaves_no_points() {
        let mut graph = StateGraph::default();
        let (high, _) = graph.arrive(StateCursor::START, PLACE, Some(&key(1, &[2])), 0);
        let next = graph.step(high, 0);
        let (deep, is_known) = graph.arrive(next, PLACE, Some(&key(1, &[3])), 0);
        assert!(is_known && deep.is_deeper && !graph.ask(deep, 1));
        let behind = graph.step(deep, 1);
        assert!(!behind.is_deeper);
        // The first one still asks for all ways there.
        assert!(graph.ask(high, 1));
        assert_ne!(graph.step(high, 1).point, behind.point);
    }

    #[test]
    fn a_deeper_run_asks_where_nobody_was() {
        let mut graph = StateGraph::default();
        let (high, _) = graph.arrive(StateCursor::START, PLACE, Some(&key(1, &[2])), 0);
        // The first run ended behind this point.
        let next = graph.step(high, 0);
        let (other, _) = graph.arrive(next, PLACE, Some(&key(2, &[])), 0);
        let elsewhere = graph.step(other, 1);
        let (deep, _) = graph.arrive(elsewhere, PLACE, Some(&key(1, &[3])), 0);
        let end = graph.step(high, 1);
        let behind = graph.step(deep, 1);
        assert!(behind.is_deeper && behind.point == end.point);
        let (own, _) = graph.arrive(behind, PLACE, None, 0);
        assert!(!own.is_deeper && own.point != end.point && graph.ask(own, 1));
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
