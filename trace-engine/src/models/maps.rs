//! Built-ins on maps.

use super::{Stop, Walk, Walked};
use solver::graph::{Condition, Kinds, Node, NodeId, Pair, Place, compare_keys};

/// Larger maps are gone through in an order that is not known.
const LARGEST: usize = 32;

impl Walk<'_> {
    fn map_error(&mut self, tag: &str, value: NodeId) -> Stop {
        let tag = self.graph.atom(tag);
        Stop::Error(self.graph.tuple([tag, value]))
    }

    fn require_map(&mut self, map: NodeId) -> Result<(), Stop> {
        let is_map = self.graph.kind(Kinds::MAP, map);
        if self.holds(is_map)? {
            Ok(())
        } else {
            Err(self.map_error("badmap", map))
        }
    }

    fn has_key(&mut self, key: NodeId, map: NodeId) -> Result<bool, Stop> {
        self.require_map(map)?;
        let has_key = self.graph.has_key(key, map);
        self.holds(has_key)
    }

    /// `maps:get(Key, Map)`.
    pub(super) fn map_get(&mut self, key: NodeId, map: NodeId) -> Walked {
        if self.has_key(key, map)? {
            Ok(self.graph.value_at(key, map))
        } else {
            Err(self.map_error("badkey", key))
        }
    }

    /// `maps:find(Key, Map)`.
    pub(super) fn map_find(&mut self, key: NodeId, map: NodeId) -> Walked {
        if self.has_key(key, map)? {
            let value = self.graph.value_at(key, map);
            let ok = self.graph.atom("ok");
            Ok(self.graph.tuple([ok, value]))
        } else {
            Ok(self.graph.atom("error"))
        }
    }

    /// `maps:is_key(Key, Map)`.
    pub(super) fn map_is_key(&mut self, key: NodeId, map: NodeId) -> Walked {
        self.require_map(map)?;
        let has_key = self.graph.has_key(key, map);
        Ok(self.graph.truth(has_key))
    }

    /// `maps:put(Key, Value, Map)`.
    pub(super) fn map_put(&mut self, key: NodeId, value: NodeId, map: NodeId) -> Walked {
        self.require_map(map)?;
        Ok(self.graph.put(map, key, value))
    }

    /// `maps:update(Key, Value, Map)`.
    pub(super) fn map_update(&mut self, key: NodeId, value: NodeId, map: NodeId) -> Walked {
        if self.has_key(key, map)? {
            Ok(self.graph.put(map, key, value))
        } else {
            Err(self.map_error("badkey", key))
        }
    }

    /// `maps:remove(Key, Map)`.
    pub(super) fn map_remove(&mut self, key: NodeId, map: NodeId) -> Walked {
        self.require_map(map)?;
        Ok(self.graph.without(map, key))
    }

    /// `maps:take(Key, Map)`.
    pub(super) fn map_take(&mut self, key: NodeId, map: NodeId) -> Walked {
        if self.has_key(key, map)? {
            let value = self.graph.value_at(key, map);
            let rest = self.graph.without(map, key);
            Ok(self.graph.tuple([value, rest]))
        } else {
            Ok(self.graph.atom("error"))
        }
    }

    /// `maps:keys(Map)`.
    pub(super) fn map_keys(&mut self, map: NodeId) -> Walked {
        let pairs = self.pairs(map)?;
        let keys: Vec<NodeId> = pairs.into_iter().map(|it| it.0).collect();
        Ok(self.list(&keys))
    }

    /// `maps:values(Map)`.
    pub(super) fn map_values(&mut self, map: NodeId) -> Walked {
        let pairs = self.pairs(map)?;
        let values: Vec<NodeId> = pairs.into_iter().map(|it| it.1).collect();
        Ok(self.list(&values))
    }

    /// `maps:merge(Map1, Map2)`.
    pub(super) fn map_merge(&mut self, first: NodeId, second: NodeId) -> Walked {
        self.require_map(first)?;
        let pairs = self.pairs(second)?;
        let pairs = pairs.into_iter();
        Ok(pairs.fold(first, |map, (key, value)| self.graph.put(map, key, value)))
    }

    /// `maps:from_list(List)`.
    pub(super) fn map_from_list(&mut self, list: NodeId) -> Walked {
        let mut map = self.graph.map([]);
        for element in self.elements(list)? {
            let is_pair = self.graph.arity(2, element);
            self.require(is_pair)?;
            let (key, value) = (
                self.graph.element(0, element),
                self.graph.element(1, element),
            );
            map = self.graph.put(map, key, value);
        }
        Ok(map)
    }

    /// `maps:from_keys(Keys, Value)`.
    pub(super) fn map_from_keys(&mut self, keys: NodeId, value: NodeId) -> Walked {
        let empty = self.graph.map([]);
        let keys = self.elements(keys)?.into_iter();
        Ok(keys.fold(empty, |map, key| self.graph.put(map, key, value)))
    }

    /// `erts_internal:map_next(0, Map, What)`: all pairs as an iterator, or before a list.
    pub(super) fn map_next(&mut self, path: NodeId, map: NodeId, what: NodeId) -> Walked {
        let (start, iterator) = (self.graph.integer(0), self.graph.atom("iterator"));
        let is_start = self.graph.equal(path, start);
        if !self.holds(is_start)? {
            return Err(Stop::Unknown);
        }
        let is_iterator = self.graph.equal(what, iterator);
        let is_iterator = self.holds(is_iterator)?;
        if !is_iterator {
            let is_list = self.graph.kind(Kinds::LIST, what);
            self.require(is_list)?;
        }
        let pairs = self.pairs(map)?.into_iter().rev();
        if is_iterator {
            let none = self.graph.atom("none");
            return Ok(pairs.fold(none, |rest, (key, value)| {
                self.graph.tuple([key, value, rest])
            }));
        }
        Ok(pairs.fold(what, |rest, (key, value)| {
            let pair = self.graph.tuple([key, value]);
            self.graph.cons(pair, rest)
        }))
    }

    /// All pairs of a map, in the order of their keys.
    fn pairs(&mut self, map: NodeId) -> Result<Vec<Pair>, Stop> {
        self.require_map(map)?;
        let pairs = self.pairs_of_map(map)?;
        if pairs.len() > LARGEST {
            return Err(Stop::Unknown);
        }
        Ok(pairs)
    }

    fn pairs_of_map(&mut self, map: NodeId) -> Result<Vec<Pair>, Stop> {
        match *self.graph.node(map) {
            Node::Map(ref pairs) => Ok(pairs.to_vec()),
            Node::Put(base, key, value) => {
                let mut pairs = self.pairs_of_map(base)?;
                let (place, is_there) = self.place_of_key(key, &pairs)?;
                match pairs.get_mut(place).filter(|_| is_there) {
                    Some(pair) => *pair = (key, value),
                    None => pairs.insert(place, (key, value)),
                }
                Ok(pairs)
            }
            Node::Without(base, key) => {
                let mut pairs = self.pairs_of_map(base)?;
                let (place, is_there) = self.place_of_key(key, &pairs)?;
                if is_there {
                    pairs.remove(place);
                }
                Ok(pairs)
            }
            Node::Choice(condition, yes, no) => {
                let holds = self.holds(condition)?;
                self.pairs_of_map(if holds { yes } else { no })
            }
            _ if self.graph.is_part(map) => self.pairs_of_part(map),
            _ => Err(Stop::Unknown),
        }
    }

    /// Where a key is among others, or belongs.
    fn place_of_key(&mut self, key: NodeId, pairs: &[Pair]) -> Result<(usize, bool), Stop> {
        for (place, (known, _)) in pairs.iter().enumerate() {
            let is_here = self.graph.equal(key, *known);
            let is_before = self.is_before(key, *known);
            match self.choose(&[is_here, is_before, Condition::TRUE])? {
                0 => return Ok((place, true)),
                1 => return Ok((place, false)),
                _ => {}
            }
        }
        Ok((pairs.len(), false))
    }

    /// A key comes before another one, which is not equal to it.
    fn is_before(&mut self, key: NodeId, other: NodeId) -> Condition {
        if self.graph.is_ground(key) && self.graph.is_ground(other) {
            return Condition::of(compare_keys(self.graph, key, other).is_lt());
        }
        let mixed = |walk: &mut Self, integer, float| {
            let is_integer = walk.graph.kind(Kinds::INTEGER, integer);
            let is_float = walk.graph.kind(Kinds::FLOAT, float);
            walk.graph.all([is_integer, is_float])
        };
        let (is_first, is_second) = (mixed(self, key, other), mixed(self, other, key));
        let less = self.graph.less(key, other);
        let less = self.graph.all([!is_second, less]);
        self.graph.any([is_first, less])
    }

    /// All pairs of a map of the input. Each number of keys is a way of its own; a key that was
    /// asked for before is one of them or is not there.
    fn pairs_of_part(&mut self, map: NodeId) -> Result<Vec<Pair>, Stop> {
        if let Some(keys) = self.graph.map_keys().all(map) {
            let keys = keys.to_vec();
            return Ok(keys
                .into_iter()
                .map(|key| (key, self.graph.raw_value_at(key, map)))
                .collect());
        }
        let count = self.number_of_keys(map)?;
        let mut keys: Vec<NodeId> = (0..count)
            .map(|index| self.graph.at(Place::Key(index), map))
            .collect();
        for key in &keys {
            let has_key = self.graph.raw_has_key(*key, map);
            self.assume(has_key)?;
        }
        for index in 1..keys.len() {
            if let (Some(first), Some(second)) = (keys.get(index - 1), keys.get(index)) {
                let is_before = self.is_before(*first, *second);
                self.assume(is_before)?;
            }
        }
        let mut is_asked = vec![false; keys.len()];
        for asked in self.graph.map_keys().asked(map) {
            let has_key = self.graph.has_key(asked, map);
            let mut ways = vec![!has_key];
            for key in &keys {
                ways.push(self.graph.equal(asked, *key));
            }
            let place = self.choose(&ways)?.checked_sub(1);
            let slot = place.and_then(|place| keys.get_mut(place).zip(is_asked.get_mut(place)));
            // Of equal keys the first one that was asked for counts.
            if let Some((key, is_asked)) = slot
                && !*is_asked
            {
                (*key, *is_asked) = (asked, true);
            }
        }
        self.graph.map_keys_mut().set_all(map, keys.clone());
        let pairs = keys.into_iter();
        Ok(pairs
            .map(|key| (key, self.graph.raw_value_at(key, map)))
            .collect())
    }

    fn number_of_keys(&mut self, map: NodeId) -> Result<u32, Stop> {
        let size = self.graph.map_size(map);
        for count in 0..=LARGEST {
            let count = u32::try_from(count).map_err(|_| Stop::Unknown)?;
            let number = self.graph.integer(count.into());
            let is_all = self.graph.equal(size, number);
            if self.holds(is_all)? {
                return Ok(count);
            }
        }
        Err(Stop::Unknown)
    }
}
