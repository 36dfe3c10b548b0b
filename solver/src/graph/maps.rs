//! Maps.
//!
//! What the program made is told by how it was made: a map with these keys, another one with a
//! pair put in or a key taken out. Of a map of the input the program looks at single keys. Each
//! key that it asked for is there or not, and what is there is a part of the input. Two such keys
//! may be equal, if they depend on the input themselves: what is said of the later one then is
//! what was said of the earlier one.

use std::cmp::Ordering;

use erlang_term::Term;
use flattener::ast::deep;

use crate::types::{Alternative, Field};

use super::{Condition, Formula, Graph, Kinds, Node, NodeId, Operator, Place};

/// A key and its value.
pub type Pair = (NodeId, NodeId);

impl Graph {
    /// A map with these pairs, whose keys are constants. Of equal keys the last one counts.
    pub fn map(&mut self, pairs: impl IntoIterator<Item = Pair>) -> NodeId {
        let mut sorted: Vec<Pair> = Vec::new();
        for (key, value) in pairs {
            match sorted.binary_search_by(|known| self.compare_keys(known.0, key)) {
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

    /// The order in which a small map is gone through: that of terms, but all integers come before
    /// all floats.
    pub fn compare_keys(&self, left: NodeId, right: NodeId) -> Ordering {
        if left == right {
            return Ordering::Equal;
        }
        let numbers = [left, right].map(|it| self.kinds(it));
        let inner = |left: NodeId, right: NodeId| deep(|| self.compare_keys(left, right));
        let order = match (self.node(left), self.node(right)) {
            _ if numbers == [Kinds::INTEGER, Kinds::FLOAT] => Ordering::Less,
            _ if numbers == [Kinds::FLOAT, Kinds::INTEGER] => Ordering::Greater,
            (&Node::Cons(head, tail), &Node::Cons(other_head, other_tail)) => {
                inner(head, other_head).then_with(|| inner(tail, other_tail))
            }
            (Node::Tuple(left), Node::Tuple(right)) if left.len() == right.len() => {
                let mut pairs = left.iter().zip(right);
                let different = pairs.find(|(left, right)| left != right);
                different.map_or(Ordering::Equal, |(left, right)| inner(*left, *right))
            }
            _ => self.compare(left, right).unwrap_or(Ordering::Equal),
        };
        order.then_with(|| left.cmp(&right))
    }

    /// A map with one more pair, or another value for a key.
    pub fn put(&mut self, map: NodeId, key: NodeId, value: NodeId) -> NodeId {
        match *self.node(map) {
            Node::Map(ref pairs) if self.is_ground(key) => {
                let pairs: Vec<Pair> = pairs.iter().copied().chain([(key, value)]).collect();
                self.map(pairs)
            }
            Node::Put(base, known, _) | Node::Without(base, known) if known == key => {
                self.put(base, key, value)
            }
            // The same pairs in another order are the same map.
            Node::Put(base, known, inner) if key < known => {
                if self.equal(key, known) != Condition::FALSE {
                    return self.intern(Node::Put(map, key, value));
                }
                let base = deep(|| self.put(base, key, value));
                self.intern(Node::Put(base, known, inner))
            }
            Node::Unknown(_) => self.unknown(),
            _ => self.intern(Node::Put(map, key, value)),
        }
    }

    /// A map without a key.
    pub fn without(&mut self, map: NodeId, key: NodeId) -> NodeId {
        match *self.node(map) {
            Node::Map(ref pairs) if self.is_ground(key) => {
                let rest: Vec<Pair> = pairs.iter().copied().filter(|it| it.0 != key).collect();
                self.map(rest)
            }
            Node::Put(base, known, _) if known == key => self.without(base, key),
            Node::Put(base, known, value) => {
                if self.equal(key, known) != Condition::FALSE {
                    return self.intern(Node::Without(map, key));
                }
                let base = deep(|| self.without(base, key));
                self.put(base, known, value)
            }
            Node::Unknown(_) => self.unknown(),
            _ => self.intern(Node::Without(map, key)),
        }
    }

    /// A value that is a map has a key.
    pub fn has_key(&mut self, key: NodeId, map: NodeId) -> Condition {
        match *self.node(map) {
            Node::Map(ref pairs) => {
                let keys: Vec<NodeId> = pairs.iter().map(|it| it.0).collect();
                self.is_one_of(key, &keys)
            }
            Node::Put(base, known, _) => {
                let is_known = self.equal(key, known);
                let before = deep(|| self.has_key(key, base));
                self.any([is_known, before])
            }
            Node::Without(base, gone) => {
                let is_gone = self.equal(key, gone);
                let before = deep(|| self.has_key(key, base));
                self.all([!is_gone, before])
            }
            Node::Choice(..) => {
                self.distribute_condition(map, |graph, leaf| graph.has_key(key, leaf))
            }
            _ if self.is_part(map) => self.part_has_key(key, map),
            _ if self.is_unknown(map) => self.intern_formula(Formula::HasKey(key, map)),
            _ => Condition::FALSE,
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
        if let Some(keys) = self.all_keys(key, map) {
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
        match *self.node(map) {
            Node::Map(ref pairs) => {
                let pairs = pairs.to_vec();
                self.value_in(key, &pairs)
            }
            Node::Put(base, known, value) => {
                let is_known = self.equal(key, known);
                if is_known == Condition::TRUE {
                    return value;
                }
                let before = deep(|| self.value_at(key, base));
                self.choice(is_known, value, before)
            }
            Node::Without(base, _) => self.value_at(key, base),
            Node::Choice(..) => self.distribute(map, |graph, leaf| graph.value_at(key, leaf)),
            _ if self.is_part(map) => self.value_in_part(key, map),
            _ if self.is_unknown(map) => self.unknown(),
            _ => NodeId::NIL,
        }
    }

    /// The value of a key that is one of these.
    fn value_in(&mut self, key: NodeId, pairs: &[Pair]) -> NodeId {
        let mut found = None;
        for (known, value) in pairs.iter().rev() {
            let is_known = self.equal(key, *known);
            if is_known != Condition::FALSE {
                // It is one of them: if it is none of the others, it is this one.
                let otherwise = found.unwrap_or(*value);
                found = Some(self.choice(is_known, *value, otherwise));
            }
        }
        found.unwrap_or(NodeId::NIL)
    }

    fn value_in_part(&mut self, key: NodeId, map: NodeId) -> NodeId {
        if let Some(keys) = self.all_keys(key, map) {
            let pairs: Vec<Pair> = keys
                .into_iter()
                .map(|known| (known, self.part(Place::Value(known), map)))
                .collect();
            return self.value_in(key, &pairs);
        }
        let earlier = self.earlier_keys(key, map);
        let own = self.part(Place::Value(key), map);
        earlier.into_iter().rev().fold(own, |otherwise, known| {
            let is_known = self.equal(key, known);
            let value = self.part(Place::Value(known), map);
            self.choice(is_known, value, otherwise)
        })
    }

    /// The value of a key of a part of the input, whatever other keys there are.
    pub fn raw_value_at(&mut self, key: NodeId, map: NodeId) -> NodeId {
        self.part(Place::Value(key), map)
    }

    /// A part of the input that is a map has a key, whatever other keys there are.
    pub fn raw_has_key(&mut self, key: NodeId, map: NodeId) -> Condition {
        self.intern_formula(Formula::HasKey(key, map))
    }

    /// The keys that were asked for before this one in a map of the input, and may be equal.
    fn earlier_keys(&mut self, key: NodeId, map: NodeId) -> Vec<NodeId> {
        let Some(asked) = &mut self.asked_keys else {
            return Vec::new();
        };
        let known = asked.entry(map).or_default();
        let place = known.iter().position(|it| *it == key);
        let place = place.unwrap_or_else(|| {
            known.push(key);
            known.len() - 1
        });
        let earlier: Vec<NodeId> = known.iter().take(place).copied().collect();
        let may_be = |it: &NodeId| self.equal(key, *it) != Condition::FALSE;
        earlier.into_iter().filter(may_be).collect()
    }

    /// The keys that were asked for in a map of the input.
    pub fn asked_keys(&self, map: NodeId) -> Vec<NodeId> {
        let asked = self.asked_keys.as_ref().and_then(|it| it.get(&map));
        asked.cloned().unwrap_or_default()
    }

    /// All keys of a map that was gone through, unless this one was asked for before.
    fn all_keys(&self, key: NodeId, map: NodeId) -> Option<Vec<NodeId>> {
        let keys = self.all_keys.get(&map)?;
        let was_asked = self.asked_keys(map).contains(&key);
        (!was_asked || keys.contains(&key)).then(|| keys.clone())
    }

    /// From now on these are all keys of a map of the input: the program went through it.
    pub fn set_all_keys(&mut self, map: NodeId, keys: Vec<NodeId>) {
        self.all_keys.insert(map, keys);
    }

    /// The run is over, and with it what it has told of maps. A run tells what is known of a map at each point of it;
    /// conditions of its beginning must not be mixed with what came later.
    pub fn forget_keys(&mut self) {
        self.asked_keys = None;
        self.all_keys.clear();
    }

    /// What [`Graph::set_all_keys`] said.
    pub fn known_keys(&self, map: NodeId) -> Option<Vec<NodeId>> {
        self.all_keys.get(&map).cloned()
    }

    /// The number of keys of a value that is a map.
    pub fn map_size(&mut self, map: NodeId) -> NodeId {
        match *self.node(map) {
            Node::Map(ref pairs) => {
                let size = i64::try_from(pairs.len()).unwrap_or(i64::MAX);
                self.integer(size)
            }
            Node::Put(base, key, _) => {
                let was_there = self.has_key(key, base);
                let before = deep(|| self.map_size(base));
                self.one_more_unless(was_there, Operator::Add, before)
            }
            Node::Without(base, key) => {
                let was_there = self.has_key(key, base);
                let before = deep(|| self.map_size(base));
                self.one_more_unless(!was_there, Operator::Subtract, before)
            }
            Node::Choice(..) => self.distribute(map, Self::map_size),
            _ => self.intern(Node::MapSize(map)),
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
    pub fn known_map_size(&self, of: NodeId) -> Option<NodeId> {
        let index = self.nodes.index_of(&Node::MapSize(of))?;
        Some(NodeId::of_index(index))
    }

    /// What two maps being equal comes down to, if one of them has known keys.
    pub(super) fn equal_maps(
        &mut self,
        left: NodeId,
        right: NodeId,
        equality: fn(&mut Self, NodeId, NodeId) -> Condition,
    ) -> Option<Condition> {
        let is_changed = |node: &Node| matches!(node, Node::Put(..) | Node::Without(..));
        let is_made = |node: &Node| is_changed(node) || matches!(node, Node::Map(_));
        let nodes = (self.node(left), self.node(right));
        if is_made(nodes.0) && is_made(nodes.1) {
            for (closed, other) in [(left, right), (right, left)] {
                if let Node::Map(pairs) = self.node(closed).clone() {
                    return Some(self.has_pairs(other, &pairs, equality));
                }
            }
        } else if !is_changed(nodes.0) && !is_changed(nodes.1) {
            return None;
        }
        // The same map was changed in two ways.
        let (root, mut keys) = self.changed_keys(left);
        let (other_root, other_keys) = self.changed_keys(right);
        if root != other_root {
            return None;
        }
        keys.extend(other_keys);
        let mut all = Vec::new();
        for key in keys {
            let (here, there) = (self.has_key(key, left), self.has_key(key, right));
            let (own, other) = (self.value_at(key, left), self.value_at(key, right));
            let values = deep(|| equality(self, own, other));
            let both = self.all([there, values]);
            all.push(self.either(here, both, !there));
        }
        Some(self.all(all))
    }

    /// A map has these pairs and no others.
    fn has_pairs(
        &mut self,
        map: NodeId,
        pairs: &[Pair],
        equality: fn(&mut Self, NodeId, NodeId) -> Condition,
    ) -> Condition {
        let size = self.map_size(map);
        let count = self.integer(i64::try_from(pairs.len()).unwrap_or(i64::MAX));
        let mut all = vec![self.equal(size, count)];
        for (key, value) in pairs {
            all.push(self.has_key(*key, map));
            if all.contains(&Condition::FALSE) {
                return Condition::FALSE;
            }
            let own = self.value_at(*key, map);
            all.push(deep(|| equality(self, own, *value)));
        }
        self.all(all)
    }

    /// The map that was changed, and the keys that were put in or taken out.
    fn changed_keys(&self, map: NodeId) -> (NodeId, Vec<NodeId>) {
        let mut keys = Vec::new();
        let mut root = map;
        while let Node::Put(base, key, _) | Node::Without(base, key) = *self.node(root) {
            keys.push(key);
            root = base;
        }
        (root, keys)
    }

    /// All pairs of a value that is a map are such as these fields want them, and those that
    /// must be there are.
    pub fn has_fields(&mut self, fields: &[Field], map: NodeId) -> Condition {
        if !matches!(self.node(map), Node::Map(_)) {
            let mut all = Vec::new();
            for field in fields.iter().filter(|field| field.is_required) {
                if let Some(key) = self.single_key(*field) {
                    all.push(self.has_key(key, map));
                }
            }
            all.push(self.intern_formula(Formula::Fields(fields.into(), map)));
            return self.all(all);
        }
        let Node::Map(pairs) = self.node(map).clone() else {
            return Condition::FALSE;
        };
        let mut all = Vec::new();
        for (key, _) in &pairs {
            all.push(self.fits_field(fields, *key, map));
        }
        for field in fields.iter().filter(|field| field.is_required) {
            let fits = pairs.iter().map(|it| it.0);
            let fits: Vec<Condition> = fits
                .map(|key| self.fits_field(&[*field], key, map))
                .collect();
            all.push(self.any(fits));
        }
        self.all(all)
    }

    /// A key that is in a map is such as one of these fields wants it, and so is its value.
    pub fn fits_field(&mut self, fields: &[Field], key: NodeId, map: NodeId) -> Condition {
        let mut fits = Vec::new();
        for field in fields {
            let key_fits = deep(|| self.member(field.key, key));
            if key_fits != Condition::FALSE {
                let value = self.value_at(key, map);
                let value_fits = deep(|| self.member(field.value, value));
                fits.push(self.all([key_fits, value_fits]));
            }
        }
        self.any(fits)
    }

    /// The key of a field, if there is only one.
    pub fn single_key(&mut self, field: Field) -> Option<NodeId> {
        match self.types().alternatives(field.key) {
            [Alternative::Atom(atom)] => {
                let atom = atom.clone();
                Some(self.atom(atom.as_str()))
            }
            [Alternative::Integer(Some(low), Some(high))] if low == high => {
                let key = low.clone();
                Some(self.big_integer(key))
            }
            _ => None,
        }
    }

    /// The order of two maps of constants: by size, then by keys, then by values.
    pub(super) fn compare_maps(&self, left: &[Pair], right: &[Pair]) -> Option<Ordering> {
        let sizes = left.len().cmp(&right.len());
        if sizes.is_ne() {
            return Some(sizes);
        }
        for (left, right) in left.iter().zip(right) {
            let keys = self.compare_keys(left.0, right.0);
            if keys.is_ne() {
                return Some(keys);
            }
        }
        for (left, right) in left.iter().zip(right) {
            let values = deep(|| self.compare(left.1, right.1))?;
            if values.is_ne() {
                return Some(values);
            }
        }
        Some(Ordering::Equal)
    }

    /// A map of constants.
    pub(super) fn constant_map(&mut self, pairs: &[(Term, Term)]) -> NodeId {
        let pairs: Vec<Pair> = pairs
            .iter()
            .map(|(key, value)| {
                let key = deep(|| self.constant(key));
                (key, deep(|| self.constant(value)))
            })
            .collect();
        self.map(pairs)
    }
}
