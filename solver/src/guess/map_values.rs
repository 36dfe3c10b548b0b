//! Guesses for maps: the keys that are known, and others where more are needed.

use std::rc::Rc;

use flattener::ast::deep;

use super::Guess;
use super::plain_values::plain_value;
use crate::conflict::{Conflict, Step};
use crate::graph::{Condition, Kinds, Node, NodeId, Pair, Place};
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

impl Guess<'_, '_> {
    /// A map with the keys that it must have, and those that the parent's has.
    pub(super) fn choose_map(
        &mut self,
        part: NodeId,
        wanted: Option<NodeId>,
    ) -> Result<NodeId, Conflict> {
        let known = self.known.store.part(part).clone();
        let size = self.wanted_size(part)?;
        let keys = self.known_keys(part)?;
        self.require_room(part, size, &keys)?;
        let there = keys.iter().filter_map(|it| Some((it.own, it.value?.1)));
        let mut pairs: Vec<Pair> = there.collect();
        let gone = keys.iter().filter(|it| it.value.is_none());
        let absent: Vec<NodeId> = gone.map(|it| it.own).collect();
        let is_open = |pairs: &[Pair]| size.is_none_or(|size| pairs.len() < size);
        if let Some(Node::Map(wanted)) = wanted.map(|it| self.known.graph.node(it).clone()) {
            for (key, value) in wanted {
                let is_known = pairs.iter().any(|it| it.0 == key) || absent.contains(&key);
                if is_open(&pairs) && !is_known && self.is_shallow((key, value), known.depth) {
                    let value = self.value_like(part, key, value)?;
                    pairs.push((key, value));
                }
            }
        }
        self.add_required(&known.fields, &mut pairs, &absent);
        while is_open(&pairs) && size.is_some() {
            let pair = self.new_pair(&known.fields, &pairs, &absent);
            pairs.push(pair.ok_or_else(|| self.known.give_up())?);
        }
        if size.is_some_and(|size| pairs.len() != size) {
            return Err(self.known.give_up());
        }
        self.settle_values(part, &known.keys, &mut pairs)?;
        self.other_than_excluded(part, size.is_none(), pairs, &absent)
    }

    /// The keys that a map is known to have or not to have, each once. What was guessed for them
    /// may be impossible: a key that is there and is not, or that has two values.
    fn known_keys(&mut self, part: NodeId) -> Result<Vec<KnownKey>, Conflict> {
        let mut keys = self.known.store.part(part).keys.clone();
        // Where a key is in the order is known of keys that may be others, too.
        keys.sort_by_key(|it| self.is_place_of(it.0, part));
        let mut found: Vec<KnownKey> = Vec::new();
        for (key, is_there) in keys {
            let own = deep(|| self.value(key))?;
            let same = found.iter().find(|it| it.own == own).copied();
            if is_there && same.is_some_and(|it| it.value.is_some()) && self.is_place_of(key, part)
            {
                continue;
            }
            let value = if is_there {
                let value = self.known.graph.raw_value_at(key, part);
                Some((value, deep(|| self.value(value))?))
            } else {
                None
            };
            let Some(same) = same else {
                found.push(KnownKey { key, own, value });
                continue;
            };
            let is_same = self.known.graph.equal(key, same.key);
            match (value, same.value) {
                (None, None) => {}
                (Some(value), Some(other)) if value.1 == other.1 => {}
                (Some(value), Some(other)) => {
                    let has_same = self.known.graph.equal(value.0, other.0);
                    let must_hold = self.known.graph.any([!is_same, has_same]);
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
            let before: Vec<Condition> =
                before.map(|it| self.known.graph.equal(*it, *key)).collect();
            ways.extend(before);
        }
        let room = self
            .known
            .graph
            .integer(i64::try_from(there.len()).unwrap_or(i64::MAX));
        let size = self.known.graph.map_size(part);
        ways.push(!self.known.graph.less(size, room));
        let must_hold = self.known.graph.any(ways);
        Err(self.clash(must_hold))
    }

    /// A guess breaks what must hold of maps.
    fn clash(&mut self, must_hold: Condition) -> Conflict {
        self.map_clash = Some(must_hold);
        Conflict
    }

    /// Whether a key is known as the first, second and so on of a map.
    fn is_place_of(&self, key: NodeId, map: NodeId) -> bool {
        matches!(*self.known.graph.node(key), Node::Part(Place::Key(_), of) if of == map)
    }

    /// The values of keys of which it is open whether they are there, and that are there now, are
    /// those that were looked at.
    fn settle_values(&mut self, part: NodeId, keys: &[(NodeId, bool)], pairs: &mut [Pair]) -> Step {
        // The keys whose values are settled, with their own values.
        let mut settled: Vec<Pair> = Vec::new();
        for (key, _) in keys.iter().filter(|known| known.1) {
            settled.push((*key, deep(|| self.value(*key))?));
        }
        let mut number = 0;
        // While values are chosen, more parts may come up.
        while let Some(there) = self.known.store.part(part).parts.get(number).copied() {
            number += 1;
            let Node::Part(Place::Value(key), _) = *self.known.graph.node(there) else {
                continue;
            };
            if keys.iter().any(|known| known.0 == key) {
                continue;
            }
            let own = deep(|| self.value(key))?;
            let Some(pair) = pairs.iter_mut().find(|it| it.0 == own) else {
                continue;
            };
            let value = deep(|| self.value(there))?;
            match settled.iter().find(|it| it.1 == own) {
                None => {
                    pair.1 = value;
                    settled.push((key, own));
                }
                Some(_) if pair.1 == value => {}
                Some((other, _)) => {
                    let are_equal = self.known.graph.equal(key, *other);
                    let other_there = self.known.graph.raw_value_at(*other, part);
                    let is_one = self.known.graph.equal(there, other_there);
                    self.clashes
                        .push(self.known.graph.any([!are_equal, is_one]));
                }
            }
        }
        Ok(())
    }

    fn is_shallow(&self, (key, value): Pair, depth: u32) -> bool {
        let deepest = self
            .known
            .graph
            .depth(key)
            .max(self.known.graph.depth(value));
        deepest < depth
    }

    /// How many keys a map must have, if that matters.
    fn wanted_size(&mut self, part: NodeId) -> Result<Option<usize>, Conflict> {
        let size = self.known.graph.known_map_size(part);
        let Some(size) = size.and_then(|size| self.integers.get(&size)) else {
            return Ok(None);
        };
        let size = usize::try_from(*size).ok().filter(|it| *it <= LARGEST_MAP);
        size.map(Some).ok_or_else(|| self.known.give_up())
    }

    /// What the parent's map has for a key, unless the program has looked at it.
    fn value_like(&mut self, part: NodeId, key: NodeId, value: NodeId) -> Result<NodeId, Conflict> {
        let own = self.known.graph.raw_value_at(key, part);
        if self.known.store.part(part).parts.contains(&own) {
            return deep(|| self.value(own));
        }
        Ok(value)
    }

    /// Pairs that a type wants although the program asks for none of their keys.
    fn add_required(&mut self, fields: &[Rc<[Field]>], pairs: &mut Vec<Pair>, absent: &[NodeId]) {
        for field in fields.iter().flat_map(|it| it.iter().copied()) {
            if !field.is_required || self.known.graph.single_key(field).is_some() {
                continue;
            }
            let fits = pairs.iter().any(|(key, _)| self.is_member(field, *key));
            if !fits && let Some(pair) = self.new_pair_of(field, pairs, absent) {
                pairs.push(pair);
            }
        }
    }

    fn is_member(&mut self, field: Field, key: NodeId) -> bool {
        self.known.graph.member(field.key, key) == Condition::TRUE
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
            let key = plain_value(self.known.graph, Kinds::ATOM, number)?;
            is_new(key, pairs, absent).then_some(key)
        });
        Some((key?, self.known.graph.integer(0)))
    }

    fn new_pair_of(&mut self, field: Field, pairs: &[Pair], absent: &[NodeId]) -> Option<Pair> {
        let types = self.known.graph.types().clone();
        let value = types.simplest(field.value)?;
        let value = self.known.graph.constant(value);
        let mut candidates: Vec<NodeId> = types
            .simplest_of_kinds(field.key, Kinds::ANY)
            .iter()
            .map(|it| self.known.graph.constant(it))
            .collect();
        for kind in types.kinds(field.key).each() {
            let plain =
                (0..NEW_KEYS).map_while(|number| plain_value(self.known.graph, kind, number));
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
        let known = self.known.store.part(part).clone();
        loop {
            let map = self.known.graph.map(pairs.iter().copied());
            if !known.not.contains(&map) {
                return Ok(map);
            }
            let more = may_grow.then(|| self.new_pair(&known.fields, &pairs, absent));
            pairs.push(more.flatten().ok_or_else(|| self.known.give_up())?);
        }
    }
}

fn is_new(key: NodeId, pairs: &[Pair], absent: &[NodeId]) -> bool {
    pairs.iter().all(|it| it.0 != key) && !absent.contains(&key)
}
