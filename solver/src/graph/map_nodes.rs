//! Maps.
//!
//! A map that the program made is described by how it was made: a map with these keys, or another
//! map with a pair put or a key removed. In a map of the input the program looks up single keys.
//! Each key that it asked for is present or not, and its value is a part of the input. Two keys
//! that depend on the input may be equal: then the later key has the value of the earlier one.

use flattener::ast::deep;

use super::arena::Graph;
use super::formula::Formula;
use super::ids::{Condition, NodeId};
use super::node::{Node, Pair, Place};
use super::operator::Operator;
use super::term_order::compare_keys;

impl Graph {
    /// A map with these pairs, whose keys are constants. The last of equal keys counts.
    pub fn map(&mut self, pairs: impl IntoIterator<Item = Pair>) -> NodeId {
        let mut sorted: Vec<Pair> = Vec::new();
        for (key, value) in pairs {
            match sorted.binary_search_by(|known| compare_keys(self, known.0, key)) {
                Ok(place) => {
                    if let Some(pair) = sorted.get_mut(place) {
                        pair.1 = value;
                    }
                }
                Err(place) => sorted.insert(place, (key, value)),
            }
        }
        self.intern(Node::Map(sorted.into()))
    }

    /// Whether a node is a map of constants.
    pub(crate) fn is_constant_map(&self, node: NodeId) -> bool {
        matches!(self.node(node), Node::Map(_)) && self.is_ground(node)
    }

    /// A map with one more pair, or another value for a key.
    pub fn put(&mut self, map: NodeId, key: NodeId, value: NodeId) -> NodeId {
        if let Node::Unknown(_) = self.node(map) {
            return self.unknown();
        }
        if let Node::Map(pairs) = self.node(map)
            && self.is_ground(key)
        {
            let pairs: Vec<Pair> = pairs.iter().copied().chain([(key, value)]).collect();
            return self.map(pairs);
        }
        if let Node::Put(base, known, _) | Node::Without(base, known) = *self.node(map)
            && known == key
        {
            return self.put(base, key, value);
        }
        // The same pairs in another order are the same map.
        if let Node::Put(base, known, inner) = *self.node(map)
            && key < known
            && self.equal(key, known) == Condition::FALSE
        {
            let base = deep(|| self.put(base, key, value));
            return self.intern(Node::Put(base, known, inner));
        }
        self.intern(Node::Put(map, key, value))
    }

    /// A map without a key.
    pub fn without(&mut self, map: NodeId, key: NodeId) -> NodeId {
        if let Node::Unknown(_) = self.node(map) {
            return self.unknown();
        }
        if let Node::Map(pairs) = self.node(map)
            && self.is_ground(key)
        {
            let rest: Vec<Pair> = pairs.iter().copied().filter(|it| it.0 != key).collect();
            return self.map(rest);
        }
        if let Node::Put(base, known, value) = *self.node(map) {
            if known == key {
                return self.without(base, key);
            }
            if self.equal(key, known) == Condition::FALSE {
                let base = deep(|| self.without(base, key));
                return self.put(base, known, value);
            }
        }
        self.intern(Node::Without(map, key))
    }

    /// A value that is a map has a key.
    pub fn has_key(&mut self, key: NodeId, map: NodeId) -> Condition {
        self.distribute_condition(map, |graph, leaf| graph.leaf_has_key(key, leaf))
    }

    fn leaf_has_key(&mut self, key: NodeId, map: NodeId) -> Condition {
        if let Node::Map(pairs) = self.node(map) {
            let keys: Vec<NodeId> = pairs.iter().map(|it| it.0).collect();
            self.is_one_of(key, &keys)
        } else if let Node::Put(base, known, _) = *self.node(map) {
            let is_known = self.equal(key, known);
            let before = deep(|| self.has_key(key, base));
            self.any([is_known, before])
        } else if let Node::Without(base, gone) = *self.node(map) {
            let is_gone = self.equal(key, gone);
            let before = deep(|| self.has_key(key, base));
            self.all([!is_gone, before])
        } else if self.is_part(map) {
            self.part_has_key(key, map)
        } else if self.is_unknown(map) {
            self.raw_has_key(key, map)
        } else {
            Condition::FALSE
        }
    }

    fn is_one_of(&mut self, key: NodeId, keys: &[NodeId]) -> Condition {
        let mut same = Vec::with_capacity(keys.len());
        for known in keys {
            same.push(self.equal(key, *known));
        }
        self.any(same)
    }

    fn part_has_key(&mut self, key: NodeId, map: NodeId) -> Condition {
        if let Some(keys) = self.map_keys.all_for(key, map) {
            return self.is_one_of(key, &keys);
        }
        let earlier = self.earlier_keys(key, map);
        let own = self.raw_has_key(key, map);
        earlier.into_iter().rev().fold(own, |otherwise, known| {
            let is_known = self.equal(key, known);
            let there = self.raw_has_key(known, map);
            self.either(is_known, there, otherwise)
        })
    }

    /// The value of a key in a value that is a map with this key.
    pub fn value_at(&mut self, key: NodeId, map: NodeId) -> NodeId {
        self.distribute(map, |graph, leaf| graph.value_in_leaf(key, leaf))
    }

    fn value_in_leaf(&mut self, key: NodeId, map: NodeId) -> NodeId {
        if let Node::Map(pairs) = self.node(map) {
            let pairs = pairs.to_vec();
            self.value_in(key, &pairs)
        } else if let Node::Put(base, known, value) = *self.node(map) {
            let is_known = self.equal(key, known);
            if is_known == Condition::TRUE {
                return value;
            }
            let before = deep(|| self.value_at(key, base));
            self.choice(is_known, value, before)
        } else if let Node::Without(base, _) = *self.node(map) {
            deep(|| self.value_at(key, base))
        } else if self.is_part(map) {
            self.value_in_part(key, map)
        } else if self.is_unknown(map) {
            self.unknown()
        } else {
            NodeId::NIL
        }
    }

    /// The value of a key that is one of these.
    fn value_in(&mut self, key: NodeId, pairs: &[Pair]) -> NodeId {
        let mut found = None;
        for (known, value) in pairs.iter().rev() {
            let is_known = self.equal(key, *known);
            if is_known != Condition::FALSE {
                // If it is none of the others, it is this one.
                let otherwise = found.unwrap_or(*value);
                found = Some(self.choice(is_known, *value, otherwise));
            }
        }
        found.unwrap_or(NodeId::NIL)
    }

    fn value_in_part(&mut self, key: NodeId, map: NodeId) -> NodeId {
        if let Some(keys) = self.map_keys.all_for(key, map) {
            let pairs: Vec<Pair> = keys
                .into_iter()
                .map(|known| (known, self.raw_value_at(known, map)))
                .collect();
            return self.value_in(key, &pairs);
        }
        let earlier = self.earlier_keys(key, map);
        let own = self.raw_value_at(key, map);
        earlier.into_iter().rev().fold(own, |otherwise, known| {
            let is_known = self.equal(key, known);
            let value = self.raw_value_at(known, map);
            self.choice(is_known, value, otherwise)
        })
    }

    /// The value of a key of a part of the input, independent of other keys.
    pub fn raw_value_at(&mut self, key: NodeId, map: NodeId) -> NodeId {
        self.part(Place::Value(key), map)
    }

    /// A part of the input that is a map has a key, independent of other keys.
    pub fn raw_has_key(&mut self, key: NodeId, map: NodeId) -> Condition {
        self.intern_formula(Formula::HasKey(key, map))
    }

    /// The keys that were asked for before this one in a map of the input, and may be equal.
    fn earlier_keys(&mut self, key: NodeId, map: NodeId) -> Vec<NodeId> {
        let mut earlier = self.map_keys.ask(key, map);
        earlier.retain(|it| self.equal(key, *it) != Condition::FALSE);
        earlier
    }

    /// The number of keys of a value that is a map.
    pub fn map_size(&mut self, map: NodeId) -> NodeId {
        self.distribute(map, |graph, leaf| graph.size_of_leaf(leaf))
    }

    fn size_of_leaf(&mut self, map: NodeId) -> NodeId {
        if let Node::Map(pairs) = self.node(map) {
            let size = i64::try_from(pairs.len()).unwrap_or(i64::MAX);
            self.integer(size)
        } else if let Node::Put(base, key, _) = *self.node(map) {
            let was_there = self.has_key(key, base);
            let before = deep(|| self.map_size(base));
            self.one_more_unless(was_there, Operator::Add, before)
        } else if let Node::Without(base, key) = *self.node(map) {
            let was_there = self.has_key(key, base);
            let before = deep(|| self.map_size(base));
            self.one_more_unless(!was_there, Operator::Subtract, before)
        } else {
            self.intern(Node::MapSize(map))
        }
    }

    fn one_more_unless(
        &mut self,
        condition: Condition,
        operator: Operator,
        size: NodeId,
    ) -> NodeId {
        let one = self.integer(1);
        let other = self.arithmetic(operator, size, one);
        self.choice(condition, size, other)
    }

    /// The size of a part that is a map, if somebody has asked for it.
    pub(crate) fn known_map_size(&self, of: NodeId) -> Option<NodeId> {
        self.known_node(&Node::MapSize(of))
    }
}
