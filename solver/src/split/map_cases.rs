//! The easiest ways for two maps to be different or in order.

use super::{Case, Split};
use crate::graph::{Condition, Formula, Kinds, NodeId, Place};

impl Split<'_, '_> {
    /// The easiest ways for two maps to be different or in order. No others are tried.
    pub(super) fn split_maps(&mut self, condition: Condition) -> Option<Vec<Case>> {
        let formula = self.known.graph.formula(condition).clone();
        let (Formula::Less(left, right) | Formula::Equal(left, right) | Formula::Same(left, right)) =
            formula
        else {
            return None;
        };
        let (left, right) = (self.known.resolve(left), self.known.resolve(right));
        if self.known.kinds(left) != Kinds::MAP || self.known.kinds(right) != Kinds::MAP {
            return None;
        }
        let is_strict = !condition.is_negated();
        if matches!(formula, Formula::Less(..)) {
            self.known.give_up();
            return Some(self.split_map_order(is_strict, left, right));
        }
        if is_strict {
            return None;
        }
        self.known.give_up();
        Some(self.split_map_difference(left, right))
    }

    /// Two maps are different if they have different sizes, or different values for a known key.
    fn split_map_difference(&mut self, left: NodeId, right: NodeId) -> Vec<Case> {
        let mut keys = Vec::new();
        for map in [left, right] {
            if self.known.graph.is_part(map) {
                let known = self.known.store.part(map).keys.iter();
                keys.extend(known.filter(|it| it.1).map(|it| it.0));
            }
        }
        let mut cases = Vec::new();
        for key in keys {
            let there = [left, right].map(|map| self.known.graph.has_key(key, map));
            let values = [left, right].map(|map| self.known.graph.value_at(key, map));
            let same = self.known.graph.same(values[0], values[1]);
            cases.push(vec![there[0], there[1], !same]);
        }
        let sizes = [left, right].map(|map| self.known.graph.map_size(map));
        cases.push(vec![!self.known.graph.equal(sizes[0], sizes[1])]);
        cases
    }

    /// A map comes before another if it has fewer keys, or if both have one key and these decide.
    fn split_map_order(&mut self, is_strict: bool, left: NodeId, right: NodeId) -> Vec<Case> {
        let (low, high) = if is_strict {
            (left, right)
        } else {
            (right, left)
        };
        let sizes = [low, high].map(|it| self.known.graph.map_size(it));
        let mut cases = vec![vec![self.known.graph.less(sizes[0], sizes[1])]];
        if !is_strict {
            cases.push(vec![self.known.graph.equal(low, high)]);
        }
        if self.known.graph.is_part(low) && self.known.graph.is_part(high) {
            let one = self.known.graph.integer(1);
            let keys = [low, high].map(|it| self.known.graph.at(Place::Key(0), it));
            let mut case = Vec::new();
            for ((map, size), key) in [low, high].into_iter().zip(sizes).zip(keys) {
                case.extend([
                    self.known.graph.equal(size, one),
                    self.known.graph.raw_has_key(key, map),
                ]);
            }
            let mut same = case.clone();
            case.push(self.known.graph.less(keys[0], keys[1]));
            let values = [(low, keys[0]), (high, keys[1])];
            let values = values.map(|(map, key)| self.known.graph.raw_value_at(key, map));
            same.push(self.known.graph.equal(keys[0], keys[1]));
            same.push(self.known.graph.less(values[0], values[1]));
            cases.extend([case, same]);
        }
        cases
    }
}
