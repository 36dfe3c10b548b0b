//! Maps: which keys they have, and what follows from that.

mod choosing;

use flattener::ast::deep;

use super::assertion::constant;
use super::integers::{Constraint, Linear, Relation};
use super::{Solver, Step};
use crate::graph::{Condition, Formula, Kinds, NodeId, Place};
use crate::types::Field;

impl Solver<'_> {
    pub(super) fn assert_has_key(
        &mut self,
        condition: Condition,
        key: NodeId,
        map: NodeId,
    ) -> Step {
        let holds = !condition.is_negated();
        let map = self.resolve(map);
        if !self.graph.is_part(map) {
            let simpler = self.graph.has_key(key, map);
            return self.assert_simpler(condition, simpler.signed_as(condition));
        }
        match self.status_of_has_key(key, map) {
            Some(status) => return self.require(status == holds),
            None => self.store.change(map, |part| part.keys.push((key, holds))),
        }
        if holds {
            self.store.narrow(self.graph, map, Kinds::MAP)?;
            for fields in self.store.part(map).fields.clone() {
                let fits = self.graph.fits_field(&fields, key, map);
                deep(|| self.assert(fits))?;
            }
        }
        Ok(())
    }

    pub(super) fn status_of_has_key(&mut self, key: NodeId, map: NodeId) -> Option<bool> {
        let map = self.resolve(map);
        if !self.graph.is_part(map) {
            return constant(self.graph.has_key(key, map));
        }
        let part = self.store.part(map);
        if !part.kinds.intersects(Kinds::MAP) {
            return Some(false);
        }
        let mut keys = part.keys.iter();
        keys.find(|known| known.0 == key).map(|known| known.1)
    }

    /// The pairs of a map fit the fields of a type. Those that are known are told so; what is
    /// guessed is checked.
    pub(super) fn assert_fields(
        &mut self,
        condition: Condition,
        fields: &[Field],
        map: NodeId,
    ) -> Step {
        let map = self.resolve(map);
        if !self.graph.is_part(map) {
            let simpler = self.graph.has_fields(fields, map);
            return self.assert_simpler(condition, simpler.signed_as(condition));
        }
        if condition.is_negated() {
            return self.keep(condition);
        }
        self.store.narrow(self.graph, map, Kinds::MAP)?;
        let known = self.store.part(map);
        if known.fields.iter().any(|it| **it == *fields) {
            return Ok(());
        }
        let keys = known.keys.clone();
        self.store
            .change(map, |part| part.fields.push(fields.into()));
        for (key, _) in keys.into_iter().filter(|it| it.1) {
            let fits = self.graph.fits_field(fields, key, map);
            deep(|| self.assert(fits))?;
        }
        self.keep(condition)
    }

    pub(super) fn status_of_fields(&mut self, fields: &[Field], map: NodeId) -> Option<bool> {
        let map = self.resolve(map);
        if self.graph.is_part(map) {
            let is_map = self.store.part(map).kinds.intersects(Kinds::MAP);
            return (!is_map).then_some(false);
        }
        constant(self.graph.has_fields(fields, map))
    }

    /// What was known about the keys of a map holds for what it was bound to.
    pub(super) fn unify_maps(
        &mut self,
        gone: NodeId,
        stays: NodeId,
        keys: &[(NodeId, bool)],
    ) -> Step {
        for (key, is_there) in keys {
            let has_key = self.graph.has_key(*key, stays);
            deep(|| self.assert(if *is_there { has_key } else { !has_key }))?;
        }
        if let Some(size) = self.graph.known_map_size(gone)
            && self.kinds(stays) == Kinds::MAP
        {
            let size_now = self.graph.map_size(stays);
            self.store.bind(size, size_now);
        }
        Ok(())
    }

    /// The size of a map as a sum.
    pub(super) fn linear_map_size(&mut self, node: NodeId, map: NodeId) -> Option<Linear> {
        let resolved = self.resolve(map);
        if self.graph.is_part(resolved) {
            let size = self.graph.map_size(resolved);
            return (self.kinds(resolved) == Kinds::MAP).then(|| Linear::node(size));
        }
        let size = self.graph.map_size(resolved);
        if size == node {
            return None;
        }
        deep(|| self.linear(size))
    }

    /// A map has as many keys as are known, or more, and no more than its type has.
    pub(super) fn limit_map_size(
        &mut self,
        size: NodeId,
        map: NodeId,
        constraints: &mut Vec<Constraint>,
    ) {
        let part = self.store.part(map).clone();
        // Keys that are not known may be the same.
        let there = part.keys.iter().filter(|it| it.1);
        let mut keys: Vec<NodeId> = there.map(|it| self.resolve(it.0)).collect();
        let least = usize::from(!keys.is_empty());
        keys.retain(|it| self.graph.is_ground(*it));
        keys.sort_unstable();
        keys.dedup();
        constraints.push(bound(size, -1, keys.len().max(least) as i128));
        for fields in part.fields {
            let all_single = fields.iter().all(|it| self.graph.single_key(*it).is_some());
            if all_single {
                constraints.push(bound(size, 1, -(fields.len() as i128)));
            }
        }
    }

    /// The easiest ways for two maps to be different or in order. Others are not tried.
    pub(super) fn split_maps(&mut self, condition: Condition) -> Option<Vec<Vec<Condition>>> {
        let formula = self.graph.formula(condition).clone();
        let (Formula::Less(left, right) | Formula::Equal(left, right) | Formula::Same(left, right)) =
            formula
        else {
            return None;
        };
        let (left, right) = (self.resolve(left), self.resolve(right));
        if self.kinds(left) != Kinds::MAP || self.kinds(right) != Kinds::MAP {
            return None;
        }
        let is_strict = !condition.is_negated();
        if matches!(formula, Formula::Less(..)) {
            self.gave_up = true;
            return Some(self.split_map_order(is_strict, left, right));
        }
        if is_strict {
            return None;
        }
        self.gave_up = true;
        Some(self.split_map_difference(left, right))
    }

    /// Two maps are different if they have different sizes, or different values for a known key.
    fn split_map_difference(&mut self, left: NodeId, right: NodeId) -> Vec<Vec<Condition>> {
        let mut keys = Vec::new();
        for map in [left, right] {
            if self.graph.is_part(map) {
                let known = self.store.part(map).keys.iter();
                keys.extend(known.filter(|it| it.1).map(|it| it.0));
            }
        }
        let mut cases = Vec::new();
        for key in keys {
            let there = [left, right].map(|map| self.graph.has_key(key, map));
            let values = [left, right].map(|map| self.graph.value_at(key, map));
            let same = self.graph.same(values[0], values[1]);
            cases.push(vec![there[0], there[1], !same]);
        }
        let sizes = [left, right].map(|map| self.graph.map_size(map));
        cases.push(vec![!self.graph.equal(sizes[0], sizes[1])]);
        cases
    }

    /// A map comes before another if it has fewer keys, or one key each that tells.
    fn split_map_order(
        &mut self,
        is_strict: bool,
        left: NodeId,
        right: NodeId,
    ) -> Vec<Vec<Condition>> {
        let (low, high) = if is_strict {
            (left, right)
        } else {
            (right, left)
        };
        let sizes = [low, high].map(|it| self.graph.map_size(it));
        let mut cases = vec![vec![self.graph.less(sizes[0], sizes[1])]];
        if !is_strict {
            cases.push(vec![self.graph.equal(low, high)]);
        }
        if self.graph.is_part(low) && self.graph.is_part(high) {
            let one = self.graph.integer(1);
            let keys = [low, high].map(|it| self.graph.at(Place::Key(0), it));
            let mut case = Vec::new();
            for ((map, size), key) in [low, high].into_iter().zip(sizes).zip(keys) {
                case.extend([
                    self.graph.equal(size, one),
                    self.graph.raw_has_key(key, map),
                ]);
            }
            let mut same = case.clone();
            case.push(self.graph.less(keys[0], keys[1]));
            let values = [(low, keys[0]), (high, keys[1])];
            let values = values.map(|(map, key)| self.graph.raw_value_at(key, map));
            same.push(self.graph.equal(keys[0], keys[1]));
            same.push(self.graph.less(values[0], values[1]));
            cases.extend([case, same]);
        }
        cases
    }
}

/// `coefficient · size + constant` is at most 0.
fn bound(size: NodeId, coefficient: i128, constant: i128) -> Constraint {
    Constraint {
        linear: Linear {
            terms: vec![(size, coefficient)],
            constant,
        },
        relation: Relation::AtMost,
    }
}
