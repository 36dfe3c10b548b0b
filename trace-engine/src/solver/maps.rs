//! Maps: which keys they have, and what is built of that.

use std::rc::Rc;

use flattener::ast::deep;

use super::assertion::constant;
use super::integers::{Constraint, Linear, Relation};
use super::model::Guess;
use super::{Conflict, Solver, Step};
use crate::graph::{Condition, Formula, Kinds, Node, NodeId, Pair, Place};
use crate::types::Field;

/// No map with more keys is made.
const LARGEST_MAP: usize = 1000;
/// How many values are looked at to find a new key.
const NEW_KEYS: usize = 100;

/// A key that a map has, or does not have.
#[derive(Clone, Copy)]
struct KnownKey {
    key: NodeId,
    /// What was guessed for it.
    own: NodeId,
    /// Its value, and what was guessed for that.
    value: Option<(NodeId, NodeId)>,
}

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

    /// A map with the keys that it must have, and those that the parent's has.
    pub(super) fn choose_map(
        &mut self,
        guess: &mut Guess,
        part: NodeId,
        wanted: Option<NodeId>,
    ) -> Result<NodeId, Conflict> {
        let known = self.store.part(part).clone();
        let size = self.wanted_size(guess, part)?;
        let keys = self.known_keys(guess, part)?;
        self.require_room(part, size, &keys)?;
        let there = keys.iter().filter_map(|it| Some((it.own, it.value?.1)));
        let mut pairs: Vec<Pair> = there.collect();
        let gone = keys.iter().filter(|it| it.value.is_none());
        let absent: Vec<NodeId> = gone.map(|it| it.own).collect();
        let is_open = |pairs: &[Pair]| size.is_none_or(|size| pairs.len() < size);
        if let Some(Node::Map(wanted)) = wanted.map(|it| self.graph.node(it).clone()) {
            for (key, value) in wanted {
                let is_known = pairs.iter().any(|it| it.0 == key) || absent.contains(&key);
                if is_open(&pairs) && !is_known && self.is_shallow((key, value), known.depth) {
                    let value = self.value_like(guess, part, key, value)?;
                    pairs.push((key, value));
                }
            }
        }
        self.add_required(&known.fields, &mut pairs, &absent);
        while is_open(&pairs) && size.is_some() {
            let pair = self.new_pair(&known.fields, &pairs, &absent);
            pairs.push(pair.ok_or_else(|| self.give_up())?);
        }
        if size.is_some_and(|size| pairs.len() != size) {
            return Err(self.give_up());
        }
        self.settle_values(guess, part, &known.keys, &mut pairs)?;
        self.other_than_excluded(part, size.is_none(), pairs, &absent)
    }

    /// The keys that a map is known to have or not to have, each once. What was guessed for them
    /// may be impossible: a key that is there and is not, or that has two values.
    fn known_keys(&mut self, guess: &mut Guess, part: NodeId) -> Result<Vec<KnownKey>, Conflict> {
        let mut keys = self.store.part(part).keys.clone();
        // Where a key is in the order is known of keys that may be others, too.
        keys.sort_by_key(|it| self.is_place_of(it.0, part));
        let mut found: Vec<KnownKey> = Vec::new();
        for (key, is_there) in keys {
            let own = deep(|| self.value(guess, key))?;
            let same = found.iter().find(|it| it.own == own).copied();
            if is_there && same.is_some_and(|it| it.value.is_some()) && self.is_place_of(key, part)
            {
                continue;
            }
            let value = if is_there {
                let value = self.graph.raw_value_at(key, part);
                Some((value, deep(|| self.value(guess, value))?))
            } else {
                None
            };
            let Some(same) = same else {
                found.push(KnownKey { key, own, value });
                continue;
            };
            let is_same = self.graph.equal(key, same.key);
            match (value, same.value) {
                (None, None) => {}
                (Some(value), Some(other)) if value.1 == other.1 => {}
                (Some(value), Some(other)) => {
                    let has_same = self.graph.equal(value.0, other.0);
                    let must_hold = self.graph.any([!is_same, has_same]);
                    return Err(self.clash(must_hold));
                }
                _ => return Err(self.clash(!is_same)),
            }
        }
        Ok(found)
    }

    /// A map of this size has no more keys that are different.
    fn require_room(&mut self, part: NodeId, size: Option<usize>, keys: &[KnownKey]) -> Step {
        let there = keys.iter().filter(|it| it.value.is_some());
        let there: Vec<NodeId> = there.map(|it| it.key).collect();
        if size.is_none_or(|size| there.len() <= size) {
            return Ok(());
        }
        let mut ways = Vec::new();
        for (place, key) in there.iter().enumerate() {
            let before = there.iter().take(place);
            let before: Vec<Condition> = before.map(|it| self.graph.equal(*it, *key)).collect();
            ways.extend(before);
        }
        let room = self
            .graph
            .integer(i64::try_from(there.len()).unwrap_or(i64::MAX));
        let size = self.graph.map_size(part);
        ways.push(!self.graph.less(size, room));
        let must_hold = self.graph.any(ways);
        Err(self.clash(must_hold))
    }

    /// A guess breaks what must hold of maps.
    fn clash(&mut self, must_hold: Condition) -> Conflict {
        self.map_clash = Some(must_hold);
        Conflict
    }

    /// Whether a key is known as the first, second and so on of a map.
    fn is_place_of(&self, key: NodeId, map: NodeId) -> bool {
        matches!(*self.graph.node(key), Node::Part(Place::Key(_), of) if of == map)
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

    /// The values of keys of which it is open whether they are there, and that are there now, are
    /// those that were looked at.
    fn settle_values(
        &mut self,
        guess: &mut Guess,
        part: NodeId,
        keys: &[(NodeId, bool)],
        pairs: &mut [Pair],
    ) -> Step {
        // The keys whose values are settled, with their own values.
        let mut settled: Vec<Pair> = Vec::new();
        for (key, _) in keys.iter().filter(|known| known.1) {
            settled.push((*key, deep(|| self.value(guess, *key))?));
        }
        let mut number = 0;
        // While values are chosen, more parts may come up.
        while let Some(there) = self.store.part(part).parts.get(number).copied() {
            number += 1;
            let Node::Part(Place::Value(key), _) = *self.graph.node(there) else {
                continue;
            };
            if keys.iter().any(|known| known.0 == key) {
                continue;
            }
            let own = deep(|| self.value(guess, key))?;
            let Some(pair) = pairs.iter_mut().find(|it| it.0 == own) else {
                continue;
            };
            let value = deep(|| self.value(guess, there))?;
            match settled.iter().find(|it| it.1 == own) {
                None => {
                    pair.1 = value;
                    settled.push((key, own));
                }
                Some(_) if pair.1 == value => {}
                Some((other, _)) => {
                    let are_equal = self.graph.equal(key, *other);
                    let other_there = self.graph.raw_value_at(*other, part);
                    let is_one = self.graph.equal(there, other_there);
                    guess.clashes.push(self.graph.any([!are_equal, is_one]));
                }
            }
        }
        Ok(())
    }

    fn give_up(&mut self) -> Conflict {
        self.gave_up = true;
        Conflict
    }

    fn is_shallow(&self, (key, value): Pair, depth: u32) -> bool {
        let deepest = self.graph.depth(key).max(self.graph.depth(value));
        deepest < depth
    }

    /// How many keys a map must have, if that matters.
    fn wanted_size(&mut self, guess: &Guess, part: NodeId) -> Result<Option<usize>, Conflict> {
        let size = self.graph.known_map_size(part);
        let Some(size) = size.and_then(|size| guess.integers.get(&size)) else {
            return Ok(None);
        };
        let size = usize::try_from(*size).ok().filter(|it| *it <= LARGEST_MAP);
        size.map(Some).ok_or_else(|| self.give_up())
    }

    /// What the parent's map has for a key, unless the program has looked at it.
    fn value_like(
        &mut self,
        guess: &mut Guess,
        part: NodeId,
        key: NodeId,
        value: NodeId,
    ) -> Result<NodeId, Conflict> {
        let own = self.graph.raw_value_at(key, part);
        if self.store.part(part).parts.contains(&own) {
            return deep(|| self.value(guess, own));
        }
        Ok(value)
    }

    /// Pairs that a type wants although the program asks for none of their keys.
    fn add_required(&mut self, fields: &[Rc<[Field]>], pairs: &mut Vec<Pair>, absent: &[NodeId]) {
        for field in fields.iter().flat_map(|it| it.iter().copied()) {
            if !field.is_required || self.graph.single_key(field).is_some() {
                continue;
            }
            let fits = pairs.iter().any(|(key, _)| self.is_member(field, *key));
            if !fits && let Some(pair) = self.new_pair_of(field, pairs, absent) {
                pairs.push(pair);
            }
        }
    }

    fn is_member(&mut self, field: Field, key: NodeId) -> bool {
        self.graph.member(field.key, key) == Condition::TRUE
    }

    /// A pair with a key that is not there yet.
    fn new_pair(
        &mut self,
        fields: &[Rc<[Field]>],
        pairs: &[Pair],
        absent: &[NodeId],
    ) -> Option<Pair> {
        if let Some(fields) = fields.first() {
            let mut fields = fields.iter();
            return fields.find_map(|field| self.new_pair_of(*field, pairs, absent));
        }
        let key = (0..NEW_KEYS).find_map(|number| {
            let key = self.plain_value(Kinds::ATOM, number)?;
            is_new(key, pairs, absent).then_some(key)
        });
        Some((key?, self.graph.integer(0)))
    }

    fn new_pair_of(&mut self, field: Field, pairs: &[Pair], absent: &[NodeId]) -> Option<Pair> {
        let types = self.graph.types().clone();
        let value = types.simplest(field.value)?;
        let value = self.graph.constant(value);
        let mut candidates: Vec<NodeId> = types
            .simplest_of_kinds(field.key, Kinds::ANY)
            .iter()
            .map(|it| self.graph.constant(it))
            .collect();
        for kind in types.kinds(field.key).each() {
            let plain = (0..NEW_KEYS).map_while(|number| self.plain_value(kind, number));
            candidates.extend(plain.collect::<Vec<_>>());
        }
        let mut candidates = candidates.into_iter();
        let key =
            candidates.find(|key| is_new(*key, pairs, absent) && self.is_member(field, *key))?;
        Some((key, value))
    }

    /// The map of these pairs, with more of them if it must not be that one.
    fn other_than_excluded(
        &mut self,
        part: NodeId,
        may_grow: bool,
        mut pairs: Vec<Pair>,
        absent: &[NodeId],
    ) -> Result<NodeId, Conflict> {
        let known = self.store.part(part).clone();
        loop {
            let map = self.graph.map(pairs.iter().copied());
            if !known.not.contains(&map) {
                return Ok(map);
            }
            let more = may_grow.then(|| self.new_pair(&known.fields, &pairs, absent));
            pairs.push(more.flatten().ok_or_else(|| self.give_up())?);
        }
    }
}

fn is_new(key: NodeId, pairs: &[Pair], absent: &[NodeId]) -> bool {
    pairs.iter().all(|it| it.0 != key) && !absent.contains(&key)
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
