//! The keys of maps of the input that a run has asked for.
//!
//! A run knows more about a map at each point. Conditions from its beginning must not be mixed
//! with what it learned later, so all of this is forgotten when the run is over.

use super::collections::Lookup;
use super::ids::NodeId;

/// The keys of maps of the input.
#[derive(Debug)]
pub struct MapKeys {
    /// The keys that a run asked for, in order; `None` if the run is over.
    asked: Option<Lookup<NodeId, Vec<NodeId>>>,
    /// All keys of the maps that the run iterated over.
    all: Lookup<NodeId, Vec<NodeId>>,
}

impl Default for MapKeys {
    fn default() -> Self {
        Self {
            asked: Some(Lookup::default()),
            all: Lookup::default(),
        }
    }
}

impl MapKeys {
    /// The keys that the run asked for.
    pub fn asked(&self, map: NodeId) -> Vec<NodeId> {
        let asked = self.asked.as_ref().and_then(|it| it.get(&map));
        asked.cloned().unwrap_or_default()
    }

    /// Asks for a key. Returns the keys that were asked for before it.
    pub(super) fn ask(&mut self, key: NodeId, map: NodeId) -> Vec<NodeId> {
        let Some(asked) = &mut self.asked else {
            return Vec::new();
        };
        let known = asked.entry(map).or_default();
        let position = known.iter().position(|it| *it == key);
        let position = position.unwrap_or_else(|| {
            known.push(key);
            known.len() - 1
        });
        known.iter().take(position).copied().collect()
    }

    /// All keys of a map, if the run iterated over it.
    pub fn all(&self, map: NodeId) -> Option<&[NodeId]> {
        self.all.get(&map).map(Vec::as_slice)
    }

    /// All keys of a map, unless the run asked for this one before it knew them.
    pub(super) fn all_for(&self, key: NodeId, map: NodeId) -> Option<Vec<NodeId>> {
        let keys = self.all(map)?;
        let was_asked = self.asked(map).contains(&key);
        (!was_asked || keys.contains(&key)).then(|| keys.to_vec())
    }

    /// Notes all keys of a map: the run iterated over it.
    pub fn set_all(&mut self, map: NodeId, keys: Vec<NodeId>) {
        self.all.insert(map, keys);
    }

    /// Forgets everything: the run is over.
    pub(crate) fn forget(&mut self) {
        self.asked = None;
        self.all.clear();
    }
}
