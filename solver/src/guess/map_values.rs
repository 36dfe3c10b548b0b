//! Guesses for maps: the keys that are known, and others where more are needed.

use flattener::ast::deep;

use super::Guess;
use super::map_draft::MapDraft;
use crate::conflict::{Conflict, Step};
use crate::graph::{Condition, Node, NodeId, Pair, Place, depth_of_constant};

/// No map with more keys is made.
const LARGEST_MAP: usize = 1000;

/// A key that a map has, or does not have.
#[derive(Clone, Copy)]
struct KnownKey {
    key: NodeId,
    /// What was guessed for it.
    own: NodeId,
    /// Its value, and what was guessed for that.
    value: Option<(NodeId, NodeId)>,
}

/// Guesses a map.
pub(super) struct MapGuess<'guess, 'known, 'run> {
    pub(super) guess: &'guess mut Guess<'known, 'run>,
    pub(super) part: NodeId,
}

impl MapGuess<'_, '_, '_> {
    /// A map with the keys that it must have, and those that the parent's has.
    pub(super) fn choose(mut self, wanted: Option<NodeId>) -> Result<NodeId, Conflict> {
        let known = self.guess.known.store.part(self.part).clone();
        let size = self.wanted_size()?;
        let keys = self.known_keys()?;
        self.require_room(size, &keys)?;
        let there = keys.iter().filter_map(|it| Some((it.own, it.value?.1)));
        let gone = keys.iter().filter(|it| it.value.is_none());
        let mut draft = MapDraft {
            fields: known.fields,
            size,
            pairs: there.collect(),
            absent: gone.map(|it| it.own).collect(),
        };
        self.add_wanted(&mut draft, wanted, known.depth)?;
        draft.add_required(self.guess.known.graph);
        while draft.is_open() && size.is_some() {
            self.add_pair(&mut draft)?;
        }
        if size.is_some_and(|size| draft.pairs.len() != size) {
            return Err(self.guess.known.give_up());
        }
        self.settle_values(&known.keys, &mut draft.pairs)?;
        self.other_than_excluded(draft, &known.not)
    }

    /// Adds the pairs of the parent's map, as far as there is room.
    fn add_wanted(&mut self, draft: &mut MapDraft, wanted: Option<NodeId>, depth: u32) -> Step {
        let graph = &*self.guess.known.graph;
        let Some(Node::Map(wanted)) = wanted.map(|it| graph.node(it).clone()) else {
            return Ok(());
        };
        for (key, value) in wanted {
            let graph = &*self.guess.known.graph;
            let is_shallow =
                depth_of_constant(graph, key).max(depth_of_constant(graph, value)) < depth;
            let fits = draft.allows(self.guess.known.graph, key);
            if fits && draft.is_open() && draft.is_new(key) && is_shallow {
                let value = self.value_like(key, value)?;
                draft.pairs.push((key, value));
            }
        }
        Ok(())
    }

    fn add_pair(&mut self, draft: &mut MapDraft) -> Step {
        let known = &mut *self.guess.known;
        let pair = draft.new_pair(known.graph);
        draft.pairs.push(pair.ok_or_else(|| known.give_up())?);
        Ok(())
    }

    /// The keys that a map is known to have or not to have, each once. The guessed keys may clash:
    /// one key is both there and not there, or it has two values.
    fn known_keys(&mut self) -> Result<Vec<KnownKey>, Conflict> {
        let mut keys = self.guess.known.store.part(self.part).keys.clone();
        // Keys that are known by their place come last: they may be equal to others.
        keys.sort_by_key(|it| self.is_place(it.0));
        let mut found: Vec<KnownKey> = Vec::new();
        for (key, is_there) in keys {
            let own = deep(|| self.guess.value(key))?;
            let same = found.iter().find(|it| it.own == own).copied();
            if is_there && same.is_some_and(|it| it.value.is_some()) && self.is_place(key) {
                continue;
            }
            let value = if is_there {
                let value = self.guess.known.graph.raw_value_at(key, self.part);
                Some((value, deep(|| self.guess.value(value))?))
            } else {
                None
            };
            let Some(same) = same else {
                found.push(KnownKey { key, own, value });
                continue;
            };
            let is_same = self.guess.known.graph.equal(key, same.key);
            match (value, same.value) {
                (None, None) => {}
                (Some(value), Some(other)) if value.1 == other.1 => {}
                (Some(value), Some(other)) => {
                    let has_same = self.guess.known.graph.equal(value.0, other.0);
                    let must_hold = self.guess.known.graph.any([!is_same, has_same]);
                    return Err(self.clash(must_hold));
                }
                _ => return Err(self.clash(!is_same)),
            }
        }
        Ok(found)
    }

    /// Fails if the map has more different keys than its size allows.
    fn require_room(&mut self, size: Option<usize>, keys: &[KnownKey]) -> Step {
        let there = keys.iter().filter(|it| it.value.is_some());
        let there: Vec<NodeId> = there.map(|it| it.key).collect();
        if size.is_none_or(|size| there.len() <= size) {
            return Ok(());
        }
        let mut ways = Vec::new();
        for (place, key) in there.iter().enumerate() {
            let before = there.iter().take(place);
            let before: Vec<Condition> = before
                .map(|it| self.guess.known.graph.equal(*it, *key))
                .collect();
            ways.extend(before);
        }
        let room = self
            .guess
            .known
            .graph
            .integer(i64::try_from(there.len()).unwrap_or(i64::MAX));
        let size = self.guess.known.graph.map_size(self.part);
        ways.push(!self.guess.known.graph.less(size, room));
        let must_hold = self.guess.known.graph.any(ways);
        Err(self.clash(must_hold))
    }

    /// Notes a condition on maps that must hold and does not.
    fn clash(&mut self, must_hold: Condition) -> Conflict {
        self.guess.map_clash = Some(must_hold);
        Conflict
    }

    /// Whether a key is known as the first, second and so on of the map.
    fn is_place(&self, key: NodeId) -> bool {
        let node = self.guess.known.graph.node(key);
        matches!(*node, Node::Part(Place::Key(_), of) if of == self.part)
    }

    /// Some keys may or may not be there. For those that now are there, the values of their parts
    /// are used.
    fn settle_values(&mut self, keys: &[(NodeId, bool)], pairs: &mut [Pair]) -> Step {
        // The keys whose values are settled, with their own values.
        let mut settled: Vec<Pair> = Vec::new();
        for (key, _) in keys.iter().filter(|known| known.1) {
            settled.push((*key, deep(|| self.guess.value(*key))?));
        }
        let mut number = 0;
        // Choosing values may add more parts.
        while let Some(there) = self
            .guess
            .known
            .store
            .part(self.part)
            .parts
            .get(number)
            .copied()
        {
            number += 1;
            let Node::Part(Place::Value(key), _) = *self.guess.known.graph.node(there) else {
                continue;
            };
            if keys.iter().any(|known| known.0 == key) {
                continue;
            }
            let own = deep(|| self.guess.value(key))?;
            let Some(pair) = pairs.iter_mut().find(|it| it.0 == own) else {
                continue;
            };
            let value = deep(|| self.guess.value(there))?;
            match settled.iter().find(|it| it.1 == own) {
                None => {
                    pair.1 = value;
                    settled.push((key, own));
                }
                Some(_) if pair.1 == value => {}
                Some((other, _)) => {
                    let are_equal = self.guess.known.graph.equal(key, *other);
                    let other_there = self.guess.known.graph.raw_value_at(*other, self.part);
                    let is_one = self.guess.known.graph.equal(there, other_there);
                    self.guess
                        .clashes
                        .push(self.guess.known.graph.any([!are_equal, is_one]));
                }
            }
        }
        Ok(())
    }

    /// How many keys the map must have, if that matters.
    fn wanted_size(&mut self) -> Result<Option<usize>, Conflict> {
        let size = self.guess.known.graph.known_map_size(self.part);
        let Some(size) = size.and_then(|size| self.guess.integers.get(&size)) else {
            return Ok(None);
        };
        let size = usize::try_from(*size).ok().filter(|it| *it <= LARGEST_MAP);
        size.map(Some).ok_or_else(|| self.guess.known.give_up())
    }

    /// What the parent's map has for a key, unless the program has looked at it.
    fn value_like(&mut self, key: NodeId, value: NodeId) -> Result<NodeId, Conflict> {
        let own = self.guess.known.graph.raw_value_at(key, self.part);
        if self.guess.known.store.part(self.part).parts.contains(&own) {
            return deep(|| self.guess.value(own));
        }
        Ok(value)
    }

    /// The map, with more pairs if this map is excluded.
    fn other_than_excluded(
        &mut self,
        mut draft: MapDraft,
        excluded: &[NodeId],
    ) -> Result<NodeId, Conflict> {
        loop {
            let map = self.guess.known.graph.map(draft.pairs.iter().copied());
            if !excluded.contains(&map) {
                return Ok(map);
            }
            if draft.size.is_some() {
                return Err(self.guess.known.give_up());
            }
            self.add_pair(&mut draft)?;
        }
    }
}
